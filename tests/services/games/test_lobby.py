"""Lobbies: who may sit, move, leave and deal, and what becomes of the seats left free."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from aurum_league.common.errors import LeagueError
from games.models import Match, MatchResult, MatchSeat, Player, PlayerKind, SeatFailure
from games.selectors.rated_play import read_manners
from games.selectors.sitters import Sitter, find_own_seat, list_open_tables
from games.services.answer import resign_seat
from games.services.lobby import TableWish, leave_seat, open_lobby, play_now, start_lobby, take_seat
from tests.people import verify_address

pytestmark = pytest.mark.django_db
WISH = TableWish(ruleset="en3", strength="greedy")
RATED = TableWish("en3", "greedy", is_rated=True, agrees=True)


def make_guest() -> Sitter:
    return Sitter(guest=uuid4())


@pytest.fixture
def ada() -> Sitter:
    return Sitter(user_id=verify_address(User.objects.create_user("ada")).pk)


def refusal_of(act: Callable[[], object]) -> str:
    with pytest.raises(LeagueError) as refused:
        act()
    return refused.value.code


class TestPlayNow:
    @pytest.mark.parametrize(
        ("code", "strength", "agents"),
        [
            pytest.param("en3", "greedy", ["person:guest", "house:greedy", "house:greedy"], id="three"),
            pytest.param("de4-nozero", "search-1", ["person:guest", *["house:search-1"] * 3], id="four, variant"),
        ],
    )
    def test_a_guest_sits_among_house_bots(self, code: str, strength: str, agents: list[str]) -> None:
        match_id = play_now(sitter=make_guest(), wish=TableWish(code, strength))
        match = Match.objects.get(pk=match_id)
        seats = list(MatchSeat.objects.filter(match_id=match_id).order_by("seat"))
        assert (match.ruleset, match.is_rated, match.clock) == (code, False, {"each": 86_400.0})
        assert [seat.agent for seat in seats] == agents
        assert len({seat.player_id for seat in seats}) == len(agents)
        assert seats[0].player.kind == PlayerKind.GUEST

    def test_an_account_gets_a_player_once(self, ada: Sitter) -> None:
        wish = TableWish("en3", "counting", is_rated=True, agrees=True)
        for _ in range(2):
            assert Match.objects.get(pk=play_now(sitter=ada, wish=wish)).is_rated
        assert Player.objects.get(owner_id=ada.user_id).name == "ada"

    def test_a_taken_name_gets_a_number(self, ada: Sitter) -> None:
        Player.objects.create(kind=PlayerKind.HOUSE, name="Ada", slug="ada")
        play_now(sitter=ada, wish=WISH)
        assert Player.objects.get(owner_id=ada.user_id).name == "ada 2"

    @pytest.mark.parametrize(
        ("wish", "code"),
        [
            pytest.param(TableWish("xx3", "greedy"), "ruleset_unknown", id="no such ruleset"),
            pytest.param(TableWish("en3", "oracle"), "unknown_brain", id="no such bot"),
            pytest.param(TableWish("en3", "greedy", clock="sundial"), "clock_unknown", id="no such clock"),
            pytest.param(TableWish("en3", "greedy", is_rated=True, agrees=True), "account_needed", id="rated guest"),
        ],
    )
    def test_refused_wishes(self, wish: TableWish, code: str) -> None:
        assert refusal_of(lambda: play_now(sitter=make_guest(), wish=wish)) == code
        assert not Match.objects.exists()

    def test_a_rated_seat_among_bots_needs_agreement(self, ada: Sitter) -> None:
        wish = TableWish("en3", "greedy", is_rated=True)
        assert refusal_of(lambda: play_now(sitter=ada, wish=wish)) == "agreement_needed"

    def test_a_rated_seat_needs_a_confirmed_address(self) -> None:
        bob = User.objects.create_user("bob", "bob@example.org")
        assert refusal_of(lambda: play_now(sitter=Sitter(user_id=bob.pk), wish=RATED)) == "address_unverified"
        verify_address(bob)
        assert Match.objects.get(pk=play_now(sitter=Sitter(user_id=bob.pk), wish=RATED)).is_rated

    def test_repeats_count_less_and_the_fifth_nothing(self, ada: Sitter) -> None:
        shares = [Match.objects.get(pk=play_now(sitter=ada, wish=RATED)).share for _ in range(5)]
        assert shares == [1.0, 0.5 * 0.75**2, 0.25 * 0.5**2, 0.125 * 0.25**2, 0.0]
        elsewhere = Match.objects.get(pk=play_now(sitter=ada, wish=replace(RATED, strength="counting")))
        assert elsewhere.share == 1.0, "against others it counts in full"

    def test_old_and_unrated_matches_fade_nothing(self, ada: Sitter) -> None:
        play_now(sitter=ada, wish=replace(RATED, is_rated=False))
        old = play_now(sitter=ada, wish=RATED)
        Match.objects.filter(pk=old).update(created_at=timezone.now() - timedelta(days=31))
        assert Match.objects.get(pk=play_now(sitter=ada, wish=RATED)).share == 1.0

    def test_who_leaves_again_and_again_waits(self, ada: Sitter) -> None:
        for _ in range(2):
            resign_seat(match_id=play_now(sitter=ada, wish=RATED), seat=0)
        assert refusal_of(lambda: play_now(sitter=ada, wish=RATED)) == "left_too_often"
        player = Player.objects.get(owner_id=ada.user_id)
        assert read_manners(player.pk)[:2] == (2, 2) and read_manners(player.pk).finished_percent == 0
        assert MatchResult.objects.filter(early=[0]).count() == 2
        SeatFailure.objects.update(created_at=timezone.now() - timedelta(minutes=11))
        assert play_now(sitter=ada, wish=RATED)

    def test_whom_a_moderator_holds_plays_unrated(self, ada: Sitter) -> None:
        play_now(sitter=ada, wish=WISH)
        Player.objects.filter(owner_id=ada.user_id).update(held_until=timezone.now() + timedelta(days=1))
        assert refusal_of(lambda: play_now(sitter=ada, wish=RATED)) == "held_from_rated"
        assert play_now(sitter=ada, wish=WISH)

    def test_tables_by_invitation_are_friendly(self, ada: Sitter) -> None:
        assert refusal_of(lambda: open_lobby(sitter=ada, wish=RATED)) == "invitations_friendly"

    def test_ten_tables_are_enough(self) -> None:
        guest = make_guest()
        for _ in range(10):
            play_now(sitter=guest, wish=WISH)
        assert refusal_of(lambda: play_now(sitter=guest, wish=WISH)) == "too_many_tables"
        assert list_open_tables(guest).count() == 10


class TestSeats:
    def test_people_sit_and_bots_fill_up(self, ada: Sitter) -> None:
        guest = make_guest()
        lobby = open_lobby(sitter=ada, wish=TableWish("en4", "greedy", clock="live"))
        take_seat(invitation=lobby.invitation, sitter=guest, seat=2)
        match_id = start_lobby(invitation=lobby.invitation, sitter=ada, fills_with_bots=True)
        agents = list(MatchSeat.objects.filter(match_id=match_id).order_by("seat").values_list("agent", flat=True))
        player = Player.objects.get(owner_id=ada.user_id)
        assert agents == [f"person:{player.pk}", "house:greedy", "person:guest", "house:greedy"]
        assert (find_own_seat(match_id, ada), find_own_seat(match_id, guest)) == (
            (0, False, False),
            (2, False, False),
        )

    def test_strangers_and_other_guests_have_no_seat(self) -> None:
        match_id = play_now(sitter=make_guest(), wish=WISH)
        account = User.objects.create_user("somebody")
        for stranger in (Sitter(), make_guest(), Sitter(user_id=account.pk)):
            assert find_own_seat(match_id, stranger) is None

    def test_whoever_signs_in_keeps_the_guests_seat(self, ada: Sitter) -> None:
        guest = make_guest()
        match_id = play_now(sitter=guest, wish=WISH)
        assert find_own_seat(match_id, Sitter(ada.user_id, guest.guest)) == (0, False, False)

    def test_refusals(self, ada: Sitter) -> None:
        guest, late = make_guest(), make_guest()
        invitation = open_lobby(sitter=ada, wish=WISH).invitation
        take_seat(invitation=invitation, sitter=guest, seat=1)
        assert refusal_of(lambda: take_seat(invitation=invitation, sitter=late, seat=1)) == "seat_taken"
        assert refusal_of(lambda: take_seat(invitation=invitation, sitter=late, seat=3)) == "seat_unknown"
        assert refusal_of(lambda: take_seat(invitation="nowhere", sitter=late, seat=0)) == "lobby_unknown"

        def start(sitter: Sitter, *, fills: bool = True) -> int:
            return start_lobby(invitation=invitation, sitter=sitter, fills_with_bots=fills)

        assert refusal_of(lambda: start(guest)) == "not_host"
        assert refusal_of(lambda: start(ada, fills=False)) == "seats_free"
        start(ada)
        assert refusal_of(lambda: start(ada)) == "lobby_started"
        assert refusal_of(lambda: take_seat(invitation=invitation, sitter=late, seat=2)) == "lobby_started"

    def test_moving_and_leaving(self, ada: Sitter) -> None:
        guest = make_guest()
        lobby = open_lobby(sitter=ada, wish=WISH)
        take_seat(invitation=lobby.invitation, sitter=guest, seat=1)
        take_seat(invitation=lobby.invitation, sitter=guest, seat=2)
        assert list(lobby.seats.values_list("seat", flat=True)) == [0, 2]
        leave_seat(invitation=lobby.invitation, sitter=ada)
        assert list(lobby.seats.values_list("seat", "is_host")) == [(2, True)]
