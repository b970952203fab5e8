"""The next season of a league: who would go up, down or stay, and making it."""

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.idempotency import answer_once
from aurum_league.common.api.operations import operation
from aurum_league.common.api.scopes import person_of
from aurum_league.common.api.views import LeagueView
from aurum_league.common.errors import LeagueError
from tournaments.api.examples import SEASON_PLAN, TOURNAMENT
from tournaments.api.serializers import EntrantSerializer, TournamentSerializer
from tournaments.selectors.rights import require_own_tournament
from tournaments.services.next_season import MOST_MOVES, Move, create_next_season, plan_next_season

MOVES = OpenApiParameter(
    "moves",
    {"type": "integer", "minimum": 0, "maximum": MOST_MOVES, "default": 1},
    description="how many go up and down between two divisions",
)


class SeasonForm(serializers.Serializer):
    moves = serializers.IntegerField(min_value=0, max_value=MOST_MOVES, required=False, default=1)
    name = serializers.CharField(max_length=80, required=False, allow_blank=True, default="")


class SeasonPlaceSerializer(serializers.Serializer):
    entrant = EntrantSerializer(read_only=True)
    move = serializers.ChoiceField([str(move) for move in Move], read_only=True)


class SeasonPlanSerializer(serializers.Serializer):
    divisions = serializers.ListField(child=SeasonPlaceSerializer(many=True), read_only=True)
    left_out = EntrantSerializer(many=True, read_only=True, help_text="who left, or may not enter any more")


class NextSeason(LeagueView):
    scope = "organise"
    is_private = True

    @operation(
        id="plan_next_season",
        summary="What the next season of your league would be",
        answer=SeasonPlanSerializer,
        example=SEASON_PLAN,
        parameters=[MOVES],
    )
    def get(self, request: Request, slug: str) -> Response:
        tournament = require_own_tournament(slug, request.user)
        plan = plan_next_season(tournament=tournament, moves=_read_moves(request.query_params.get("moves", "1")))
        return Response(SeasonPlanSerializer(plan).data)

    @operation(
        id="create_next_season",
        summary="Make the next season of your league, open for entries",
        description="From a season that is finished; made once, then the answer is the season that was made.",
        answer=TournamentSerializer,
        example={**TOURNAMENT, "state": "open", "commitment": None, "started_at": None},
        status=201,
        request=SeasonForm,
        request_example={"moves": 1},
    )
    @answer_once
    def post(self, request: Request, slug: str) -> Response:
        tournament = require_own_tournament(slug, request.user)
        sent = self.read_body(request, SeasonForm)
        made = create_next_season(tournament_id=tournament.id, actor=person_of(request), **sent)
        return Response(TournamentSerializer(made, context={"request": request}).data, status=201)


def _read_moves(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 5):
        raise LeagueError("bad_moves", f"From 0 to {MOST_MOVES} may go up and down, not {text[:20]!r}.")
    return int(text)
