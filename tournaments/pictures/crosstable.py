"""The crosstable as a picture: a square of cells, each with its mark, so that it reads without colour."""

from collections.abc import Mapping, Sequence

from tournaments.pictures.svg import element, picture, text, tooltip
from tournaments.rules.statistics.crosstable import CrosstableCell, Mark

CELL_WIDTH, CELL_HEIGHT = 72.0, 34.0
NAME_WIDTH, HEAD_HEIGHT = 150.0, 26.0
LONGEST_NAME = 20
TONES = {
    Mark.SURELY_AHEAD: ("surely-ahead", 0.32),
    Mark.AHEAD: ("ahead", 0.18),
    Mark.LEVEL: ("level", 0.04),
    Mark.BEHIND: ("behind", 0.1),
    Mark.SURELY_BEHIND: ("surely-behind", 0.2),
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
        text(middle, y + 15, f"{100 * cell.share_ahead:.0f} % {cell.mark}", text_anchor="middle"),
        text(middle, y + 28, difference, text_anchor="middle", fill_opacity=0.75),
    )


def describe_cell(cell: CrosstableCell, point: str) -> str:
    """All numbers of a cell in one line, as a page shows them under the pointer."""
    interval = "" if cell.low is None or cell.high is None else f" [{cell.low:+.2f} … {cell.high:+.2f}]"
    chance = "" if cell.p_value is None else f"; p = {cell.p_value:.3f}"
    share = f"{100 * cell.share_ahead:.1f} %"
    return f"n = {cell.meetings}; {share}; {cell.mean_difference:+.2f}{interval}{chance}".replace(".", point)


def shorten_name(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
