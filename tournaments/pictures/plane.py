"""A plane with two axes: where a value lies on the picture, and the round numbers written beside it."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from tournaments.pictures.svg import line, text

WIDTH, HEIGHT = 520.0, 260.0
LEFT, RIGHT, TOP, BOTTOM = 52.0, 18.0, 30.0, 44.0
TICKS = 5


@dataclass(frozen=True, slots=True)
class Plane:
    """Bounds in values; a bound without width is widened by one on either side.

    Numbers upwards are at least `step_y` apart, which is 1 where things are counted.
    """

    low_x: float
    high_x: float
    low_y: float
    high_y: float
    step_y: float = 0.0

    @classmethod
    def around(cls, xs: Sequence[float], ys: Sequence[float], step_y: float = 0.0) -> "Plane":
        """The smallest plane with round bounds upwards and exact ones sideways."""
        ticks = round_numbers(min(ys), max(ys), step_y)
        return cls(min(xs), max(xs), min(ticks[0], min(ys)), max(ticks[-1], max(ys)), step_y)

    def x(self, value: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * _share(value, self.low_x, self.high_x)

    def y(self, value: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * _share(value, self.low_y, self.high_y)

    def draw_axes(self, label_x: str, label_y: str, ticks_x: Sequence[float] = ()) -> str:
        """Grid, numbers and the names of both axes."""
        parts = []
        for tick in round_numbers(self.low_y, self.high_y, self.step_y):
            if self.low_y <= tick <= self.high_y:
                y = self.y(tick)
                parts.append(line(LEFT, y, WIDTH - RIGHT, y, class_="grid", stroke_opacity=0.2))
                parts.append(text(LEFT - 6, y + 4, f"{tick:g}", text_anchor="end"))
        for tick in ticks_x or round_numbers(self.low_x, self.high_x):
            if self.low_x <= tick <= self.high_x:
                parts.append(text(self.x(tick), HEIGHT - BOTTOM + 18, f"{tick:g}", text_anchor="middle"))
        parts.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, label_x, text_anchor="middle", class_="axis"))
        parts.append(text(4, TOP - 16, label_y, class_="axis"))
        return "".join(parts)


def round_numbers(low: float, high: float, least: float = 0.0) -> list[float]:
    """A few multiples of 1, 2 or 5 times a power of ten that span the range; a point counts as two wide.

    They are at least `least` apart.
    """
    span = high - low
    if span <= 1e-9 * (1 + abs(low)):
        span = 2.0
    power = 10 ** floor(log10(span / TICKS))
    step = next(power * factor for factor in (1, 2, 5, 10) if span <= TICKS * power * factor * (1 + 1e-9))
    step = max(step, least)
    first = floor(low / step)
    count = ceil(high / step - 1e-9) - first
    return [round((first + index) * step, 10) for index in range(max(count, 1) + 1)]


def _share(value: float, low: float, high: float) -> float:
    return 0.5 if high == low else (value - low) / (high - low)
