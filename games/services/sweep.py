"""The sweep: repairs what was lost. It may run anywhere, at any time, twice at once."""

from games.models import Match, MatchState
from games.services.clocks import beat, flag_late_matches
from games.services.lease import LIVE_PRIORITY, free_stale_leases
from games.services.nudge import nudge_workers
from games.services.windows import close_windows


def sweep_matches() -> int:
    """Free stale leases, flag late seats, close windows, wake workers for what is ready; how many leases were stale."""
    beat()
    flag_late_matches()
    close_windows()
    stale = free_stale_leases()
    ready = Match.objects.filter(state=MatchState.READY)
    count = ready.order_by()[:2000].count()
    if count:
        nudge_workers(count)
    if ready.filter(priority__gte=LIVE_PRIORITY).exists():
        nudge_workers(1, is_live=True)
    return stale
