"""The audit: a forged row of any kind is named in a sentence, and ratings adopt nothing that contradicts a record."""

from collections.abc import Callable
from io import StringIO

import pgtrigger
import pytest
from django.core.management import CommandError, call_command

from games.models import Match, MatchResult
from games.services.by_hand import HandResult
from tests.services.tournaments.conftest import Make, play_on
from tournaments.models import Fixture, RatingChange, StageStandings, Tournament, TournamentEvent
from tournaments.services.audit import audit_all
from tournaments.services.decisions import enter_result

pytestmark = pytest.mark.django_db
ONE_TABLE = {"format": "round_robin", "options": {"meetings": 1}}


def turn_places() -> None:
    result = MatchResult.objects.order_by("pk")[0]
    MatchResult.objects.filter(pk=result.pk).update(places=[4 - place for place in result.places])


def change_standings() -> None:
    stored = StageStandings.objects.get()
    stored.rows[0]["place"] = 3
    stored.save()


FORGERIES = [
    pytest.param(turn_places, "its places are stored as", id="places"),
    pytest.param(lambda: MatchResult.objects.update(nuggets=[9, 9, 9]), "its nuggets are", id="nuggets"),
    pytest.param(lambda: MatchResult.objects.update(log=b"\x00\x00"), "its log", id="log"),
    pytest.param(lambda: MatchResult.objects.all().delete(), "has no result", id="result taken out"),
    pytest.param(lambda: Match.objects.update(commitment="1" * 64), "committed to", id="commitment"),
    pytest.param(lambda: Match.objects.update(seed=bytes(32)), "committed to", id="seed"),
    pytest.param(lambda: Tournament.objects.update(commitment="1" * 64), "committed to", id="tournament's commitment"),
    pytest.param(lambda: Fixture.objects.update(places=[1, 1, 1]), "has the places", id="fixture"),
    pytest.param(change_standings, "has place 3", id="standings"),
    pytest.param(lambda: RatingChange.objects.update(mu_after=99.0), "Ratings of", id="ratings"),
    pytest.param(lambda: TournamentEvent.objects.filter(number=2).update(reason="x"), "digest", id="event"),
    pytest.param(lambda: TournamentEvent.objects.filter(number=2).delete(), "follows where", id="event taken out"),
]


def finish(make_tournament: Make) -> Tournament:
    return play_on(make_tournament(ONE_TABLE, 3))


def test_what_was_played_and_decided_holds(make_tournament: Make) -> None:
    finish(make_tournament)
    match = Match.objects.order_by("pk")[0]
    enter_result(match_id=match.pk, result=HandResult((1, 2, 3)), reason="misread")
    call_command("ratings", "rebuild", "--fix", stdout=StringIO())
    assert list(audit_all()) == []
    said = StringIO()
    call_command("audit", stdout=said)
    assert "Everything is as it was played." in said.getvalue()


@pytest.mark.parametrize(("forge", "sentence"), FORGERIES)
def test_a_forgery_is_named(make_tournament: Make, forge: Callable[[], object], sentence: str) -> None:
    finish(make_tournament)
    assert list(audit_all()) == []
    with pgtrigger.ignore():
        forge()
    assert any(sentence in line for line in audit_all()), list(audit_all())
    with pytest.raises(CommandError):
        call_command("audit", stdout=StringIO())


def test_ratings_adopt_no_forged_result(make_tournament: Make) -> None:
    finish(make_tournament)
    before = list(RatingChange.objects.order_by("pk").values())
    with pgtrigger.ignore():
        turn_places()
    with pytest.raises(CommandError, match="contradict"):
        call_command("ratings", "rebuild", "--fix", stdout=StringIO())
    assert list(RatingChange.objects.order_by("pk").values()) == before
