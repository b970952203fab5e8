"""A new match on fresh deals: who is told, what counts when, and what cannot be done meanwhile."""

import zipfile
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.urls import reverse

from aurum_league.cli.archive_check import check_archive
from aurum_league.common.errors import LeagueError
from aurum_league.common.telling import send_notices
from aurum_league.models import Notice
from games.models import Match, MatchState, Player, ResultKind, RunnerNeed
from games.selectors.matches import list_result_versions
from games.services.answer import resign_seat
from games.services.by_hand import HandResult
from games.services.clocks import close_windows, sit_at_table, sweep_matches
from games.services.play import play_ready_matches
from tests.services.tournaments.conftest import Make
from tests.services.tournaments.test_people import DAYS, LIVE, let_pass, seats_of_people, start_event
from tournaments.models import FixtureState, Rerun, RerunState, Tournament
from tournaments.pages.downloads import stream_archive
from tournaments.selectors.desk import find_fresh_match
from tournaments.services.advance import advance_tournament, sweep_tournaments
from tournaments.services.decisions import enter_result, rerun_matches, void_match
from tournaments.services.fresh import drop_fresh, play_fresh
from tournaments.services.lifecycle import pause_tournament
from tournaments.services.rebuild import refresh_ratings

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings("ignore:task_always_eager has no effect on send_task"),
]


def finish(match: Match) -> Match:
    """One person resigns, the others are played for once their time is over."""
    for _ in range(8):
        match.refresh_from_db()
        if match.state == MatchState.FINISHED:
            break
        if match.state == MatchState.WAITING:
            resign_seat(match_id=match.pk, seat=match.awaited[0])
        play_ready_matches(needs=RunnerNeed.HOUSE, is_live=True)
        sweep_matches()
    match.refresh_from_db()
    assert match.state == MatchState.FINISHED
    return match


@pytest.fixture
def played(make_tournament: Make) -> tuple[Tournament, Match]:
    """A tournament of one table with two people, played to its end."""
    tournament, match = start_event(make_tournament, DAYS)
    finish(match)
    advance_tournament(tournament_id=tournament.id)
    tournament.refresh_from_db()
    return tournament, match


def begin(match: Match) -> Match:
    play_fresh(match_id=match.pk, reason="the clock ran wrong")
    pair = find_fresh_match(match.pk)
    assert pair is not None
    return Match.objects.get(pk=pair.again_id)


def test_everybody_concerned_is_told_and_has_time(
    make_tournament: Make,
) -> None:
    _, match = start_event(make_tournament, LIVE)
    let_pass(match, timedelta(days=1))
    close_windows()
    finish(match)
    mail.outbox.clear()
    fresh = begin(match)
    assert (fresh.state, fresh.is_rated) == (MatchState.OPEN, False)
    assert fresh.closes_at is not None and fresh.opens_at is not None
    assert fresh.closes_at - fresh.opens_at == timedelta(seconds=LIVE["window"])
    assert fresh.commitment != match.commitment and fresh.deals != match.deals
    told = Notice.objects.filter(kind="fresh_match").order_by("user_id")
    assert [one.user.username for one in told] == ["person0", "person1"]
    assert {one.url for one in told} == {f"/matches/{fresh.pk}/"}
    send_notices()
    assert sorted(to for one in mail.outbox for to in one.to) == ["p0@example.org", "p1@example.org"]
    assert "the clock ran wrong" in str(mail.outbox[0].body)


def test_the_old_result_counts_until_the_new_match_has_ended(played: tuple[Tournament, Match], tmp_path: Path) -> None:
    tournament, match = played
    before = match.result.counted_places
    fresh = begin(match)
    match.refresh_from_db()
    assert (match.result.version, match.result.counted_places) == (1, before)
    assert [seat.player_id for seat in fresh.seats.order_by("seat")] == [
        seat.player_id for seat in match.seats.order_by("seat")
    ]
    fresh = finish(fresh)
    match.result.refresh_from_db()
    assert match.result.version == 1, "it is counted by whoever moves the tournament on"
    for _ in range(2):
        sweep_tournaments()
    match = Match.objects.select_related("result").get(pk=match.pk)
    first, second = list_result_versions(match, is_sealed=False)
    assert (first.kind, second.kind, second.record_match) == (ResultKind.PLAYED, ResultKind.FRESH, fresh.pk)
    assert match.result.counted_places == fresh.result.counted_places
    assert match.result.first_seat == fresh.result.first_seat
    assert Rerun.objects.get().state == RerunState.APPLIED
    kinds = list(tournament.events.values_list("kind", flat=True))
    assert kinds[-2:] == ["fresh_begun", "fresh_counted"]
    refresh_ratings()
    path = tmp_path / "cup.zip"
    path.write_bytes(b"".join(stream_archive(tournament)))
    assert list(check_archive(str(path))) == []
    with zipfile.ZipFile(path) as archive:
        assert archive.read(f"{tournament.slug}/records.jsonl").count(b"\n") == 2, "the old match has its record too"


def test_nothing_else_is_decided_meanwhile(played: tuple[Tournament, Match]) -> None:
    _, match = played
    begin(match)
    deeds: list[Callable[..., object]] = [partial(enter_result, result=HandResult((1, 2, 3))), void_match, play_fresh]
    for deed in deeds:
        with pytest.raises(LeagueError) as refused:
            deed(match_id=match.pk, reason="I lost")
        assert refused.value.code == "fresh_under_way"


def test_it_can_be_dropped_until_a_card_was_seen(played: tuple[Tournament, Match]) -> None:
    _, match = played
    fresh = begin(match)
    drop_fresh(match_id=match.pk)
    drop_fresh(match_id=match.pk)
    fresh.refresh_from_db()
    assert fresh.state == MatchState.VOID and match.fixture_match.fixture.state == FixtureState.SETTLED
    again = begin(match)
    play_ready_matches(needs=RunnerNeed.HOUSE, is_live=True)
    again.refresh_from_db()
    assert again.state == MatchState.WAITING
    with pytest.raises(LeagueError) as refused:
        drop_fresh(match_id=match.pk, reason="it goes against me")
    assert refused.value.code == "match_under_way"


def test_who_does_not_come_loses_the_new_match_too(make_tournament: Make) -> None:
    tournament, match = start_event(make_tournament, LIVE)
    for seat in seats_of_people(match):
        sit_at_table(match_id=match.pk, seat=seat)
    finish(match)
    fresh = begin(match)
    absent, *_ = seats_of_people(fresh)
    let_pass(fresh, timedelta(days=1))
    close_windows()
    finish(fresh)
    advance_tournament(tournament_id=tournament.id)
    match = Match.objects.select_related("result").get(pk=match.pk)
    assert match.result.kind == ResultKind.FRESH
    assert absent in match.result.forfeits


@pytest.mark.parametrize("state", ["paused", "of bots", "gone"])
def test_it_is_refused(make_tournament: Make, state: str) -> None:
    tournament, match = start_event(make_tournament, DAYS, people=0 if state == "of bots" else 2)
    if state == "of bots":
        play_ready_matches(needs=RunnerNeed.HOUSE)
        match.refresh_from_db()
    else:
        finish(match)
    if state == "paused":
        pause_tournament(tournament_id=tournament.id)
    if state == "gone":
        Player.objects.update(is_active=False)
    with pytest.raises(LeagueError) as refused:
        play_fresh(match_id=match.pk, reason="why not")
    assert refused.value.code == {"paused": "paused", "of bots": "fresh_needs_people", "gone": "player_gone"}[state]


def test_people_are_not_run_again_on_known_cards(played: tuple[Tournament, Match]) -> None:
    tournament, match = played
    with pytest.raises(LeagueError) as refused:
        rerun_matches(tournament_id=tournament.id, match_ids=[match.pk], reason="again")
    assert refused.value.code == "rerun_needs_bots"


def test_the_pages_tell_of_it(played: tuple[Tournament, Match], client: Any) -> None:
    tournament, match = played
    client.force_login(User.objects.get(pk=tournament.organiser_id))
    desk = reverse("desk_match", args=[tournament.slug, match.pk])
    assert "Play it anew" in client.get(desk).content.decode()
    assert client.post(f"{desk}fresh/", {"reason": "the clock ran wrong"}).status_code == 302
    pair = find_fresh_match(match.pk)
    assert pair is not None
    assert "Drop the new match" in client.get(desk).content.decode()
    for number, words in ((match.pk, "The new match"), (pair.again_id, "The old match")):
        page = client.get(f"/matches/{number}/").content.decode()
        assert words in page and "the clock ran wrong" in page
    told = client.get(f"/api/v1/tournaments/{tournament.slug}/events").json()
    assert any(event["kind"] == "fresh_begun" for event in told["results"])
