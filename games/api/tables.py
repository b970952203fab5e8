"""Tables of one's own: opened, joined and played at by a program."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.access import is_within_rate, person_of
from aurum_league.common.api.idempotency import answer_once
from aurum_league.common.api.views import LeagueView, operation
from aurum_league.common.errors import LeagueError
from games.api.matches import require_own_seat
from games.api.serializers import (
    LOBBY,
    OPEN_TABLE,
    TABLE,
    TICKET,
    ResignationSerializer,
    TableDecisionSerializer,
    contribution_field,
)
from games.models import Lobby, Match, MatchState
from games.play.table_state import to_json
from games.selectors.matches import find_match
from games.selectors.sitters import (
    Sitter,
    find_lobby,
    find_own_seat,
    list_open_lobbies,
    list_open_tables,
    own_seat_among,
    require_agreed,
)
from games.selectors.tables import find_table
from games.services.answer import answer_decision, resign_seat
from games.services.create import offer_ticket
from games.services.lobby import (
    CLOCKS,
    DEFAULT_STRENGTH,
    STRENGTHS,
    TableWish,
    leave_seat,
    open_lobby,
    play_now,
    start_lobby,
    take_seat,
)
from games.services.players import agree_to_bots


class MatchDecisions(LeagueView):
    scope = "play"

    @operation(
        id="decide",
        summary="Decide at your seat",
        description=(
            "`counter` is the one of the view that was decided on: a table that has moved on answers 409. What a "
            "program decides by token is marked in the record; at rated tables people decide by hand."
        ),
        answer=OpenApiTypes.OBJECT,
        example=TABLE,
        request=TableDecisionSerializer,
        request_example={"seat": 0, "counter": 3, "action": "keep"},
    )
    @answer_once
    def post(self, request: Request, match_id: int) -> Response:
        sent = self.read_body(request, TableDecisionSerializer)
        require_own_seat(find_match(match_id, request.user), sent["seat"], request)
        if sent["agrees"]:
            agree_to_bots(user_id=request.user.pk)
        elif own := find_own_seat(match_id, Sitter(user_id=request.user.pk)):
            require_agreed(own)
        is_by_token = request.auth is not None
        decision = {"seat": sent["seat"], "counter": sent["counter"], "text": sent["action"]}
        answer_decision(match_id=match_id, is_by_token=is_by_token, **decision)
        return Response(to_json(find_table(match_id, sent["seat"])))


class MatchResignations(LeagueView):
    scope = "play"

    @operation(
        id="resign",
        summary="Give up your seat",
        description="The house plays on for you and you come last; the others keep their match.",
        answer=OpenApiTypes.OBJECT,
        example=TABLE,
        request=ResignationSerializer,
        request_example={"seat": 0},
    )
    @answer_once
    def post(self, request: Request, match_id: int) -> Response:
        seat = self.read_body(request, ResignationSerializer)["seat"]
        require_own_seat(find_match(match_id, request.user), seat, request)
        resign_seat(match_id=match_id, seat=seat)
        return Response(to_json(find_table(match_id, seat)))


TABLES_A_MINUTE = 10


class TableFormSerializer(serializers.Serializer):
    ruleset = serializers.CharField(max_length=40, help_text="a ruleset's code")
    strength = serializers.ChoiceField(tuple(STRENGTHS), default=DEFAULT_STRENGTH, help_text="of the house bots")
    clock = serializers.ChoiceField(tuple(CLOCKS), default="calm")
    is_rated = serializers.BooleanField(default=False)
    agrees = serializers.BooleanField(default=False, help_text="to be rated against bots; a rated table needs it")
    ticket = serializers.CharField(
        max_length=100, default="", allow_blank=True, help_text="whose commitment you were shown; used once"
    )
    contribution = contribution_field()


class SeatFormSerializer(serializers.Serializer):
    seat = serializers.IntegerField(min_value=0, max_value=3)
    agrees = serializers.BooleanField(default=False, help_text="to be rated against bots, where the table is rated")
    contribution = contribution_field()


class DealFormSerializer(serializers.Serializer):
    fills_with_bots = serializers.BooleanField(default=False, help_text="house bots take the seats left free")


class DealtSerializer(serializers.Serializer):
    match = serializers.IntegerField(read_only=True)


class OpenTableSerializer(serializers.Serializer):
    match = serializers.IntegerField(source="pk", read_only=True)
    ruleset = serializers.CharField(read_only=True)
    state = serializers.ChoiceField(MatchState.choices, read_only=True)
    deadline = serializers.DateTimeField(read_only=True, allow_null=True)
    seat = serializers.IntegerField(read_only=True, allow_null=True, help_text="yours")
    is_awaited = serializers.BooleanField(read_only=True, help_text="whether the decision is yours")


class LobbySeatSerializer(serializers.Serializer):
    seat = serializers.IntegerField(read_only=True)
    user = serializers.CharField(source="user.username", read_only=True, default=None, allow_null=True)
    is_host = serializers.BooleanField(read_only=True)
    contribution = serializers.CharField(read_only=True, help_text="to the deals; empty for none")


class LobbySerializer(serializers.ModelSerializer):
    """`user` of a seat is null for a guest; `match` is set once the cards are dealt.

    `commitment` is the SHA-256 of the site's secret, from which and from the contributions the deals follow.
    """

    seats = LobbySeatSerializer(many=True, read_only=True)
    clock = serializers.DictField(read_only=True)

    class Meta:
        model = Lobby
        fields = (
            *("invitation", "ruleset", "players", "strength", "clock", "is_rated", "is_guided"),
            *("match", "commitment", "created_at", "seats"),
        )
        read_only_fields = fields


class TableList(LeagueView):
    scope = "play"
    is_private = True

    @operation(
        id="list_tables",
        summary="Tables under way at which you sit, those that wait for you first",
        answer=OpenTableSerializer(many=True),
        example=OPEN_TABLE,
    )
    def get(self, request: Request) -> Response:
        sitter = sitter_of(request)
        rows = [_describe(match, own_seat_among(match, sitter)) for match in list_open_tables(sitter)]
        return Response(OpenTableSerializer(rows, many=True).data)

    @operation(
        id="play_now",
        summary="Play against house bots at once",
        answer=DealtSerializer,
        example={"match": 4712},
        status=201,
        request=TableFormSerializer,
        request_example={"ruleset": "en3", "strength": "greedy"},
    )
    @answer_once
    def post(self, request: Request) -> Response:
        wish = TableWish(**self.read_body(request, TableFormSerializer))
        _require_calm(request)
        return Response({"match": play_now(sitter=sitter_of(request), wish=wish)}, status=201)


class TicketSerializer(serializers.Serializer):
    ticket = serializers.CharField(source="text", read_only=True)
    commitment = serializers.CharField(read_only=True, help_text="SHA-256 of the secret of the table it opens")


class TableTickets(LeagueView):
    scope = "play"
    is_private = True

    @operation(
        id="read_ticket",
        summary="The commitment of a table before you ask for it",
        description="Send the ticket with `play_now` or `open_lobby`: the table is dealt from the secret committed to.",
        answer=TicketSerializer,
        example=TICKET,
    )
    def get(self, request: Request) -> Response:
        return Response(TicketSerializer(offer_ticket()).data)


class Lobbies(LeagueView):
    scope = "play"
    is_private = True

    @operation(
        id="list_lobbies",
        summary="Lobbies in which you sit and no cards are dealt yet",
        answer=LobbySerializer(many=True),
        example=LOBBY,
    )
    def get(self, request: Request) -> Response:
        lobbies = list_open_lobbies(sitter_of(request)).prefetch_related("seats__user")
        return Response(LobbySerializer(lobbies, many=True).data)

    @operation(
        id="open_lobby",
        summary="Open a table and invite others to it",
        description="You sit in seat 0 and say when the cards are dealt; whoever knows the invitation can sit down.",
        answer=LobbySerializer,
        example=LOBBY,
        status=201,
        request=TableFormSerializer,
        request_example={"ruleset": "en4", "clock": "live"},
    )
    @answer_once
    def post(self, request: Request) -> Response:
        wish = TableWish(**self.read_body(request, TableFormSerializer))
        _require_calm(request)
        lobby = open_lobby(sitter=sitter_of(request), wish=wish)
        return Response(_show(lobby.invitation), status=201)


class LobbyDetail(LeagueView):
    is_cacheable = False

    @operation(id="read_lobby", summary="A table to which you are invited", answer=LobbySerializer, example=LOBBY)
    def get(self, request: Request, invitation: str) -> Response:
        return Response(_show(invitation))


class LobbySeats(LeagueView):
    scope = "play"

    @operation(
        id="take_seat",
        summary="Sit down at a table to which you are invited, or move",
        answer=LobbySerializer,
        example=LOBBY,
        request=SeatFormSerializer,
        request_example={"seat": 1},
    )
    @answer_once
    def post(self, request: Request, invitation: str) -> Response:
        take_seat(invitation=invitation, sitter=sitter_of(request), **self.read_body(request, SeatFormSerializer))
        return Response(_show(invitation))


class LobbyLeave(LeagueView):
    scope = "play"

    @operation(id="leave_seat", summary="Get up before the deal", answer=LobbySerializer, example=LOBBY, is_once=True)
    @answer_once
    def post(self, request: Request, invitation: str) -> Response:
        leave_seat(invitation=invitation, sitter=sitter_of(request))
        return Response(_show(invitation))


class LobbyDeal(LeagueView):
    scope = "play"

    @operation(
        id="deal",
        summary="Deal, as whoever opened the table",
        answer=DealtSerializer,
        example={"match": 4712},
        status=201,
        request=DealFormSerializer,
        request_example={"fills_with_bots": True},
    )
    @answer_once
    def post(self, request: Request, invitation: str) -> Response:
        sent = self.read_body(request, DealFormSerializer)
        match = start_lobby(invitation=invitation, sitter=sitter_of(request), **sent)
        return Response({"match": match}, status=201)


def sitter_of(request: Request) -> Sitter:
    return Sitter(user_id=person_of(request).pk)


def _require_calm(request: Request) -> None:
    """A table costs bots' time."""
    if not is_within_rate(f"user-{person_of(request).pk}", "tables", TABLES_A_MINUTE):
        raise LeagueError("too_fast", "Too many tables in a short time.", "Wait a minute.", status=429)


def _describe(match: Match, seat: int | None) -> dict[str, Any]:
    is_awaited = match.state == MatchState.WAITING and seat in match.awaited
    about = {"pk": match.pk, "ruleset": match.ruleset, "state": match.state, "deadline": match.deadline}
    return {**about, "seat": seat, "is_awaited": is_awaited}


def _show(invitation: str) -> dict[str, Any]:
    lobby = find_lobby(invitation)
    if lobby is None:
        raise LeagueError("lobby_unknown", "There is no table with this invitation.", "Ask for a new link.", status=404)
    return LobbySerializer(lobby).data
