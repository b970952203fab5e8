"""A settled result is never overwritten: each change of it is a further version, and the database sees to it."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, transaction
from django.test import Client

from games.models import Match, MatchResult, MatchSeat, ResultVersion, RunnerNeed
from games.selectors.matches import list_result_versions
from games.services.by_hand import HandResult
from games.services.play import play_ready_matches
from tests.services.tournaments.conftest import Make, play_on
from tournaments.services.decisions import apply_rerun, enter_result, rerun_matches, void_match

pytestmark = pytest.mark.django_db
ONE_TABLE = {"format": "round_robin", "options": {"meetings": 1}}


def finish(make_tournament: Make) -> Match:
    tournament = play_on(make_tournament(ONE_TABLE, 3))
    return Match.objects.filter(fixture_match__stage__tournament=tournament).select_related("result").order_by("pk")[0]


def test_a_plainly_played_match_costs_no_second_row(make_tournament: Make) -> None:
    match = finish(make_tournament)
    assert not ResultVersion.objects.exists()
    (line,) = list_result_versions(match, is_sealed=False)
    assert (line.version, line.kind, line.actor, line.reason) == (1, "played", None, "")


def test_every_change_keeps_what_was_before(make_tournament: Make, organiser: User, client: Client) -> None:
    match = finish(make_tournament)
    played = list(match.result.places)
    turned = tuple(4 - place for place in played)
    tournament_id = match.fixture_match.stage.tournament_id
    enter_result(match_id=match.pk, result=HandResult(turned), reason="misread", actor=organiser)
    MatchSeat.objects.filter(match=match).update(agent="house:random")
    rerun = rerun_matches(tournament_id=tournament_id, match_ids=[match.pk], reason="wrong version", actor=organiser)
    play_ready_matches(needs=RunnerNeed.HOUSE)
    apply_rerun(rerun_id=rerun.id, actor=organiser)
    void_match(match_id=match.pk, reason="both cheated", actor=organiser)
    match = Match.objects.select_related("result").get(pk=match.pk)
    lines = list_result_versions(match, is_sealed=False)
    assert [line.kind for line in lines] == ["played", "by_hand", "rerun", "void"]
    assert [line.version for line in lines] == [1, 2, 3, 4]
    assert [line.reason for line in lines] == ["", "misread", "wrong version", "both cheated"]
    assert [line.actor for line in lines] == [None, *["organiser-of-tests"] * 3]
    assert (lines[0].places, lines[1].places) == (played, list(turned))
    told = client.get(f"/api/v1/matches/{match.pk}/versions").json()
    assert [line["version"] for line in told] == [1, 2, 3, 4]
    assert "both cheated" in client.get(f"/matches/{match.pk}/").content.decode()


@pytest.mark.parametrize(
    "tamper",
    [
        pytest.param(lambda: MatchResult.objects.update(places=[3, 2, 1]), id="places turned round"),
        pytest.param(lambda: MatchResult.objects.all().delete(), id="result deleted"),
        pytest.param(lambda: ResultVersion.objects.update(version=9), id="version changed"),
        pytest.param(lambda: ResultVersion.objects.all().delete(), id="version deleted"),
    ],
)
def test_nothing_settled_is_rewritten(make_tournament: Make, tamper: Callable[[], object]) -> None:
    match = finish(make_tournament)
    enter_result(match_id=match.pk, result=HandResult((1, 2, 3)), reason="misread")
    finish(make_tournament)
    before = list(MatchResult.objects.values().order_by("pk")), list(ResultVersion.objects.values())
    with pytest.raises(DatabaseError), transaction.atomic():
        tamper()
    assert (list(MatchResult.objects.values().order_by("pk")), list(ResultVersion.objects.values())) == before
