"""Trials, for the bot's author alone: is a new version better? Begun, followed between its bounds, and stopped."""

from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.access import person_of
from aurum_league.common.api.idempotency import answer_once
from aurum_league.common.api.views import LeagueList, LeagueView, SparseSerializer, operation
from aurum_league.common.errors import LeagueError
from bots.models import Bot
from bots.selectors import find_own_bot
from tournaments.api.examples import TRIAL, TRIAL_PROGRESS
from tournaments.models import Trial, TrialState
from tournaments.selectors.trials import count_played_matches, list_trial_versions, list_trials, read_trial
from tournaments.services.trials import USUAL_EFFECT, USUAL_UNITS, start_trial, stop_trial


class TrialFormSerializer(serializers.Serializer):
    new = serializers.IntegerField(min_value=1, max_value=2**31 - 1, help_text="number of the version that is tried")
    old = serializers.IntegerField(min_value=1, max_value=2**31 - 1, help_text="number of the version it is tried by")
    ruleset = serializers.CharField(max_length=40, required=False, default="en3")
    effect = serializers.FloatField(
        required=False, default=USUAL_EFFECT, help_text="place points a match that would matter"
    )
    most_units = serializers.IntegerField(required=False, default=USUAL_UNITS, help_text="where it ends at the latest")


class TrialSerializer(SparseSerializer, serializers.ModelSerializer):
    """Needs `versions` in its context: numbers by agent."""

    bot = serializers.CharField(source="player.slug", read_only=True)
    new = serializers.SerializerMethodField()
    old = serializers.SerializerMethodField()
    state = serializers.ChoiceField(TrialState.choices, read_only=True)

    class Meta:
        model = Trial
        fields = (
            *("id", "bot", "new", "old", "ruleset", "effect", "most_units", "state", "trouble", "llr"),
            *("estimate", "estimate_low", "estimate_high", "created_at", "finished_at"),
        )
        read_only_fields = fields

    def get_new(self, trial: Trial) -> int | None:
        return self.context["versions"].get(trial.new_agent)

    def get_old(self, trial: Trial) -> int | None:
        return self.context["versions"].get(trial.old_agent)


class TrialProgressSerializer(serializers.Serializer):
    """The log likelihood ratio walks between the bounds; the trial ends where it meets one of them."""

    trial = TrialSerializer(read_only=True)
    lower = serializers.FloatField(read_only=True, help_text="where the new one is found not better")
    upper = serializers.FloatField(read_only=True, help_text="where the new one is found better")
    units = serializers.IntegerField(read_only=True, help_text="deals counted so far")
    drawn = serializers.IntegerField(read_only=True, help_text="deals handed out so far")
    matches = serializers.IntegerField(read_only=True, help_text="matches played so far")
    ratios = serializers.ListField(child=serializers.FloatField(), read_only=True, help_text="after each deal")


class BotTrials(LeagueList):
    scope = "bots"
    is_private = True
    serializer_class = TrialSerializer
    queryset = Trial.objects.none()
    filter_backends = ()

    @operation(id="list_trials", summary="Trials of your bot", answer=TrialSerializer(many=True), example=TRIAL)
    def get(self, request: Request, slug: str) -> Response:
        bot = find_own_bot(slug, person_of(request))
        page = self.paginate_queryset(_list(bot, request)) or []
        return self.get_paginated_response(TrialSerializer(page, many=True, context=_context(bot, request)).data)

    @operation(
        id="start_trial",
        summary="Ask whether a version of your bot is better than another",
        description="Matches are played in small numbers until the answer is clear, or until `most_units` deals.",
        answer=TrialSerializer,
        example=TRIAL,
        status=201,
        request=TrialFormSerializer,
        request_example={"new": 2, "old": 1, "effect": 0.1},
    )
    @answer_once
    def post(self, request: Request, slug: str) -> Response:
        bot = find_own_bot(slug, person_of(request))
        sent = self.read_body(request, TrialFormSerializer)
        agents = {number: agent for agent, number in list_trial_versions(bot.player).items()}
        if not {sent["new"], sent["old"]} <= set(agents):
            raise LeagueError("unknown_version", "Both must be qualified versions of %(name)s.", name=bot.player.name)
        trial = start_trial(
            author=person_of(request),
            player=bot.player,
            new_agent=agents[sent["new"]],
            old_agent=agents[sent["old"]],
            **{name: sent[name] for name in ("ruleset", "effect", "most_units")},
        )
        return Response(TrialSerializer(trial, context=_context(bot, request)).data, status=201)


class BotTrial(LeagueView):
    is_private = True

    @operation(
        id="read_trial",
        summary="How far a trial of your bot is",
        answer=TrialProgressSerializer,
        example=TRIAL_PROGRESS,
    )
    def get(self, request: Request, slug: str, trial_id: int) -> Response:
        bot = find_own_bot(slug, person_of(request))
        return Response(_show_progress(_find(bot, trial_id, request), _context(bot, request)))


class BotTrialStop(LeagueView):
    scope = "bots"

    @operation(
        id="stop_trial",
        summary="End a trial of your bot before its answer",
        answer=TrialProgressSerializer,
        example=TRIAL_PROGRESS,
        is_once=True,
    )
    @answer_once
    def post(self, request: Request, slug: str, trial_id: int) -> Response:
        bot = find_own_bot(slug, person_of(request))
        trial = stop_trial(trial_id=_find(bot, trial_id, request).pk, author=person_of(request))
        return Response(_show_progress(trial, _context(bot, request)))


def _list(bot: Bot, request: Request) -> QuerySet[Trial]:
    return list_trials(person_of(request), bot.player)


def _find(bot: Bot, trial_id: int, request: Request) -> Trial:
    trial = _list(bot, request).filter(pk=trial_id).first()
    if trial is None:
        raise LeagueError("no_trial", "You have no trial %(number)s.", status=404, number=trial_id)
    return trial


def _context(bot: Bot, request: Request) -> dict[str, Any]:
    return {"request": request, "versions": list_trial_versions(bot.player)}


def _show_progress(trial: Trial, context: dict[str, Any]) -> dict[str, Any]:
    progress = read_trial(trial)
    return {
        "trial": TrialSerializer(trial, context={"versions": context["versions"]}).data,
        "lower": progress.lower,
        "upper": progress.upper,
        "units": progress.path.scores.units,
        "drawn": len(progress.units),
        "matches": count_played_matches(trial),
        "ratios": progress.path.ratios,
    }
