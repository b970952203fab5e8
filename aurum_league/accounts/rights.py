"""Rights that somebody is given or loses, and accounts closed or opened again: each is an event of the site."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.contrib.auth.models import Group, User

from aurum_league.common.site_events import record_site_event

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
