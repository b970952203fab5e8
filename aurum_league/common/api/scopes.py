"""Scopes: what a token may be used for, and the permission that asks for them."""

from typing import Any

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
        needed = "read" if is_read else view.scope
        if request.auth is not None and needed not in request.auth.scopes:
            raise LeagueError(
                "missing_scope", f"This token lacks the scope {needed!r}.", "Make a token that has it.", 403
            )
        return True
