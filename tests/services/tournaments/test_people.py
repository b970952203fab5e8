"""People's fixtures: a window to meet in, the clock from when all are there, and what becomes of no-shows."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.mail import EmailMessage
from django.db.models import F
from django.utils import timezone

from aurum_league.common.errors import LeagueError
from aurum_league.common.telling import send_notices
from games.models import Heartbeat, Match, MatchSeat, MatchState, RunnerNeed
from games.selectors.tables import HERE, find_table
from games.services.answer import resign_seat
from games.services.clocks import beat, close_windows, flag_late_matches, sit_at_table, sweep_matches
from games.services.notices import send_turn_notices, send_window_notices
from games.services.play import play_ready_matches
from games.services.players import ensure_person
from tests.people import verify_address
from tests.services.tournaments.conftest import Make, make_bots
from tournaments.models import StageStandings, Tournament, TournamentState
from tournaments.services.advance import advance_tournament
from tournaments.services.draw import draw_tournament
from tournaments.services.entries import enter_players
from tournaments.services.lifecycle import open_tournament, pause_tournament, resume_tournament
from tournaments.services.release import start_tournament

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings("ignore:task_always_eager has no effect on send_task"),
]
LIVE = {"bank": 300.0, "increment": 5.0, "window": 3600.0}
DAYS = {"each": 172_800.0}
ONE_TABLE = {"format": "round_robin", "options": {"meetings": 1}, "block_deals": 0}


def start_event(make: Make, clock: dict[str, float] | None, people: int = 2) -> tuple[Tournament, Match]:
    """One table of three: so many people, and house bots beside them."""
    spec: dict[str, Any] = {"entry_kind": "mixed", "clock": clock}
    tournament = make(ONE_TABLE, state="draft", **spec)
    users = [User.objects.create_user(f"person{number}", f"p{number}@example.org") for number in range(people)]
    for user in users:
        verify_address(user)
    players = [*(ensure_person(user) for user in users), *make_bots(3 - people)]
    open_tournament(tournament_id=tournament.id)
    enter_players(tournament_id=tournament.id, players=players)
    draw_tournament(tournament_id=tournament.id)
    start_tournament(tournament_id=tournament.id)
    return tournament, Match.objects.get()


def seats_of_people(match: Match) -> list[int]:
    return list(match.seats.filter(agent__startswith="person:").order_by("seat").values_list("seat", flat=True))


def let_pass(match: Match, passed: timedelta) -> None:
    match.refresh_from_db()
    times = ("opens_at", "closes_at", "awaited_since", "deadline")
    moved = {name: value - passed for name in times if (value := getattr(match, name)) is not None}
    Match.objects.filter(pk=match.pk).update(**moved)
    MatchSeat.objects.filter(match=match, seen_at__isnull=False).update(seen_at=F("seen_at") - passed)


def state_of(match: Match) -> str:
    match.refresh_from_db()
    return match.state


def test_the_clock_starts_when_everybody_is_there(make_tournament: Make) -> None:
    _, match = start_event(make_tournament, LIVE)
    first, second = seats_of_people(match)
    assert match.state == MatchState.OPEN and match.closes_at is not None
    assert abs(match.closes_at - timezone.now() - timedelta(hours=1)) < timedelta(minutes=1)
    sit_at_table(match_id=match.pk, seat=first)
    assert state_of(match) == MatchState.OPEN and match.deadline is None
    assert [held.is_here for held in find_table(match.pk, first).seats if held.kind == "person"].count(True) == 1
    sit_at_table(match_id=match.pk, seat=second)
    assert state_of(match) == MatchState.WAITING
    assert match.deadline is not None and match.closes_at is None
    sit_at_table(match_id=match.pk, seat=second)
    assert state_of(match) == MatchState.WAITING


def test_who_has_gone_again_is_not_there(make_tournament: Make) -> None:
    _, match = start_event(make_tournament, LIVE)
    first, second = seats_of_people(match)
    sit_at_table(match_id=match.pk, seat=first)
    let_pass(match, HERE * 2)
    sit_at_table(match_id=match.pk, seat=second)
    assert state_of(match) == MatchState.OPEN


def test_nobody_sees_a_card_before_the_deal(make_tournament: Make) -> None:
    _, match = start_event(make_tournament, LIVE)
    seat = seats_of_people(match)[0]
    assert find_table(match.pk, seat).view is None
    assert find_table(match.pk).view is None
    with pytest.raises(LeagueError) as refused:
        resign_seat(match_id=match.pk, seat=seat)
    assert refused.value.code == "table_busy"


def test_who_never_comes_forfeits_and_the_others_keep_their_match(make_tournament: Make) -> None:
    _, match = start_event(make_tournament, LIVE)
    here, absent = seats_of_people(match)
    sit_at_table(match_id=match.pk, seat=here)
    assert close_windows() == 0
    let_pass(match, timedelta(hours=2))
    assert close_windows() == 1
    assert close_windows() == 0
    play_ready_matches(needs=RunnerNeed.HOUSE, is_live=True)
    assert state_of(match) == MatchState.WAITING
    assert match.awaited == [here]
    assert match.clock == {"each": 86_400.0}
    assert match.failures.get().verdict == "no_show"
    assert find_table(match.pk, here).forfeits == (absent,)


def test_a_table_to_which_nobody_comes_ends_by_itself(make_tournament: Make) -> None:
    tournament, match = start_event(make_tournament, LIVE)
    let_pass(match, timedelta(hours=2))
    sweep_matches()
    play_ready_matches(needs=RunnerNeed.HOUSE, is_live=True)
    assert state_of(match) == MatchState.FINISHED
    assert match.result.forfeits == seats_of_people(match)
    advance_tournament(tournament_id=tournament.id)
    tournament.refresh_from_db()
    assert tournament.state == TournamentState.FINISHED
    rows = StageStandings.objects.get(stage__tournament=tournament).rows
    assert rows


def test_by_days_nobody_has_to_meet(make_tournament: Make, mailoutbox: list[EmailMessage]) -> None:
    """Each decision has its time; who is awaited is written to, and who lets it pass is flagged."""
    _, match = start_event(make_tournament, DAYS, people=1)
    play_ready_matches(needs=RunnerNeed.HOUSE, is_live=True)
    assert state_of(match) == MatchState.WAITING
    assert match.deadline is not None and match.deadline - timezone.now() > timedelta(hours=47)
    let_pass(match, timedelta(minutes=10))
    assert send_turn_notices() == send_notices() == 1
    assert f"/play/{match.pk}/" in mailoutbox[0].body
    let_pass(match, timedelta(days=3))
    assert flag_late_matches() == 1
    play_ready_matches(needs=RunnerNeed.HOUSE, is_live=True)
    assert state_of(match) == MatchState.FINISHED
    assert match.result.forfeits == seats_of_people(match)


def test_the_window_is_told_by_mail_once(make_tournament: Make, mailoutbox: list[EmailMessage]) -> None:
    _, match = start_event(make_tournament, None)
    assert match.closes_at is not None and match.closes_at - timezone.now() > timedelta(days=2)
    assert (send_window_notices(), send_window_notices(), send_notices()) == (2, 0, 2)
    assert {mail.to[0] for mail in mailoutbox} == {"p0@example.org", "p1@example.org"}


def test_no_window_runs_while_the_service_is_down_or_the_tournament_paused(make_tournament: Make) -> None:
    tournament, match = start_event(make_tournament, LIVE)
    beat()
    Heartbeat.objects.update(beat_at=timezone.now() - timedelta(hours=5))
    beat()
    match.refresh_from_db()
    assert match.closes_at is not None and match.closes_at - timezone.now() > timedelta(hours=5)
    pause_tournament(tournament_id=tournament.id)
    assert state_of(match) == MatchState.HELD
    let_pass(match, timedelta(days=9))
    assert close_windows() == 0
    resume_tournament(tournament_id=tournament.id)
    assert state_of(match) == MatchState.OPEN
    assert match.closes_at - timezone.now() > timedelta(hours=23)
