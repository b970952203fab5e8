"""What rated play by people goes by, as sums: how repeats fade, and how long whoever leaves often waits."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

DAY, MONTH = timedelta(days=1), timedelta(days=30)
DAY_SHARES = (1.0, 0.5, 0.25, 0.125)
"""What the first, second, third and fourth rated match of two people within a day counts; further ones nothing."""

MONTH_REPEATS = 4
"""Where those at a table have met so often within 30 days, on average over their pairs, it counts nothing more.

What is left until then is squared: in plain proportion a ring of four gains 38 points by feeding one of them daily.
"""


def fade_repeats(day: Iterable[int], month: Sequence[int]) -> float:
    """How much a match counts: by how often each pair at the table met in rated play within a day and within 30."""
    most = max(day)
    by_day = DAY_SHARES[most] if most < len(DAY_SHARES) else 0.0
    return by_day * max(0.0, 1 - sum(month) / len(month) / MONTH_REPEATS) ** 2


LEAVES_COUNTED = timedelta(days=7)
WAITS = (timedelta(0), timedelta(0), timedelta(minutes=10), timedelta(hours=1), timedelta(days=1))
"""How long after the last one somebody waits who left none, one, two, three, and four or more rated matches."""


def end_of_wait(leaves: Sequence[datetime]) -> datetime | None:
    """Until when somebody waits who left rated matches at these times, the latest first; None for who left none."""
    return leaves[0] + WAITS[min(len(leaves), len(WAITS) - 1)] if leaves else None
