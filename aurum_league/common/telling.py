"""Telling people something, each in their own language: on the site at once, soon after by mail, and by web push."""

import base64
import fnmatch
import hashlib
import hmac
import json
import os
import re
import time
from collections.abc import Callable, Iterable
from datetime import timedelta
from functools import cache
from urllib.parse import urlsplit

import httpx
import structlog
from allauth.account.models import EmailAddress
from cryptography.exceptions import InvalidKey
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone, translation

from aurum_league.common.broker import send_nudge
from aurum_league.common.errors import N_, LeagueError, Sentence
from aurum_league.common.pages import say_sentence
from aurum_league.models import Notice, Preference, PushSubscription

PURPOSE = b"aurum push key v1"
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Of the curve P-256: a private key is a number below it."""

LONGEST_TEXT = 1000
SECONDS_KEPT = 24 * 3600
ANSWER_SECONDS = 5.0
MOST_SUBSCRIPTIONS = 10
GONE = (404, 410)
HOST = re.compile(r"[a-z0-9.-]+(:[0-9]+)?")



@cache
def _derive_key(secret: str) -> ec.EllipticCurvePrivateKey:
    digest = hmac.new(secret.encode(), PURPOSE, hashlib.sha512).digest()
    return ec.derive_private_key(int.from_bytes(digest, "big") % (ORDER - 1) + 1, ec.SECP256R1())


def read_push_key() -> str:
    """The public half, as browsers want it when they subscribe."""
    return _encode(_point_of(_derive_key(settings.SECRET_KEY).public_key()))


def subscribe(*, user: User, endpoint: str, p256dh: str, auth: str) -> PushSubscription:
    """Note a browser of this person; the oldest is forgotten where there are many. Raises for what is no browser's."""
    if not is_push_service(endpoint):
        raise LeagueError(
            "push_service_unknown",
            N_("This address belongs to no push service that the site knows."),
            N_("Subscribe from a browser, and send what it says."),
            status=422,
        )
    try:
        _read_point(p256dh)
        is_whole = len(_decode(auth)) == 16
    except (ValueError, InvalidKey):
        is_whole = False
    if not is_whole:
        raise LeagueError(
            "push_keys_invalid",
            N_("These are no keys of a push subscription."),
            N_("Send p256dh and auth as the browser says them."),
            status=422,
        )
    with transaction.atomic():
        made, _ = PushSubscription.objects.update_or_create(
            endpoint=endpoint, defaults={"user": user, "p256dh": p256dh, "auth": auth}
        )
        kept = PushSubscription.objects.filter(user=user).order_by("-id").values("pk")[:MOST_SUBSCRIPTIONS]
        PushSubscription.objects.filter(user=user).exclude(pk__in=list(kept.values_list("pk", flat=True))).delete()
    return made


def unsubscribe(*, user: User, endpoint: str) -> int:
    """How many were forgotten: one, or none where this person has no such subscription."""
    return PushSubscription.objects.filter(user=user, endpoint=endpoint).delete()[0]


def is_push_service(endpoint: str) -> bool:
    """Whether an address begins as one of PUSH_SERVICES does: scheme and host, where a star stands for any label."""
    try:
        parts = urlsplit(endpoint)
    except ValueError:
        return False
    if len(endpoint) > 500 or not endpoint.isascii() or not HOST.fullmatch(parts.netloc):
        return False
    return any(fnmatch.fnmatchcase(f"{parts.scheme}://{parts.netloc}", known) for known in settings.PUSH_SERVICES)


def by_push(notice: Notice, subject: str, text: str) -> None:
    """A channel of telling.py: every browser of the person; one that has gone is forgotten."""
    told = {"title": subject, "body": text[:LONGEST_TEXT], "url": notice.url, "kind": notice.kind}
    for browser in PushSubscription.objects.filter(user_id=notice.user_id):
        try:
            status = _post(browser, json.dumps(told).encode())
        except httpx.HTTPError as error:
            log.warning("push_not_sent", notice=notice.pk, error=type(error).__name__)
            continue
        if status in GONE:
            browser.delete()
        elif status >= 400:
            log.warning("push_refused", notice=notice.pk, status=status)


def _post(browser: PushSubscription, message: bytes) -> int:
    headers = {
        "Authorization": _authorise(browser.endpoint),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(SECONDS_KEPT),
        "Urgency": "normal",
    }
    body = encrypt(message, browser.p256dh, browser.auth)
    return httpx.post(browser.endpoint, content=body, headers=headers, timeout=ANSWER_SECONDS).status_code


def encrypt(message: bytes, p256dh: str, auth: str) -> bytes:
    """RFC 8291: one record, under a key that only this browser can derive."""
    browser, own, salt = _read_point(p256dh), ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
    both = _point_of(browser) + _point_of(own.public_key())
    secret = _derive(own.exchange(ec.ECDH(), browser), _decode(auth), b"WebPush: info\0" + both, 32)
    key = _derive(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(secret, salt, b"Content-Encoding: nonce\0", 12)
    sealed = AESGCM(key).encrypt(nonce, message + b"\2", None)
    point = _point_of(own.public_key())
    return salt + (4096).to_bytes(4, "big") + bytes([len(point)]) + point + sealed


def _authorise(endpoint: str) -> str:
    """RFC 8292: who sends this, signed for this push service alone."""
    parts = urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int(time.time()) + 12 * 3600,
        "sub": settings.SITE_URL,
    }
    text = ".".join(_encode(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims))
    signature = _derive_key(settings.SECRET_KEY).sign(text.encode(), ec.ECDSA(hashes.SHA256()))
    both = b"".join(number.to_bytes(32, "big") for number in decode_dss_signature(signature))
    return f"vapid t={text}.{_encode(both)}, k={read_push_key()}"


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def _point_of(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def _read_point(text: str) -> ec.EllipticCurvePublicKey:
    return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _decode(text))


def _encode(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def _decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


TASK = "aurum_league.send_notices"
MOST_AT_ONCE = 200
MOST_A_DAY = 40
"""Of one kind, by mail and push to one person."""

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
    if _is_one_too_many(notice):
        log.warning("notice_kept_on_the_page", notice=notice.pk, kind=notice.kind)
        return
    with translation.override(read_language(notice.user)):
        subject, text = say_notice(notice)
    for channel in CHANNELS:
        try:
            channel(notice, subject, text)
        except OSError as error:
            log.warning("notice_not_sent", notice=notice.pk, channel=channel.__name__, error=type(error).__name__)
        except Exception:
            log.exception("notice_failed", notice=notice.pk, channel=channel.__name__)


def _is_one_too_many(notice: Notice) -> bool:
    """Whatever others do again and again: beyond so many of a kind in a day a person reads it on the page alone."""
    before = Notice.objects.filter(user=notice.user_id, kind=notice.kind, pk__lt=notice.pk).order_by("-pk")
    first = before.values_list("told_at", flat=True)[MOST_A_DAY - 1 : MOST_A_DAY].first()
    return first is not None and first > notice.told_at - timedelta(days=1)


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
