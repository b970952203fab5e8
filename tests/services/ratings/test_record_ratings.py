"""Live ratings are recorded once a match, in a defined order, in the pool that the seats decide."""

from collections.abc import Sequence

import pytest
from django.db import IntegrityError, transaction

from games.models import MatchResult, PlayerKind
from tests.services.ratings.conftest import Settle, make_players
from tournaments.models import Rating, RatingChange, RatingPool
from tournaments.rules.ratings.live import rate_match
from tournaments.rules.ratings.values import LiveRating, RatedTable, show_live

pytestmark = pytest.mark.django_db
NO_FORFEITS: Sequence[int] = ()


def test_one_match_moves_each_player_once(settle_results: Settle) -> None:
    a, b, c = make_players(3)
    (match_id,) = settle_results([(a, b, c)], [((2, 1, 3), ())])
    expected = rate_match({}, RatedTable(((a.id,), (b.id,), (c.id,)), (2, 1, 3)))
    changes = RatingChange.objects.filter(match_id=match_id).order_by("player_id")
    assert [(change.player_id, change.mu_before, change.mu_after, change.sigma_after) for change in changes] == [
        (step.player, step.before.mu, step.after.mu, step.after.sigma) for step in expected
    ]
    assert [change.place for change in changes] == [2, 1, 3]
    for step in expected:
        rating = Rating.objects.get(player_id=step.player)
        assert (rating.mu, rating.sigma, rating.matches) == (*step.after, 1)
    pool = RatingPool.objects.get()
    assert (pool.players, pool.entry_kind, pool.is_teams, pool.sequence) == (3, "bots", False, 1)


def test_a_batch_is_rated_by_rising_id_and_numbered_without_gaps(settle_results: Settle) -> None:
    players = make_players(5)
    tables = [players[:3], players[1:4], players[2:], players[:3]]
    first = settle_results(tables, [((1, 2, 3), ()), ((3, 1, 2), ()), ((1, 1, 3), ()), ((2, 3, 1), (1,))])
    second = settle_results([players[2:]], [((1, 2, 3), ())])
    ratings: dict[int, LiveRating] = {}
    for match_id, sequence in zip([*first, *second], range(1, 6), strict=True):
        changes = {change.player_id: change for change in RatingChange.objects.filter(match_id=match_id)}
        assert {change.sequence for change in changes.values()} == {sequence}
        for player, change in changes.items():
            assert LiveRating(change.mu_before, change.sigma_before) == ratings.get(player, LiveRating())
            ratings[player] = LiveRating(change.mu_after, change.sigma_after)
    assert {rating.player_id: LiveRating(rating.mu, rating.sigma) for rating in Rating.objects.all()} == ratings
    assert RatingChange.objects.get(match_id=first[3], is_forfeit=True).player_id == players[1].id


@pytest.mark.parametrize(
    ("kinds", "pools"),
    [
        pytest.param("hhh", ["bots-3"], id="three house bots"),
        pytest.param("ppp", ["people-3"], id="three people"),
        pytest.param("php", ["mixed-3"], id="people and a bot"),
        pytest.param("hhhh", ["bots-4"], id="four bots who only met"),
        pytest.param("pppp", ["people-4"], id="four people who only met"),
    ],
)
def test_the_seats_decide_the_pool(settle_results: Settle, kinds: str, pools: list[str]) -> None:
    players = [make_players(1, PlayerKind.PERSON if kind == "p" else PlayerKind.HOUSE)[0] for kind in kinds]
    settle_results([players], [((1, 2, 3) if len(players) == 3 else (1, 2), NO_FORFEITS)])
    assert [str(pool) for pool in RatingPool.objects.order_by("id")] == pools
    assert Rating.objects.count() == len(players)


def test_people_are_shown_by_their_live_rating_and_bots_wait_for_a_fit(settle_results: Settle) -> None:
    settle_results([make_players(3, PlayerKind.PERSON)], [((1, 2, 3), ())])
    settle_results([make_players(3)], [((1, 2, 3), ())])
    for rating in Rating.objects.filter(pool__entry_kind="people"):
        assert rating.lower_bound == show_live(LiveRating(rating.mu, rating.sigma)).lower_bound
    assert set(Rating.objects.filter(pool__entry_kind="bots").values_list("lower_bound", flat=True)) == {None}


def test_a_bot_on_both_seats_of_a_side_is_rated_as_that_side(settle_results: Settle) -> None:
    a, b = make_players(2)
    settle_results([(a, b, a, b)], [((2, 1), ())])
    assert [str(pool) for pool in RatingPool.objects.all()] == ["bots-4-teams"]
    assert Rating.objects.get(player=b).mu > Rating.objects.get(player=a).mu


@pytest.mark.parametrize(
    ("is_rated", "forfeits"),
    [pytest.param(False, (), id="unrated"), pytest.param(True, (0, 1, 2), id="everybody forfeits")],
)
def test_what_does_not_count_leaves_no_trace(settle_results: Settle, is_rated: bool, forfeits: Sequence[int]) -> None:
    settle_results([make_players(3)], [((1, 2, 3), forfeits)], is_rated=is_rated)
    assert not RatingChange.objects.exists()
    assert not RatingPool.objects.exclude(sequence=0).exists()


def test_a_match_cannot_be_rated_twice(settle_results: Settle) -> None:
    (match_id,) = settle_results([make_players(3)], [((1, 2, 3), ())])
    change = RatingChange.objects.filter(match_id=match_id)[0]
    change.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        change.save()


def test_a_result_that_cannot_be_rated_is_not_settled_either(settle_results: Settle) -> None:
    with pytest.raises(ValueError, match="two or three sides"), transaction.atomic():
        settle_results([make_players(3)], [((1, 2, 3, 4), ())])
    assert not MatchResult.objects.exists()
