"""The chance that a module may ask for: one stream a decision, from the seed of that decision alone."""

_MASK = 0xFFFFFFFFFFFFFFFF
_GAMMA = 0x9E3779B97F4A7C15


class ChanceStream:
    """SplitMix64; nothing is carried from one decision to the next, so that any of them can be played again."""

    def __init__(self, seed: int) -> None:
        self._state = seed

    def draw(self) -> int:
        """The next 64 bits, as the signed number that WebAssembly's i64 is to Python."""
        self._state = (self._state + _GAMMA) & _MASK
        value = self._state
        value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 & _MASK
        value = (value ^ value >> 27) * 0x94D049BB133111EB & _MASK
        value ^= value >> 31
        return value - (1 << 64) if value >> 63 else value
