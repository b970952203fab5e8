"""The checker finds nothing in a whole event, and names every breach that is planted in it."""

from collections.abc import Callable

import pgtrigger
import pytest
from django.db import connection
from django.utils import timezone

from benchmarks.chaos.ledger import check_ledger, read_history
from benchmarks.chaos.trial import ChaosEvent
from games.models import Match, MatchKind, MatchResult, MatchState
from tournaments.models import Fixture, FixtureState, Rating, RatingChange, RatingPool, StageStandings, Tournament

pytestmark = pytest.mark.filterwarnings("ignore:task_always_eager has no effect on send_task")


def find_breaches(event: ChaosEvent) -> list[str]:
    findings = check_ledger(event.tournament, event.matches, event.poisonous, read_history())
    return [breach for finding in findings for breach in finding.breaches]


def first_match() -> Match:
    return Match.objects.filter(kind=MatchKind.TOURNAMENT).order_by("pk")[0]


def set_match(**values: object) -> Callable[[], object]:
    return lambda: Match.objects.filter(pk=first_match().pk).update(**values)


def set_result(**values: object) -> Callable[[], object]:
    def change() -> None:
        with pgtrigger.ignore("games.MatchResult:keep_version"):
            MatchResult.objects.filter(match=first_match()).update(**values)

    return change


def turn_places() -> None:
    """To others, whatever the match gave."""
    result = MatchResult.objects.get(match=first_match())
    result.places = [place % 3 + 1 for place in result.places]
    with pgtrigger.ignore("games.MatchResult:keep_version"):
        result.save(update_fields=("places",))


def set_poison(**values: object) -> Callable[[], object]:
    return lambda: Match.objects.filter(kind=MatchKind.CASUAL).update(**values)


def claim_poison_once_more() -> None:
    for state in (MatchState.PLAYING, MatchState.QUARANTINED):
        _note(Match.objects.get(kind=MatchKind.CASUAL).pk, state)


def end_a_match_again() -> None:
    _note(first_match().pk, MatchState.FINISHED)


def _note(match_id: int, state: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO chaos_history (match_id, state) VALUES (%s, %s)", [match_id, state])


def drop_result() -> None:
    with pgtrigger.ignore("games.MatchResult:result_stays"):
        MatchResult.objects.filter(match=first_match()).delete()


def drop_match() -> None:
    match = first_match()
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
        cursor.execute("UPDATE games_match SET kind = 'trial' WHERE id = %s", [match.pk])


def double_rating_change() -> None:
    """Under another number, as if the match had been rated twice."""
    change = RatingChange.objects.order_by("-sequence")[0]
    change.pk, change.sequence = None, change.sequence + 1
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE tournaments_ratingchange DROP CONSTRAINT rated_once_a_match")
    change.save(force_insert=True)


def swap_standings() -> None:
    standings = StageStandings.objects.order_by("pk")[0]
    standings.rows = standings.rows[1:]
    standings.save()


def test_a_whole_event_passes(event: ChaosEvent) -> None:
    assert find_breaches(event) == []


@pytest.mark.parametrize(
    ("plant", "expected"),
    [
        pytest.param(
            lambda: Tournament.objects.update(state="playing"), "the tournament is playing", id="unfinished tournament"
        ),
        pytest.param(
            lambda: Fixture.objects.filter(pk=Fixture.objects.all()[0].pk).update(state=FixtureState.PENDING),
            "1 fixtures are still open",
            id="open fixture",
        ),
        pytest.param(drop_match, "77 matches are there instead of 78", id="match lost"),
        pytest.param(set_match(state=MatchState.READY), "1 matches are ready", id="match not played"),
        pytest.param(
            set_match(state=MatchState.PLAYING, lease_token="0" * 32, lease_until=timezone.now()),
            "1 leases are left over",
            id="lease left over",
        ),
        pytest.param(end_a_match_again, "ended 2 times", id="match ended twice"),
        pytest.param(drop_result, "has no result", id="result lost"),
        pytest.param(set_match(state=MatchState.VOID), "has a result and has not ended", id="result of an open match"),
        pytest.param(turn_places, "wrong_places", id="result changed"),
        pytest.param(set_result(log=b"\x00\x01"), "record of match", id="record broken"),
        pytest.param(set_match(seed=bytes(32)), "record of match", id="another seed"),
        pytest.param(set_poison(trouble=""), "set aside without a reason", id="no reason"),
        pytest.param(set_poison(state=MatchState.READY), "poisonous match", id="poison still tried"),
        pytest.param(claim_poison_once_more, "was tried 4 times", id="poison tried too often"),
        pytest.param(lambda: RatingChange.objects.all()[0].delete(), "has 2 rating changes", id="rating change lost"),
        pytest.param(double_rating_change, "has 4 rating changes", id="rating change doubled"),
        pytest.param(lambda: Rating.objects.update(mu=1.0), "a rebuild of pool", id="rating changed"),
        pytest.param(lambda: RatingPool.objects.update(sequence=7), "and numbered 7", id="misnumbered"),
        pytest.param(swap_standings, "are not what its results give", id="standings changed"),
        pytest.param(lambda: StageStandings.objects.update(version=1), "are of version 1", id="standings old"),
        pytest.param(lambda: StageStandings.objects.all().delete(), "has no standings", id="standings lost"),
    ],
)
def test_a_planted_breach_is_named(event: ChaosEvent, plant: Callable[[], object], expected: str) -> None:
    plant()
    assert any(expected in breach for breach in find_breaches(event)), find_breaches(event)
