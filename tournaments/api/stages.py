"""Stages of a tournament: their matchdays, fixtures, standings and crosstables."""

from dataclasses import asdict
from functools import partial
from typing import Any

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.views import LeagueList, LeagueView, operation
from aurum_league.common.cache import answer_cached
from aurum_league.common.errors import LeagueError
from tournaments.api.examples import CROSSTABLE, ENTRANT, FIXTURE, MATCHDAY, STAGE, STANDINGS
from tournaments.api.serializers import (
    CrosstableSerializer,
    EntrantSerializer,
    FixtureSerializer,
    MatchdaySerializer,
    StageSerializer,
    StandingsSerializer,
)
from tournaments.models import Fixture, Stage
from tournaments.rules.pairing import TableKind
from tournaments.rules.statistics.crosstable import build_crosstable
from tournaments.selectors.leagues import is_in_charge, list_stages
from tournaments.selectors.results import read_stage_results
from tournaments.selectors.rights import require_stage, require_tournament
from tournaments.selectors.schedule import CountedMatchday, list_byes, list_fixtures, list_matchdays, show_tables
from tournaments.selectors.stages import read_stage_version
from tournaments.selectors.standings import read_standings


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
