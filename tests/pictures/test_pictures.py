"""Pictures are well-formed, name themselves, carry no inline style, and put values where they belong."""

import csv
import io
import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aurum_league.common.files import write_csv, write_json
from tournaments.pictures import list_rows
from tournaments.pictures.curves import (
    Axes,
    BandPoint,
    Bin,
    count_bins,
    draw_distribution,
    draw_history,
    draw_trial,
    round_numbers,
    thin_points,
)
from tournaments.pictures.stages import BracketBox, BracketSeat, draw_bracket, draw_crosstable, place_boxes
from tournaments.rules.crosstable import build_crosstable
from tournaments.rules.ratings.values import ShownRating
from tournaments.rules.standings import TableResult

SVG = "{http://www.w3.org/2000/svg}"
AXES = Axes("A <title> & more", "matches", "rating")
NASTY = '"><script>alert(1)</script>&'
POINTS = [BandPoint(at, 1500 + 10 * at, 1400 + 12 * at, 1600 + 8 * at) for at in range(10)]
BOXES = [
    BracketBox("W1.1", 1, (BracketSeat("Ada", 1), BracketSeat(NASTY, 2), BracketSeat("Cleo", 3))),
    BracketBox("W1.2", 1, (BracketSeat("Dan", 2), BracketSeat("Eve", 1), BracketSeat("Fay", 3))),
    BracketBox("F1", 2, (BracketSeat("Ada", None, "W1.1"), BracketSeat("Eve", None, "W1.2"), BracketSeat("Gus"))),
]
RESULTS = [
    TableResult((1, 2, 3), (1, 2, 3), (1, 0, 0), (30 - number % 3, 20, 10 + number % 4), (0, 0, 0), block=number)
    for number in range(8)
]


def draw_small_crosstable() -> str:
    entrants = [(1, "Ada"), (2, NASTY), (3, "A name of more than twenty letters")]
    return draw_crosstable(entrants, build_crosstable(RESULTS), "C")


def read(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


@pytest.mark.parametrize(
    "draw",
    [
        pytest.param(lambda: draw_history(POINTS, AXES), id="history"),
        pytest.param(lambda: draw_history(POINTS[:1], AXES), id="history of one point"),
        pytest.param(lambda: draw_history([], AXES), id="history of nothing"),
        pytest.param(lambda: draw_distribution([1480, 1500, 1501, 1620], AXES, mark=1501), id="distribution"),
        pytest.param(lambda: draw_distribution([], AXES), id="distribution of nothing"),
        pytest.param(lambda: draw_trial([0.1, -0.2, 1.5], -2.9, 2.9, AXES, "better", "not better"), id="trial"),
        pytest.param(lambda: draw_trial([], -2.9, 2.9, AXES, "better", "not better"), id="trial not begun"),
        pytest.param(draw_small_crosstable, id="crosstable"),
        pytest.param(lambda: draw_crosstable([], {}, "C"), id="crosstable of nobody"),
        pytest.param(lambda: draw_bracket(BOXES, "B"), id="bracket"),
        pytest.param(lambda: draw_bracket([], "B"), id="bracket without tables"),
    ],
)
def test_a_picture_is_well_formed_titled_and_without_style_or_script(draw: Callable[[], str]) -> None:
    root = read(draw())
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert root.get("aria-label") == root.findtext(f"{SVG}title")
    for part in root.iter():
        assert part.tag != f"{SVG}script"
        assert "style" not in part.attrib
        assert not any(name.startswith("on") for name in part.attrib)
        assert part.get("fill", "none") in ("none", "currentColor")
        assert part.get("stroke", "none") in ("none", "currentColor")


def test_the_curve_rises_with_its_values_and_lies_in_its_band() -> None:
    root = read(draw_history(POINTS, AXES))
    curve, band = (root.find(f".//{SVG}path[@class='{name}']") for name in ("curve", "band"))
    assert curve is not None and band is not None
    heights = [float(pair.split(",")[1]) for pair in curve.attrib["d"][1:].split("L")]
    bounds = [float(pair.split(",")[1]) for pair in band.attrib["d"][1:-1].split("L")]
    assert heights == sorted(heights, reverse=True)
    for position, height in enumerate(heights):
        assert bounds[position] <= height <= bounds[-1 - position]


def test_cells_say_without_colour_who_is_ahead() -> None:
    words = [part.text or "" for part in read(draw_small_crosstable()).iter(f"{SVG}text")]
    assert sum(word.endswith(" ++") for word in words) == 3
    assert sum(word.endswith(" --") for word in words) == 3
    assert any(word.startswith("100 %") for word in words)
    assert any(word.endswith("…") for word in words)


def test_tables_of_a_wave_do_not_overlap_and_follow_their_sources() -> None:
    corners = place_boxes(BOXES)
    assert corners["W1.1"][0] == corners["W1.2"][0] < corners["F1"][0]
    assert corners["W1.2"][1] >= corners["W1.1"][1] + 70
    assert corners["W1.1"][1] < corners["F1"][1] < corners["W1.2"][1]
    assert len(read(draw_bracket(BOXES, "B")).findall(f"{SVG}path")) == 2


def test_tables_of_a_wave_stand_as_their_sources_do_whichever_came_first() -> None:
    first = [BracketBox(f"W1.{number}", 1, (BracketSeat("Ada"),) * 3) for number in (1, 2, 3)]
    second = [BracketBox(f"W2.{number}", 2, (BracketSeat("Ada", None, f"W1.{number}"),) * 3) for number in (3, 1, 2)]
    corners = place_boxes([*first, *second])
    assert [corners[f"W2.{number}"][1] for number in (1, 2, 3)] == [corners[f"W1.{number}"][1] for number in (1, 2, 3)]


@given(st.floats(-1e6, 1e6), st.floats(0, 1e6))
def test_round_numbers_span_the_range(low: float, width: float) -> None:
    ticks = round_numbers(low, low + width)
    slack = 1e-6 + 1e-8 * (ticks[1] - ticks[0])
    assert ticks[0] <= low + slack and ticks[-1] >= low + width - slack
    assert len(ticks) <= 8
    steps = [after - before for before, after in pairwise(ticks)]
    assert max(steps) - min(steps) <= 1e-6 * max(steps) + 1e-9


def test_thinning_keeps_both_ends() -> None:
    points = [(float(number), 0.0) for number in range(5001)]
    thinned = thin_points(points)
    assert len(thinned) <= 601
    assert (thinned[0], thinned[-1]) == (points[0], points[-1])


def test_a_trial_shows_its_bounds_however_wild_it_began() -> None:
    calm = draw_trial([0.5, 1.0, 3.0], -2.9, 2.9, AXES, "better", "not better")
    wild = draw_trial([-1500.0, 1.0, 3.0], -2.9, 2.9, AXES, "better", "not better")
    assert re.findall(r'y1="[^"]*"', calm) == re.findall(r'y1="[^"]*"', wild)
    assert re.findall(r"<circle[^>]*>", calm) == re.findall(r"<circle[^>]*>", wild)


def test_bins_hold_their_lower_edge_and_leave_gaps_out() -> None:
    assert count_bins([1449.9, 1450, 1499.9, 1500, 1650]) == [
        Bin(1400, 1450, 1),
        Bin(1450, 1500, 2),
        Bin(1500, 1550, 1),
        Bin(1650, 1700, 1),
    ]


@dataclass(frozen=True)
class Line:
    name: str
    shown: ShownRating
    at: datetime


LINES = [Line("=2+3", ShownRating(1510.5, 1480, 1541, 1479, False), datetime(2026, 1, 2, tzinfo=UTC))]


def test_csv_is_flat_and_starts_no_formula() -> None:
    (row,) = csv.DictReader(io.StringIO("".join(write_csv(list_rows(LINES)))))
    assert row["name"] == "'=2+3"
    assert float(row["shown_number"]) == 1510.5
    assert row["shown_is_provisional"] == "False"


def test_json_keeps_names_as_they_are() -> None:
    (row,) = json.loads("".join(write_json(list_rows(LINES))))
    assert row["name"] == "=2+3"
    assert row["at"].startswith("2026-01-02")


def test_nothing_gives_an_empty_file() -> None:
    assert list(write_csv([])) == []
    assert json.loads("".join(write_json([]))) == []
