"""In no format, preset, size and number of laps does anybody play nothing, or two matches fewer than another."""

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from tests.formats.playing import draw_matchday, make_field, play, score, settle
from tournaments.rules.formats import make_format
from tournaments.rules.formats.format import Format, split_groups
from tournaments.rules.formats.gauntlet import Gauntlet
from tournaments.rules.formats.knockout import Knockout
from tournaments.rules.formats.ladder import Ladder
from tournaments.rules.formats.league_season import LeagueSeason
from tournaments.rules.formats.round_robin import RoundRobin, plan_schedule
from tournaments.rules.formats.swiss import Swiss
from tournaments.rules.pairing import HOUSE, Draw, TableKind

SOLO3, TEAMS4, SOLO4 = TableKind
LARGEST = 200
SIZES = range(3, LARGEST + 1) if os.environ.get("AURUM_EVERY_SIZE") else [3, 4, 5, 6, 7, 8, 10, 11, 14, 17, 26, 65, 68]
"""All of them take minutes: `AURUM_EVERY_SIZE=1 pytest tests/formats/test_everybody_plays.py`."""


def count_matches(draws: list[Draw], n: int) -> list[int]:
    played = Counter(e for draw in draws for pairing in draw.pairings for e in pairing.entrants if e != HOUSE)
    return [played[entrant] for entrant in range(1, n + 1)]


def check_group(matches: list[int], what: object) -> None:
    assert min(matches) >= 1, (what, "somebody plays nothing", matches)
    assert max(matches) - min(matches) <= 1, (what, "two matches fewer than another", matches)


def list_round_robins() -> Iterator[RoundRobin]:
    for kind, meetings in ((SOLO3, 1), (SOLO3, 2), (TEAMS4, 1), (SOLO4, 1)):
        for laps in (1, 2, 3):
            yield RoundRobin(kind, meetings, laps)
        for matchdays in (1, 2, 5):
            yield RoundRobin(kind, meetings, matchdays=matchdays)


@pytest.mark.parametrize("n", SIZES)
def test_round_robins_let_everybody_play_equally(n: int) -> None:
    for chosen in list_round_robins():
        if chosen.find_problems(make_field(n)):
            assert n < chosen.kind.entrants or (chosen.matchdays == 1 and n % chosen.kind.entrants)
            continue
        days = plan_schedule(chosen.kind, chosen.meetings, n, chosen.plan_length(n))
        played = Counter(entrant for day in days for table in day for entrant in table)
        check_group([played[entrant] for entrant in range(1, n + 1)], chosen)


@pytest.mark.parametrize("size", [3, 4, 5, 6, 7, 8, 10])
@pytest.mark.parametrize("laps", [1, 2, 3])
@pytest.mark.parametrize("meetings", [1, 2])
def test_every_division_plays(size: int, laps: int, meetings: int) -> None:
    chosen = LeagueSeason((size, size, size), meetings=meetings, laps=laps)
    assert chosen.find_problems(make_field(3 * size)) == ()
    _, draws, _ = play(chosen, make_field(3 * size), Random(0))
    matches = count_matches(draws, 3 * size)
    for start in range(0, 3 * size, size):
        check_group(matches[start : start + size], chosen)


@pytest.mark.parametrize("n", [9, 10, 12, 13, 15, 17, 21, 27])
def test_three_groups_of_any_size_play(n: int) -> None:
    groups = split_groups(range(1, n + 1), 3)
    made = make_format("league_season", {"divisions": [len(group) for group in groups], "laps": 1})
    assert made.find_problems(make_field(n)) == ()
    _, draws, _ = play(made, make_field(n), Random(0))
    matches = count_matches(draws, n)
    start = 0
    for group in groups:
        check_group(matches[start : start + len(group)], (n, len(group)))
        start += len(group)


@pytest.mark.parametrize("n", [n for n in SIZES if n <= 68])
@pytest.mark.parametrize(
    "chosen",
    [
        pytest.param(Swiss(SOLO3), id="swiss"),
        pytest.param(Swiss(SOLO3, house_fills=True), id="swiss, a house bot fills"),
        pytest.param(Swiss(SOLO3, matchdays=2), id="swiss, two matchdays"),
        pytest.param(Swiss(TEAMS4), id="swiss, sides"),
        pytest.param(Swiss(SOLO4), id="swiss, rotating partners"),
    ],
)
def test_a_swiss_lets_everybody_play_equally(chosen: Swiss, n: int) -> None:
    if chosen.find_problems(make_field(n)):
        assert n < chosen.kind.entrants
        return
    _, draws, _ = play(chosen, make_field(n), Random(1))
    check_group(count_matches(draws, n), (chosen, n))


@pytest.mark.parametrize("kind", list(TableKind))
@pytest.mark.parametrize("n", [n for n in SIZES if 4 <= n <= 32])
@pytest.mark.parametrize("laps", [1, 2, 3])
def test_a_gauntlet_meets_the_whole_field(kind: TableKind, n: int, laps: int) -> None:
    _, draws, _ = play(Gauntlet(kind, laps), make_field(n), Random(0))
    matches = count_matches(draws, n)
    assert matches[0] == len(draws)
    check_group(matches[1:], (kind, n, laps))


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize(
    "chosen",
    [
        pytest.param(Knockout(), id="one goes on"),
        pytest.param(Knockout(advance=2), id="two go on"),
        pytest.param(Knockout(is_double=True), id="double"),
        pytest.param(Knockout(TEAMS4), id="sides"),
    ],
)
def test_nobody_goes_out_of_a_bracket_unplayed(chosen: Knockout, n: int) -> None:
    _, draws, _ = play(chosen, make_field(n), Random(2))
    assert min(count_matches(draws, n)) >= 1


@pytest.mark.parametrize(
    ("chosen", "n", "code"),
    [
        pytest.param(RoundRobin(meetings=1, matchdays=1), 4, "bad_length", id="one matchday, one too many"),
        pytest.param(Swiss(matchdays=1), 8, "bad_length", id="a Swiss of one matchday"),
        pytest.param(Swiss(matchdays=0), 9, "bad_length", id="a Swiss of none"),
        pytest.param(LeagueSeason((2,)), 12, "too_few_entrants", id="a division of two at tables of three"),
        pytest.param(LeagueSeason((2,), TEAMS4), 12, "bad_divisions", id="divisions of two, but one is given"),
        pytest.param(LeagueSeason((4,)), 12, "bad_divisions", id="divisions of four, but one is given"),
        pytest.param(LeagueSeason((9, 9)), 11, "too_few_entrants", id="nobody is left for the second"),
        pytest.param(Gauntlet(laps=0), 5, "bad_length", id="a gauntlet of no lap"),
    ],
)
def test_what_cannot_be_is_said_before_the_draw(chosen: Format, n: int, code: str) -> None:
    problems = chosen.find_problems(make_field(n))
    assert [problem.code for problem in problems] == [code]
    assert problems[0].sentence.endswith(".")


@pytest.mark.parametrize("n", [4, 5, 7, 8, 20])
def test_a_ladder_goes_on_however_close_all_are_kept(n: int) -> None:
    situation, rng, draws = make_field(n), Random(3), []
    for _ in range(20):
        draws.append(draw_matchday(Ladder(most_ahead=1), situation, rng))
        situation = score(replace(situation, history=(*situation.history, settle(draws[-1], rng))))
    matches = count_matches(draws, n)
    assert min(matches) >= 1 and max(matches) - min(matches) <= 4
