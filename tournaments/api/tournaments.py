"""Tournaments: lists, single ones, and what their organiser writes."""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.filters import BooleanFilter, CharFilter, ChoiceFilter, FilterSet
from aurum_league.common.api.idempotency import answer_once
from aurum_league.common.api.operations import operation
from aurum_league.common.api.scopes import person_of
from aurum_league.common.api.views import LeagueList, LeagueView
from aurum_league.common.errors import LeagueError
from tournaments.api.examples import SPEC, TOURNAMENT
from tournaments.api.serializers import TournamentSerializer
from tournaments.models import EntryKind, Tournament, TournamentState
from tournaments.selectors.listing import list_tournaments
from tournaments.selectors.rights import (
    require_organiser,
    require_own_league,
    require_own_tournament,
    require_tournament,
)
from tournaments.services.leagues import create_tournament, edit_tournament

SPEC_WORDS = (
    "The body is a spec: `name`, `stages` (each with a `format` and its options) and, where wished, `description`, "
    "`ruleset`, `table_kind`, `entry_kind`, `is_rated`, `capacity`, `needs_check_in`, `clock`."
)


class TournamentFilter(FilterSet):
    state = ChoiceFilter(choices=TournamentState.choices)
    league = CharFilter(field_name="league__slug", help_text="a league's slug")
    ruleset = CharFilter(help_text="a ruleset's code")
    entry_kind = ChoiceFilter(choices=EntryKind.choices)
    is_rated = BooleanFilter()
    name = CharFilter(lookup_expr="icontains", help_text="part of the name")

    class Meta:
        model = Tournament
        fields = ("state", "league", "ruleset", "entry_kind", "is_rated", "name")


class Tournaments(LeagueList):
    scope = "organise"
    serializer_class = TournamentSerializer
    filterset_class = TournamentFilter
    orderings = ("id", "name", "created_at")

    def get_queryset(self) -> QuerySet[Tournament]:
        return list_tournaments().select_related("league", "organiser").defer(None)

    @operation(id="list_tournaments", summary="Tournaments", answer=TournamentSerializer(many=True), example=TOURNAMENT)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.list(request)

    @operation(
        id="create_tournament",
        summary="Draft a tournament",
        description=f"{SPEC_WORDS} With `league`, a slug of a league of yours, it becomes the league's next season.",
        answer=TournamentSerializer,
        example={**TOURNAMENT, "state": "draft", "commitment": None, "started_at": None},
        status=201,
        request=OpenApiTypes.OBJECT,
        request_example=SPEC,
    )
    @answer_once
    def post(self, request: Request) -> Response:
        require_organiser(request.user)
        spec = _read_spec(request)
        slug = spec.pop("league", None)
        league = require_own_league(str(slug), request.user) if slug is not None else None
        tournament = create_tournament(spec=spec, organiser=person_of(request), league=league)
        return Response(_show(tournament, request), status=201)


class TournamentDetail(LeagueView):
    scope = "organise"

    @operation(id="read_tournament", summary="One tournament", answer=TournamentSerializer, example=TOURNAMENT)
    def get(self, request: Request, slug: str) -> Response:
        return Response(_show(require_tournament(slug, request.user), request))

    @operation(
        id="edit_tournament",
        summary="Write a draft anew",
        description=SPEC_WORDS,
        answer=TournamentSerializer,
        example={**TOURNAMENT, "state": "draft", "commitment": None, "started_at": None},
        request=OpenApiTypes.OBJECT,
        request_example=SPEC,
        is_once=False,
    )
    def put(self, request: Request, slug: str) -> Response:
        tournament = require_own_tournament(slug, request.user)
        edited = edit_tournament(tournament_id=tournament.id, spec=_read_spec(request), actor=person_of(request))
        return Response(_show(edited, request))


def _read_spec(request: Request) -> dict[str, Any]:
    if not isinstance(request.data, dict):
        raise LeagueError("bad_spec", "A spec is a JSON object.")
    return dict(request.data)


def _show(tournament: Tournament, request: Request) -> dict[str, Any]:
    return TournamentSerializer(tournament, context={"request": request}).data
