"""What holds for every format: everybody is drawn, nobody twice on a matchday, and the same call draws the same."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.formats.playing import draw_ahead, make_field, play
from tournaments.rules.certificate import certify_draws
from tournaments.rules.formats.format import Format
from tournaments.rules.formats.gauntlet import Gauntlet
from tournaments.rules.formats.knockout import Knockout
from tournaments.rules.formats.ladder import Ladder
from tournaments.rules.formats.league_season import LeagueSeason
from tournaments.rules.formats.round_robin import RoundRobin
from tournaments.rules.formats.swiss import Swiss
from tournaments.rules.pairing import HOUSE, Draw, TableKind

SOLO3, TEAMS4, SOLO4 = TableKind.SOLO3, TableKind.TEAMS4, TableKind.SOLO4

COMPLETE_FORMATS: dict[str, Format] = {
    "round robin, single": RoundRobin(SOLO3, meetings=1),
    "round robin, four matchdays": RoundRobin(SOLO3, matchdays=4),
    "round robin, sides, two laps": RoundRobin(TEAMS4, laps=2),
    "round robin, rotating partners": RoundRobin(SOLO4),
    "league season": LeagueSeason((5, 5)),
    "swiss": Swiss(SOLO3),
    "swiss, sides": Swiss(TEAMS4),
    "swiss, rotating partners": Swiss(SOLO4),
    "gauntlet": Gauntlet(SOLO3, laps=2),
    "gauntlet, sides": Gauntlet(TEAMS4),
    "gauntlet, four": Gauntlet(SOLO4),
}
COMPLETE = [pytest.param(chosen, id=name) for name, chosen in COMPLETE_FORMATS.items()]
AHEAD = [pytest.param(chosen, id=name) for name, chosen in COMPLETE_FORMATS.items() if not chosen.needs_results]
BRACKETS = [
    pytest.param(Knockout(SOLO3), id="knockout"),
    pytest.param(Knockout(SOLO3, advance=2), id="knockout, two of three go on"),
    pytest.param(Knockout(SOLO3, is_double=True), id="knockout, double"),
    pytest.param(Knockout(TEAMS4, has_third_place=True), id="knockout, sides"),
    pytest.param(Knockout(TEAMS4, is_double=True), id="knockout, sides, double"),
]
few = settings(max_examples=6, deadline=None)


def check_draw(draw: Draw, kind: TableKind) -> set[int]:
    """Tables are full and numbered, nobody sits or rests twice; returns who sits."""
    seated: Counter[int] = Counter()
    for number, pairing in enumerate(draw.pairings, start=1):
        assert pairing.table == number
        assert len(pairing.seats) == kind.seats
        assert len(pairing.entrants) == kind.entrants
        if kind is TEAMS4:
            assert pairing.seats[:2] == pairing.seats[2:]
        seated.update(entrant for entrant in pairing.entrants if entrant != HOUSE)
    seated.update(draw.byes)
    assert set(seated.values()) <= {1}
    return set(seated) - set(draw.byes)


@pytest.mark.parametrize("chosen", COMPLETE)
@few
@given(data=st.data())
def test_everybody_active_is_drawn_or_rests_each_matchday(chosen: Format, data: st.DataObject) -> None:
    n = data.draw(st.integers(10, 14))
    late = {n: data.draw(st.integers(2, 4))} if data.draw(st.booleans()) else {}
    leaving = data.draw(st.dictionaries(st.integers(2, n - 1), st.integers(2, 6), max_size=3))
    situation = make_field(n, late, leaving)
    assert chosen.find_problems(situation) == ()
    played, draws, _ = play(chosen, situation, Random(data.draw(st.integers(0, 99))))
    assert len(draws) == chosen.plan_length(n - len(late))
    for draw in draws:
        active = {entry.id for entry in played.entries if entry.is_active(draw.matchday)}
        drawn = check_draw(draw, chosen.kind) | set(draw.byes)
        assert drawn == active or (isinstance(chosen, LeagueSeason) and drawn < active)
    assert certify_draws(draws, chosen.kind, range(1, n + 1)).rows


@pytest.mark.parametrize("chosen", BRACKETS)
@few
@given(n=st.integers(3, 70), seed=st.integers(0, 99), leaving=st.dictionaries(st.integers(1, 70), st.integers(2, 5)))
def test_a_bracket_ends_with_everybody_placed(chosen: Knockout, n: int, seed: int, leaving: dict[int, int]) -> None:
    situation = make_field(n, left_on=leaving)
    _, draws, finished = play(chosen, situation, Random(seed))
    for draw in draws:
        check_draw(draw, chosen.kind)
    places = dict(finished.places)
    assert set(places) == set(range(1, n + 1))
    assert min(places.values()) == 1
    for place in places.values():
        assert sum(other < place for other in places.values()) == place - 1


@pytest.mark.parametrize("chosen", [*COMPLETE, *BRACKETS, pytest.param(Ladder(), id="ladder")])
def test_the_same_call_draws_the_same(chosen: Format) -> None:
    situation = make_field(14)
    assert chosen.draw(situation, Random(5)) == chosen.draw(situation, Random(5))


@pytest.mark.parametrize("chosen", AHEAD)
def test_drawing_ahead_gives_what_is_drawn_day_by_day(chosen: Format) -> None:
    situation = make_field(13)
    _, draws, _ = play(chosen, situation, Random(2))
    assert draw_ahead(situation, chosen, Random(2)) == draws


@pytest.mark.parametrize("chosen", [*COMPLETE, *BRACKETS])
def test_too_small_a_field_is_a_problem(chosen: Format) -> None:
    problems = chosen.find_problems(make_field(1))
    assert problems[0].code == "too_few_entrants"
