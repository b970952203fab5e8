"""Running a tournament: its forecast, times, steps, seeds, draws by hand, and decisions about single matches."""

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.access import person_of
from aurum_league.common.api.idempotency import answer_once
from aurum_league.common.api.views import LeagueView, operation
from aurum_league.common.errors import N_, LeagueError
from games.services.by_hand import HandResult
from tournaments.api.examples import FORECAST, PREVIEW, STAGE, TOURNAMENT
from tournaments.api.serializers import StageSerializer, TournamentSerializer
from tournaments.api.stages import require_matchday
from tournaments.models import Tournament
from tournaments.rules.lifecycle import Step
from tournaments.rules.pairing import TableKind
from tournaments.rules.spec import read_spec
from tournaments.selectors.progress import (
    MOST_ENTRANTS,
    USUAL_ENTRANTS,
    describe_forecast,
    preview_spec,
    read_forecast,
)
from tournaments.selectors.rights import Right, require_own_tournament, require_stage, require_tournament
from tournaments.selectors.standings import has_match
from tournaments.selectors.timetable import MOMENTS, MOST_DAYS_BETWEEN, Timetable
from tournaments.services.decisions import enter_result, forfeit_match, play_again, void_match
from tournaments.services.draw import swap_entrants
from tournaments.services.field import seed_entrants
from tournaments.services.fresh import drop_fresh, play_fresh
from tournaments.services.steps import STEPS, take_organisers_step
from tournaments.services.timetable import set_rhythm, set_timetable

DECISIONS = ("again", "void", "forfeit", "result", "fresh", "drop-fresh")


class StepFormSerializer(serializers.Serializer):
    step = serializers.ChoiceField([step.value for step in STEPS])
    reason = serializers.CharField(max_length=400, required=False, allow_blank=True, default="")


class SeedingFormSerializer(serializers.Serializer):
    order = serializers.ListField(child=serializers.IntegerField(min_value=1, max_value=2**62), max_length=10_000)


class PairFormSerializer(serializers.Serializer):
    first = serializers.IntegerField(min_value=1, max_value=2**62, help_text="an entrant")
    second = serializers.IntegerField(min_value=1, max_value=2**62, help_text="another")
    reason = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")


class SidesField(serializers.ListField):
    child = serializers.IntegerField(min_value=0, max_value=10_000)


class DecisionFormSerializer(serializers.Serializer):
    match = serializers.IntegerField(min_value=1, max_value=2**62)
    decision = serializers.ChoiceField(DECISIONS)
    reason = serializers.CharField(max_length=400, required=False, allow_blank=True, default="")
    seats = SidesField(required=False, max_length=4, default=list, help_text="who forfeits")
    places = SidesField(required=False, max_length=4, default=list, help_text="by side, of a result by hand")
    nuggets = SidesField(required=False, max_length=4, default=list)
    totals = SidesField(required=False, max_length=4, default=list)


class Organising(LeagueView):
    """Answers every deed with the tournament as it is then."""

    scope = "organise"

    def show(self, slug: str, request: Request) -> Response:
        tournament = require_tournament(slug, request.user)
        return Response(TournamentSerializer(tournament, context={"request": request}).data)


class TournamentSteps(Organising):
    @operation(
        id="take_step",
        summary="Move a tournament on",
        description="Open, draw, start and so on; a step that its state does not allow answers 409.",
        answer=TournamentSerializer,
        example=TOURNAMENT,
        request=StepFormSerializer,
        request_example={"step": "open"},
    )
    @answer_once
    def post(self, request: Request, slug: str) -> Response:
        tournament = require_own_tournament(slug, request.user)
        sent = self.read_body(request, StepFormSerializer)
        take_organisers_step(
            step=Step(sent["step"]), tournament_id=tournament.id, actor=person_of(request), reason=sent["reason"]
        )
        return self.show(slug, request)


class TournamentSeeding(Organising):
    @operation(
        id="seed_entrants",
        summary="Seed entrants by hand, the first of them first",
        answer=TournamentSerializer,
        example=TOURNAMENT,
        request=SeedingFormSerializer,
        request_example={"order": [31, 32, 33]},
        is_once=False,
    )
    def put(self, request: Request, slug: str) -> Response:
        tournament = require_own_tournament(slug, request.user, Right.DESK)
        sent = self.read_body(request, SeedingFormSerializer)
        seed_entrants(tournament_id=tournament.id, order=sent["order"], actor=person_of(request))
        return self.show(slug, request)


class MatchdaySwaps(Organising):
    @operation(
        id="swap_entrants",
        summary="Let two entrants of a drawn matchday change places",
        answer=TournamentSerializer,
        example=TOURNAMENT,
        request=PairFormSerializer,
        request_example={"first": 31, "second": 32, "reason": "travel"},
    )
    @answer_once
    def post(self, request: Request, slug: str, stage: int, matchday: int) -> Response:
        require_own_tournament(slug, request.user)
        sent = self.read_body(request, PairFormSerializer)
        found = require_matchday(require_stage(slug, stage, request.user), matchday, request)
        swap_entrants(matchday_id=found.id, actor=person_of(request), **sent)
        return self.show(slug, request)


class TournamentDecisions(Organising):
    @operation(
        id="decide_match",
        summary="Decide about a match: again, void, forfeit, a result by hand, or a new match on fresh deals",
        description=(
            "All but `again` and `drop-fresh` need a reason, which goes into the audit trail. `fresh` is for finished "
            "matches of people and connected bots: everybody concerned is told, and the old result counts until the "
            "new match has ended; `drop-fresh` ends that before anybody has seen a card. Events tell both."
        ),
        answer=TournamentSerializer,
        example=TOURNAMENT,
        request=DecisionFormSerializer,
        request_example={"match": 4711, "decision": "forfeit", "seats": [2], "reason": "did not come"},
    )
    @answer_once
    def post(self, request: Request, slug: str) -> Response:
        tournament = require_own_tournament(slug, request.user, Right.RESULTS)
        _decide(tournament, self.read_body(request, DecisionFormSerializer), request)
        return self.show(slug, request)


def _decide(tournament: Tournament, sent: dict[str, Any], request: Request) -> None:
    if not has_match(tournament, sent["match"]):
        raise LeagueError(
            "no_match", "Match %(number)s belongs to another tournament.", status=404, number=sent["match"]
        )
    about = {"match_id": sent["match"], "reason": sent["reason"], "actor": person_of(request)}
    match sent["decision"]:
        case "again":
            play_again(**about)
        case "void":
            void_match(**about)
        case "forfeit":
            forfeit_match(**about, seats=sent["seats"])
        case "fresh":
            play_fresh(**about)
        case "drop-fresh":
            drop_fresh(**about)
        case "result":
            result = HandResult(tuple(sent["places"]), tuple(sent["nuggets"]), tuple(sent["totals"]))
            enter_result(**about, result=result)


class ForecastChoiceSerializer(serializers.Serializer):
    code = serializers.CharField(read_only=True, help_text="`this`, `twice` as many deals, or a preset")
    best_wins = serializers.FloatField(
        read_only=True, allow_null=True, help_text="chance that the strongest comes first; null where nobody can tell"
    )
    gap = serializers.FloatField(
        read_only=True, allow_null=True, help_text="rating points that will be separated with a chance of 80 %"
    )
    matches = serializers.IntegerField(read_only=True, allow_null=True)
    seconds = serializers.FloatField(
        read_only=True, allow_null=True, help_text="at the pace of the latest matches of bots; null for people"
    )
    worlds = serializers.IntegerField(read_only=True, help_text="how often it was played on paper")


class ForecastSerializer(serializers.Serializer):
    entrants = serializers.IntegerField(read_only=True)
    known = serializers.IntegerField(read_only=True, help_text="entrants whose rating is known")
    spread = serializers.IntegerField(read_only=True, help_text="of strength, in rating points")
    problem = serializers.CharField(read_only=True, allow_null=True, help_text="what stands against the draw")
    choices = ForecastChoiceSerializer(many=True, read_only=True)


class TournamentForecastView(LeagueView):
    is_private = True
    scope = "organise"

    @operation(
        id="read_forecast",
        summary="What a tournament will tell, before it is drawn",
        description="Beside it what twice as many deals, or another preset, would tell. For its organiser.",
        answer=ForecastSerializer,
        example=FORECAST,
        parameters=[OpenApiParameter("entrants", int, description="for how many; those who entered where not given")],
    )
    def get(self, request: Request, slug: str) -> Response:
        tournament = require_own_tournament(slug, request.user, Right.LOOK)
        asked = request.query_params.get("entrants", "")
        least = TableKind(tournament.table_kind).entrants
        is_number = asked.isdecimal() and len(asked) <= len(str(MOST_ENTRANTS))
        if asked and not (is_number and least <= int(asked) <= MOST_ENTRANTS):
            sentence = N_("entrants must be a whole number from %(least)s to %(most)s.")
            raise LeagueError("invalid", sentence, least=least, most=MOST_ENTRANTS)
        told = read_forecast(tournament, int(asked) if asked else None)
        return Response(ForecastSerializer(describe_forecast(told)).data)


class PreviewFormSerializer(serializers.Serializer):
    spec = serializers.DictField(help_text="as for `create_tournament`; it needs no name yet")
    entrants = serializers.IntegerField(min_value=2, max_value=MOST_ENTRANTS, required=False, default=USUAL_ENTRANTS)


class SpanField(serializers.ListField):
    """The least and the most; null where only the results can tell."""

    child = serializers.FloatField()

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_length=2, max_length=2, read_only=True, allow_null=True, **kwargs)


class PreviewSerializer(serializers.Serializer):
    """Of the first stage but for the forecast, which is of all; null where only the results can tell."""

    entrants = serializers.IntegerField(read_only=True)
    problem = serializers.CharField(read_only=True, allow_null=True, help_text="what stands against it")
    matchdays = serializers.IntegerField(read_only=True, allow_null=True, help_text="null if it runs on")
    meetings = SpanField(help_text="least and most of a pair")
    matches = SpanField(help_text="least and most of an entrant")
    rests = SpanField(help_text="least and most of an entrant")
    forecast = ForecastChoiceSerializer(read_only=True, allow_null=True)


class Previews(LeagueView):
    scope = "organise"

    @operation(
        id="preview_tournament",
        summary="What a tournament that is only written down would be",
        description="Nothing is stored. For everybody who may make an event.",
        answer=PreviewSerializer,
        example=PREVIEW,
        request=PreviewFormSerializer,
        request_example={"spec": {"stages": [{"format": "swiss"}], "entry_kind": "people"}, "entrants": 12},
        is_once=False,
    )
    def post(self, request: Request) -> Response:
        sent = self.read_body(request, PreviewFormSerializer)
        told = preview_spec(read_spec({"name": "?", **sent["spec"]}), sent["entrants"])
        shown = asdict(told.outline) if told.outline else dict.fromkeys(("matchdays", "meetings", "matches", "rests"))
        forecast = {"code": "this", **asdict(told.forecast)} if told.forecast else None
        about = {"entrants": told.entrants, "problem": told.problem and str(told.problem)}
        return Response(PreviewSerializer({**about, **shown, "forecast": forecast}).data)


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
