"""Traces by which moderators find accounts that belong together: the device and the address of a sign-in, as digests.

The key is made of the site's own and of one that is drawn anew every month and forgotten with that month's traces:
neither a dump of the database nor, after three months, the site itself can tell what a digest was made of.
"""

import hashlib
import hmac
import ipaddress
import secrets
from datetime import date, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from aurum_league.models import Trace, TraceKey, TraceKind

MONTHS_KEPT = 3


@transaction.atomic
def note_traces(*, user_id: int, device: str, address: str) -> None:
    """Somebody signed in: from this device, by the name its cookie has, and this address."""
    month = timezone.now().date().replace(day=1)
    stored, _is_new = TraceKey.objects.get_or_create(month=month, defaults={"key": secrets.token_bytes(32)})
    key = hashlib.sha256(b"aurum trace" + settings.SECRET_KEY.encode() + bytes(stored.key)).digest()
    seen = {TraceKind.DEVICE: device, TraceKind.ADDRESS: _shorten(address)}
    Trace.objects.bulk_create(
        [
            Trace(user_id=user_id, kind=kind, month=month, digest=hmac.digest(key, f"{kind} {text}".encode(), "sha256"))
            for kind, text in seen.items()
            if text
        ],
        ignore_conflicts=True,
    )


def _shorten(address: str) -> str:
    """The whole of an IPv4 address, the network of a household of IPv6; empty for what is none."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return ""
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped:
        found = found.ipv4_mapped
    return str(found) if found.version == 4 else str(ipaddress.ip_network((found, 64), strict=False))


@transaction.atomic
def forget_old_traces() -> int:
    """Of this month and the two before it all is kept; how many older ones went, with their keys."""
    oldest = timezone.now().date().replace(day=1)
    for _month in range(MONTHS_KEPT - 1):
        oldest = _before(oldest)
    TraceKey.objects.filter(month__lt=oldest).delete()
    return Trace.objects.filter(month__lt=oldest).delete()[0]


def _before(month: date) -> date:
    return (month - timedelta(days=1)).replace(day=1)
