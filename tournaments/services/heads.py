"""The heads of the chains, published once a day, and the key of the site's signature, whenever it is another one.

Both are events of the site: the digest of the event that tells the heads binds every tournament, and the site itself,
to all that had happened by then.
"""

from django.db import transaction
from django.utils import timezone

from aurum_league.common.signing import read_public_key
from aurum_league.common.site_events import lock_site_chain, record_site_event
from aurum_league.models import SiteEvent
from tournaments.selectors.exports import HEADS, SIGNING_KEY, list_signing_keys, read_site_head


@transaction.atomic
def publish_heads() -> SiteEvent | None:
    """Add today's heads to the site's chain; None where they are there already, whoever else tries at once."""
    lock_site_chain()
    note_signing_key()
    today = timezone.now().date()
    newest = SiteEvent.objects.filter(kind=HEADS).order_by("-number").first()
    if newest is not None and newest.at.date() >= today:
        return None
    return record_site_event(HEADS, actor=None, day=today.isoformat(), tournaments=read_site_head())


@transaction.atomic
def note_signing_key() -> bool:
    """Note the key that is in use if another one was before, or none: who keeps old archives finds theirs listed."""
    lock_site_chain()
    known = list_signing_keys()
    now = read_public_key()
    if known and known[-1]["key"] == now:
        return False
    before = known[-1]["key"] if known else None
    record_site_event(SIGNING_KEY, actor=None, key=now, before=before)
    return True
