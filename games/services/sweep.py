"""The sweep: repairs what was lost. It may run anywhere, at any time, twice at once."""

from games.models import Match, MatchState
from games.services.lease import LIVE_PRIORITY, free_stale_leases
from games.services.nudge import nudge_workers


def sweep_matches() -> int:
    """Free stale leases and wake workers for everything that is ready; how many leases were stale."""
    stale = free_stale_leases()
    ready = Match.objects.filter(state=MatchState.READY)
    waiting_for_worker = ready.order_by()[:2000].count()
    if waiting_for_worker:
        nudge_workers(waiting_for_worker)
    if ready.filter(priority__gte=LIVE_PRIORITY).exists():
        nudge_workers(1, is_live=True)
    return stale
