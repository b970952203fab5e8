"""Company: phrases as codes, free words among friends alone, limits, presence, and a time that people agree on."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from aurum_league.common.errors import LeagueError
from aurum_league.models import Notice
from games.models import Match, MatchState, RunnerNeed, TableWord
from games.pages.play import GUEST_KEY
from games.selectors.sitters import Sitter, count_awaiting, find_meeting, read_company
from games.services.company import (
    PHRASES,
    PROPOSALS_A_DAY,
    WORDS_A_MINUTE,
    accept_meeting,
    propose_meeting,
    say_phrase,
    say_text,
)
from games.services.lobby import TableWish, open_lobby, play_now, start_lobby, take_seat
from games.services.play import play_ready_matches
from tests.people import verify_address

pytestmark = pytest.mark.django_db


def invite() -> tuple[Match, User, User]:
    """A table of two friends and a bot."""
    ada, berta = User.objects.create_user("ada"), User.objects.create_user("berta")
    wish = TableWish("en3", "greedy", clock="live")
    lobby = open_lobby(sitter=Sitter(user_id=ada.pk), wish=wish)
    take_seat(invitation=lobby.invitation, sitter=Sitter(user_id=berta.pk), seat=1)
    match_id = start_lobby(invitation=lobby.invitation, sitter=Sitter(user_id=ada.pk), fills_with_bots=True)
    play_ready_matches(needs=RunnerNeed.HOUSE, is_live=True)
    return Match.objects.get(pk=match_id), ada, berta


def test_a_phrase_is_read_in_the_readers_language(client: Client) -> None:
    match, _, berta = invite()
    say_phrase(match_id=match.pk, seat=0, phrase="well_played")
    client.force_login(berta)
    for language, words in (("en", "Well played!"), ("de", "Gut gespielt!")):
        answer = client.get(reverse("match_company", args=[match.pk]), headers={"Accept-Language": language})
        assert [word["text"] for word in answer.json()["words"]] == [words]


def test_every_phrase_is_translated() -> None:
    for language in ("de", "fr", "ru"):
        with translation.override(language):
            alike = [code for code, words in PHRASES.items() if words.isascii() and translation.gettext(words) == words]
            assert alike == []


def test_free_words_are_for_unrated_tables_of_friends() -> None:
    match, *_ = invite()
    word = say_text(match_id=match.pk, seat=1, text="  See you\n\x00 at  eight \u202e ")
    assert word.text == "See you at eight"
    alone = play_now(sitter=Sitter(guest=uuid4()), wish=TableWish("en3", "greedy"))
    with pytest.raises(LeagueError, match="phrases only"):
        say_text(match_id=alone, seat=0, text="hello")
    with pytest.raises(LeagueError, match="nothing to say"):
        say_text(match_id=match.pk, seat=0, text=" \n ")


def test_nobody_writes_at_a_rated_table() -> None:
    ada = verify_address(User.objects.create_user("ada"))
    wish = TableWish("en3", "greedy", is_rated=True, agrees=True)
    with pytest.raises(LeagueError, match="phrases only"):
        say_text(match_id=play_now(sitter=Sitter(user_id=ada.pk), wish=wish), seat=0, text="I have Zinc 10")


def test_a_watcher_hears_phrases_and_no_free_words(client: Client) -> None:
    match, *_ = invite()
    say_text(match_id=match.pk, seat=0, text="between us")
    say_phrase(match_id=match.pk, seat=0, phrase="hello")
    told = client.get(reverse("match_company", args=[match.pk])).json()
    assert [word["text"] for word in told["words"]] == ["Hello!"]
    assert told["watchers"] == 1 and told["here"] == []


def test_only_so_much_is_said_in_a_minute() -> None:
    match, *_ = invite()
    with pytest.raises(LeagueError) as refusal:
        for _ in range(3 * WORDS_A_MINUTE):
            say_phrase(match_id=match.pk, seat=0, phrase="oops")
    assert refusal.value.code == "talks_too_fast"
    say_phrase(match_id=match.pk, seat=1, phrase="oops")


def test_nobody_speaks_for_another_or_from_outside(client: Client) -> None:
    match, _, berta = invite()
    assert client.post(reverse("play_say", args=[match.pk]), {"phrase": "hello"}).status_code == 403
    client.force_login(berta)
    client.post(reverse("play_say", args=[match.pk]), {"phrase": "hello", "seat": "0"})
    assert TableWord.objects.get().seat == 1
    assert client.post(reverse("play_say", args=[match.pk]), {"phrase": "<b>"}).json()["code"] == "phrase_unknown"


def test_who_asks_is_here_and_many_questions_are_one_watcher() -> None:
    match, *_ = invite()
    for who in ("seat:0", "watcher:a", "watcher:a", "watcher:b"):
        seen = read_company(match.pk, who=who)
    assert (seen.here, seen.watchers) == ((0,), 2)


def test_a_guest_speaks_at_their_own_table(client: Client) -> None:
    guest = uuid4()
    match_id = play_now(sitter=Sitter(guest=guest), wish=TableWish("en3", "greedy"))
    session = client.session
    session[GUEST_KEY] = str(guest)
    session.save()
    assert client.post(reverse("play_say", args=[match_id]), {"phrase": "hello"}).status_code == 200


def test_two_people_agree_on_a_time(client: Client) -> None:
    match, ada, berta = invite()
    later = timezone.now() + timedelta(days=2)
    Match.objects.filter(pk=match.pk).update(state=MatchState.OPEN, closes_at=timezone.now() + timedelta(days=3))
    propose_meeting(match_id=match.pk, seat=0, starts_at=later)
    assert Notice.objects.get(kind="meeting_proposed").user == berta
    client.force_login(berta)
    address = reverse("play_meeting", args=[match.pk])
    changed = client.post(address, {"accept": "1", "starts_at": (later + timedelta(hours=1)).isoformat()})
    assert changed.json()["code"] == "meeting_changed"
    assert client.post(address, {"accept": "1", "starts_at": later.isoformat()}).json()["is_agreed"]
    assert Notice.objects.get(kind="meeting_accepted").user == ada
    file = client.get(reverse("play_meeting_file", args=[match.pk])).content.decode()
    assert f"DTSTART:{later:%Y%m%dT%H%M%SZ}" in file and "STATUS:CONFIRMED" in file
    propose_meeting(match_id=match.pk, seat=1, starts_at=later + timedelta(hours=2))
    meeting = find_meeting(match.pk)
    assert meeting is not None and not meeting.is_agreed, "a newer proposal asks everybody again"
    client.logout()
    assert client.get(reverse("play_meeting_file", args=[match.pk])).status_code == 404


def test_nobody_is_flooded_with_times() -> None:
    match, _, berta = invite()
    soon = timezone.now() + timedelta(hours=1)
    Match.objects.filter(pk=match.pk).update(state=MatchState.OPEN, closes_at=timezone.now() + timedelta(days=3))
    for number in range(PROPOSALS_A_DAY):
        propose_meeting(match_id=match.pk, seat=0, starts_at=soon + timedelta(minutes=number))
    with pytest.raises(LeagueError, match="proposed today"):
        propose_meeting(match_id=match.pk, seat=0, starts_at=soon)
    assert Notice.objects.filter(user=berta).count() == PROPOSALS_A_DAY
    propose_meeting(match_id=match.pk, seat=1, starts_at=soon)


@pytest.mark.parametrize("days", [-1, 4, 90])
def test_a_time_outside_the_window_is_refused(days: int) -> None:
    match, *_ = invite()
    Match.objects.filter(pk=match.pk).update(state=MatchState.OPEN, closes_at=timezone.now() + timedelta(days=3))
    with pytest.raises(LeagueError, match="cannot be played at that time"):
        propose_meeting(match_id=match.pk, seat=0, starts_at=timezone.now() + timedelta(days=days))


def test_nobody_meets_for_a_match_that_is_dealt() -> None:
    match, *_ = invite()
    with pytest.raises(LeagueError, match="Nobody has to meet"):
        accept_meeting(match_id=match.pk, seat=0, starts_at=timezone.now())


def test_the_header_counts_the_tables_that_wait(client: Client) -> None:
    match, ada, _ = invite()
    assert 0 in match.awaited and count_awaiting(ada.pk) == 1
    client.force_login(ada)
    assert 'data-awaiting="/play/awaiting/"' in client.get("/rules/").content.decode()
    assert client.get(reverse("play_awaiting")).json() == {"count": 1}
    client.logout()
    assert client.get(reverse("play_awaiting")).json() == {"count": 0}
    assert "data-awaiting" not in client.get("/rules/").content.decode()
