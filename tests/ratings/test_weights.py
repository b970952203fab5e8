"""How much of a match counts: repeats fade, early forfeits give nothing, newcomers move others little; and farms."""

import random
from datetime import UTC, datetime, timedelta

import pytest

from benchmarks.farms import measure_farms
from games.play.fairness import end_of_wait, fade_repeats
from tournaments.rules.quick_pairing import WaitingPlayer, pair_waiting
from tournaments.rules.ratings.fit import fit_pool
from tournaments.rules.ratings.likelihood import PoolTables
from tournaments.rules.ratings.live import rate_match, rated_places, replay_ratings
from tournaments.rules.ratings.values import LiveRating, RatedTable

SIDES = ((1,), (2,), (3,))
PEOPLE = frozenset((1, 2, 3))
SURE = LiveRating(25.0, 2.0)
ALL_SURE = dict.fromkeys(PEOPLE, SURE)


def moves(table: RatedTable, ratings: dict[int, LiveRating]) -> list[float]:
    return [step.after.mu - step.before.mu for step in rate_match(ratings, table)]


@pytest.mark.parametrize(
    ("day", "month", "share"),
    [
        pytest.param((0, 0, 0), (0, 0, 0), 1.0, id="strangers"),
        pytest.param((1, 0, 0), (0, 0, 0), 0.5, id="two met today"),
        pytest.param((3, 3, 3), (0, 0, 0), 0.125, id="the fourth today"),
        pytest.param((4, 0, 0), (4, 0, 0), 0.0, id="the fifth today"),
        pytest.param((0, 0, 0), (2, 2, 2), 0.25, id="twice within 30 days"),
        pytest.param((0, 0, 0), (6, 6, 0), 0.0, id="again and again"),
    ],
)
def test_repeats_fade(day: tuple[int, ...], month: tuple[int, ...], share: float) -> None:
    assert fade_repeats(day, month) == share


def test_a_share_moves_by_that_share() -> None:
    full = moves(RatedTable(SIDES, (1, 2, 3), people=PEOPLE), ALL_SURE)
    half = moves(RatedTable(SIDES, (1, 2, 3), people=PEOPLE, share=0.5), ALL_SURE)
    assert half == pytest.approx([move / 2 for move in full])
    assert rated_places(RatedTable(SIDES, (1, 2, 3), share=0.0)) is None


def test_an_early_forfeit_costs_and_gives_nothing() -> None:
    gone = frozenset((2,))
    steps = rate_match(ALL_SURE, RatedTable(SIDES, (2, 1, 3), gone, PEOPLE, early=gone))
    assert [step.after == step.before for step in steps] == [True, False, True]
    assert steps[1].after.mu < SURE.mu
    late = rate_match(ALL_SURE, RatedTable(SIDES, (2, 1, 3), gone, PEOPLE))
    assert late[1] == steps[1] and late[0].after.mu > SURE.mu


def test_a_newcomer_moves_the_sure_little_and_newcomers_in_full() -> None:
    table = RatedTable(SIDES, (1, 2, 3), people=PEOPLE)
    sure_against_new = moves(table, {1: SURE})[0]
    assert 0 < sure_against_new < 0.02 * moves(table, {})[0]
    assert moves(table, {}) == pytest.approx(moves(table._replace(people=frozenset()), {}), rel=1e-3)


def test_replay_goes_by_the_same_weights() -> None:
    rng = random.Random(9)
    ratings: dict[int, LiveRating] = {}
    tables: list[RatedTable] = []
    for _ in range(300):
        players = rng.sample(range(9), 3)
        gone = frozenset(players[:1]) if rng.random() < 0.2 else frozenset()
        share = rng.choice((1.0, 0.5, 0.125, 0.0))
        early = gone if rng.random() < 0.5 else frozenset()
        sides = tuple((player,) for player in players)
        tables.append(RatedTable(sides, (1, 2, 3), gone, frozenset(players[1:]), share=share, early=early))
        ratings |= {step.player: step.after for step in rate_match(ratings, tables[-1])}
    assert replay_ratings(tables) == ratings


def test_the_fit_counts_a_match_by_its_share() -> None:
    ahead, behind = RatedTable(SIDES, (1, 2, 3)), RatedTable(SIDES, (3, 2, 1))
    twice = fit_pool(PoolTables.from_tables([ahead] * 20 + [behind] * 10))
    shared = fit_pool(PoolTables.from_tables([ahead] * 20 + [behind._replace(share=0.5)] * 20))
    assert shared.theta == pytest.approx(twice.theta, abs=1e-4)
    assert shared.theta[0] > shared.theta[2]


def test_no_farm_gains_more_than_thirty_points() -> None:
    report = measure_farms()
    assert not report.broken
    fed = {figure.name: figure.value for figure in report.figures}
    assert fed["a ring of four"] > 5, "the farm itself must work, or its bound says nothing"


@pytest.mark.parametrize(("left", "minutes"), [(0, None), (1, 0), (2, 10), (3, 60), (4, 1440), (9, 1440)])
def test_who_leaves_often_waits(left: int, minutes: int | None) -> None:
    now = datetime(2026, 11, 18, tzinfo=UTC)
    times = [now - timedelta(hours=hour) for hour in range(left)]
    assert end_of_wait(times) == (None if minutes is None else now + timedelta(minutes=minutes))


def wait(
    number: int,
    rating: float,
    waited: float = 0.0,
    bounds: tuple[float, float] = (0.0, 9999.0),
    blocked: frozenset[int] = frozenset(),
) -> WaitingPlayer:
    low, high = bounds
    return WaitingPlayer(number, "en3 live", 3, rating, low, high, waited, blocked)


@pytest.mark.parametrize(
    ("waiting", "groups"),
    [
        pytest.param([wait(1, 1500), wait(2, 1510)], [], id="too few"),
        pytest.param([wait(1, 1500), wait(2, 1510), wait(3, 1490)], [(3, 1, 2)], id="three alike"),
        pytest.param([wait(1, 1500), wait(2, 1510), wait(3, 1800)], [], id="one far away"),
        pytest.param([wait(1, 1500, 60), wait(2, 1510), wait(3, 1800)], [(1, 2, 3)], id="far away after a minute"),
        pytest.param(
            [wait(1, 1500), wait(2, 1510), wait(3, 1520, bounds=(1505, 1600))], [], id="outside of one's bounds"
        ),
        pytest.param([wait(1, 1500), wait(2, 1500), wait(3, 1500, blocked=frozenset({1}))], [], id="blocked"),
        pytest.param(
            [wait(1, 1400, 9), wait(2, 1500, 5), wait(3, 1501), wait(4, 1502), wait(5, 1404), wait(6, 1405)],
            [(1, 5, 6), (2, 3, 4)],
            id="neighbours first",
        ),
        pytest.param(
            [wait(1, 1500), wait(2, 1500), wait(3, 1500)._replace(table="de3 live")], [], id="another table"
        ),
    ],
)
def test_who_sits_down_together(waiting: list[WaitingPlayer], groups: list[tuple[int, ...]]) -> None:
    assert pair_waiting(waiting) == groups


def test_nobody_sits_twice_and_every_group_fits() -> None:
    rng = random.Random(4)
    queue = [wait(number, rng.gauss(1500, 200), rng.uniform(0, 60)) for number in range(301)]
    groups = pair_waiting(queue)
    sitting = [number for group in groups for number in group]
    assert len(sitting) == len(set(sitting)) and len(sitting) > 270
    for group in groups:
        members = [queue[number] for number in group]
        spread = max(one.rating for one in members) - min(one.rating for one in members)
        assert spread <= max(one.reach for one in members)
