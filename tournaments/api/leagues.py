"""Leagues: lasting competitions, whose seasons are tournaments."""

from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.filters import CharFilter, FilterSet
from aurum_league.common.api.idempotency import answer_once
from aurum_league.common.api.operations import operation
from aurum_league.common.api.scopes import person_of
from aurum_league.common.api.views import LeagueList, LeagueView
from tournaments.api.examples import LEAGUE
from tournaments.api.serializers import LeagueSerializer
from tournaments.models import League
from tournaments.selectors.listing import list_leagues
from tournaments.selectors.rights import require_league, require_organiser, require_own_league
from tournaments.services.leagues import create_league, edit_league


class LeagueForm(serializers.Serializer):
    name = serializers.CharField(max_length=80)
    description = serializers.CharField(max_length=4000, required=False, allow_blank=True)


class LeagueFilter(FilterSet):
    name = CharFilter(lookup_expr="icontains", help_text="part of the name")

    class Meta:
        model = League
        fields = ("name",)


class Leagues(LeagueList):
    scope = "organise"
    serializer_class = LeagueSerializer
    filterset_class = LeagueFilter
    orderings = ("name", "id", "created_at")

    def get_queryset(self) -> QuerySet[League]:
        return list_leagues().select_related("organiser")

    @operation(id="list_leagues", summary="Leagues", answer=LeagueSerializer(many=True), example=LEAGUE)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.list(request)

    @operation(
        id="create_league",
        summary="Start a league",
        answer=LeagueSerializer,
        example=LEAGUE,
        status=201,
        request=LeagueForm,
        request_example={"name": "Sunday League", "description": "Every Sunday."},
    )
    @answer_once
    def post(self, request: Request) -> Response:
        require_organiser(request.user)
        league = create_league(organiser=person_of(request), **self.read_body(request, LeagueForm))
        return Response(LeagueSerializer(league, context={"request": request}).data, status=201)


class LeagueDetail(LeagueView):
    scope = "organise"

    @operation(id="read_league", summary="One league", answer=LeagueSerializer, example=LEAGUE)
    def get(self, request: Request, slug: str) -> Response:
        return Response(LeagueSerializer(require_league(slug), context={"request": request}).data)

    @operation(
        id="edit_league",
        summary="Name or describe your league anew",
        answer=LeagueSerializer,
        example=LEAGUE,
        request=LeagueForm,
        request_example={"name": "Sunday League", "description": "Every other Sunday."},
        is_once=False,
    )
    def put(self, request: Request, slug: str) -> Response:
        league = require_own_league(slug, request.user)
        edited = edit_league(league_id=league.pk, **self.read_body(request, LeagueForm))
        return Response(LeagueSerializer(edited, context={"request": request}).data)
