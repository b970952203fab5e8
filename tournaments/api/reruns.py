"""Reruns: matches played once more, what that would change, and applying or dropping it."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.access import person_of
from aurum_league.common.api.idempotency import answer_once
from aurum_league.common.api.views import LeagueView, operation
from aurum_league.common.errors import LeagueError
from tournaments.api.examples import RERUN, RERUN_PREVIEW
from tournaments.models import Rerun, RerunState
from tournaments.selectors.desk import find_rerun, list_reruns, preview_rerun
from tournaments.selectors.rights import Right, require_own_tournament
from tournaments.services.decisions import apply_rerun, drop_rerun, rerun_matches

MOST_MATCHES = 1000
ENDS = {"apply": apply_rerun, "drop": drop_rerun}


class RerunFormSerializer(serializers.Serializer):
    matches = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**62), min_length=1, max_length=MOST_MATCHES
    )
    reason = serializers.CharField(max_length=400)


class RerunEndFormSerializer(serializers.Serializer):
    decision = serializers.ChoiceField(tuple(ENDS))


class RerunSerializer(serializers.ModelSerializer):
    state = serializers.ChoiceField(RerunState.choices, read_only=True)

    class Meta:
        model = Rerun
        fields = ("id", "state", "reason", "created_at")
        read_only_fields = fields


class ChangedResultSerializer(serializers.Serializer):
    match = serializers.IntegerField(source="match_id", read_only=True)
    before = serializers.DictField(child=serializers.ListField(child=serializers.IntegerField()), read_only=True)
    after = serializers.DictField(child=serializers.ListField(child=serializers.IntegerField()), read_only=True)


class ChangedPlaceSerializer(serializers.Serializer):
    entrant = serializers.IntegerField(source="entrant_id", read_only=True)
    before = serializers.IntegerField(read_only=True)
    after = serializers.IntegerField(read_only=True)


class RerunPreviewSerializer(serializers.Serializer):
    """What applying it would change, or has changed; it can be applied when nothing waits any more."""

    rerun = RerunSerializer(read_only=True)
    waiting = serializers.IntegerField(read_only=True, help_text="matches still to be played")
    results = ChangedResultSerializer(many=True, read_only=True)
    places = ChangedPlaceSerializer(many=True, read_only=True)


class TournamentReruns(LeagueView):
    scope = "organise"
    is_private = True

    @operation(id="list_reruns", summary="Reruns of your tournament", answer=RerunSerializer(many=True), example=RERUN)
    def get(self, request: Request, slug: str) -> Response:
        reruns = list_reruns(require_own_tournament(slug, request.user, Right.LOOK))
        return Response(RerunSerializer(reruns, many=True).data)

    @operation(
        id="begin_rerun",
        summary="Have finished matches played once more beside their results",
        description="By the same agents on the same deals; nothing changes until the rerun is applied.",
        answer=RerunSerializer,
        example=RERUN,
        status=201,
        request=RerunFormSerializer,
        request_example={"matches": [4711], "reason": "a fault of the server"},
    )
    @answer_once
    def post(self, request: Request, slug: str) -> Response:
        tournament = require_own_tournament(slug, request.user)
        sent = self.read_body(request, RerunFormSerializer)
        rerun = rerun_matches(
            tournament_id=tournament.id,
            match_ids=sent["matches"],
            reason=sent["reason"],
            actor=person_of(request),
        )
        return Response(RerunSerializer(rerun).data, status=201)


class TournamentRerun(LeagueView):
    is_private = True

    @operation(
        id="preview_rerun",
        summary="What a rerun would change: every result and every place",
        answer=RerunPreviewSerializer,
        example=RERUN_PREVIEW,
    )
    def get(self, request: Request, slug: str, rerun_id: int) -> Response:
        return Response(_show(_find(slug, rerun_id, request, Right.LOOK)))


class TournamentRerunDecision(LeagueView):
    scope = "organise"

    @operation(
        id="end_rerun",
        summary="Apply a rerun, or drop it",
        answer=RerunPreviewSerializer,
        example=RERUN_PREVIEW,
        request=RerunEndFormSerializer,
        request_example={"decision": "apply"},
    )
    @answer_once
    def post(self, request: Request, slug: str, rerun_id: int) -> Response:
        rerun = _find(slug, rerun_id, request, Right.RUN)
        before = preview_rerun(rerun)
        ENDS[self.read_body(request, RerunEndFormSerializer)["decision"]](rerun_id=rerun.pk, actor=person_of(request))
        rerun.refresh_from_db()
        return Response(_show(rerun, before))


def _find(slug: str, rerun_id: int, request: Request, right: Right) -> Rerun:
    rerun = find_rerun(require_own_tournament(slug, request.user, right), rerun_id)
    if rerun is None:
        raise LeagueError("no_rerun", "There is no rerun %(number)s.", status=404, number=rerun_id)
    return rerun


def _show(rerun: Rerun, preview: Any = None) -> dict[str, Any]:
    """Once it is applied nothing would change any more: what was changed is told by the preview from before."""
    shown = preview or preview_rerun(rerun)
    about = {"rerun": rerun, "waiting": shown.waiting, "results": shown.results, "places": shown.places}
    return RerunPreviewSerializer(about).data
