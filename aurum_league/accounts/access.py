"""Access: tokens that speak for people, roles they can hold, and rights given or lost, each an event of the site."""

import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import timedelta
from typing import Any

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.models import Group, User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from knox.auth import TokenAuthentication
from knox.crypto import hash_token
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from aurum_league.accounts.sessions import end_sessions
from aurum_league.common.api.access import SCOPES
from aurum_league.common.errors import N_, LeagueError
from aurum_league.common.site_events import record_site_event
from aurum_league.models import AccessToken

MOST_TOKENS = 20

FACTORS = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)
"""Recovery codes stand in for a factor; alone they are none."""


def has_role(user: User) -> bool:
    """Whether this account may do more than a person's: then a stolen password must not be enough."""
    return user.is_staff or user.is_superuser or user.groups.exists()


def lacks_factor(user: User) -> bool:
    """Whether the role of this account asks for a second factor that is not there."""
    if not settings.SECOND_FACTOR_REQUIRED or not has_role(user):
        return False
    return not Authenticator.objects.filter(user=user, type__in=FACTORS).exists()


def second_factor_needed() -> LeagueError:
    return LeagueError(
        "second_factor_needed",
        N_("Your role asks for a second factor."),
        N_("Sign in on the site and set one up under Account, Second factor."),
        status=403,
    )


def list_tokens(user: User) -> QuerySet[AccessToken]:
    return AccessToken.objects.filter(user=user).order_by("-created")


@transaction.atomic
def create_token(
    *, user: User, name: str, scopes: Iterable[str], lifetime: timedelta | None = None
) -> tuple[AccessToken, str]:
    """A new token and, this once, its text."""
    wanted = [scope for scope in SCOPES if scope in set(scopes)]
    if not wanted or not name.strip() or len(name) > 60:
        raise LeagueError("bad_token_wish", N_("A token needs a name of at most 60 characters and at least one scope."))
    if lacks_factor(user):
        raise second_factor_needed()
    # Two forms sent at once must not both find room.
    User.objects.select_for_update().get(pk=user.pk)
    if list_tokens(user).count() >= MOST_TOKENS:
        raise LeagueError(
            "too_many_tokens",
            N_("You have %(number)s tokens."),
            N_("Revoke one first."),
            status=409,
            number=MOST_TOKENS,
        )
    return AccessToken.objects.create(user, expiry=lifetime, name=name.strip(), scopes=wanted)


def revoke_token(*, user: User, handle: uuid.UUID) -> bool:
    """From now on the token opens nothing; False where there was none."""
    return bool(AccessToken.objects.filter(user=user, handle=handle).delete()[0])


# A write for every request would cost more than most requests do.
LAST_USE_STEP = timedelta(minutes=1)


class AccessTokenAuthentication(TokenAuthentication):
    """One query by primary key, where knox would look at every token of the same user."""

    def authenticate_credentials(self, token: bytes) -> tuple[User, AccessToken]:
        try:
            digest = hash_token(token.decode("ascii"))
        except UnicodeDecodeError:
            raise AuthenticationFailed("This token is not valid.") from None
        now = timezone.now()
        found = AccessToken.objects.select_related("user").filter(digest=digest).first()
        if found is None or (found.expiry is not None and found.expiry < now) or not found.user.is_active:
            raise AuthenticationFailed("This token is not valid: it is unknown, revoked or expired.")
        if lacks_factor(found.user):
            raise second_factor_needed()
        if found.last_used_at is None or now - found.last_used_at > LAST_USE_STEP:
            AccessToken.objects.filter(pk=found.pk).update(last_used_at=now)
        return found.user, found

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class AccessTokenScheme(OpenApiAuthenticationExtension):
    target_class = "aurum_league.accounts.access.AccessTokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "A token from /account/tokens/, with scopes."}


def end_tokens(user: User) -> None:
    list_tokens(user).delete()


def end_access(instance: User, created: bool, **details: object) -> None:
    """Called for every account that is saved: a new password, whoever set it and where, ends sessions and tokens."""
    # Set by Django between `set_password` and the end of `save`; a hash that is only made stronger leaves it empty.
    if not created and instance._password is not None:  # type: ignore[attr-defined]
        end_tokens(instance)
        end_sessions(instance)


ROLES = ("organiser", "staff", "moderator")
KEPT_BY_STAFF = ("aurum_league", "games", "bots", "tournaments")
"""Apps whose rows the staff may see and act on; what an admin page lets them do is its own affair."""

ACCOUNT_RIGHTS = ("view_user", "change_user", "view_group")


def ensure_roles(**details: object) -> None:
    """Make the groups that are missing; runs after every migrate, so that a flushed database has them too."""
    from django.apps import apps as installed
    from django.contrib.auth.management import create_permissions
    from django.contrib.auth.models import Group, Permission
    from django.db.models import Q

    groups = {name: Group.objects.get_or_create(name=name)[0] for name in ROLES}
    # Our app comes before those whose rights it hands out.
    for label in (*KEPT_BY_STAFF, "auth"):
        create_permissions(installed.get_app_config(label), verbosity=0)
    may_keep = Q(content_type__app_label__in=KEPT_BY_STAFF, codename__regex=r"^(view|change)_")
    may_help = Q(content_type__app_label="auth", codename__in=ACCOUNT_RIGHTS)
    groups["staff"].permissions.set(Permission.objects.filter(may_keep | may_help))


WATCHED = {"is_active": "account", "is_staff": "staff", "is_superuser": "superuser"}
_actor: ContextVar[User | None] = ContextVar("actor", default=None)


@contextmanager
def acting_as(user: User) -> Iterator[None]:
    """Whatever happens to rights inside is this person's deed; elsewhere nobody is named."""
    token = _actor.set(user)
    try:
        yield
    finally:
        _actor.reset(token)


def note_rights(instance: User, raw: bool = False, update_fields: Any = None, **details: object) -> None:
    """Before an account is saved: what changes of its rights."""
    if raw or (update_fields is not None and not WATCHED.keys() & set(update_fields)):
        return
    found = User.objects.filter(pk=instance.pk).values(*WATCHED).first() if instance.pk else None
    before = found or {"is_active": True, "is_staff": False, "is_superuser": False}
    for name, right in WATCHED.items():
        after = getattr(instance, name)
        if after != before[name] and found is not None:
            _record(right, instance, is_given=after)


def note_new_rights(instance: User, created: bool, raw: bool = False, **details: object) -> None:
    """After an account is made: the rights that it has from the start."""
    for name in ("is_staff", "is_superuser") if created and not raw else ():
        if getattr(instance, name):
            _record(WATCHED[name], instance, is_given=True)


def note_groups(instance: Any, action: str, pk_set: set[int] | None, reverse: bool, **details: object) -> None:
    """Roles are groups, whichever side they are changed from."""
    if action not in ("post_add", "post_remove", "pre_clear"):
        return
    if action == "pre_clear":
        pairs = instance.user_set.all() if reverse else instance.groups.all()
        pk_set = set(pairs.values_list("pk", flat=True))
    others: Any = User if reverse else Group
    for other in others.objects.filter(pk__in=pk_set or ()).order_by("pk"):
        user, group = (other, instance) if reverse else (instance, other)
        _record(group.name, user, is_given=action == "post_add")


def _record(right: str, user: User, *, is_given: bool) -> None:
    if right == "account":
        kind = "account_opened" if is_given else "account_closed"
        record_site_event(kind, actor=_actor.get(), user=user.pk)
    else:
        kind = "right_given" if is_given else "right_taken"
        record_site_event(kind, actor=_actor.get(), user=user.pk, right=right)
