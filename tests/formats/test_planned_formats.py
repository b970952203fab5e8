"""Round robin, league season, ladder, gauntlet, stages and the catalogue: what each promises beside the rest."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from tests.formats.playing import draw_ahead, draw_matchday, make_field, play, score, settle
from tournaments.rules.certificate import certify_draws
from tournaments.rules.formats import make_format
from tournaments.rules.formats.format import Entry, PastMatchday, Situation, cut_groups, split_groups
from tournaments.rules.formats.gauntlet import Gauntlet
from tournaments.rules.formats.ladder import Ladder
from tournaments.rules.formats.league_season import LeagueSeason, promote
from tournaments.rules.formats.round_robin import RoundRobin
from tournaments.rules.pairing import HOUSE, ImpossibleDraw, TableKind


@pytest.mark.parametrize(
    ("chosen", "n", "days", "meetings"),
    [
        pytest.param(RoundRobin(meetings=1), 9, 4, (1, 1), id="nine at threes, once"),
        pytest.param(RoundRobin(meetings=1, laps=2), 9, 8, (2, 2), id="home and return lap"),
        pytest.param(RoundRobin(), 7, 7, (2, 2), id="seven at threes, twice"),
        pytest.param(RoundRobin(matchdays=20), 7, 20, (5, 6), id="twenty matchdays"),
        pytest.param(RoundRobin(TableKind.TEAMS4), 6, 5, (1, 1), id="six sides"),
        pytest.param(RoundRobin(TableKind.TEAMS4, laps=3), 5, 15, (3, 3), id="five sides, three laps"),
        pytest.param(RoundRobin(meetings=1), 99, 49, (1, 1), id="ninety-nine by tripling"),
        pytest.param(RoundRobin(meetings=1), 100, 11, (0, 1), id="a hundred by shifting"),
    ],
)
def test_round_robin_balance(chosen: RoundRobin, n: int, days: int, meetings: tuple[int, int]) -> None:
    draws = draw_ahead(make_field(n), chosen, Random(0))
    certificate = certify_draws(draws, chosen.kind, range(1, n + 1))
    assert len(draws) == days
    assert (certificate["meetings"].least, certificate["meetings"].most) == meetings
    assert certificate["seats"].most <= 1
    assert certificate["matches"].spread <= 1


@pytest.mark.parametrize(
    ("house_fills", "rests", "house"),
    [
        pytest.param(False, True, False, id="those left at the table rest"),
        pytest.param(True, False, True, id="a house bot"),
    ],
)
def test_who_leaves_a_round_robin_leaves_a_slot(house_fills: bool, rests: bool, house: bool) -> None:
    chosen = RoundRobin(meetings=1, house_fills=house_fills)
    draws = draw_ahead(make_field(9, left_on={5: 2}), chosen, Random(0))
    assert all(5 not in pairing.seats for draw in draws[1:] for pairing in draw.pairings)
    assert all(bool(draw.byes) == rests for draw in draws[1:])
    assert all(any(HOUSE in pairing.seats for pairing in draw.pairings) == house for draw in draws[1:])


def test_a_late_entry_takes_a_slot_left_behind() -> None:
    draws = draw_ahead(make_field(10, entered_on={10: 2}, left_on={5: 2}), RoundRobin(meetings=1), Random(0))
    plain = draw_ahead(make_field(9), RoundRobin(meetings=1), Random(0))
    for draw, before in zip(draws[1:], plain[1:], strict=True):
        swapped = [tuple(10 if e == 5 else e for e in p.seats) for p in before.pairings]
        assert [pairing.seats for pairing in draw.pairings] == swapped


def test_what_a_round_robin_cannot_keep_apart_is_a_problem_and_what_it_can_it_does() -> None:
    conflict = frozenset({frozenset((1, 2))})
    assert RoundRobin().find_problems(replace(make_field(9), conflicts=conflict))[0].code == "cannot_keep_apart"
    short = RoundRobin(meetings=1, matchdays=2)
    situation = replace(make_field(9), conflicts=frozenset(frozenset((1, other)) for other in (2, 3, 4)))
    assert short.find_problems(situation) == ()
    for draw in draw_ahead(situation, short, Random(0)):
        assert all(not (1 in p.seats and {2, 3, 4} & set(p.seats)) for p in draw.pairings)


def test_divisions_play_among_themselves() -> None:
    draws = draw_ahead(make_field(18), LeagueSeason((9, 9)), Random(0))
    assert len(draws) == 8
    for draw in draws:
        for pairing in draw.pairings:
            assert {(entrant - 1) // 9 for entrant in pairing.seats} == {int(pairing.slot[1:]) - 1}


@pytest.mark.parametrize(
    ("standings", "moves", "expected"),
    [
        pytest.param([[1, 2, 3], [4, 5, 6]], 1, [[1, 2, 4], [3, 5, 6]], id="one up, one down"),
        pytest.param(
            [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]],
            2,
            [[1, 2, 5, 6], [3, 4, 9, 10], [7, 8, 11, 12]],
            id="the middle division changes at both ends",
        ),
        pytest.param([[1, 2], [3, 4]], 0, [[1, 2], [3, 4]], id="nobody moves"),
        pytest.param([[1, 2], [3]], 3, [[1, 3], [2]], id="no more than the last has"),
        pytest.param([[1], [2, 3, 4]], 2, [[2], [1, 3, 4]], id="no more than the first has"),
        pytest.param([[1, 2], [3, 4, 5], [6, 7]], 2, [[1, 3], [2, 4, 6], [5, 7]], id="half the middle each way"),
    ],
)
def test_promotion(standings: list[list[int]], moves: int, expected: list[list[int]]) -> None:
    assert promote(standings, moves) == expected


def test_groups_are_dealt_to_and_fro_and_cut_to_seeds() -> None:
    assert split_groups(range(1, 10), 3) == [[1, 6, 7], [2, 5, 8], [3, 4, 9]]
    assert cut_groups([[1, 6, 7], [2, 5, 8], [3, 4, 9]], 2) == [1, 2, 3, 4, 5, 6]


def test_the_ladder_prefers_the_uncertain_and_the_near() -> None:
    entries = tuple(Entry(i, mu=float(i), sigma=8.0 if i == 50 else 0.8) for i in range(1, 101))
    gaps, chosen = [], 0
    for seed in range(60):
        drawn = draw_matchday(Ladder(tables=1), Situation(entries), Random(seed))
        seats = drawn.pairings[0].seats
        chosen += 50 in seats
        gaps.append(max(seats) - min(seats))
    assert chosen >= 25
    assert max(gaps) <= 16


def test_the_ladder_lets_everybody_play_equally_and_leaves_busy_ones_alone() -> None:
    situation, rng = make_field(20), Random(1)
    for _ in range(60):
        drawn = draw_matchday(Ladder(tables=2, most_ahead=3), situation, rng)
        situation = score(replace(situation, history=(*situation.history, settle(drawn, rng))))
    matches = [entry.matches for entry in situation.entries]
    assert max(matches) - min(matches) <= 3
    busy = replace(situation, history=(*situation.history, PastMatchday.from_draw(drawn)))
    again = draw_matchday(Ladder(), busy, rng)
    taken = {entrant for pairing in drawn.pairings for entrant in pairing.seats}
    assert all(taken.isdisjoint(pairing.seats) for pairing in again.pairings)


def test_the_ladder_leaves_out_who_may_meet_nobody() -> None:
    apart = frozenset(frozenset((1, other)) for other in range(2, 8))
    drawn = draw_matchday(Ladder(), replace(make_field(7), conflicts=apart), Random(1))
    assert len(drawn.pairings) == 2
    assert all(1 not in pairing.seats for pairing in drawn.pairings)


@pytest.mark.parametrize(
    ("kind", "laps", "each"),
    [
        pytest.param("teams4", 2, 2, id="sides"),
        pytest.param("solo3", 6, 6, id="threes"),
        pytest.param("solo4", 2, 2, id="fours"),
    ],
)
def test_the_challenger_meets_the_field_equally_often(kind: str, laps: int, each: int) -> None:
    _, draws, _ = play(Gauntlet(TableKind(kind), laps), make_field(7), Random(0))
    met = Counter(e for draw in draws for pairing in draw.pairings for e in pairing.entrants)
    assert met.pop(1) == len(draws)
    assert set(met.values()) == {each}


@pytest.mark.parametrize(
    ("name", "options", "code"),
    [
        pytest.param("swis", {}, "unknown_format", id="no such format"),
        pytest.param("swiss", {"rounds": 3}, "unknown_option", id="no such option"),
        pytest.param("swiss", {"kind": "solo5"}, "bad_option", id="no such kind"),
        pytest.param("swiss", {"matchdays": "three"}, "bad_option", id="not a number"),
        pytest.param("league_season", {}, "bad_option", id="divisions missing"),
    ],
)
def test_wrong_options_are_refused_with_a_sentence(name: str, options: dict, code: str) -> None:
    with pytest.raises(ImpossibleDraw) as refused:
        make_format(name, options)
    assert refused.value.problem.code == code


def test_a_format_is_made_from_plain_options() -> None:
    made = make_format("league_season", {"divisions": [9, 9], "kind": "solo3", "laps": 1})
    assert made == LeagueSeason((9, 9), TableKind.SOLO3, laps=1)
