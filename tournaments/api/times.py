"""When a tournament and its matchdays happen, as its organiser sets it."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.access import person_of
from aurum_league.common.api.views import operation
from tournaments.api.examples import STAGE, TOURNAMENT
from tournaments.api.running import Organising
from tournaments.api.serializers import StageSerializer, TournamentSerializer
from tournaments.selectors.rights import require_own_tournament, require_stage
from tournaments.selectors.timetable import MOMENTS, MOST_DAYS_BETWEEN, Timetable
from tournaments.services.timetable import set_rhythm, set_timetable


class TimetableFormSerializer(serializers.Serializer):
    """Every moment in the order in which it must come; null for none."""

    time_zone = serializers.CharField(max_length=40, default="UTC", help_text="such as Europe/Berlin")
    runs_itself = serializers.BooleanField(default=False, help_text="the site takes the steps when they are due")

    def get_fields(self) -> dict[str, Any]:
        moments = {name: serializers.DateTimeField(required=False, allow_null=True, default=None) for name in MOMENTS}
        return {**super().get_fields(), **moments}


class RhythmFormSerializer(serializers.Serializer):
    first_at = serializers.DateTimeField(allow_null=True, help_text="when the first matchday is played")
    every_minutes = serializers.IntegerField(
        min_value=0, max_value=MOST_DAYS_BETWEEN * 1440, default=0, help_text="between two matchdays"
    )
    is_timed = serializers.BooleanField(default=False, help_text="release each matchday at its time")


class TournamentTimetable(Organising):
    @operation(
        id="set_timetable",
        summary="Say when what happens",
        description="Entries open and close, check-in opens and ends, it is drawn, it starts: in this order.",
        answer=TournamentSerializer,
        example=TOURNAMENT,
        request=TimetableFormSerializer,
        request_example={"time_zone": "Europe/Berlin", "starts_at": "2026-11-21T18:00:00Z", "runs_itself": True},
        is_once=False,
    )
    def put(self, request: Request, slug: str) -> Response:
        tournament = require_own_tournament(slug, request.user)
        sent = self.read_body(request, TimetableFormSerializer)
        zone = sent.pop("time_zone")
        about: dict[str, Any] = {"tournament_id": tournament.pk, "time_zone": zone, "actor": person_of(request)}
        set_timetable(timetable=Timetable(**sent), **about)
        return self.show(slug, request)


class StageRhythm(Organising):
    @operation(
        id="set_rhythm",
        summary="Say when the matchdays of a stage are played",
        answer=StageSerializer,
        example=STAGE,
        request=RhythmFormSerializer,
        request_example={"first_at": "2026-11-21T18:00:00Z", "every_minutes": 10080, "is_timed": True},
        is_once=False,
    )
    def put(self, request: Request, slug: str, stage: int) -> Response:
        require_own_tournament(slug, request.user)
        found = require_stage(slug, stage, request.user)
        sent = self.read_body(request, RhythmFormSerializer)
        changed = set_rhythm(stage_id=found.pk, actor=person_of(request), **sent)
        return Response(StageSerializer(changed, context={"request": request}).data)
