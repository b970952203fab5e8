"""Where a brain's luck comes from: the bot's own seed and the point the match has reached, never a clock."""

from games.rules.playout import Chance
from games.rules.view import View

_MASK = 0xFFFFFFFFFFFFFFFF


def decision_chance(seed: int, view: View) -> Chance:
    """The stream for this decision; nothing is remembered, so a match that is taken up again goes on alike."""
    return Chance(decision_seed(seed, view))


def decision_seed(seed: int, view: View) -> int:
    """64 bits of this decision's own, from the bot's seed, the point that the match has reached, and the seat."""
    return _mix(_mix(seed & _MASK) + view.log_end * 4 + view.seat)


def _mix(value: int) -> int:
    """Spread near values far apart (the finaliser of SplitMix64)."""
    value = (value + 0x9E3779B97F4A7C15) & _MASK
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    value = (value ^ value >> 27) * 0x94D049BB133111EB & _MASK
    return value ^ value >> 31
