"""A bracket as a picture: tables by wave from left to right, and lines from a table to where its best go on."""

from collections.abc import Sequence
from typing import NamedTuple

from tournaments.pictures.crosstable import shorten_name
from tournaments.pictures.svg import element, path, picture, text

BOX_WIDTH, LINE_HEIGHT, GAP_X, GAP_Y, HEAD = 176.0, 18.0, 44.0, 16.0, 20.0


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


def draw_bracket(boxes: Sequence[BracketBox], title: str) -> str:
    """Every table in the column of its wave, as near as can be to the tables it follows from."""
    corners = place_boxes(boxes)
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
    return picture(width, height, title, "bracket", *links, *(_draw_box(box, *corners[box.slot]) for box in boxes))


def place_boxes(boxes: Sequence[BracketBox]) -> dict[str, tuple[float, float]]:
    """The upper left corner of each table; tables of one wave never overlap."""
    corners: dict[str, tuple[float, float]] = {}
    for column, wave in enumerate(sorted({box.wave for box in boxes})):
        floor = 0.0
        wished = [(_mean_height(box, corners), box) for box in boxes if box.wave == wave]
        for y, box in sorted(wished, key=lambda wish: wish[0]):
            corners[box.slot] = (column * (BOX_WIDTH + GAP_X), max(floor, y))
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
    lines = [text(x + 8, y + 14, box.slot, class_="slot", fill_opacity=0.75)]
    for position, seat in enumerate(box.seats):
        baseline = y + HEAD + LINE_HEIGHT * position + 12
        goes_on = seat.place is not None and seat.place <= box.advance
        weight = {"font_weight": "bold"} if goes_on else {}
        lines.append(text(x + 8, baseline, shorten_name(seat.name), class_="seat", **weight))
        if seat.place is not None:
            lines.append(text(x + BOX_WIDTH - 8, baseline, f"{seat.place}.", text_anchor="end", **weight))
    return element("g", frame, *lines, class_="bracket-table")


def _draw_link(start: tuple[float, float], source: BracketBox, end: tuple[float, float], target: BracketBox) -> str:
    x1, y1 = start[0] + BOX_WIDTH, start[1] + _height(source) / 2
    x2, y2 = end[0], end[1] + _height(target) / 2
    middle = x2 - GAP_X / 2
    corners = [(x1, y1), (middle, y1), (middle, y2), (x2, y2)]
    return path(corners, class_="link", stroke="currentColor", stroke_opacity=0.5)
