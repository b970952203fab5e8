"""Bars and races: what is drawn is what was counted."""

import xml.etree.ElementTree as ElementTree

import pytest

from tournaments.pictures.bars import (
    Bar,
    BidColumn,
    Reach,
    Runner,
    count_columns,
    draw_bars,
    draw_bids,
    draw_race,
    draw_reaches,
)
from tournaments.pictures.curves import Axes
from tournaments.pictures.stages import BracketBox, BracketSeat, draw_bracket
from tournaments.rules.race import run_race, share_points
from tournaments.rules.standings import TableResult

SVG = "{http://www.w3.org/2000/svg}"
AXES = Axes("A title", "bid", "rounds")


def read(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def test_bids_are_counted_by_how_they_came_out() -> None:
    pairs = [(3, 3), (3, 3), (3, 4), (5, 2)]
    assert count_columns(pairs) == [BidColumn(3, 2, 1, 0), BidColumn(4, 0, 0, 0), BidColumn(5, 0, 0, 1)]
    assert count_columns([]) == []


def test_columns_stand_on_one_another_and_say_their_share() -> None:
    root = read(draw_bids([BidColumn(3, 2, 1, 1), BidColumn(4, 0, 0, 4)], AXES))
    rects = {rect.get("class"): rect for rect in root.iter(f"{SVG}rect")}
    exact, over = rects["bid-exact"], rects["bid-over"]
    assert float(exact.attrib["height"]) == pytest.approx(2 * float(over.attrib["height"]), abs=0.05)
    assert float(over.attrib["y"]) + float(over.attrib["height"]) == pytest.approx(float(exact.attrib["y"]), abs=0.05)
    assert [word.text for word in root.iter(f"{SVG}text") if word.get("class") == "share"] == ["50 %", "0 %"]


def test_bars_share_a_scale() -> None:
    root = read(draw_bars([Bar("one", 0.5, "50 %", 0.4, 0.6), Bar("<b>", 0.25, "25 %")], "T", 1 / 3))
    widths = [float(rect.attrib["width"]) for rect in root.iter(f"{SVG}rect") if rect.get("class") == "bar"]
    assert widths[0] == pytest.approx(2 * widths[1], abs=0.02)
    assert sum(one.get("class") == "reach" for one in root.iter(f"{SVG}line")) == 3


def test_a_row_without_an_interval_stays_empty() -> None:
    drawn = draw_reaches([Reach(1.0, 1.5, 2.0), None, Reach(0.0, 0.1, 0.2)])
    assert drawn[1] == "" and read(drawn[0]).get("aria-hidden") == "true"
    places = [float(circle.attrib["cx"]) for one in (drawn[2], drawn[0]) for circle in read(one).iter("circle")]
    assert len(places) == 2 and places == sorted(places)


def result(*places: int) -> TableResult:
    return TableResult((1, 2, 3), places)


def test_what_a_match_gave_sums_to_nothing() -> None:
    assert share_points(result(1, 2, 3), (2, 1, 0)) == {1: 1, 2: 0, 3: -1}
    assert share_points(result(1, 1, 3), (2, 1, 0)) == {1: 0.5, 2: 0.5, 3: -1}


def test_the_match_since_which_the_first_leads_for_good() -> None:
    race = run_race([result(2, 1, 3), result(1, 2, 3), result(1, 3, 2), result(1, 2, 3)], (2, 1, 0), [1, 2, 3])
    assert race.ahead[0] == (0, 1, 2, 3) and race.ahead[1] == (1, 1, 0, 0)
    assert race.decided == 3, "level after two, ahead from the third on"
    assert 3 in race.swings, "the third moved them apart by two points"


def test_who_is_level_at_the_end_was_never_decided() -> None:
    assert run_race([result(2, 1, 3), result(1, 2, 3)], (2, 1, 0), [1, 2, 3]).decided is None
    assert run_race([], (2, 1, 0), [1, 2]).ahead == ((), ())


def test_a_race_names_everybody_once() -> None:
    root = read(draw_race([Runner("Ada", (1, 2, 3)), Runner("<b>", (0, -1, -1))], AXES, 2))
    assert [word.text for word in root.iter(f"{SVG}text") if word.get("class") == "name"] == ["Ada", "<b>"]
    assert len([one for one in root.iter(f"{SVG}line") if one.get("class") == "mark"]) == 1


def test_who_had_a_bye_comes_in_by_a_way_of_their_own() -> None:
    first = BracketBox("W1.1", 1, (BracketSeat("Ada", 1), BracketSeat("Bo", 2), BracketSeat("Cy", 3)))
    second = BracketBox("F1", 2, (BracketSeat("Ada", None, "W1.1"), BracketSeat("Dee"), BracketSeat("Eve")))
    root = read(draw_bracket([first, second], "B", "frei"))
    assert [word.text for word in root.iter(f"{SVG}text") if word.get("class") == "bye"] == ["frei", "frei"]
    assert sum(one.get("class") == "way" for one in root.iter(f"{SVG}path")) == 2
