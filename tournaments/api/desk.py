"""What only the desk reads: the spec that a tournament was made from, and why matches wait for a decision."""

from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.operations import operation
from aurum_league.common.api.views import LeagueView
from games.models import MatchState
from tournaments.api.examples import FULL_SPEC, TROUBLE
from tournaments.selectors.desk import list_desk_matches
from tournaments.selectors.rights import require_own_tournament
from tournaments.selectors.specs import spec_of


class TroubleSerializer(serializers.Serializer):
    match = serializers.IntegerField(source="match_id", read_only=True)
    stage = serializers.IntegerField(source="stage.number", read_only=True)
    matchday = serializers.IntegerField(source="fixture.matchday.number", read_only=True)
    table = serializers.IntegerField(source="fixture.table", read_only=True)
    trouble = serializers.CharField(source="match.trouble", read_only=True, help_text="why it could not be played")


class TournamentSpec(LeagueView):
    is_private = True

    @operation(
        id="read_spec",
        summary="The spec of a tournament of yours, with every key",
        description="What PUT takes while it is a draft, and POST for another one like it.",
        answer=OpenApiTypes.OBJECT,
        example=FULL_SPEC,
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response(spec_of(require_own_tournament(slug, request.user)))


class TournamentTroubles(LeagueView):
    is_private = True

    @operation(
        id="list_troubles",
        summary="Matches that wait for your decision, and why",
        description="Decide each by POST to `decisions`: play it again, forfeit, void, or a result by hand.",
        answer=TroubleSerializer(many=True),
        example=TROUBLE,
    )
    def get(self, request: Request, slug: str) -> Response:
        waiting = list_desk_matches(require_own_tournament(slug, request.user), [MatchState.QUARANTINED])
        return Response(TroubleSerializer(waiting, many=True).data)
