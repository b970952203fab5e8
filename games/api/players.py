"""Players: whoever can hold a seat and a rating."""

from typing import Any

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.filters import BooleanFilter, CharFilter, ChoiceFilter, FilterSet
from aurum_league.common.api.operations import operation
from aurum_league.common.api.views import LeagueList, LeagueView
from games.api.examples import PLAYER
from games.api.serializers import PlayerSerializer
from games.models import Player, PlayerKind
from games.selectors.match_lists import find_player, list_players


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
