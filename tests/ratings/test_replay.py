"""A rebuild gives what live rating gave, bit for bit, and finds every planted error."""

import random
from collections.abc import Callable

import pytest

from tournaments.rules.ratings.live import (
    DifferenceKind,
    RatingDifference,
    RecordedMatch,
    find_rating_differences,
    rate_match,
    replay_ratings,
)
from tournaments.rules.ratings.values import LiveRating, RatedTable


def play_season(matches: int = 200) -> tuple[list[RecordedMatch], dict[int, LiveRating]]:
    """A season rated match by match, as it would be online."""
    rng = random.Random(4)
    ratings: dict[int, LiveRating] = {}
    recorded = []
    for match in range(matches):
        players = rng.sample(range(12), 3)
        places = tuple(rng.choice([(1, 2, 3), (2, 1, 3), (1, 1, 3), (1, 2, 2), (3, 2, 1)]))
        forfeits = frozenset(players[:1]) if rng.random() < 0.1 else frozenset()
        people = frozenset(player for player in players if player < 4)
        table = RatedTable(tuple((player,) for player in players), places, forfeits, people)
        steps = rate_match(ratings, table)
        ratings.update({step.player: step.after for step in steps})
        recorded.append(RecordedMatch(match, table, steps))
    return recorded, ratings


def test_replay_is_what_live_rating_gave() -> None:
    recorded, ratings = play_season()
    assert replay_ratings(match.table for match in recorded) == ratings
    assert list(find_rating_differences(recorded, ratings)) == []


def test_a_table_that_all_forfeit_changes_nothing() -> None:
    played = RatedTable(((1,), (2,)), (1, 2))
    void = RatedTable(((1,), (2,)), (1, 2), frozenset({1, 2}))
    assert replay_ratings([played, void]) == replay_ratings([played])
    assert replay_ratings([played, void, played]) == replay_ratings([played, played])


Planted = tuple[DifferenceKind, int | None]


def nudge_step(recorded: list[RecordedMatch], ratings: dict[int, LiveRating]) -> Planted:
    first, second, third = recorded[50].steps
    nudged = second._replace(after=LiveRating(second.after.mu + 1e-12, second.after.sigma))
    recorded[50] = recorded[50]._replace(steps=(first, nudged, third))
    return DifferenceKind.STEP, 50


def drop_step(recorded: list[RecordedMatch], ratings: dict[int, LiveRating]) -> Planted:
    recorded[60] = recorded[60]._replace(steps=recorded[60].steps[1:])
    return DifferenceKind.MISSING, 60


def invent_step(recorded: list[RecordedMatch], ratings: dict[int, LiveRating]) -> Planted:
    stranger = recorded[70].steps[0]._replace(player=99)
    recorded[70] = recorded[70]._replace(steps=(*recorded[70].steps, stranger))
    return DifferenceKind.UNEXPECTED, 70


def nudge_rating(recorded: list[RecordedMatch], ratings: dict[int, LiveRating]) -> Planted:
    ratings[5] = LiveRating(ratings[5].mu, ratings[5].sigma * (1 + 1e-15))
    return DifferenceKind.CURRENT, None


def invent_rating(recorded: list[RecordedMatch], ratings: dict[int, LiveRating]) -> Planted:
    ratings[99] = LiveRating()
    return DifferenceKind.CURRENT, None


@pytest.mark.parametrize("plant", [nudge_step, drop_step, invent_step, nudge_rating, invent_rating])
def test_a_planted_error_is_found_once(
    plant: Callable[[list[RecordedMatch], dict[int, LiveRating]], Planted],
) -> None:
    recorded, ratings = play_season()
    planted = plant(recorded, ratings)
    assert [(found.kind, found.match) for found in find_rating_differences(recorded, ratings)] == [planted]


def test_a_difference_shows_both_values() -> None:
    recorded, ratings = play_season()
    right, ratings[5] = ratings[5], LiveRating(1.0, 2.0)
    (found,) = find_rating_differences(recorded, ratings)
    assert found == RatingDifference(DifferenceKind.CURRENT, None, 5, LiveRating(1.0, 2.0), right)


def test_differences_of_one_match_come_by_player_with_both_steps() -> None:
    recorded, ratings = play_season()
    steps = sorted(recorded[30].steps, key=lambda step: step.player)
    wrong, stranger = steps[0]._replace(place=9), steps[1]._replace(player=99)
    recorded[30] = recorded[30]._replace(steps=(stranger, wrong, steps[2]))
    assert list(find_rating_differences(recorded, ratings)) == [
        RatingDifference(DifferenceKind.STEP, 30, steps[0].player, wrong, steps[0]),
        RatingDifference(DifferenceKind.MISSING, 30, steps[1].player, None, steps[1]),
        RatingDifference(DifferenceKind.UNEXPECTED, 30, 99, stranger, None),
    ]


def test_a_rating_that_was_never_stored_is_missed() -> None:
    recorded, ratings = play_season()
    lost = ratings.pop(5)
    assert list(find_rating_differences(recorded, ratings)) == [
        RatingDifference(DifferenceKind.CURRENT, None, 5, None, lost)
    ]


def test_partners_are_replayed_each() -> None:
    tables = [RatedTable(((1, 2), (3, 4)), (2, 1)), RatedTable(((3, 1), (2, 4)), (1, 2))]
    ratings: dict[int, LiveRating] = {}
    for table in tables:
        ratings.update({step.player: step.after for step in rate_match(ratings, table)})
    assert replay_ratings(tables) == ratings
    assert len(set(ratings.values())) == 4


def test_a_changed_result_shows_from_there_on() -> None:
    recorded, ratings = play_season()
    table = recorded[20].table
    recorded[20] = recorded[20]._replace(table=table._replace(places=(3, 1, 2), forfeits=frozenset()))
    found = list(find_rating_differences(recorded, ratings))
    assert min(difference.match for difference in found if difference.match is not None) == 20
    assert any(difference.kind is DifferenceKind.CURRENT for difference in found)
