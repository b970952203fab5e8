"""Scopes: what a token may be used for, and the permission that asks for them."""

from typing import Any

from django.contrib.auth.models import User
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from aurum_league.common.errors import LeagueError

SCOPES: dict[str, str] = {
    "read": "read what its owner may read",
    "play": "sit at tables, decide and resign",
    "bots": "register bots and versions, ask for scrimmages and tests",
    "organise": "create and run leagues and tournaments",
}


class HasScope(BasePermission):
    """Anybody may read what is public. Writing takes a person, and a token that holds the view's `scope`.

    A person signed in by a browser holds every scope; a view that sets `is_private` is not for strangers at all.
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        is_read = request.method in SAFE_METHODS
        if not request.user.is_authenticated:
            return is_read and not getattr(view, "is_private", False)
        require_scope(request, *(("read",) if is_read else (view.scope, *view.other_scopes)))
        return True


def require_scope(request: Request, *scopes: str) -> None:
    """A coded error where the request came with a token that holds none of these."""
    held = getattr(request.auth, "scopes", ())
    if request.auth is not None and not set(scopes) & set(held):
        wanted = " or ".join(scopes)
        raise LeagueError("missing_scope", f"This token lacks the scope {wanted}.", "Make a token that has it.", 403)


def person_of(request: Request) -> User:
    """Who is asking, where the permission has let only people through."""
    if not isinstance(request.user, User):
        raise NotAuthenticated
    return request.user
