"""Access tokens: made and revoked by the people they speak for; the token itself is known only at its making."""

import uuid
from collections.abc import Iterable
from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet

from aurum_league.common.api.scopes import SCOPES
from aurum_league.common.errors import LeagueError
from aurum_league.models import AccessToken

MOST_TOKENS = 20


def list_tokens(user: User) -> QuerySet[AccessToken]:
    return AccessToken.objects.filter(user=user).order_by("-created")


@transaction.atomic
def create_token(
    *, user: User, name: str, scopes: Iterable[str], lifetime: timedelta | None = None
) -> tuple[AccessToken, str]:
    """A new token and, this once, its text."""
    wanted = [scope for scope in SCOPES if scope in set(scopes)]
    if not wanted or not name.strip() or len(name) > 60:
        raise LeagueError("bad_token_wish", "A token needs a name of at most 60 characters and at least one scope.")
    # Two forms sent at once must not both find room.
    User.objects.select_for_update().get(pk=user.pk)
    if list_tokens(user).count() >= MOST_TOKENS:
        raise LeagueError("too_many_tokens", f"You have {MOST_TOKENS} tokens.", "Revoke one first.", 409)
    return AccessToken.objects.create(user, expiry=lifetime, name=name.strip(), scopes=wanted)


def revoke_token(*, user: User, handle: uuid.UUID) -> bool:
    """From now on the token opens nothing; False where there was none."""
    return bool(AccessToken.objects.filter(user=user, handle=handle).delete()[0])
