"""Leagues, their next seasons, and presets to start from."""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.access import person_of
from aurum_league.common.api.idempotency import answer_once
from aurum_league.common.api.views import CharFilter, FilterSet, LeagueList, LeagueView, SparseSerializer, operation
from aurum_league.common.errors import LeagueError
from tournaments.api.examples import LEAGUE, LEAGUE_HISTORY, PRESET, SEASON_PLAN, TOURNAMENT
from tournaments.api.serializers import EntrantSerializer, LeagueSerializer, ObjectField, TournamentSerializer
from tournaments.models import League
from tournaments.rules.spec import LONGEST_DESCRIPTION, LONGEST_NAME
from tournaments.selectors.league_history import LeagueHistory, read_league_history
from tournaments.selectors.leagues import list_leagues
from tournaments.selectors.rights import (
    Right,
    require_league,
    require_organiser,
    require_own_league,
    require_own_tournament,
)
from tournaments.services.leagues import (
    MOST_MOVES,
    SHOWN_PRESETS,
    Move,
    create_league,
    create_next_season,
    edit_league,
    plan_next_season,
)
from tournaments.services.play_off import create_play_off


class LeagueFormSerializer(serializers.Serializer):
    name = serializers.CharField(max_length=LONGEST_NAME)
    description = serializers.CharField(max_length=LONGEST_DESCRIPTION, required=False, allow_blank=True)
    is_unlisted = serializers.BooleanField(required=False, help_text="in no list or search")


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
        request=LeagueFormSerializer,
        request_example={"name": "Sunday League", "description": "Every Sunday."},
    )
    @answer_once
    def post(self, request: Request) -> Response:
        require_organiser(request.user)
        league = create_league(organiser=person_of(request), **self.read_body(request, LeagueFormSerializer))
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
        request=LeagueFormSerializer,
        request_example={"name": "Sunday League", "description": "Every other Sunday."},
        is_once=False,
    )
    def put(self, request: Request, slug: str) -> Response:
        league = require_own_league(slug, request.user)
        edited = edit_league(league_id=league.pk, **self.read_body(request, LeagueFormSerializer))
        return Response(LeagueSerializer(edited, context={"request": request}).data)


class AllTimeLineSerializer(serializers.Serializer):
    """One player over all finished seasons; `best` is the best place in the first division."""

    player = serializers.CharField(source="slug", read_only=True)
    name = serializers.CharField(read_only=True)
    seasons = serializers.IntegerField(read_only=True)
    titles = serializers.IntegerField(read_only=True)
    best = serializers.IntegerField(read_only=True, allow_null=True)
    matches = serializers.IntegerField(read_only=True)
    wins = serializers.FloatField(read_only=True)
    points = serializers.FloatField(read_only=True)


class LeagueRecordSerializer(serializers.Serializer):
    code = serializers.CharField(read_only=True, help_text="points_in_a_stage, wins_in_a_stage, score_in_a_match")
    value = serializers.FloatField(read_only=True)
    player = serializers.CharField(source="slug", read_only=True)
    tournament = serializers.CharField(read_only=True)
    match = serializers.IntegerField(source="match_id", read_only=True, allow_null=True)


class LeagueMeetingSerializer(serializers.Serializer):
    player = serializers.CharField(read_only=True)
    other = serializers.CharField(read_only=True)
    meetings = serializers.IntegerField(read_only=True)
    ahead = serializers.FloatField(read_only=True, help_text="a shared place is one half")


class LeagueHistorySerializer(serializers.Serializer):
    seasons = serializers.IntegerField(read_only=True, help_text="that are finished")
    lines = AllTimeLineSerializer(many=True, read_only=True)
    records = LeagueRecordSerializer(many=True, read_only=True)
    champions = serializers.SerializerMethodField(help_text="player and season, newest first")
    meetings = serializers.SerializerMethodField(help_text="of the best of all time with each other")

    @extend_schema_field(serializers.ListField(child=serializers.ListField(child=serializers.CharField())))
    def get_champions(self, history: LeagueHistory) -> list[list[str]]:
        return [[slug, season] for _name, slug, season, _number in history.champions]

    @extend_schema_field(LeagueMeetingSerializer(many=True))
    def get_meetings(self, history: LeagueHistory) -> list[dict[str, Any]]:
        slugs = {line.player_id: line.slug for line in history.lines}
        return [
            {"player": slugs[own], "other": slugs[other], "meetings": cell.meetings, "ahead": cell.ahead}
            for (own, other), cell in sorted(history.meetings.items())
        ]


class LeagueHistoryView(LeagueView):
    @operation(
        id="read_league_history",
        summary="A league over all its seasons",
        description="The all-time table, records, champions, and how the best did against each other.",
        answer=LeagueHistorySerializer,
        example=LEAGUE_HISTORY,
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response(LeagueHistorySerializer(read_league_history(require_league(slug))).data)


MOVES = OpenApiParameter(
    "moves",
    {"type": "integer", "minimum": 0, "maximum": MOST_MOVES, "default": 1},
    description="how many go up and down between two divisions",
)


class SeasonFormSerializer(serializers.Serializer):
    moves = serializers.IntegerField(min_value=0, max_value=MOST_MOVES, required=False, default=1)
    name = serializers.CharField(max_length=LONGEST_NAME, required=False, allow_blank=True, default="")


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
        tournament = require_own_tournament(slug, request.user, Right.LOOK)
        plan = plan_next_season(tournament=tournament, moves=_read_moves(request.query_params.get("moves", "1")))
        return Response(SeasonPlanSerializer(plan).data)

    @operation(
        id="create_next_season",
        summary="Make the next season of your league, open for entries",
        description="From a season that is finished; made once, then the answer is the season that was made.",
        answer=TournamentSerializer,
        example={**TOURNAMENT, "state": "open", "commitment": None, "started_at": None},
        status=201,
        request=SeasonFormSerializer,
        request_example={"moves": 1},
    )
    @answer_once
    def post(self, request: Request, slug: str) -> Response:
        tournament = require_own_tournament(slug, request.user)
        sent = self.read_body(request, SeasonFormSerializer)
        made = create_next_season(tournament_id=tournament.id, actor=person_of(request), **sent)
        return Response(TournamentSerializer(made, context={"request": request}).data, status=201)


class PlayOff(LeagueView):
    scope = "organise"

    @operation(
        id="create_play_off",
        summary="Play off for a title that is dead level",
        description="From a tournament that is finished: an event of its own that plays at once, unrated, on new deals "
        "with the seats balanced. House bots take seats that are missing and cannot win; if those who were level are "
        "so again, lots decide. Made once, then the answer is the play-off that was made.",
        answer=TournamentSerializer,
        example={**TOURNAMENT, "name": "Club cup: play-off", "slug": "club-cup-play-off", "is_rated": False},
        status=201,
    )
    @answer_once
    def post(self, request: Request, slug: str) -> Response:
        tournament = require_own_tournament(slug, request.user)
        made = create_play_off(tournament_id=tournament.id, actor=person_of(request))
        return Response(TournamentSerializer(made, context={"request": request}).data, status=201)


def _read_moves(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 5):
        raise LeagueError(
            "bad_moves",
            "From 0 to %(most)s may go up and down, not %(number)s.",
            most=MOST_MOVES,
            number=repr(text[:20]),
        )
    return int(text)


class PresetSerializer(SparseSerializer):
    code = serializers.CharField(read_only=True)
    title = serializers.CharField(read_only=True)
    description = serializers.CharField(read_only=True)
    spec = ObjectField(read_only=True, help_text="give it a name and send it as a tournament")


class PresetList(LeagueView):
    @operation(
        id="list_presets",
        summary="Tournaments to start from",
        answer=PresetSerializer(many=True),
        example=PRESET,
    )
    def get(self, request: Request) -> Response:
        rows = [_describe(code) for code in SHOWN_PRESETS]
        return Response(PresetSerializer(rows, many=True, context={"request": request}).data)


class PresetDetail(LeagueView):
    @operation(id="read_preset", summary="One preset", answer=PresetSerializer, example=PRESET)
    def get(self, request: Request, code: str) -> Response:
        if code not in SHOWN_PRESETS:
            raise LeagueError("unknown_preset", "There is no preset %(name)s.", status=404, name=code)
        return Response(PresetSerializer(_describe(code), context={"request": request}).data)


def _describe(code: str) -> dict[str, Any]:
    preset = SHOWN_PRESETS[code]
    return {"code": code, "title": preset.title, "description": preset.description, "spec": preset.spec}
