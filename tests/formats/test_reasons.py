"""What a draw tells beside the seats: numbered tables, a reason for each, who rests, and problems in sentences."""

from dataclasses import replace
from random import Random

import pytest

from tests.formats.playing import draw_matchday, make_field, score, settle
from tournaments.rules.formats.bracket import FINAL, From, House
from tournaments.rules.formats.format import Format, Situation
from tournaments.rules.formats.gauntlet import Gauntlet
from tournaments.rules.formats.knockout import Knockout
from tournaments.rules.formats.ladder import Ladder
from tournaments.rules.formats.league_season import LeagueSeason
from tournaments.rules.formats.round_robin import RoundRobin
from tournaments.rules.formats.swiss import Swiss
from tournaments.rules.pairing import HOUSE, Draw, Reason, TableKind

ONCE = RoundRobin(meetings=1)
ONCE_FILLED = RoundRobin(meetings=1, house_fills=True)
FILLED = Reason("house_fills")
NEW = Reason("first_meeting")
NO_SCORES = Reason("scores", (0.0, 0.0, 0.0))


def draw_day(chosen: Format, situation: Situation, day: int) -> Draw:
    """The draw of a matchday, after those before it were settled by lot."""
    for _ in range(day - 1):
        settled = settle(draw_matchday(chosen, situation, Random(1)), Random(2))
        situation = score(replace(situation, history=(*situation.history, settled)))
    return draw_matchday(chosen, situation, Random(1))


@pytest.mark.parametrize(
    ("chosen", "field", "day", "reasons"),
    [
        pytest.param(RoundRobin(meetings=1, laps=2), make_field(9), 6, [(Reason("lap", (2, 2)),)] * 3, id="second lap"),
        pytest.param(ONCE, make_field(10, {10: 2}), 2, [(NO_SCORES, NEW)] * 3, id="late, and no slot is free"),
        pytest.param(
            ONCE_FILLED, make_field(11, {10: 2, 11: 2}), 2, [(NO_SCORES, NEW)] * 3 + [(FILLED,)], id="late, filled up"
        ),
        pytest.param(
            ONCE_FILLED,
            make_field(9, left_on={5: 2}),
            2,
            [(Reason("lap", (1, 2)), FILLED), (Reason("lap", (1, 2)),), (Reason("lap", (1, 2)),)],
            id="one has left",
        ),
        pytest.param(
            LeagueSeason((9, 9)),
            make_field(18),
            5,
            [(Reason("division", (division,)), Reason("lap", (2, 1))) for division in (1, 1, 1, 2, 2, 2)],
            id="return lap of two divisions",
        ),
        pytest.param(Swiss(matchdays=6), make_field(8), 1, [(NO_SCORES, NEW)] * 2, id="swiss"),
        pytest.param(
            Swiss(house_fills=True), make_field(8), 1, [(NO_SCORES, NEW)] * 2 + [(FILLED,)], id="swiss, filled"
        ),
        pytest.param(
            Swiss(matchdays=6),
            make_field(3),
            3,
            [(Reason("scores", (4.0, 1.0, 1.0)), Reason("repeat", (6,)))],
            id="three pairs for the third time",
        ),
        pytest.param(
            Ladder(),
            make_field(7),
            1,
            [(Reason("least_certain", (first, 8.333)), Reason("near", (0.0,))) for first in (1, 7)],
            id="ladder",
        ),
        pytest.param(Gauntlet(laps=2), make_field(5), 3, [(Reason("gauntlet", (2,)),)], id="second lap of a gauntlet"),
        pytest.param(
            Knockout(),
            make_field(8),
            1,
            [
                (Reason("seeds", (6, 7, 1)), Reason("wave", (1,))),
                (Reason("seeds", (8, 2, 5)), Reason("wave", (1,))),
                (Reason("seeds", (3, 4)), Reason("wave", (1,)), FILLED),
            ],
            id="knockout",
        ),
        pytest.param(
            Knockout(), make_field(8), 2, [(Reason("seeds", (5, 4, 1)), Reason("wave", (2,)))], id="second wave"
        ),
    ],
)
def test_every_table_is_numbered_and_has_its_reasons(
    chosen: Format, field: Situation, day: int, reasons: list[tuple[Reason, ...]]
) -> None:
    draw = draw_day(chosen, field, day)
    assert [pairing.why for pairing in draw.pairings] == reasons
    assert [pairing.table for pairing in draw.pairings] == list(range(1, len(reasons) + 1))
    assert draw.matchday == day
    for pairing in draw.pairings:
        assert (HOUSE in pairing.seats) is (FILLED in pairing.why)


@pytest.mark.parametrize(
    ("chosen", "field", "day", "resting"),
    [
        pytest.param(ONCE, make_field(10, {10: 2}), 2, 1, id="a late entry makes one too many"),
        pytest.param(ONCE, make_field(9, left_on={5: 2}), 2, 2, id="those at the table of one who left"),
        pytest.param(ONCE_FILLED, make_field(9, left_on={5: 2}), 2, 0, id="a house bot takes the place"),
        pytest.param(LeagueSeason((5, 5)), make_field(10), 1, 4, id="two too many for each division"),
        pytest.param(Swiss(), make_field(8), 1, 2, id="two too many for a swiss"),
        pytest.param(Swiss(house_fills=True), make_field(8), 1, 0, id="a house bot joins them"),
        pytest.param(Ladder(), make_field(7), 1, 1, id="one too many for a ladder"),
        pytest.param(Gauntlet(laps=2), make_field(5), 3, 2, id="who does not meet the challenger"),
        pytest.param(Knockout(), make_field(11), 1, 2, id="who waits for another table of a knockout"),
    ],
)
def test_who_is_not_seated_rests(chosen: Format, field: Situation, day: int, resting: int) -> None:
    draw = draw_day(chosen, field, day)
    seated = {entrant for pairing in draw.pairings for entrant in pairing.seats} - {HOUSE}
    assert len(draw.byes) == resting
    assert seated.isdisjoint(draw.byes)
    assert seated | set(draw.byes) == {entry.id for entry in field.entries if entry.is_active(day)}


@pytest.mark.parametrize(
    ("chosen", "n", "sentence"),
    [
        pytest.param(Swiss(), 2, "2 entrants do not fill one table, which takes 3.", id="swiss"),
        pytest.param(Swiss(TableKind.SOLO4), 3, "3 entrants do not fill one table, which takes 4.", id="four"),
        pytest.param(ONCE, 2, "2 entrants do not fill one table, which takes 3.", id="round robin"),
        pytest.param(Ladder(), 2, "2 entrants do not fill one table, which takes 3.", id="ladder"),
        pytest.param(Gauntlet(), 2, "2 entrants do not fill one table, which takes 3.", id="gauntlet"),
        pytest.param(Knockout(TableKind.TEAMS4), 1, "1 entrants do not fill one table, which takes 2.", id="knockout"),
        pytest.param(
            LeagueSeason((9, 3)), 11, "Division 2: 2 entrants do not fill one table, which takes 3.", id="division"
        ),
    ],
)
def test_too_small_a_field_is_a_problem_in_a_sentence(chosen: Format, n: int, sentence: str) -> None:
    assert [(problem.code, problem.sentence) for problem in chosen.find_problems(make_field(n))] == [
        ("too_few_entrants", sentence)
    ]
    assert chosen.find_problems(make_field(n + 1)) == ()


def test_a_gauntlet_says_whom_the_challenger_would_meet() -> None:
    apart = replace(make_field(5), conflicts=frozenset({frozenset((1, 3)), frozenset((2, 4))}))
    (problem,) = Gauntlet().find_problems(apart)
    assert (problem.code, problem.entrants) == ("cannot_keep_apart", (1, 3))
    assert problem.sentence == "Entrants 1 and 3 must be kept apart, but the challenger meets the whole field."


def test_a_double_knockout_of_eight_counts_no_house_bot_among_the_beaten() -> None:
    sources = {table.slot: table.sources for table in Knockout(is_double=True).bracket(8)}
    assert sources["L2.1"] == (From("W1.3", 2), From("W1.1", 3), From("W1.2", 3))
    assert sources["L3.1"] == (From("W1.2", 2), From("L2.1", 1), House())
    assert sources["L4.1"] == (From("W2.1", 3), From("W1.1", 2), From("L3.1", 1))
    assert sources[FINAL] == (From("W2.1", 1), From("W2.1", 2), From("L4.1", 1))
