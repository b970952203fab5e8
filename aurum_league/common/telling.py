"""Telling people something: a notice on the site at once, and by mail soon after, each in the reader's own language."""

from collections.abc import Callable, Iterable

import structlog
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone, translation

from aurum_league.common.broker import send_nudge
from aurum_league.common.errors import Sentence
from aurum_league.common.pages import say_sentence
from aurum_league.common.push import by_push
from aurum_league.models import Notice, Preference

TASK = "aurum_league.send_notices"
MOST_AT_ONCE = 200

log = structlog.get_logger()


def tell(users: Iterable[User], *, kind: str, subject: str, text: str, url: str, **values: object) -> list[Notice]:
    """Tell each of these people once, in the transaction of what happened.

    `subject` and `text` are templates marked with `N_` and filled by `values`, which are texts and numbers; `url` is a
    path of the site. `kind` is a word by which a channel or a page can tell notices apart.
    """
    told = {user.pk: user for user in users if user.is_active}
    kept = dict(Sentence(text, **values).values)
    notices = Notice.objects.bulk_create(
        Notice(user_id=pk, kind=kind, subject=subject, text=text, values=kept, url=url) for pk in told
    )
    if notices:
        transaction.on_commit(lambda: send_nudge(TASK))
    return notices


def send_notices() -> int:
    """Send what has not been sent, oldest first; how many were. Running twice, also at once, sends nothing twice."""
    sent = 0
    while sent < MOST_AT_ONCE:
        with transaction.atomic():
            unsent = Notice.objects.select_for_update(skip_locked=True, of=("self",)).filter(sent_at__isnull=True)
            notice = unsent.select_related("user__preference").order_by("id").first()
            if notice is None:
                break
            # Before it is sent: a worker that dies meanwhile leaves one mail unsent instead of sending it for ever.
            Notice.objects.filter(pk=notice.pk).update(sent_at=timezone.now())
        _send(notice)
        sent += 1
    return sent


def _send(notice: Notice) -> None:
    with translation.override(read_language(notice.user)):
        subject, text = say_notice(notice)
    for channel in CHANNELS:
        try:
            channel(notice, subject, text)
        except OSError as error:
            log.warning("notice_not_sent", notice=notice.pk, channel=channel.__name__, error=type(error).__name__)
        except Exception:
            log.exception("notice_failed", notice=notice.pk, channel=channel.__name__)


def say_notice(notice: Notice) -> tuple[str, str]:
    """Subject and text in the language that is active."""
    return (
        say_sentence(Sentence(notice.subject, **notice.values)),
        say_sentence(Sentence(notice.text, **notice.values)),
    )


def by_mail(notice: Notice, subject: str, text: str) -> None:
    if mailbox := find_mailbox(notice.user):
        address = settings.SITE_URL.rstrip("/") + notice.url
        one_line = " ".join(subject.split())
        send_mail(f"Aurum League: {one_line}", f"{text}\n\n{address}\n", None, [mailbox])


def find_mailbox(user: User) -> str:
    """Where mail with words of other people may go: an address that its owner has confirmed; empty where there is none.

    Anybody can name another's address when signing up, and would have the site write to it.
    """
    is_confirmed = user.email and EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=True)
    return user.email if is_confirmed and is_confirmed.exists() else ""


CHANNELS: list[Callable[[Notice, str, str], None]] = [by_mail, by_push]
"""Beside the page of notices; a channel that fails holds up no other, nor whoever is told next."""


def list_notices(user: User) -> QuerySet[Notice]:
    """What this person was told, newest first."""
    return Notice.objects.filter(user=user).order_by("-id")


def mark_read(user: User) -> int:
    """Everything that was told so far has been seen; how many were new."""
    return Notice.objects.filter(user=user, read_at__isnull=True).update(read_at=timezone.now())


def read_language(user: User) -> str:
    """In which language to write to somebody."""
    preference = getattr(user, "preference", None)
    return preference.language if preference else settings.LANGUAGE_CODE


def keep_language(user: User, language: str) -> None:
    Preference.objects.update_or_create(user=user, defaults={"language": language})
