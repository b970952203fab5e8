"""Knockout: folds, byes, house bots, replays, walkovers, the second final, and tables drawn as soon as they can be."""

from dataclasses import replace
from random import Random

import pytest

from tests.formats.playing import draw_matchday, make_field, play, settle
from tournaments.rules.formats.bracket import FINAL, SECOND_FINAL, From, House, Seed
from tournaments.rules.formats.format import Entry, PastMatchday, PastState, PastTable, Situation
from tournaments.rules.formats.knockout import Knockout
from tournaments.rules.pairing import HOUSE, Draw, Finished, Reason, TableKind, Waiting

SIDES = Knockout(TableKind.TEAMS4)
DOUBLE_SIDES = Knockout(TableKind.TEAMS4, is_double=True)
THREES = Knockout(TableKind.SOLO3)


@pytest.mark.parametrize(
    ("chosen", "n", "tables", "waves"),
    [
        pytest.param(THREES, 27, 13, 3, id="27 at threes: 9 + 3 + 1"),
        pytest.param(THREES, 8, 4, 2, id="8 at threes: a house bot makes nine"),
        pytest.param(Knockout(is_double=True), 27, 26, 5, id="27 double: 13 above, 12 below, a final"),
        pytest.param(Knockout(advance=2), 9, 7, 4, id="two of three go on: 9, 6, 4, 3"),
        pytest.param(SIDES, 8, 7, 3, id="8 sides"),
        pytest.param(Knockout(TableKind.TEAMS4, has_third_place=True), 8, 8, 3, id="8 sides and the third place"),
        pytest.param(SIDES, 11, 10, 4, id="11 sides: five byes"),
        pytest.param(Knockout(TableKind.TEAMS4, is_double=True), 8, 15, 7, id="8 sides double, second final included"),
    ],
)
def test_size_of_a_bracket(chosen: Knockout, n: int, tables: int, waves: int) -> None:
    assert len(chosen.bracket(n)) == tables
    assert chosen.plan_length(n) == waves


@pytest.mark.parametrize(
    ("chosen", "n", "slot", "sources"),
    [
        pytest.param(THREES, 9, "W1.1", (Seed(1), Seed(6), Seed(7)), id="three-way fold, first table"),
        pytest.param(THREES, 9, "W1.3", (Seed(3), Seed(4), Seed(9)), id="three-way fold, last table"),
        pytest.param(THREES, 11, "W1.1", (Seed(9), Seed(10), Seed(11)), id="one table before the nine"),
        pytest.param(THREES, 10, "W1.1", (Seed(9), Seed(10), House()), id="even fields take a house bot"),
        pytest.param(SIDES, 4, "W1.1", (Seed(1), Seed(4)), id="first against last"),
        pytest.param(SIDES, 4, FINAL, (From("W1.1", 1), From("W1.2", 1)), id="the final"),
        pytest.param(SIDES, 3, "W1.1", (Seed(2), Seed(3)), id="the top seed rests"),
        pytest.param(DOUBLE_SIDES, 4, SECOND_FINAL, (From(FINAL, 1), From(FINAL, 2)), id="the second final"),
    ],
)
def test_who_meets_in_a_bracket(chosen: Knockout, n: int, slot: str, sources: tuple) -> None:
    assert next(table.sources for table in chosen.bracket(n) if table.slot == slot) == sources


def with_results(situation: Situation, draw: Draw, *places: tuple[int, ...] | None) -> Situation:
    """The draw settled table by table; None leaves a table pending, () makes it void."""
    tables = []
    for pairing, row in zip(draw.pairings, places, strict=True):
        state = PastState.PENDING if row is None else PastState.SETTLED if row else PastState.VOID
        tables.append(PastTable(pairing, state, row or ()))
    return replace(situation, history=(*situation.history, PastMatchday(draw.matchday, tuple(tables), draw.byes)))


@pytest.mark.parametrize(
    "row",
    [pytest.param((1, 1, 3), id="tie at the cut"), pytest.param((), id="void")],
)
def test_a_table_without_a_winner_is_played_again(row: tuple[int, ...]) -> None:
    situation = make_field(3)
    first = draw_matchday(THREES, situation, Random(1))
    again = draw_matchday(THREES, with_results(situation, first, row), Random(1))
    assert sorted(again.pairings[0].seats) == [1, 2, 3]
    assert Reason("replay") in again.pairings[0].why


def test_a_table_is_drawn_as_soon_as_its_feeders_are_through() -> None:
    situation = make_field(8)
    first = draw_matchday(SIDES, situation, Random(1))
    half = with_results(situation, first, (1, 2), None, None, (1, 2))
    drawn = draw_matchday(SIDES, half, Random(1))
    assert [pairing.slot for pairing in drawn.pairings] == ["W2.1"]
    waiting = SIDES.draw(with_results(half, drawn, None), Random(1))
    assert isinstance(waiting, Waiting)
    assert waiting.tables == ((1, 2), (1, 3), (2, 1))


def test_who_leaves_gives_the_next_table_up() -> None:
    situation = make_field(4)
    first = draw_matchday(SIDES, situation, Random(1))
    played = with_results(situation, first, (1, 2), (1, 2))
    winner = first.pairings[0].entrants[0]
    entries = tuple(replace(e, left_on=2) if e.id == winner else e for e in played.entries)
    finished = SIDES.draw(replace(played, entries=entries), Random(1))
    assert isinstance(finished, Finished)
    assert dict(finished.places)[first.pairings[1].entrants[0]] == 1


def test_a_house_bot_fills_a_table_of_three_that_one_left_and_never_goes_on() -> None:
    situation = make_field(9)
    first = draw_matchday(THREES, situation, Random(1))
    played = with_results(situation, first, *[(1, 2, 3)] * 3)
    gone = first.pairings[0].seats[0]
    entries = tuple(replace(e, left_on=2) if e.id == gone else e for e in played.entries)
    final = draw_matchday(THREES, replace(played, entries=entries), Random(1))
    seats = final.pairings[0].seats
    assert HOUSE in seats
    places = tuple(1 if entrant == HOUSE else 2 + seat for seat, entrant in enumerate(seats))
    ended = THREES.draw(with_results(replace(played, entries=entries), final, places), Random(1))
    assert isinstance(ended, Finished)
    assert HOUSE not in dict(ended.places)
    assert gone not in [entrant for entrant, place in ended.places if place == 1]


@pytest.mark.parametrize(
    ("final_places", "slots_after"),
    [
        pytest.param("unbeaten wins", [], id="no second final"),
        pytest.param("unbeaten loses", [SECOND_FINAL], id="both have lost once: a second final"),
    ],
)
def test_second_final(final_places: str, slots_after: list[str]) -> None:
    double = Knockout(TableKind.TEAMS4, is_double=True)
    situation, unbeaten = make_field(4), None
    for _ in range(10):
        drawn = draw_matchday(double, situation, Random(1))
        if drawn.pairings[0].slot == FINAL:
            break
        situation = replace(situation, history=(*situation.history, settle(drawn, Random(7))))
    beaten = {
        e
        for _, table in situation.past_tables()
        for e, place in zip(table.pairing.entrants, table.places, strict=True)
        if place == 2
    }
    unbeaten = next(entrant for entrant in drawn.pairings[0].entrants if entrant not in beaten)
    wins = final_places == "unbeaten wins"
    row = tuple(1 if (entrant == unbeaten) == wins else 2 for entrant in drawn.pairings[0].entrants)
    after = double.draw(with_results(situation, drawn, row), Random(1))
    if slots_after:
        assert isinstance(after, Draw)
        assert [pairing.slot for pairing in after.pairings] == slots_after
    else:
        assert isinstance(after, Finished)


def test_owners_are_kept_apart_at_first_and_forced_tables_are_unrated() -> None:
    entries = tuple(Entry(i, owners=frozenset({7}) if i in (1, 6) else frozenset()) for i in range(1, 10))
    first = draw_matchday(THREES, Situation(entries), Random(1))
    assert not any({1, 6} <= set(pairing.seats) for pairing in first.pairings)
    same = tuple(Entry(i, owners=frozenset({7})) for i in range(1, 4))
    forced = draw_matchday(THREES, Situation(same), Random(1))
    assert Reason("unrated") in forced.pairings[0].why


@pytest.mark.parametrize(
    ("chosen", "late", "code"),
    [
        pytest.param(Knockout(TableKind.SOLO4), {}, "no_such_knockout", id="rotating partners"),
        pytest.param(Knockout(TableKind.TEAMS4, advance=2), {}, "bad_advance", id="two of two go on"),
        pytest.param(THREES, {9: 2}, "no_late_entry", id="late entry"),
    ],
)
def test_problems(chosen: Knockout, late: dict[int, int], code: str) -> None:
    assert chosen.find_problems(make_field(9, late))[0].code == code


def test_third_place_is_played_for() -> None:
    chosen = Knockout(TableKind.TEAMS4, has_third_place=True)
    _, _, finished = play(chosen, make_field(4), Random(3))
    assert sorted(place for _, place in finished.places) == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("chosen", "n", "places"),
    [
        pytest.param(SIDES, 8, [1, 2, 3, 3, 5, 5, 5, 5], id="sides"),
        pytest.param(THREES, 9, [1, 2, 3, 4, 4, 4, 4, 4, 4], id="threes"),
        pytest.param(DOUBLE_SIDES, 4, [1, 2, 3, 4], id="sides double"),
    ],
)
def test_who_went_out_together_shares_a_place(chosen: Knockout, n: int, places: list[int]) -> None:
    _, _, finished = play(chosen, make_field(n), Random(3))
    assert sorted(place for _, place in finished.places) == places
