"""The chance of casual tables: committed to before anybody sits, mixed from what people bring, dealt once a ticket."""

import hashlib
import json

import pytest
from django.contrib.auth.models import User

from aurum_league.common.errors import LeagueError
from games.models import Lobby, Match, MatchState, RunnerNeed
from games.rules.adjudicate import adjudicate
from games.rules.deal import commitment
from games.rules.mixing import mix_seed
from games.selectors.matches import load_match, read_table_parts, record_of
from games.selectors.sitters import Sitter
from games.services.answer import resign_seat
from games.services.create import offer_ticket, read_ticket
from games.services.lobby import TableWish, leave_seat, open_lobby, play_now, start_lobby, take_seat
from games.services.play import play_ready_matches

pytestmark = pytest.mark.django_db


def hexed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def sitter(name: str) -> Sitter:
    return Sitter(user_id=User.objects.create_user(name).pk)


def test_the_table_is_dealt_from_what_its_ticket_committed_to() -> None:
    ticket = offer_ticket()
    match_id = play_now(
        sitter=sitter("ada"), wish=TableWish("en3", "greedy", ticket=ticket.text, contribution=hexed("ada"))
    )
    lobby, match = Lobby.objects.get(match_id=match_id), Match.objects.get(pk=match_id)
    assert lobby.commitment == ticket.commitment == commitment(read_ticket(ticket.text))
    assert bytes(match.seed) == mix_seed(read_ticket(ticket.text), {0: hexed("ada")})
    assert match.commitment == commitment(bytes(match.seed))


def test_a_ticket_deals_once() -> None:
    """Whoever sends it again would play cards they know: the same table comes back, and to another a fresh one."""
    ada, ben, ticket = sitter("ada"), sitter("ben"), offer_ticket()
    wish = TableWish("en3", "greedy", ticket=ticket.text, contribution=hexed("ada"))
    first = play_now(sitter=ada, wish=wish)
    assert play_now(sitter=ada, wish=wish) == first
    other = play_now(sitter=ben, wish=wish)
    assert other != first
    assert Match.objects.get(pk=other).seed != Match.objects.get(pk=first).seed
    assert Lobby.objects.get(match_id=other).commitment != ticket.commitment


@pytest.mark.parametrize("text", ["", "00.11", "x" * 100, f"{'00' * 16}.{hexed('chosen')}", "ä.ö"])
def test_a_ticket_that_is_none_of_ours_counts_for_nothing(text: str) -> None:
    assert read_ticket(text) != read_ticket(text)
    play_now(sitter=sitter("ada"), wish=TableWish("en3", "greedy", ticket=text))


def test_a_lobby_mixes_what_those_who_sit_brought() -> None:
    host, guest, gone = sitter("host"), sitter("guest"), sitter("gone")
    lobby = open_lobby(sitter=host, wish=TableWish("en3", "greedy", contribution=hexed("host")))
    committed = lobby.commitment
    take_seat(invitation=lobby.invitation, sitter=gone, seat=1, contribution=hexed("gone"))
    leave_seat(invitation=lobby.invitation, sitter=gone)
    take_seat(invitation=lobby.invitation, sitter=guest, seat=1, contribution=hexed("guest"))
    take_seat(invitation=lobby.invitation, sitter=guest, seat=2, contribution=hexed("second thoughts"))
    match_id = start_lobby(invitation=lobby.invitation, sitter=host, fills_with_bots=True)
    lobby.refresh_from_db()
    assert lobby.commitment == committed
    assert lobby.secret is not None
    given = {0: hexed("host"), 2: hexed("guest")}
    assert bytes(Match.objects.get(pk=match_id).seed) == mix_seed(bytes(lobby.secret), given)


def test_a_bad_contribution_is_refused_and_opens_nothing() -> None:
    with pytest.raises(LeagueError) as caught:
        play_now(sitter=sitter("ada"), wish=TableWish("en3", "greedy", contribution="luck"))
    assert caught.value.code == "bad_contribution"
    assert not Lobby.objects.exists()


def test_the_record_carries_the_parts() -> None:
    ticket = offer_ticket()
    wish = TableWish("en3", "random", ticket=ticket.text, contribution=hexed("ada"))
    match_id = play_now(sitter=sitter("ada"), wish=wish)
    resign_seat(match_id=match_id, seat=0)
    for _ in range(5):
        play_ready_matches(needs=RunnerNeed.HOUSE)
    match = load_match(match_id)
    assert match is not None and match.state == MatchState.FINISHED
    record = json.loads(json.dumps(record_of(match)))
    assert record["parts"] == read_table_parts(match)
    assert record["parts"]["commitment"] == ticket.commitment
    assert record["parts"]["contributions"] == [[0, hexed("ada")]]
    assert adjudicate(record).is_over
