"""Players: pools and rating lists, histories, whom they met, what they played, and finding anybody by name."""

from functools import partial
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.paging import RankedPages
from aurum_league.common.api.views import (
    ChoiceFilter,
    FilterSet,
    LeagueList,
    LeagueView,
    NumberFilter,
    SparseSerializer,
    operation,
)
from aurum_league.common.errors import LeagueError
from games.api.matches import show_matches
from games.api.serializers import MATCH, MatchSerializer, PlayerSerializer
from games.models import Match, MatchState, PlayerKind
from games.selectors.matches import find_player, list_matches
from tournaments.api.examples import FOUND, HEAD_TO_HEAD, HISTORY, OPPONENT, POOL, RATING
from tournaments.api.serializers import LeagueSerializer
from tournaments.models import EntryKind, Rating, RatingPool, Tournament
from tournaments.selectors.leagues import search_names
from tournaments.selectors.players import list_opponents
from tournaments.selectors.ratings import (
    RatingLine,
    list_pools,
    read_player_ratings,
    read_rating_history,
    read_rating_list,
)
from tournaments.selectors.rights import require_tournament
from tournaments.selectors.statistics import HeadToHead, read_head_to_head


class PoolSerializer(SparseSerializer):
    code = serializers.CharField(source="*", read_only=True)
    players = serializers.IntegerField(read_only=True)
    entry_kind = serializers.ChoiceField(EntryKind.choices, read_only=True)
    is_teams = serializers.BooleanField(read_only=True)
    sequence = serializers.IntegerField(read_only=True, help_text="matches rated so far")
    fitted_at = serializers.DateTimeField(read_only=True, allow_null=True)


class RatingSerializer(SparseSerializer):
    pool = serializers.CharField(read_only=True)
    player = serializers.CharField(source="slug", read_only=True)
    name = serializers.CharField(read_only=True)
    kind = serializers.ChoiceField(PlayerKind.choices, read_only=True)
    rank = serializers.IntegerField(read_only=True, allow_null=True, help_text="null while provisional")
    rank_best = serializers.IntegerField(
        source="span.best", read_only=True, allow_null=True, default=None, help_text="best rank the results leave open"
    )
    rank_worst = serializers.IntegerField(source="span.worst", read_only=True, allow_null=True, default=None)
    number = serializers.FloatField(source="shown.number", read_only=True)
    low = serializers.FloatField(source="shown.low", read_only=True, help_text="95 % interval")
    high = serializers.FloatField(source="shown.high", read_only=True)
    lower_bound = serializers.FloatField(source="shown.lower_bound", read_only=True, help_text="what ranks are by")
    is_provisional = serializers.BooleanField(source="shown.is_provisional", read_only=True)
    is_official = serializers.BooleanField(read_only=True)
    matches = serializers.IntegerField(read_only=True)


class HistorySerializer(SparseSerializer):
    sequence = serializers.IntegerField(read_only=True)
    at = serializers.DateTimeField(read_only=True, allow_null=True)
    number = serializers.FloatField(read_only=True)
    low = serializers.FloatField(read_only=True)
    high = serializers.FloatField(read_only=True)


class PoolList(LeagueView):
    @operation(id="list_pools", summary="Rating pools", answer=PoolSerializer(many=True), example=POOL)
    def get(self, request: Request) -> Response:
        return Response(PoolSerializer(list_pools(), many=True, context={"request": request}).data)


class PoolRatings(LeagueList):
    serializer_class = RatingSerializer
    queryset = Rating.objects.none()
    filter_backends = ()
    pagination_class = RankedPages

    @operation(
        id="list_ratings",
        summary="Ratings of a pool, best first",
        answer=RatingSerializer(many=True),
        example=RATING,
    )
    def get(self, request: Request, pool: str) -> Response:
        found = _find_pool(pool)
        pages = RankedPages()
        lines = pages.read_page(partial(_read_lines, found), request)
        return pages.get_paginated_response(RatingSerializer(lines, many=True, context={"request": request}).data)


class PlayerRatings(LeagueView):
    @operation(
        id="read_player_ratings",
        summary="A player's rating in every pool",
        answer=RatingSerializer(many=True),
        example=RATING,
    )
    def get(self, request: Request, slug: str) -> Response:
        lines = read_player_ratings(find_player(slug).pk)
        return Response(RatingSerializer(lines, many=True, context={"request": request}).data)


class RatingHistory(LeagueView):
    @operation(
        id="read_rating_history",
        summary="How a player's rating went, in about 200 points",
        answer=HistorySerializer(many=True),
        example=HISTORY,
    )
    def get(self, request: Request, slug: str, pool: str) -> Response:
        points = read_rating_history(find_player(slug).pk, _find_pool(pool))
        return Response(HistorySerializer(points, many=True, context={"request": request}).data)


def _find_pool(code: str) -> RatingPool:
    found = next((pool for pool in list_pools() if str(pool) == code), None)
    if found is None:
        raise LeagueError("no_pool", "There is no rating pool %(code)s.", status=404, code=code)
    return found


def _read_lines(pool: RatingPool, offset: int, limit: int) -> list[RatingLine]:
    return list(read_rating_list(pool, offset=offset, limit=limit).lines)


MOST_OPPONENTS = 100
MOST_FOUND = 20
TABLE_SIZES = (3, 4)
COUNTED: dict[str, Any] = {"min_value": 1, "max_value": 100_000}
WORDS = OpenApiParameter("q", str, required=True, description="part of a name")


class OpponentSerializer(serializers.Serializer):
    player = serializers.CharField(source="slug", read_only=True)
    name = serializers.CharField(read_only=True)
    meetings = serializers.IntegerField(read_only=True)
    ahead = serializers.FloatField(read_only=True, help_text="share of better places, a shared one counts half")
    difference = serializers.FloatField(read_only=True, help_text="mean difference of totals")


class MeetingsSerializer(serializers.Serializer):
    players = serializers.IntegerField(read_only=True, help_text="size of the table")
    meetings = serializers.IntegerField(read_only=True)
    share_ahead = serializers.FloatField(read_only=True)
    mean_difference = serializers.FloatField(read_only=True)
    low = serializers.FloatField(read_only=True, allow_null=True, help_text="95 % interval of the difference")
    high = serializers.FloatField(read_only=True, allow_null=True)
    p_value = serializers.FloatField(read_only=True, allow_null=True)


class FoundTournamentSerializer(serializers.ModelSerializer):
    class Meta:
        model = Tournament
        fields = ("slug", "name", "state")
        read_only_fields = fields


class FoundSerializer(serializers.Serializer):
    leagues = LeagueSerializer(many=True, read_only=True)
    tournaments = FoundTournamentSerializer(many=True, read_only=True)
    players = PlayerSerializer(many=True, read_only=True)


class TournamentMatchFilter(FilterSet):
    state = ChoiceFilter(choices=MatchState.choices)
    stage = NumberFilter(field_name="fixture_match__stage__number", **COUNTED, help_text="a stage's number")
    matchday = NumberFilter(field_name="fixture_match__fixture__matchday__number", **COUNTED, help_text="of the stage")
    table = NumberFilter(field_name="fixture_match__fixture__table", **COUNTED, help_text="of the matchday")

    class Meta:
        model = Match
        fields = ("state", "stage", "matchday", "table")


class TournamentMatches(LeagueList):
    serializer_class = MatchSerializer
    queryset = Match.objects.none()
    filterset_class = TournamentMatchFilter
    orderings = ("id",)

    @operation(
        id="list_tournament_matches",
        summary="Matches of a tournament, newest first",
        description="`state=quarantined` are those that wait for the organiser's decision.",
        answer=MatchSerializer(many=True),
        example=MATCH,
    )
    def get(self, request: Request, slug: str) -> Response:
        own = _list_own(require_tournament(slug, request.user), request)
        page = self.paginate_queryset(self.filter_queryset(own)) or []
        return self.get_paginated_response(show_matches(page, request))


class PlayerOpponents(LeagueView):
    @operation(
        id="list_opponents",
        summary="Whom a player met most in the last 1,000 matches",
        answer=OpponentSerializer(many=True),
        example=OPPONENT,
    )
    def get(self, request: Request, slug: str) -> Response:
        met = list_opponents(find_player(slug), MOST_OPPONENTS)
        return Response(OpponentSerializer(met, many=True).data)


class PlayerMeetings(LeagueView):
    @operation(
        id="read_meetings",
        summary="All meetings of two players, by size of the table",
        answer=MeetingsSerializer(many=True),
        example=HEAD_TO_HEAD,
    )
    def get(self, request: Request, slug: str, other: str) -> Response:
        own, against = find_player(slug), find_player(other)
        met = [read_head_to_head(own.pk, against.pk, players=players) for players in TABLE_SIZES]
        return Response(MeetingsSerializer([_describe(one) for one in met if one.cell], many=True).data)


class Search(LeagueView):
    @operation(
        id="search",
        summary="Leagues, tournaments and players by name",
        answer=FoundSerializer,
        example=FOUND,
        parameters=[WORDS],
    )
    def get(self, request: Request) -> Response:
        return Response(FoundSerializer(search_names(request.query_params.get("q", ""), MOST_FOUND)).data)


def _list_own(tournament: Tournament, request: Request) -> QuerySet[Match]:
    return list_matches(request.user).filter(fixture_match__stage__tournament=tournament)


def _describe(met: HeadToHead) -> dict[str, Any]:
    names = ("meetings", "share_ahead", "mean_difference", "low", "high", "p_value")
    return {"players": met.players, **{name: getattr(met.cell, name) for name in names}}
