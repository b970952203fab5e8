"""Finding a table by a program: who waits, waiting oneself, and taking house bots instead."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.idempotency import answer_once
from aurum_league.common.api.views import LeagueView, operation
from games.api.tables import DealtSerializer, contribution_field, sitter_of
from games.selectors.sitters import Sitter
from tournaments.api.examples import OPEN_SEATS, WAITING
from tournaments.selectors.waiting import list_waiting_tables
from tournaments.services.quick_pairing import (
    PACES,
    SeekWish,
    keep_waiting,
    start_waiting,
    stop_waiting,
    take_bots,
)


class SeekFormSerializer(serializers.Serializer):
    ruleset = serializers.CharField(max_length=40, help_text="a ruleset's code")
    clock = serializers.ChoiceField(PACES, default="live")
    is_rated = serializers.BooleanField(default=False)
    low = serializers.IntegerField(min_value=0, max_value=9999, allow_null=True, default=None)
    high = serializers.IntegerField(min_value=0, max_value=9999, allow_null=True, default=None)
    bots_after = serializers.IntegerField(min_value=0, max_value=600, default=30, help_text="seconds")
    ticket = serializers.CharField(
        max_length=100, default="", allow_blank=True, help_text="whose commitment you were shown; used once"
    )
    contribution = contribution_field()


class WaitingSerializer(serializers.Serializer):
    """`match` is set once the cards are dealt; all is null for who does not wait."""

    ruleset = serializers.CharField(read_only=True, allow_null=True)
    clock = serializers.CharField(read_only=True, allow_null=True)
    is_rated = serializers.BooleanField(read_only=True, allow_null=True)
    since = serializers.DateTimeField(read_only=True, allow_null=True)
    commitment = serializers.CharField(read_only=True, allow_null=True, help_text="of your own ticket")
    match = serializers.IntegerField(source="match_id", read_only=True, allow_null=True)


class OpenSeatsSerializer(serializers.Serializer):
    """`sitting` are user names, empty for guests, of the six who have waited longest; `share` is how much the match
    would count for you."""

    ruleset = serializers.CharField(read_only=True)
    clock = serializers.CharField(read_only=True)
    is_rated = serializers.BooleanField(read_only=True)
    players = serializers.IntegerField(read_only=True)
    free = serializers.IntegerField(read_only=True)
    sitting = serializers.ListField(child=serializers.CharField(), read_only=True)
    share = serializers.FloatField(read_only=True)
    commitment = serializers.CharField(
        read_only=True, help_text="to the secret from which its cards come, with what all contribute"
    )


class OpenSeats(LeagueView):
    is_cacheable = False

    @operation(
        id="list_open_seats",
        summary="Tables at which people wait for others",
        answer=OpenSeatsSerializer(many=True),
        example=OPEN_SEATS,
    )
    def get(self, request: Request) -> Response:
        reader = Sitter(user_id=request.user.pk)
        rows = [
            {
                "ruleset": one.ruleset,
                "clock": one.clock,
                "is_rated": one.is_rated,
                "players": one.players,
                "free": one.free,
                "sitting": [name for name, _ in one.sitting],
                "share": one.share,
                "commitment": one.commitment,
            }
            for one in list_waiting_tables(reader)
        ]
        return Response(OpenSeatsSerializer(rows, many=True).data)


class WaitingDetail(LeagueView):
    scope = "play"
    is_private = True

    @operation(
        id="keep_waiting",
        summary="How it stands while you wait",
        description="Ask at least every ten seconds: who has not asked for fifteen waits no more.",
        answer=WaitingSerializer,
        example=WAITING,
    )
    def get(self, request: Request) -> Response:
        return Response(_show(keep_waiting(sitter=sitter_of(request))))

    @operation(
        id="start_waiting",
        summary="Wait for a table with people of your strength",
        description="Who waits already waits for this table from now on.",
        answer=WaitingSerializer,
        example=WAITING,
        status=201,
        request=SeekFormSerializer,
        request_example={"ruleset": "en3", "clock": "live"},
    )
    @answer_once
    def post(self, request: Request) -> Response:
        sitter = sitter_of(request)
        start_waiting(sitter=sitter, wish=SeekWish(**self.read_body(request, SeekFormSerializer)))
        return Response(_show(keep_waiting(sitter=sitter)), status=201)


class WaitingEnd(LeagueView):
    scope = "play"

    @operation(
        id="stop_waiting", summary="Wait no more", answer=WaitingSerializer, example=WAITING, is_once=True
    )
    @answer_once
    def post(self, request: Request) -> Response:
        sitter = sitter_of(request)
        stop_waiting(sitter=sitter)
        return Response(_show(keep_waiting(sitter=sitter)))


class WaitingBots(LeagueView):
    scope = "play"

    @operation(
        id="take_bots",
        summary="Play with house bots of your strength instead",
        answer=DealtSerializer,
        example={"match": 4712},
        status=201,
        is_once=True,
    )
    @answer_once
    def post(self, request: Request) -> Response:
        return Response({"match": take_bots(sitter=sitter_of(request))}, status=201)


def _show(seeker: Any) -> dict[str, Any]:
    names = ("ruleset", "clock", "is_rated", "since", "commitment", "match_id")
    row = {name: getattr(seeker, name, None) for name in names}
    return WaitingSerializer(row).data
