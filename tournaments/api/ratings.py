"""Ratings: pools, their lists, a player's ratings and their history."""

from functools import partial

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.paging import RankedPages
from aurum_league.common.api.views import LeagueList, LeagueView, SparseSerializer, operation
from aurum_league.common.errors import LeagueError
from games.models import PlayerKind
from games.selectors.matches import find_player
from tournaments.api.examples import HISTORY, POOL, RATING
from tournaments.models import EntryKind, Rating, RatingPool
from tournaments.selectors.ratings import (
    RatingLine,
    list_pools,
    read_player_ratings,
    read_rating_history,
    read_rating_list,
)


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
