"""Players and rulesets: whoever can hold a seat, and the rules to play by."""

from typing import Any

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.views import (
    BooleanFilter,
    CharFilter,
    ChoiceFilter,
    FilterSet,
    LeagueList,
    LeagueView,
    operation,
)
from aurum_league.common.errors import LeagueError
from games.api.serializers import PLAYER, RULESET, PlayerSerializer, RulesetSerializer, ruleset_row
from games.models import Player, PlayerKind
from games.rules.ruleset import Ruleset, RulesetError, all_rulesets
from games.selectors.matches import find_player, list_players


class PlayerFilter(FilterSet):
    kind = ChoiceFilter(choices=PlayerKind.choices)
    owner = CharFilter(field_name="owner__username", help_text="name of the account")
    name = CharFilter(lookup_expr="icontains", help_text="part of the name")
    is_active = BooleanFilter()

    class Meta:
        model = Player
        fields = ("kind", "owner", "name", "is_active")


class PlayerList(LeagueList):
    serializer_class = PlayerSerializer
    filterset_class = PlayerFilter
    orderings = ("name", "id", "created_at")

    def get_queryset(self) -> QuerySet[Player]:
        return list_players()

    @operation(id="list_players", summary="Players", answer=PlayerSerializer(many=True), example=PLAYER)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.list(request)


class PlayerDetail(LeagueView):
    @operation(id="read_player", summary="One player", answer=PlayerSerializer, example=PLAYER)
    def get(self, request: Request, slug: str) -> Response:
        return Response(PlayerSerializer(find_player(slug), context={"request": request}).data)


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
            raise LeagueError("unknown_ruleset", error.sentence, status=404) from None
        return Response(RulesetSerializer(row, context={"request": request}).data)
