"""Bars with what is known of their doubt: bids against tricks, shares, one interval, and how a lead came about."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tournaments.pictures import element, line, path, picture, text, tooltip
from tournaments.pictures.curves import BOTTOM, HEIGHT, TOP, WIDE, Axes, Plane, thin_points

BAR_WIDTH, BAR_ROW, BAR_HEIGHT, NUMBER_WIDTH = 360.0, 44.0, 16.0, 64.0
INTERVAL_WIDTH, INTERVAL_HEIGHT = 132.0, 16.0


class BidColumn(NamedTuple):
    """Rounds in which this was bid: how many won exactly as many tricks, more, or fewer."""

    bid: int
    exact: int
    over: int
    under: int

    @property
    def rounds(self) -> int:
        return self.exact + self.over + self.under


def count_columns(bids: Iterable[tuple[int, int]]) -> list[BidColumn]:
    """From pairs of a bid and the tricks won, lowest bid first; what nobody bid between two others stands empty."""
    counted = Counter((bid, (tricks > bid) - (tricks < bid)) for bid, tricks in bids)
    numbers = [bid for bid, _ in counted]
    span = range(min(numbers), max(numbers) + 1) if numbers else ()
    return [BidColumn(bid, counted[bid, 0], counted[bid, 1], counted[bid, -1]) for bid in span]


def draw_bids(columns: Sequence[BidColumn], axes: Axes) -> str:
    """A column for each bid, from the ground up: made exactly, with more, missed; above it the share made exactly."""
    most = max((column.rounds for column in columns), default=1)
    first, last = (columns[0].bid, columns[-1].bid) if columns else (0, 1)
    plane = Plane.around([first - 0.5, last + 0.5], [0, most], step_y=1, width=WIDE)
    parts = [plane.draw_axes(axes.x, axes.y, [column.bid for column in columns] or [0])]
    for column in columns:
        left, right = plane.x(column.bid - 0.38), plane.x(column.bid + 0.38)
        ground = 0
        for name, count in (("exact", column.exact), ("over", column.over), ("under", column.under)):
            if count:
                top, bottom = plane.y(ground + count), plane.y(ground)
                box = {"x": left, "y": top, "width": right - left, "height": bottom - top}
                parts.append(element("rect", tooltip(str(count)), class_=f"bid-{name}", fill="currentColor", **box))
            ground += count
        if column.rounds:
            share = f"{100 * column.exact / column.rounds:.0f} %"
            middle = (left + right) / 2
            parts.append(text(middle, plane.y(ground) - 5, share, text_anchor="middle", class_="share"))
    return picture(WIDE, HEIGHT, axes.title, "bids", *parts)


class Bar(NamedTuple):
    """A share of 1 and what it is called; `said` stands at its end, `low` and `high` bound it where they are known."""

    label: str
    share: float
    said: str
    low: float | None = None
    high: float | None = None


def draw_bars(bars: Sequence[Bar], title: str, mark: float | None = None) -> str:
    """Lying bars on one scale, each under its name; `mark` is where all would end if nothing made a difference."""
    height = BAR_ROW * max(len(bars), 1)
    room = BAR_WIDTH - NUMBER_WIDTH
    most = max([*(max(bar.share, bar.high or 0.0) for bar in bars), mark or 0.0, 0.01])
    parts = []
    for row, bar in enumerate(bars):
        y = BAR_ROW * row + 18
        box: dict[str, float] = {"y": y, "height": BAR_HEIGHT, "rx": 3}
        parts.append(text(0, y - 5, bar.label, class_="name"))
        parts.append(element("rect", class_="track", x=0, width=room, fill="currentColor", fill_opacity=0.08, **box))
        parts.append(element("rect", class_="bar", x=0, width=room * bar.share / most, fill="currentColor", **box))
        if bar.low is not None and bar.high is not None:
            middle, low, high = y + BAR_HEIGHT / 2, room * bar.low / most, room * bar.high / most
            parts.append(line(low, middle, high, middle, class_="reach", stroke_width=2))
            parts += [line(x, middle - 4, x, middle + 4, class_="reach", stroke_width=2) for x in (low, high)]
        parts.append(text(BAR_WIDTH, y + 13, bar.said, text_anchor="end", class_="said"))
    if mark is not None:
        x = room * mark / most
        parts.append(line(x, 0, x, height, class_="mark", stroke_dasharray="3 4", stroke_opacity=0.6))
    return picture(BAR_WIDTH, height, title, "bars", *parts)


class Reach(NamedTuple):
    """A value within its bounds."""

    low: float
    value: float
    high: float


def draw_reach(one: Reach, lowest: float, highest: float) -> str:
    """One interval on a scale that its whole column shares; its cell says the numbers, so that it stays mute."""
    span = (highest - lowest) or 1.0

    def place(value: float) -> float:
        return 5 + (INTERVAL_WIDTH - 10) * min(max((value - lowest) / span, 0.0), 1.0)

    middle = INTERVAL_HEIGHT / 2
    low, value, high = map(place, one)
    return element(
        "svg",
        line(5, middle, INTERVAL_WIDTH - 5, middle, class_="scale", stroke_opacity=0.2),
        element("rect", class_="band", x=low, y=middle - 4, width=max(high - low, 1), height=8, rx=4),
        element("circle", class_="last", cx=value, cy=middle, r=4.5),
        viewBox=f"0 0 {INTERVAL_WIDTH:g} {INTERVAL_HEIGHT:g}",
        width=INTERVAL_WIDTH,
        height=INTERVAL_HEIGHT,
        aria_hidden="true",
        class_="reach-picture",
    )


def draw_reaches(reaches: Sequence[Reach | None]) -> list[str]:
    """One for each row, all on the scale that holds them; empty where nothing is known."""
    known = [one for one in reaches if one is not None]
    lowest = min((one.low for one in known), default=0.0)
    highest = max((one.high for one in known), default=1.0)
    return [draw_reach(one, lowest, highest) if one else "" for one in reaches]


class Runner(NamedTuple):
    """Somebody's points over an even share of them after each match of the stage."""

    name: str
    ahead: Sequence[float]


def draw_race(runners: Sequence[Runner], axes: Axes, decided: int | None = None) -> str:
    """Lines of the best, the first of them strongest, each with its name at its end; `decided` marks a match."""
    if not runners or not runners[0].ahead:
        return picture(WIDE, HEIGHT, axes.title, "race")
    values = [value for runner in runners for value in runner.ahead]
    matches = len(runners[0].ahead)
    plane = Plane.around([0, matches], [0.0, *values], width=WIDE - 110)
    parts = [plane.draw_axes(axes.x, axes.y)]
    if decided is not None:
        x = plane.x(decided)
        parts.append(line(x, TOP, x, HEIGHT - BOTTOM, class_="mark", stroke_dasharray="4 3", stroke_opacity=0.7))
    below = 0.0
    for order, runner in sorted(enumerate(runners), key=lambda one: -one[1].ahead[-1]):
        steps = thin_points([(0.0, 0.0), *((float(at), value) for at, value in enumerate(runner.ahead, start=1))])
        curve = [(plane.x(at), plane.y(value)) for at, value in steps]
        name, width = ("curve", 3.0) if order == 0 else ("rival", 1.5)
        faded = 1.0 if order == 0 else 0.6 - 0.08 * order
        parts.append(path(curve, class_=name, stroke="currentColor", stroke_width=width, stroke_opacity=faded))
        below = max(curve[-1][1] + 4, below + 14)
        weight = {"font_weight": "bold"} if order == 0 else {}
        parts.append(text(curve[-1][0] + 6, below, runner.name[:16], class_="name", **weight))
    return picture(WIDE, HEIGHT, axes.title, "race", *parts)
