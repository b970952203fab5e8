"""A stage as a picture: the crosstable as marked cells that read without colour, and the bracket wave by wave."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tournaments.pictures import element, path, picture, text, tooltip
from tournaments.rules.crosstable import CellMark, CrosstableCell

CELL_WIDTH, CELL_HEIGHT = 84.0, 40.0
NAME_WIDTH, HEAD_HEIGHT = 170.0, 26.0
LONGEST_NAME = 20
TONES = {
    CellMark.SURELY_AHEAD: ("surely-ahead", 0.32),
    CellMark.AHEAD: ("ahead", 0.18),
    CellMark.LEVEL: ("level", 0.04),
    CellMark.BEHIND: ("behind", 0.1),
    CellMark.SURELY_BEHIND: ("surely-behind", 0.2),
}


def draw_crosstable(
    entrants: Sequence[tuple[int, str]],
    cells: Mapping[tuple[int, int], CrosstableCell],
    title: str,
    point: str = ".",
) -> str:
    """Rows against columns, both in the order given; a pair that never met has an empty cell.

    Decimals are parted by `point`.
    """
    width = NAME_WIDTH + CELL_WIDTH * len(entrants)
    height = HEAD_HEIGHT + CELL_HEIGHT * len(entrants)
    parts = []
    for position, (_, name) in enumerate(entrants):
        number = str(position + 1)
        x = NAME_WIDTH + CELL_WIDTH * (position + 0.5)
        parts.append(text(x, HEAD_HEIGHT - 8, number, text_anchor="middle", class_="head"))
        y = HEAD_HEIGHT + CELL_HEIGHT * (position + 0.5) + 4
        parts.append(text(4, y, f"{number}  {shorten_name(name)}", class_="name"))
    for row, (own, own_name) in enumerate(entrants):
        for column, (other, other_name) in enumerate(entrants):
            x, y = NAME_WIDTH + CELL_WIDTH * column, HEAD_HEIGHT + CELL_HEIGHT * row
            cell = cells.get((own, other))
            if own == other or cell is None:
                parts.append(_draw_square(x, y, ("own", 0.5) if own == other else ("empty", 0.0)))
            else:
                parts.append(_draw_cell(x, y, cell, f"{own_name} / {other_name}", point))
    return picture(width, height, title, "crosstable", *parts)


def _draw_square(x: float, y: float, tone: tuple[str, float]) -> str:
    box = {"x": x + 0.5, "y": y + 0.5, "width": CELL_WIDTH - 1, "height": CELL_HEIGHT - 1}
    return element("rect", class_=f"cell {tone[0]}", fill_opacity=tone[1], **box)


def _draw_cell(x: float, y: float, cell: CrosstableCell, pair: str, point: str) -> str:
    middle = x + CELL_WIDTH / 2
    difference = f"{cell.mean_difference:+.1f}".replace(".", point)
    return element(
        "g",
        tooltip(f"{pair}: {describe_cell(cell, point)}"),
        _draw_square(x, y, TONES[cell.mark]),
        text(middle, y + 17, f"{100 * cell.share_ahead:.0f} % {cell.mark}", text_anchor="middle"),
        text(middle, y + 32, difference, text_anchor="middle", fill_opacity=0.75),
    )


def describe_cell(cell: CrosstableCell, point: str) -> str:
    """All numbers of a cell in one line, as a page shows them under the pointer."""
    interval = "" if cell.low is None or cell.high is None else f" [{cell.low:+.2f} … {cell.high:+.2f}]"
    chance = "" if cell.p_value is None else f"; p = {cell.p_value:.3f}"
    share = f"{100 * cell.share_ahead:.1f} %"
    return f"n = {cell.meetings}; {share}; {cell.mean_difference:+.2f}{interval}{chance}".replace(".", point)


def shorten_name(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


BOX_WIDTH, LINE_HEIGHT, GAP_X, GAP_Y, HEAD = 214.0, 23.0, 58.0, 20.0, 25.0
PAGE_WIDTH, WIDEST_GAP = 1130.0, 200.0


class BracketSeat(NamedTuple):
    """A name, or who it will be, with its place once the table has ended, and the slot it came from."""

    name: str
    place: int | None = None
    source: str = ""


class BracketBox(NamedTuple):
    """One table of the bracket; `advance` is how many of it go on."""

    slot: str
    wave: int
    seats: tuple[BracketSeat, ...]
    advance: int = 1


def draw_bracket(boxes: Sequence[BracketBox], title: str, bye: str = "bye") -> str:
    """Every table in the column of its wave, as near as can be to the tables it follows from, over the whole page.

    Who comes in later, because earlier waves were a `bye`, has a dashed way of their own from the first column on.
    """
    waves = len({box.wave for box in boxes})
    gap = min(max((PAGE_WIDTH - BOX_WIDTH * waves) / max(waves - 1, 1), GAP_X), WIDEST_GAP)
    corners = place_boxes(boxes, gap)
    if not boxes:
        return picture(BOX_WIDTH, HEAD, title, "bracket")
    width = max(x for x, _ in corners.values()) + BOX_WIDTH + 1
    height = max(corners[box.slot][1] + _height(box) for box in boxes) + 1
    by_slot = {box.slot: box for box in boxes}
    links = [
        _draw_link(corners[source], by_slot[source], corners[box.slot], box)
        for box in boxes
        for source in dict.fromkeys(seat.source for seat in box.seats)
        if source in by_slot
    ]
    ways = [_draw_byes(box, corners[box.slot], gap, bye) for box in boxes if corners[box.slot][0] > 0]
    return picture(
        width, height, title, "bracket", *links, *ways, *(_draw_box(box, *corners[box.slot]) for box in boxes)
    )


def place_boxes(boxes: Sequence[BracketBox], gap: float = GAP_X) -> dict[str, tuple[float, float]]:
    """The upper left corner of each table; tables of one wave never overlap."""
    corners: dict[str, tuple[float, float]] = {}
    for column, wave in enumerate(sorted({box.wave for box in boxes})):
        floor = 0.0
        wished = [(_mean_height(box, corners), box) for box in boxes if box.wave == wave]
        for y, box in sorted(wished, key=lambda wish: wish[0]):
            corners[box.slot] = (column * (BOX_WIDTH + gap), max(floor, y))
            floor = max(floor, y) + _height(box) + GAP_Y
    return corners


def _mean_height(box: BracketBox, corners: dict[str, tuple[float, float]]) -> float:
    """Of the tables that it follows from; at the top where there are none."""
    sources = [corners[seat.source][1] for seat in box.seats if seat.source in corners]
    return sum(sources) / len(sources) if sources else 0.0


def _height(box: BracketBox) -> float:
    return HEAD + LINE_HEIGHT * len(box.seats)


def _draw_box(box: BracketBox, x: float, y: float) -> str:
    frame = element(
        "rect",
        x=x + 0.5,
        y=y + 0.5,
        width=BOX_WIDTH,
        height=_height(box),
        rx=4,
        class_="table",
        fill="currentColor",
        fill_opacity=0.05,
        stroke="currentColor",
        stroke_opacity=0.4,
    )
    lines = [text(x + 8, y + 17, box.slot, class_="slot", fill_opacity=0.75)]
    for position, seat in enumerate(box.seats):
        baseline = y + HEAD + LINE_HEIGHT * position + 15
        goes_on = seat.place is not None and seat.place <= box.advance
        weight = {"font_weight": "bold"} if goes_on else {}
        lines.append(text(x + 8, baseline, shorten_name(seat.name), class_="seat", font_size=14, **weight))
        if seat.place is not None:
            lines.append(text(x + BOX_WIDTH - 8, baseline, f"{seat.place}.", text_anchor="end", font_size=14, **weight))
    return element("g", frame, *lines, class_="bracket-table")


def _draw_byes(box: BracketBox, corner: tuple[float, float], gap: float, bye: str) -> str:
    """A dashed way into a later wave for each seat that came from no table."""
    ways = []
    for position, seat in enumerate(box.seats):
        if not seat.source:
            x, y = corner[0], corner[1] + HEAD + LINE_HEIGHT * position + 10
            start = x - min(gap - 10, 52)
            ways.append(element("circle", cx=start, cy=y, r=3.5, class_="bye", fill="currentColor", fill_opacity=0.6))
            ways.append(path([(start, y), (x, y)], class_="way", stroke="currentColor", stroke_dasharray="4 4"))
            ways.append(text(start + 7, y - 4, bye, class_="bye", fill_opacity=0.8, font_size=11))
    return element("g", *ways, class_="byes") if ways else ""


def _draw_link(start: tuple[float, float], source: BracketBox, end: tuple[float, float], target: BracketBox) -> str:
    x1, y1 = start[0] + BOX_WIDTH, start[1] + _height(source) / 2
    x2, y2 = end[0], end[1] + _height(target) / 2
    middle = x2 - GAP_X / 2
    corners = [(x1, y1), (middle, y1), (middle, y2), (x2, y2)]
    return path(corners, class_="link", stroke="currentColor", stroke_opacity=0.5)
