"""Usage: the CPU time of a match's decisions is noted when a seat closes and stored when its match is settled.

Both happen in the worker that played it, so that storing costs one statement for a whole batch of matches.
"""

from collections import OrderedDict
from collections.abc import Sequence

from bots.agents.cpu_histogram import count_buckets
from bots.models import SeatUsage
from games.signals import SettledMatch

# A match whose lease was lost is never settled here; what was noted of it must not stay for ever.
MOST_NOTED = 1000
_noted: OrderedDict[tuple[int, int], SeatUsage] = OrderedDict()


def note_usage(*, match_id: int, seat: int, version_id: int, cpu: Sequence[float]) -> None:
    if not cpu:
        return
    _noted[match_id, seat] = SeatUsage(match_id=match_id, seat=seat, version_id=version_id, cpu=count_buckets(cpu))
    if len(_noted) > MOST_NOTED:
        _noted.popitem(last=False)


def store_usage(*, matches: Sequence[SettledMatch]) -> None:
    """Inside the settling transaction; the match of a person is asked for in pieces, and its last piece counts."""
    keys = [(match.id, seat.seat) for match in matches for seat in match.seats if seat.agent.startswith("version:")]
    usages = [usage for key in keys if (usage := _noted.pop(key, None)) is not None]
    if usages:
        SeatUsage.objects.bulk_create(usages, ignore_conflicts=True)
