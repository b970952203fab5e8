"""The forecast of a tournament before it is drawn, for its organiser."""

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.views import LeagueView, operation
from aurum_league.common.errors import N_, LeagueError
from tournaments.api.examples import FORECAST
from tournaments.rules.pairing import TableKind
from tournaments.selectors.forecast import MOST_ENTRANTS, describe_forecast, read_forecast
from tournaments.selectors.rights import require_own_tournament


class ForecastChoiceSerializer(serializers.Serializer):
    code = serializers.CharField(read_only=True, help_text="`this`, `twice` as many deals, or a preset")
    best_wins = serializers.FloatField(
        read_only=True, allow_null=True, help_text="chance that the strongest comes first; null where nobody can tell"
    )
    gap = serializers.FloatField(
        read_only=True, allow_null=True, help_text="rating points that will be separated with a chance of 80 %"
    )
    matches = serializers.IntegerField(read_only=True, allow_null=True)
    seconds = serializers.FloatField(
        read_only=True, allow_null=True, help_text="at the pace of the latest matches of bots; null for people"
    )
    worlds = serializers.IntegerField(read_only=True, help_text="how often it was played on paper")


class ForecastSerializer(serializers.Serializer):
    entrants = serializers.IntegerField(read_only=True)
    known = serializers.IntegerField(read_only=True, help_text="entrants whose rating is known")
    spread = serializers.IntegerField(read_only=True, help_text="of strength, in rating points")
    problem = serializers.CharField(read_only=True, allow_null=True, help_text="what stands against the draw")
    choices = ForecastChoiceSerializer(many=True, read_only=True)


class TournamentForecast(LeagueView):
    is_private = True
    scope = "organise"

    @operation(
        id="read_forecast",
        summary="What a tournament will tell, before it is drawn",
        description="Beside it what twice as many deals, or another preset, would tell. For its organiser.",
        answer=ForecastSerializer,
        example=FORECAST,
        parameters=[OpenApiParameter("entrants", int, description="for how many; those who entered where not given")],
    )
    def get(self, request: Request, slug: str) -> Response:
        tournament = require_own_tournament(slug, request.user)
        asked = request.query_params.get("entrants", "")
        least = TableKind(tournament.table_kind).entrants
        is_number = asked.isdecimal() and len(asked) <= len(str(MOST_ENTRANTS))
        if asked and not (is_number and least <= int(asked) <= MOST_ENTRANTS):
            sentence = N_("entrants must be a whole number from %(least)s to %(most)s.")
            raise LeagueError("invalid", sentence, least=least, most=MOST_ENTRANTS)
        told = read_forecast(tournament, int(asked) if asked else None)
        return Response(ForecastSerializer(describe_forecast(told)).data)
