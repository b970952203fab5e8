"""Rulesets: every rule that can vary, under a short code."""

from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.operations import operation
from aurum_league.common.api.views import LeagueView
from aurum_league.common.errors import LeagueError
from games.api.examples import RULESET
from games.api.serializers import RulesetSerializer, ruleset_row
from games.rules.ruleset import Ruleset, RulesetError, all_rulesets


class RulesetList(LeagueView):
    @operation(
        id="list_rulesets", summary="Every ruleset there is", answer=RulesetSerializer(many=True), example=RULESET
    )
    def get(self, request: Request) -> Response:
        rows = [ruleset_row(ruleset) for ruleset in all_rulesets()]
        return Response(RulesetSerializer(rows, many=True, context={"request": request}).data)


class RulesetDetail(LeagueView):
    @operation(id="read_ruleset", summary="One ruleset", answer=RulesetSerializer, example=RULESET)
    def get(self, request: Request, code: str) -> Response:
        try:
            row = ruleset_row(Ruleset.from_code(code))
        except RulesetError as error:
            raise LeagueError("unknown_ruleset", str(error), status=404) from None
        return Response(RulesetSerializer(row, context={"request": request}).data)
