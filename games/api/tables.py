"""What a person does at a table by a program: decide, and resign."""

from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.idempotency import answer_once
from aurum_league.common.api.operations import operation
from aurum_league.common.api.views import LeagueView
from games.api.examples import TABLE
from games.api.matches import require_own_seat
from games.api.serializers import ResignationSerializer, TableDecisionSerializer
from games.selectors.match_lists import find_match
from games.selectors.sitters import Sitter, find_own_seat, require_agreed
from games.selectors.tables import table_view
from games.services.answer import answer_decision, resign_seat
from games.services.people import agree_to_bots


class MatchDecisions(LeagueView):
    scope = "play"

    @operation(
        id="decide",
        summary="Decide at your seat",
        description="`counter` is the one of the view that was decided on: a table that has moved on answers 409.",
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
        answer_decision(match_id=match_id, seat=sent["seat"], counter=sent["counter"], text=sent["action"])
        return Response(table_view(find_match(match_id, request.user), sent["seat"]))


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
        return Response(table_view(find_match(match_id, request.user), seat))
