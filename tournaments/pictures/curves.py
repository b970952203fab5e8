"""Curves with what is known of their doubt: a rating's history, a pool's distribution, a trial on its way."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import NamedTuple

from tournaments.pictures import element, line, path, picture, text, tooltip

WIDTH, HEIGHT, WIDE = 520.0, 260.0, 760.0
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
    width: float = WIDTH

    @classmethod
    def around(cls, xs: Sequence[float], ys: Sequence[float], step_y: float = 0.0, width: float = WIDTH) -> "Plane":
        """The smallest plane with round bounds upwards and exact ones sideways."""
        ticks = round_numbers(min(ys), max(ys), step_y)
        return cls(min(xs), max(xs), min(ticks[0], min(ys)), max(ticks[-1], max(ys)), step_y, width)

    def x(self, value: float) -> float:
        return LEFT + (self.width - LEFT - RIGHT) * _share(value, self.low_x, self.high_x)

    def y(self, value: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * _share(value, self.low_y, self.high_y)

    def draw_axes(self, label_x: str, label_y: str, ticks_x: Sequence[float] = ()) -> str:
        """Grid, numbers and the names of both axes."""
        parts = []
        for tick in round_numbers(self.low_y, self.high_y, self.step_y):
            if self.low_y <= tick <= self.high_y:
                y = self.y(tick)
                parts.append(line(LEFT, y, self.width - RIGHT, y, class_="grid", stroke_opacity=0.2))
                parts.append(text(LEFT - 6, y + 4, f"{tick:g}", text_anchor="end"))
        for tick in ticks_x or round_numbers(self.low_x, self.high_x):
            if self.low_x <= tick <= self.high_x:
                parts.append(text(self.x(tick), HEIGHT - BOTTOM + 18, f"{tick:g}", text_anchor="middle"))
        parts.append(text((LEFT + self.width - RIGHT) / 2, HEIGHT - 6, label_x, text_anchor="middle", class_="axis"))
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


BIN_POINTS = 50
MOST_POINTS = 600
BEYOND_BOUNDS = 1.7


class BandPoint(NamedTuple):
    """A value at `at`, with the bounds of its interval."""

    at: float
    value: float
    low: float
    high: float


class Bin(NamedTuple):
    """How many players are rated from `low` up to, but not including, `high`."""

    low: int
    high: int
    players: int


class Axes(NamedTuple):
    """What the picture is called and what its axes count, in the reader's language."""

    title: str
    x: str
    y: str


def draw_history(points: Sequence[BandPoint], axes: Axes) -> str:
    """A curve within its band, as wide as a page; without a point, the empty frame."""
    if not points:
        return picture(WIDE, HEIGHT, axes.title, "history")
    bounds = [bound for point in points for bound in (point.low, point.high)]
    plane = Plane.around([point.at for point in points], bounds, width=WIDE)
    upper = [(plane.x(point.at), plane.y(point.high)) for point in points]
    lower = [(plane.x(point.at), plane.y(point.low)) for point in reversed(points)]
    curve = [(plane.x(point.at), plane.y(point.value)) for point in points]
    last = curve[-1]
    return picture(
        WIDE,
        HEIGHT,
        axes.title,
        "history",
        plane.draw_axes(axes.x, axes.y),
        path([*upper, *lower], is_closed=True, class_="band", fill="currentColor", fill_opacity=0.15),
        path(curve, class_="curve", stroke="currentColor", stroke_width=2, stroke_linejoin="round"),
        element("circle", cx=last[0], cy=last[1], r=4, class_="last", fill="currentColor"),
    )


def count_bins(numbers: Iterable[float]) -> list[Bin]:
    """How many ratings lie in each step of fifty points, lowest first; steps without any are left out."""
    counts = Counter(floor(value / BIN_POINTS) for value in numbers)
    return [Bin(step * BIN_POINTS, (step + 1) * BIN_POINTS, count) for step, count in sorted(counts.items())]


def draw_distribution(numbers: Sequence[float], axes: Axes, mark: float | None = None) -> str:
    """How many ratings lie in each step of fifty points; `mark` shows where one player stands."""
    if not numbers:
        return picture(WIDTH, HEIGHT, axes.title, "distribution")
    bins = count_bins(numbers)
    first, last = bins[0].low, bins[-1].high
    plane = Plane.around([first, last], [0, max(one.players for one in bins)], step_y=1)
    bars = [
        element(
            "rect",
            tooltip(f"{low} … {high}: {count}"),
            x=plane.x(low) + 0.5,
            y=plane.y(count),
            width=max(plane.x(high) - plane.x(low) - 1, 0.5),
            height=plane.y(0) - plane.y(count),
            class_="bar",
            fill="currentColor",
            fill_opacity=0.45,
        )
        for low, high, count in bins
    ]
    if mark is not None and first <= mark <= last:
        x = plane.x(mark)
        top = plane.y(plane.high_y)
        bars.append(line(x, top, x, plane.y(0), class_="mark", stroke_width=2, stroke_dasharray="4 3"))
    return picture(WIDTH, HEIGHT, axes.title, "distribution", plane.draw_axes(axes.x, axes.y), *bars)


def draw_trial(ratios: Sequence[float], lower: float, upper: float, axes: Axes, better: str, not_better: str) -> str:
    """The log likelihood ratio after each unit, between the bounds that end the test.

    The curve is cut off well beyond them: the variance of the first few units is a guess, and their ratio may be huge.
    """
    low, high = BEYOND_BOUNDS * lower, BEYOND_BOUNDS * upper
    plane = Plane.around([0, max(len(ratios), 20)], [low, high])
    bounds = []
    for bound, words, shift in ((upper, better, -5), (lower, not_better, 14)):
        y = plane.y(bound)
        bounds.append(line(LEFT, y, WIDTH - RIGHT, y, class_="bound", stroke_dasharray="6 4", stroke_opacity=0.7))
        bounds.append(text(WIDTH - RIGHT - 4, y + shift, words, text_anchor="end"))
    drawn_ratios = (min(max(ratio, low), high) for ratio in ratios)
    steps = thin_points([(0.0, 0.0), *((float(unit), ratio) for unit, ratio in enumerate(drawn_ratios, start=1))])
    curve = [(plane.x(unit), plane.y(ratio)) for unit, ratio in steps]
    drawn = []
    if ratios:
        drawn.append(path(curve, class_="curve", stroke="currentColor", stroke_width=2))
        drawn.append(element("circle", cx=curve[-1][0], cy=curve[-1][1], r=4, class_="last", fill="currentColor"))
    return picture(WIDTH, HEIGHT, axes.title, "trial", plane.draw_axes(axes.x, axes.y), *bounds, *drawn)


def thin_points(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """No more points than a screen can show; the first and the last stay."""
    step = max(1, -(-len(points) // MOST_POINTS))
    return [*points[:-1:step], points[-1]]
