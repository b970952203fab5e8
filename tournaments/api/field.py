"""The field of a tournament: house bots in it, who is kept apart, and until when entrants check in."""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.access import person_of
from aurum_league.common.api.idempotency import answer_once
from aurum_league.common.api.views import LeagueView, operation
from bots.brains import BRAINS
from tournaments.api.examples import CONFLICT, ENTRANT, TOURNAMENT
from tournaments.api.running import Organising, PairFormSerializer
from tournaments.api.serializers import EntrantSerializer, TournamentSerializer
from tournaments.selectors.desk import list_conflicts
from tournaments.selectors.rights import require_own_tournament
from tournaments.services.entries import enter_now, set_check_in_end
from tournaments.services.field import allow_meeting, ensure_house_players, keep_apart

MOST_HOUSE = 24


class HouseFormSerializer(serializers.Serializer):
    brain = serializers.ChoiceField([brain.name for brain in BRAINS])
    count = serializers.IntegerField(min_value=1, max_value=MOST_HOUSE, help_text="how many of it in all")


class CheckInFormSerializer(serializers.Serializer):
    ends_at = serializers.DateTimeField(allow_null=True, help_text="null for no end")


class ConflictSerializer(serializers.Serializer):
    first = serializers.IntegerField(source="first_id", read_only=True, help_text="an entrant")
    second = serializers.IntegerField(source="second_id", read_only=True, help_text="another")
    reason = serializers.CharField(read_only=True)


class TournamentHouseBots(LeagueView):
    scope = "organise"

    @operation(
        id="enter_house_bots",
        summary="Enter house bots",
        description="So many of one brain; those who are in already are counted.",
        answer=EntrantSerializer(many=True),
        example=ENTRANT,
        status=201,
        request=HouseFormSerializer,
        request_example={"brain": "greedy", "count": 3},
    )
    @answer_once
    def post(self, request: Request, slug: str) -> Response:
        tournament = require_own_tournament(slug, request.user)
        sent = self.read_body(request, HouseFormSerializer)
        players = ensure_house_players({sent["brain"]: sent["count"]})
        entrants = enter_now(tournament=tournament, players=players, actor=person_of(request))
        return Response(EntrantSerializer(entrants, many=True, context={"request": request}).data, status=201)


class TournamentCheckInEnd(Organising):
    @operation(
        id="set_check_in_end",
        summary="Say until when entrants can check in",
        answer=TournamentSerializer,
        example=TOURNAMENT,
        request=CheckInFormSerializer,
        request_example={"ends_at": "2026-11-16T09:00:00Z"},
        is_once=False,
    )
    def put(self, request: Request, slug: str) -> Response:
        tournament = require_own_tournament(slug, request.user)
        ends_at = self.read_body(request, CheckInFormSerializer)["ends_at"]
        set_check_in_end(tournament_id=tournament.id, ends_at=ends_at, actor=person_of(request))
        return self.show(slug, request)


class TournamentConflicts(Organising):
    is_private = True

    @operation(
        id="list_conflicts",
        summary="Who is kept apart in your tournament",
        answer=ConflictSerializer(many=True),
        example=CONFLICT,
    )
    def get(self, request: Request, slug: str) -> Response:
        conflicts = list_conflicts(require_own_tournament(slug, request.user))
        return Response(ConflictSerializer(conflicts, many=True).data)

    @operation(
        id="keep_apart",
        summary="Keep two entrants apart from the next draw on",
        answer=TournamentSerializer,
        example=TOURNAMENT,
        request=PairFormSerializer,
        request_example={"first": 31, "second": 32, "reason": "siblings"},
    )
    @answer_once
    def post(self, request: Request, slug: str) -> Response:
        tournament = require_own_tournament(slug, request.user)
        sent = self.read_body(request, PairFormSerializer)
        pair = (sent["first"], sent["second"])
        keep_apart(tournament_id=tournament.id, pair=pair, reason=sent["reason"], actor=person_of(request))
        return self.show(slug, request)


class TournamentMeeting(Organising):
    @operation(
        id="allow_meeting",
        summary="Keep two entrants apart no longer",
        answer=TournamentSerializer,
        example=TOURNAMENT,
        request=PairFormSerializer,
        request_example={"first": 31, "second": 32},
    )
    @answer_once
    def post(self, request: Request, slug: str) -> Response:
        tournament = require_own_tournament(slug, request.user)
        sent = self.read_body(request, PairFormSerializer)
        pair = (sent["first"], sent["second"])
        allow_meeting(tournament_id=tournament.id, pair=pair, actor=person_of(request))
        return self.show(slug, request)
