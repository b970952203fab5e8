"""A rebuild from the results alone: nothing differs after honest play, planted errors are found, --fix repairs them."""

from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F

from games.models import MatchResult, PlayerKind
from tests.services.ratings.conftest import Settle, make_players
from tests.services.ratings.test_fit_ratings import play_pool
from tournaments.models import Rating, RatingChange, RatingPool
from tournaments.rules.ratings.live import DifferenceKind
from tournaments.services.rebuild import audit_pool, note_corrected_results, rebuild_pool, refresh_ratings

pytestmark = pytest.mark.django_db

Snapshot = tuple[list[tuple[object, ...]], list[tuple[object, ...]]]


def take_snapshot() -> Snapshot:
    """Every live value that is stored."""
    steps = RatingChange.objects.order_by("pool", "sequence", "player").values_list(
        *("pool", "match", "player", "sequence", "place", "is_forfeit"),
        *("mu_before", "sigma_before", "mu_after", "sigma_after"),
    )
    ratings = Rating.objects.order_by("pool", "player").values_list("pool", "player", "mu", "sigma", "matches")
    return list(steps), list(ratings)


@pytest.fixture
def played(settle_results: Settle) -> Snapshot:
    """Three batches of bots with a tie and a forfeit, people, mixed tables, partners and sides."""
    bots = make_players(5)
    people = make_players(3, PlayerKind.PERSON)
    for seed in range(3):
        play_pool(settle_results, bots, 12, seed)
    settle_results([bots[:3], bots[2:]], [((1, 1, 3), ()), ((1, 2, 3), (0,))])
    settle_results([people, [people[0], *bots[:2]]], [((2, 1, 3), ()), ((1, 2, 3), ())])
    settle_results([people, people], [((3, 2, 1), (0,), (0,)), ((1, 3, 2), (1,))], share=0.5)
    settle_results([people], [((1, 2, 3), ())], share=0.0)
    settle_results([bots[:4], [bots[0], bots[1]] * 2], [((2, 1), ()), ((1, 2), ())])
    return take_snapshot()


def rebuild_all() -> None:
    """As `--fix` does for results that have records, which those made here do not."""
    for pool_id in RatingPool.objects.values_list("id", flat=True):
        rebuild_pool(pool_id=pool_id)


def test_after_honest_play_every_bit_is_the_same(played: Snapshot) -> None:
    out = StringIO()
    call_command("ratings", "rebuild", stdout=out)
    assert out.getvalue().count("every bit the same") == RatingPool.objects.count() == 5
    rebuild_all()
    assert take_snapshot() == played


def test_what_counts_for_nothing_moves_nobody(played: Snapshot) -> None:
    people = RatingPool.objects.get(players=3, entry_kind="people")
    steps = RatingChange.objects.filter(pool=people).order_by("sequence", "player_id")
    assert people.sequence == 3, "a match without a share takes no number"
    moved = [step.mu_after != step.mu_before for step in steps.filter(sequence=2)]
    assert moved == [True, False, False], "an early forfeit costs whoever left, and gives the others nothing"
    assert all(step.mu_after != step.mu_before for step in steps.filter(sequence=3))


def nudge_rating() -> None:
    Rating.objects.filter(pool__players=3, pool__entry_kind="bots").update(mu=F("mu") * (1 + 1e-15))


def nudge_step() -> None:
    RatingChange.objects.filter(sequence=7, place=1).update(sigma_after=F("sigma_after") + 1e-13)


def drop_step() -> None:
    RatingChange.objects.filter(sequence=5, place=2, pool__entry_kind="bots").delete()


def drop_match() -> None:
    RatingChange.objects.filter(sequence=9).delete()


def forget_forfeit() -> None:
    MatchResult.objects.exclude(forfeits=[]).update(forfeits=[], reason="planted")


def swap_places() -> None:
    bots = RatingChange.objects.filter(pool__players=3, pool__entry_kind="bots")
    bots.filter(sequence=3, place__lt=3).update(place=3 - F("place"))


def split_number() -> None:
    RatingChange.objects.filter(sequence=4, place=1).update(sequence=400)


def rate_the_unrated() -> None:
    change = RatingChange.objects.filter(pool__players=3, pool__entry_kind="bots", sequence=1)[0]
    match = change.match
    match.is_rated = False
    match.save()


@pytest.mark.parametrize(
    ("plant", "kinds"),
    [
        pytest.param(nudge_rating, {DifferenceKind.CURRENT}, id="a present rating off by one bit or so"),
        pytest.param(nudge_step, {DifferenceKind.STEP}, id="a step off in the thirteenth digit"),
        pytest.param(drop_step, {DifferenceKind.MISSING}, id="a step that is gone"),
        pytest.param(drop_match, {DifferenceKind.MISSING}, id="a whole match that is gone"),
        pytest.param(swap_places, {DifferenceKind.STEP}, id="two places swapped"),
        pytest.param(split_number, set(), id="a step under another number"),
        pytest.param(
            forget_forfeit, {DifferenceKind.STEP, DifferenceKind.CURRENT}, id="a result that was changed afterwards"
        ),
        pytest.param(
            rate_the_unrated,
            {DifferenceKind.UNEXPECTED, DifferenceKind.STEP, DifferenceKind.CURRENT},
            id="steps of a match that does not count",
        ),
    ],
)
def test_planted_errors_are_found_and_repaired(
    played: Snapshot, plant: Callable[[], None], kinds: set[DifferenceKind]
) -> None:
    plant()
    with pytest.raises(CommandError, match="differ from the results"):
        call_command("ratings", "rebuild", stdout=StringIO())
    pool = RatingPool.objects.get(players=3, entry_kind="bots")
    report = audit_pool(pool_id=pool.id)
    assert set(report.counts) == kinds
    assert bool(report.misnumbered) == (plant in (drop_match, split_number))
    assert not rebuild_pool(pool_id=pool.id).is_clean
    assert audit_pool(pool_id=pool.id).is_clean
    if plant not in (forget_forfeit, rate_the_unrated):
        assert take_snapshot() == played


def test_a_table_of_ratings_that_was_lost_comes_back_from_the_results(played: Snapshot) -> None:
    RatingChange.objects.all().delete()
    Rating.objects.all().delete()
    rebuild_all()
    call_command("ratings", "rebuild", stdout=StringIO())
    assert take_snapshot() == played


def test_a_corrected_result_is_rated_again_with_all_that_followed(played: Snapshot) -> None:
    pool = RatingPool.objects.get(players=3, entry_kind="bots")
    change = RatingChange.objects.filter(pool=pool, sequence=10)[0]
    MatchResult.objects.filter(match=change.match_id).update(places=[3, 2, 1], reason="misread")
    note_corrected_results(match_ids=[change.match_id])
    pool.refresh_from_db()
    assert pool.rebuild_from == 10
    refresh_ratings()
    assert audit_pool(pool_id=pool.id).is_clean
    pool.refresh_from_db()
    assert pool.rebuild_from is None
    assert pool.fitted_sequence == pool.sequence == 38
    steps, _ = take_snapshot()
    assert [step for step in steps if step[0] == pool.id and int(str(step[3])) < 10] == [
        step for step in played[0] if step[0] == pool.id and int(str(step[3])) < 10
    ]
