"""Stages of a tournament: matchdays, fixtures, standings, crosstables, brackets, and what else a stage tells."""

from dataclasses import asdict
from functools import partial
from typing import Any

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.views import LeagueList, LeagueView, operation
from aurum_league.common.cache import answer_cached
from aurum_league.common.errors import LeagueError
from tournaments.api.examples import (
    BRACKET_LINE,
    CERTIFICATE_ROW,
    CROSSTABLE,
    ENTRANT,
    FIXTURE,
    MATCHDAY,
    STAGE,
    STANDINGS,
    STATISTICS,
)
from tournaments.api.serializers import (
    CrosstableSerializer,
    EntrantSerializer,
    FixtureSerializer,
    MatchdaySerializer,
    StageSerializer,
    StandingsSerializer,
)
from tournaments.models import Fixture, Stage
from tournaments.rules.certificate import Uneven
from tournaments.rules.crosstable import build_crosstable
from tournaments.rules.formats import FORMATS
from tournaments.rules.pairing import TableKind
from tournaments.selectors.leagues import is_in_charge, list_stages, read_stage_version
from tournaments.selectors.rights import require_stage, require_tournament
from tournaments.selectors.schedule import (
    PREVIEWS,
    CountedMatchday,
    list_byes,
    list_fixtures,
    list_matchdays,
    read_bracket,
    show_tables,
)
from tournaments.selectors.situation import certify_stage
from tournaments.selectors.standings import read_stage_results, read_standings
from tournaments.selectors.statistics import read_bias, read_bids, read_rounds


class StageList(LeagueView):
    @operation(id="list_stages", summary="Stages of a tournament", answer=StageSerializer(many=True), example=STAGE)
    def get(self, request: Request, slug: str) -> Response:
        stages = list_stages(require_tournament(slug, request.user))
        return Response(StageSerializer(stages, many=True, context={"request": request}).data)


class StageDetail(LeagueView):
    @operation(id="read_stage", summary="One stage", answer=StageSerializer, example=STAGE)
    def get(self, request: Request, slug: str, stage: int) -> Response:
        return Response(StageSerializer(require_stage(slug, stage, request.user), context={"request": request}).data)


class StageStandingsView(LeagueView):
    @operation(
        id="read_standings",
        summary="Standings of a stage",
        description="`version` grows with every result that counts; so does the ETag.",
        answer=StandingsSerializer,
        example=STANDINGS,
    )
    def get(self, request: Request, slug: str, stage: int) -> HttpResponse:
        found = require_stage(slug, stage, request.user)

        def make() -> Any:
            return StandingsSerializer(read_standings(found), context={"request": request}).data

        return answer_cached(request, f"standings:{found.id}", partial(read_stage_version, found.id), make)


class StageCrosstable(LeagueView):
    @operation(
        id="read_crosstable",
        summary="How every entrant did against every other",
        answer=CrosstableSerializer,
        example=CROSSTABLE,
    )
    def get(self, request: Request, slug: str, stage: int) -> HttpResponse:
        found = require_stage(slug, stage, request.user)
        version = found.results_version

        def make() -> Any:
            results = read_stage_results(found, TableKind(found.tournament.table_kind))
            cells = [
                {"own": own, "other": other, **asdict(cell)} for (own, other), cell in build_crosstable(results).items()
            ]
            table = {"version": version, "cells": cells}
            return CrosstableSerializer(table, context={"request": request}).data

        return answer_cached(request, f"crosstable:{found.id}", partial(read_stage_version, found.id), make)


class MatchdayList(LeagueView):
    @operation(
        id="list_matchdays",
        summary="Matchdays of a stage",
        description="A draw that may still change is shown to its organiser alone.",
        answer=MatchdaySerializer(many=True),
        example=MATCHDAY,
    )
    def get(self, request: Request, slug: str, stage: int) -> Response:
        found = require_stage(slug, stage, request.user)
        matchdays = list_matchdays(found, is_in_charge=is_in_charge(request.user, found.tournament))
        return Response(MatchdaySerializer(matchdays, many=True, context={"request": request}).data)


class FixtureList(LeagueList):
    serializer_class = FixtureSerializer
    queryset = Fixture.objects.none()
    filter_backends = ()
    orderings = ("table",)

    @operation(
        id="list_fixtures",
        summary="Fixtures of a matchday",
        answer=FixtureSerializer(many=True),
        example=FIXTURE,
    )
    def get(self, request: Request, slug: str, stage: int, matchday: int) -> Response:
        found = require_matchday(require_stage(slug, stage, request.user), matchday, request)
        tables = show_tables(self.paginate_queryset(list_fixtures(found)) or [])
        rows = FixtureSerializer(tables, many=True, context={"request": request}).data
        return self.get_paginated_response(rows)


class ByeList(LeagueView):
    @operation(
        id="list_byes",
        summary="Entrants who rest on a matchday",
        answer=EntrantSerializer(many=True),
        example=ENTRANT,
    )
    def get(self, request: Request, slug: str, stage: int, matchday: int) -> Response:
        found = require_matchday(require_stage(slug, stage, request.user), matchday, request)
        resting = [bye.entrant for bye in list_byes(found)]
        return Response(EntrantSerializer(resting, many=True, context={"request": request}).data)


def require_matchday(stage: Stage, number: int, request: Request) -> CountedMatchday:
    """The matchday, where the one who asks may see it."""
    shown = list_matchdays(stage, is_in_charge=is_in_charge(request.user, stage.tournament))
    found = next((day for day in shown if day.number == number), None)
    if found is None:
        raise LeagueError("no_matchday", "There is no matchday %(number)s.", status=404, number=number)
    return found


MOST_ENTRANTS = 300
"""The certificate counts every pair of entrants."""


class BracketLineSerializer(serializers.Serializer):
    slot = serializers.CharField(read_only=True)
    wave = serializers.IntegerField(read_only=True, help_text="of the bracket, from 1")
    table = FixtureSerializer(read_only=True)
    sources = serializers.ListField(child=serializers.CharField(), read_only=True, help_text="slots they come from")


class CertificateRowSerializer(serializers.Serializer):
    """One quantity over all entrants or pairs, beside the least spread that arithmetic allows."""

    name = serializers.CharField(source="row.name", read_only=True)
    least = serializers.IntegerField(source="row.least", read_only=True)
    most = serializers.IntegerField(source="row.most", read_only=True)
    spread = serializers.IntegerField(source="row.spread", read_only=True)
    lower_bound = serializers.IntegerField(source="row.lower_bound", read_only=True)
    is_at_bound = serializers.BooleanField(source="row.is_at_bound", read_only=True)
    why = serializers.ChoiceField(
        [str(one) for one in Uneven], read_only=True, allow_null=True, help_text="what lies behind a spread above it"
    )


class EndsSerializer(serializers.Serializer):
    no_lead = serializers.IntegerField(read_only=True)
    no_play = serializers.IntegerField(read_only=True)
    declined_gold = serializers.IntegerField(read_only=True)


class BidsSerializer(serializers.Serializer):
    """Sums over all rounds of one entrant; the share of exact bids with its 95 % interval over deals."""

    entrant = serializers.IntegerField(source="id", read_only=True)
    matches = serializers.IntegerField(read_only=True)
    rounds = serializers.IntegerField(read_only=True)
    bids = serializers.IntegerField(read_only=True)
    tricks = serializers.IntegerField(read_only=True)
    gold_points = serializers.IntegerField(read_only=True)
    total = serializers.IntegerField(read_only=True)
    nuggets = serializers.IntegerField(read_only=True)
    exact_share = serializers.FloatField(read_only=True)
    exact_low = serializers.FloatField(read_only=True, allow_null=True)
    exact_high = serializers.FloatField(read_only=True, allow_null=True)


class ShareSerializer(serializers.Serializer):
    mean = serializers.FloatField(read_only=True)
    low = serializers.FloatField(read_only=True, allow_null=True)
    high = serializers.FloatField(read_only=True, allow_null=True)


class BiasSerializer(serializers.Serializer):
    shares = ShareSerializer(many=True, read_only=True, help_text="of first places, by position")
    p_value = serializers.FloatField(read_only=True, allow_null=True, help_text="if position did not matter")
    matches = serializers.IntegerField(read_only=True)


class StatisticsSerializer(serializers.Serializer):
    matches = serializers.IntegerField(read_only=True)
    rounds = serializers.IntegerField(read_only=True)
    ends = EndsSerializer(read_only=True, help_text="how rounds ended")
    entrants = BidsSerializer(many=True, read_only=True)
    by_seat = BiasSerializer(read_only=True)
    by_first_player = BiasSerializer(read_only=True, help_text="by distance from the first player")


class StageBracket(LeagueView):
    @operation(
        id="read_bracket",
        summary="The bracket of a knockout as far as it is released",
        description="Empty for other formats.",
        answer=BracketLineSerializer(many=True),
        example=BRACKET_LINE,
    )
    def get(self, request: Request, slug: str, stage: int) -> Response:
        found = require_stage(slug, stage, request.user)
        lines = read_bracket(found) if FORMATS[found.format].has_bracket else []
        return Response(BracketLineSerializer(lines, many=True).data)


class StageStatistics(LeagueView):
    @operation(
        id="read_statistics",
        summary="Bids, tricks and gold by entrant, how rounds ended, and whether the seat matters",
        answer=StatisticsSerializer,
        example=STATISTICS,
    )
    def get(self, request: Request, slug: str, stage: int) -> HttpResponse:
        found = require_stage(slug, stage, request.user)
        version = partial(read_stage_version, found.id)
        return answer_cached(request, f"statistics:{found.id}", version, partial(_make_statistics, found))


class StageBalance(LeagueView):
    @operation(
        id="read_balance",
        summary="The balance certificate: how evenly the schedule treats everybody",
        answer=CertificateRowSerializer(many=True),
        example=CERTIFICATE_ROW,
    )
    def get(self, request: Request, slug: str, stage: int) -> Response:
        found = require_stage(slug, stage, request.user)
        tournament = found.tournament
        if tournament.state in PREVIEWS and not is_in_charge(request.user, tournament):
            return Response([])
        if len(found.field) > MOST_ENTRANTS:
            raise LeagueError(
                "field_too_large",
                "Certificates are for at most %(most)s entrants.",
                status=409,
                most=MOST_ENTRANTS,
            )
        return Response(CertificateRowSerializer(certify_stage(found), many=True).data)


def _make_statistics(stage: Stage) -> dict[str, Any]:
    rounds, bias = read_rounds([stage]), read_bias([stage])
    entrants = [line for entrant, line in read_bids([stage]).items() if entrant in stage.field]
    about = {"matches": rounds.matches, "rounds": rounds.rounds, "ends": rounds.ends, "entrants": entrants}
    return StatisticsSerializer({**about, "by_seat": bias.seat, "by_first_player": bias.first_player}).data
