"""Results from real tables: reported, confirmed, disputed, decided; nothing is dealt or rated."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from aurum_league.common.errors import LeagueError
from aurum_league.models import Notice
from games.models import Match, MatchResult, MatchState, RunnerNeed
from games.rules.score_sheet import SheetLine
from games.services.clocks import sit_at_table, sweep_matches
from games.services.play import play_ready_matches
from games.services.players import ensure_person
from tournaments.models import Entrant, FixtureState, ScoreSheet, SheetState, Tournament, TournamentState
from tournaments.selectors.desk import list_disputes
from tournaments.services.advance import advance_tournament
from tournaments.services.draw import draw_tournament
from tournaments.services.entries import enter_players, withdraw_entrant
from tournaments.services.leagues import create_tournament
from tournaments.services.lifecycle import open_tournament, pause_tournament, resume_tournament
from tournaments.services.release import start_tournament
from tournaments.services.sheets import (
    MOST_DISPUTES,
    MOST_TAKEN_BACK,
    Sheet,
    accept_sheet,
    confirm_sheet,
    dispute_result,
    dispute_sheet,
    enter_sheet,
    take_back_sheet,
    write_sheet,
)

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings("ignore:task_always_eager has no effect on send_task"),
]
ROUND = (SheetLine(4, 4, (0, 1)), SheetLine(3, 2, (0,)), SheetLine(2, 3, (2,)))
SHEET = Sheet(rounds=(ROUND, ROUND))
SPEC: dict[str, Any] = {
    "name": "Club",
    "entry_kind": "people",
    "is_rated": False,
    "clock": {"real_cards": 1},
    "stages": [{"format": "round_robin", "options": {"meetings": 1}}],
}


@pytest.fixture
def match() -> Match:
    """One table of three people, each of whom is named by their seat."""
    tournament = create_tournament(spec=SPEC, organiser=User.objects.create_user("host"))
    people = [ensure_person(User.objects.create_user(name)) for name in ("ada", "bob", "cleo")]
    open_tournament(tournament_id=tournament.pk)
    enter_players(tournament_id=tournament.pk, players=people)
    draw_tournament(tournament_id=tournament.pk)
    start_tournament(tournament_id=tournament.pk)
    return Match.objects.get()


def people_of(match: Match) -> list[User]:
    return [seat.owner for seat in match.seats.select_related("owner").order_by("seat") if seat.owner]


def test_nothing_of_a_real_table_is_dealt(match: Match) -> None:
    for seat in range(3):
        sit_at_table(match_id=match.pk, seat=seat)
    sweep_matches()
    play_ready_matches(needs=RunnerNeed.HOUSE, is_live=True)
    tournament = Tournament.objects.get()
    pause_tournament(tournament_id=tournament.pk)
    resume_tournament(tournament_id=tournament.pk)
    match.refresh_from_db()
    assert (match.state, bytes(match.log), match.closes_at) == (MatchState.OPEN, b"", None)


@pytest.mark.parametrize(
    "wrong",
    [{"is_rated": True}, {"entry_kind": "mixed"}, {"clock": {"real_cards": 2}}],
    ids=["rated", "with bots", "not understood"],
)
def test_real_cards_are_for_people_and_unrated(wrong: dict[str, Any]) -> None:
    with pytest.raises(LeagueError) as caught:
        create_tournament(spec=SPEC | wrong, organiser=User.objects.create_user("host"))
    assert caught.value.code == "bad_spec"


def test_it_counts_once_another_side_confirms(match: Match) -> None:
    first, second, third = people_of(match)
    report = write_sheet(match_id=match.pk, user=first, sheet=SHEET)
    assert sorted(Notice.objects.filter(kind="sheet").values_list("user", flat=True)) == sorted([second.pk, third.pk])
    with pytest.raises(LeagueError, match="own side reported"):
        confirm_sheet(sheet_id=report.pk, user=first)
    with pytest.raises(LeagueError, match="reported already"):
        write_sheet(match_id=match.pk, user=second, sheet=SHEET)
    assert not MatchResult.objects.exists()
    confirm_sheet(sheet_id=report.pk, user=second)
    confirm_sheet(sheet_id=report.pk, user=third)
    result = MatchResult.objects.get()
    told = (result.places, result.nuggets, result.totals, result.exact_bids, result.tricks, result.rounds)
    assert told == ([1, 2, 3], [2, 0, 0], [18, 0, 6], [2, 0, 0], [8, 4, 6], 2)
    assert (result.version, result.is_by_hand, result.actor) == (1, True, second)
    kinds = list(Tournament.objects.get().events.values_list("kind", flat=True))
    assert kinds[-2:] == ["sheet_written", "result_entered"]


def test_what_is_disputed_the_organiser_decides(match: Match) -> None:
    first, second, third = people_of(match)
    report = write_sheet(match_id=match.pk, user=first, sheet=SHEET)
    with pytest.raises(LeagueError) as caught:
        dispute_sheet(sheet_id=report.pk, user=second, note=" ")
    assert caught.value.code == "needs_reason"
    dispute_sheet(sheet_id=report.pk, user=second, note="I had three tricks")
    host = Tournament.objects.get().organiser
    assert Notice.objects.filter(kind="dispute", user=host).count() == 1
    for refused in (
        lambda: confirm_sheet(sheet_id=report.pk, user=third),
        lambda: take_back_sheet(sheet_id=report.pk, user=first),
    ):
        with pytest.raises(LeagueError) as caught:
            refused()
        assert caught.value.code == "sheet_closed"
    enter_sheet(match_id=match.pk, sheet=Sheet(places=(2, 1, 3)), reason="asked all three", actor=host)
    assert MatchResult.objects.get().places == [2, 1, 3]
    assert sorted(ScoreSheet.objects.values_list("state", flat=True)) == ["counted", "dropped"]


def test_a_late_dispute_loses_nothing_and_the_organiser_decides(match: Match) -> None:
    """What counts goes on counting until then, after the end of the event too."""
    first, second, third = people_of(match)
    tournament = Tournament.objects.get()
    report = write_sheet(match_id=match.pk, user=first, sheet=SHEET)
    with pytest.raises(LeagueError) as caught:
        dispute_result(match_id=match.pk, user=second, note="too early")
    assert caught.value.code == "no_result_yet"
    confirm_sheet(sheet_id=report.pk, user=second)
    advance_tournament(tournament_id=tournament.pk)
    tournament.refresh_from_db()
    assert tournament.state == TournamentState.FINISHED
    with pytest.raises(LeagueError) as caught:
        dispute_sheet(sheet_id=report.pk, user=second, note=" ")
    assert caught.value.code == "needs_reason"
    late = dispute_sheet(sheet_id=report.pk, user=second, note="I looked again: three tricks")
    assert dispute_result(match_id=match.pk, user=second, note="again").pk == late.pk
    with pytest.raises(LeagueError, match="disputed this result already"):
        dispute_result(match_id=match.pk, user=third, note="me too")
    assert Notice.objects.filter(kind="dispute", user=tournament.organiser).count() == 1
    assert list_disputes(tournament) == [late]
    report.refresh_from_db()
    result = MatchResult.objects.get()
    assert (report.state, result.version, result.places) == (SheetState.COUNTED, 1, [1, 2, 3])
    accept_sheet(sheet_id=late.pk, actor=tournament.organiser, reason="asked all three")
    assert MatchResult.objects.get().version == 1 and not list_disputes(tournament)
    assert Notice.objects.filter(kind="dispute", user=second).count() == 1
    other = dispute_result(match_id=match.pk, user=third, note="Ada had two")
    enter_sheet(match_id=match.pk, sheet=Sheet(places=(2, 1, 3)), reason="the paper says so")
    other.refresh_from_db()
    assert (other.state, MatchResult.objects.get().places) == (SheetState.DROPPED, [2, 1, 3])


def test_nobody_disputes_for_ever_or_what_is_not_theirs(match: Match) -> None:
    first, second, _third = people_of(match)
    enter_sheet(match_id=match.pk, sheet=Sheet(places=(1, 2, 3)), reason="seen")
    with pytest.raises(LeagueError) as caught:
        dispute_result(match_id=match.pk, user=User.objects.create_user("stranger"), note="no")
    assert caught.value.code == "not_your_table"
    for _ in range(MOST_DISPUTES):
        accept_sheet(sheet_id=dispute_result(match_id=match.pk, user=second, note="no").pk, actor=None)
    with pytest.raises(LeagueError, match="the organiser has decided"):
        dispute_result(match_id=match.pk, user=second, note="no")
    assert dispute_result(match_id=match.pk, user=first, note="no").state == SheetState.DISPUTED


def test_the_desk_may_let_a_report_count_and_correct_it_by_a_further_version(match: Match) -> None:
    report = write_sheet(match_id=match.pk, user=people_of(match)[0], sheet=SHEET)
    accept_sheet(sheet_id=report.pk, actor=None)
    accept_sheet(sheet_id=report.pk, actor=None)
    assert MatchResult.objects.get().version == 1
    enter_sheet(match_id=match.pk, sheet=Sheet(places=(1, 2, 3)), reason="read wrongly")
    result = MatchResult.objects.get()
    assert (result.version, result.places) == (2, [1, 2, 3])


def test_whoever_leaves_after_a_report_does_not_undo_the_table(match: Match) -> None:
    first, second, _third = people_of(match)
    write_sheet(match_id=match.pk, user=first, sheet=SHEET)
    entrant = Entrant.objects.get(player__owner=second)
    withdraw_entrant(entrant_id=entrant.pk, reason="lost")
    match.refresh_from_db()
    assert match.state == MatchState.OPEN and match.fixture_match.fixture.state == FixtureState.PENDING


def test_a_report_can_be_taken_back_and_made_anew(match: Match) -> None:
    first = people_of(match)[0]
    report = write_sheet(match_id=match.pk, user=first, sheet=SHEET)
    take_back_sheet(sheet_id=report.pk, user=first)
    match.refresh_from_db()
    assert match.clocks == {}
    write_sheet(match_id=match.pk, user=first, sheet=Sheet(places=(1, 1, 3)))


def test_nobody_floods_a_table_with_reports(match: Match) -> None:
    """The others are told of each."""
    first, second, _ = people_of(match)
    for _ in range(MOST_TAKEN_BACK):
        take_back_sheet(sheet_id=write_sheet(match_id=match.pk, user=first, sheet=SHEET).pk, user=first)
    with pytest.raises(LeagueError, match="taken back"):
        write_sheet(match_id=match.pk, user=first, sheet=SHEET)
    assert write_sheet(match_id=match.pk, user=second, sheet=SHEET)


def test_strangers_and_played_matches_are_refused(match: Match) -> None:
    stranger = User.objects.create_user("stranger")
    with pytest.raises(LeagueError) as caught:
        write_sheet(match_id=match.pk, user=stranger, sheet=SHEET)
    assert caught.value.code == "not_your_table"
    with pytest.raises(LeagueError) as caught:
        write_sheet(match_id=match.pk, user=people_of(match)[0], sheet=Sheet(rounds=(ROUND,)))
    assert caught.value.code == "not_over"
    Match.objects.update(clock={"bank": 60, "window": 60}, closes_at=timezone.now())
    with pytest.raises(LeagueError) as caught:
        write_sheet(match_id=match.pk, user=people_of(match)[0], sheet=SHEET)
    assert caught.value.code == "played_here"
