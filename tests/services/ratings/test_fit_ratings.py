"""The official fit of a pool: anchored, repeatable, kept as history, and shown with its doubt."""

import dataclasses
import random

import numpy as np
import pytest
from pytest_django import DjangoAssertNumQueries

from games.models import Player, PlayerKind
from tests.services.ratings.conftest import Settle, make_players
from tournaments.models import FitState, Rating, RatingChange, RatingPool
from tournaments.rules.ratings.fit import fit_pool
from tournaments.rules.ratings.likelihood import PoolTables
from tournaments.rules.ratings.values import RatedTable
from tournaments.selectors.rated_matches import ANCHOR_SLUG, read_pool_tables
from tournaments.selectors.ratings import (
    list_pools,
    list_top_rated,
    read_player_ratings,
    read_pool_numbers,
    read_rating_history,
    read_rating_list,
)
from tournaments.services.ratings import fit_due_pools, fit_ratings

pytestmark = pytest.mark.django_db


def play_pool(settle: Settle, players: list[Player], matches: int, seed: int = 1) -> list[int]:
    """Matches of three in which an earlier player of the list is the stronger one."""
    rng = random.Random(seed)
    tables, results = [], []
    for _ in range(matches):
        seats = rng.sample(range(len(players)), 3)
        order = sorted(seats, key=lambda seat: seat + rng.gauss(0, len(players) / 2))
        tables.append([players[seat] for seat in seats])
        results.append(([1 + order.index(seat) for seat in seats], ()))
    return settle(tables, results)


def official_of(player: Player) -> tuple[float, float]:
    rating = Rating.objects.get(player=player)
    assert rating.official is not None and rating.official_high is not None and rating.official_low is not None
    return rating.official, rating.official_high - rating.official_low


def make_field(count: int) -> list[Player]:
    return [*make_players(count - 1), Player.objects.create(kind=PlayerKind.HOUSE, name="Tally", slug=ANCHOR_SLUG)]


def test_the_fit_is_that_of_the_results_with_the_anchor_at_1500(settle_results: Settle) -> None:
    players = make_field(6)
    play_pool(settle_results, players, 300)
    pool = RatingPool.objects.get()
    assert fit_ratings(pool_id=pool.id)
    steps = list(RatingChange.objects.order_by("sequence", "player_id"))
    tables = [
        RatedTable(
            tuple((step.player_id,) for step in table),
            tuple(step.place for step in table),
            # As `summary_of` scores them.
            scores=tuple(10.0 * (3 - step.place) for step in table),
        )
        for table in (steps[start : start + 3] for start in range(0, len(steps), 3))
    ]
    fit = fit_pool(PoolTables.from_tables(tables))
    for rating in Rating.objects.all():
        strength = fit.strengths(players[-1].id)[rating.player_id]
        shown = [rating.official, rating.official_low, rating.official_high]
        assert shown == pytest.approx([1500 + 173.7178 * one for one in strength[:3]], abs=0.05)
        assert rating.official is not None and rating.lower_bound is not None
        assert rating.official - rating.lower_bound == pytest.approx(2 * 173.7178 * strength.own_se, abs=0.05)
    assert official_of(players[-1])[0] == 1500 < official_of(players[0])[0]


def test_a_fit_without_news_does_nothing_and_history_grows_for_who_played(settle_results: Settle) -> None:
    players = make_field(6)
    play_pool(settle_results, players, 60)
    assert fit_due_pools() == 1
    assert fit_due_pools() == 0
    settle_results([players[:3]], [((1, 2, 3), ())])
    assert fit_due_pools() == 1
    assert FitState.objects.filter(sequence=60).count() == 6
    assert set(FitState.objects.filter(sequence=61).values_list("player_id", flat=True)) == {p.id for p in players[:3]}
    pool = RatingPool.objects.get()
    assert [point.sequence for point in read_rating_history(players[0].id, pool)] == [60, 61]


def test_people_are_never_fitted(settle_results: Settle) -> None:
    people = make_players(3, PlayerKind.PERSON)
    settle_results([people] * 4, [((1, 2, 3), ())] * 4)
    assert fit_due_pools() == 0
    history = read_rating_history(people[0].id, RatingPool.objects.get())
    assert len(history) == 4
    assert history[-1].number > 1500 > history[-1].low


def test_a_new_version_starts_from_its_forerunner(settle_results: Settle) -> None:
    """With a doubt of 260 points, so that one loss moves it far; a prior that kept it near covered half of them."""
    a, b, c = make_players(3)
    old, new = (["version:4", "house:greedy", "house:greedy"], ["version:9", "house:greedy", "house:greedy"])
    settle_results([(a, b, c)] * 60, [((1, 2, 3), ()), ((1, 3, 2), ())] * 30, agents=old)
    pool = RatingPool.objects.get()
    fit_ratings(pool_id=pool.id)
    number, error = official_of(a)
    settle_results([(a, b, c)], [((2, 1, 3), ())], agents=new)
    pool.refresh_from_db()
    entities = read_pool_tables(pool, pool.sequence)
    assert len(entities.tables.players) == 4
    assert entities.forerunners == {(a.id << 32) + 9: (a.id << 32) + 4}
    fit_ratings(pool_id=pool.id)
    new_number, new_error = official_of(a)
    assert new_error > 1.5 * error
    assert 1500 - new_error < new_number < number < new_number + 4 * new_error
    assert Rating.objects.get(player=a).is_provisional


@pytest.mark.parametrize(
    ("seats", "shape"),
    [
        pytest.param("abc", (1, 3, 1), id="three"),
        pytest.param("abcd", (1, 2, 2), id="four who only met"),
        pytest.param("abab", (1, 2, 1), id="fixed sides"),
    ],
)
def test_tables_keep_their_sides(settle_results: Settle, seats: str, shape: tuple[int, int, int]) -> None:
    players = dict(zip("abcd", make_players(4), strict=True))
    settle_results([[players[seat] for seat in seats]], [((2, 1) if len(seats) == 4 else (3, 1, 2), ())])
    pool = RatingPool.objects.get()
    tables = read_pool_tables(pool, 1).tables
    assert tables.sides.shape == shape
    ids = (tables.players >> 32)[tables.sides]
    first = ids[0, tables.places[0].argmin()]
    assert set(first.tolist()) == {players[seat].id for seat in seats[1 :: 2 if len(seats) == 4 else 3]}


@pytest.mark.parametrize(
    ("seats", "scores"),
    [
        pytest.param("abc", [0, 20, 10], id="three"),
        pytest.param("abcd", [0, 10], id="four who only met"),
        pytest.param("abab", [0, 10], id="fixed sides"),
    ],
)
def test_a_fit_reads_what_each_side_scored(settle_results: Settle, seats: str, scores: list[float]) -> None:
    """Whoever stands first has the score of its own side; a match with a forfeit says nothing by scores."""
    players = dict(zip("abcd", make_players(4), strict=True))
    places = (2, 1) if len(seats) == 4 else (3, 1, 2)
    settle_results([[players[seat] for seat in seats]] * 2, [(places, ()), (places, (0,))])
    tables = read_pool_tables(RatingPool.objects.get(), 2).tables
    assert tables.scores is not None
    first = (tables.players >> 32)[tables.sides[0, :, 0]].tolist()
    by_seat = {players[seat].id: score for seat, score in zip(seats, scores * 2, strict=False)}
    assert tables.scores[0].tolist() == [by_seat[player] for player in first]
    assert np.isnan(tables.scores[1]).all()


def test_scores_that_foretell_wins_move_the_official_number(settle_results: Settle) -> None:
    """All win as often, but whoever scores more is thought the stronger only where the pool's scores foretell wins."""
    players = make_field(6)
    play_pool(settle_results, players, 60)
    pool = RatingPool.objects.get()
    entities = read_pool_tables(pool, pool.sequence)
    plain = fit_pool(dataclasses.replace(entities.tables, scores=None))
    fit_ratings(pool_id=pool.id)
    shown = {rating.player_id: rating.official for rating in Rating.objects.all()}
    anchor = players[-1].id
    by_wins = {entity >> 32: 1500 + 173.7178 * one.value for entity, one in plain.strengths(anchor << 32).items()}
    assert max(abs((shown[player] or 0.0) - by_wins[player]) for player in shown) > 1


def test_matches_on_the_same_deals_are_one_block(settle_results: Settle) -> None:
    players = make_players(3)
    settle_results([players] * 6, [((1, 2, 3), ())] * 6, blocks=[0, 0, 0, 1, 1, 1])
    tables = read_pool_tables(RatingPool.objects.get(), 6).tables
    assert sorted(tables.blocks.tolist()) == [0, 0, 0, 1, 1, 1]


def test_the_list_is_ordered_by_the_lower_bound_and_says_who_cannot_be_parted(
    settle_results: Settle, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    players = make_field(8)
    play_pool(settle_results, players, 900)
    newcomers = make_players(2)
    settle_results([[*newcomers, players[0]]], [((1, 2, 3), ())])
    fit_due_pools()
    pool = list_pools()[0]
    with django_assert_max_num_queries(3):
        shown = read_rating_list(pool)
    sure = [line for line in shown.lines if line.rank is not None]
    assert [line.rank for line in sure] == list(range(1, len(sure) + 1))
    bounds = [line.shown.lower_bound for line in shown.lines if line.is_official]
    assert bounds == sorted(bounds, reverse=True)
    assert [line.shown.lower_bound for line in sure] == sorted((line.shown.lower_bound for line in sure), reverse=True)
    unsure = [line for line in shown.lines if line.rank is None]
    assert {line.player_id for line in unsure} >= {player.id for player in newcomers}
    assert all(line.shown.is_provisional and line.span is None for line in unsure)
    assert all(line.span is not None and line.span.best <= line.span.worst for line in sure)
    assert len(read_pool_numbers(pool)) == len(sure)
    assert [line.rank for line in read_player_ratings(sure[1].player_id)] == [2]


def test_whoever_leads_is_seen_first_provisional_or_not(settle_results: Settle) -> None:
    players = make_field(6)
    play_pool(settle_results, players, 600)
    champion = make_players(1)[0]
    settle_results([[champion, *players[:2]]] * 30, [((1, 2, 3), ())] * 30)
    fit_due_pools()
    pool = list_pools()[0]
    first = read_rating_list(pool).lines[0]
    assert (first.player_id, first.rank, first.shown.is_provisional) == (champion.id, None, True)
    assert list_top_rated(pool, 3)[0].player_id == champion.id


def test_islands_that_never_met_are_not_ranked_together(settle_results: Settle) -> None:
    players, apart = make_field(4), make_players(3)
    play_pool(settle_results, players, 400)
    play_pool(settle_results, apart, 400)
    fit_due_pools()
    ranked = {line.player_id: line.rank for line in read_rating_list(list_pools()[0]).lines}
    assert all(ranked[player.id] is None for player in apart)
    assert sorted(ranked[player.id] or 0 for player in players) == [1, 2, 3, 4]
