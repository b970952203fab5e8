"""Trials as pages show them: how far one is, between which bounds, and what is known of the difference."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import QuerySet

from tournaments.models import Trial, TrialUnit
from tournaments.rules.sequential import SequentialTest, StoppedEstimate, UnitScores, Verdict, estimate_effect


@dataclass(frozen=True, slots=True)
class TrialPath:
    """The test walked unit by unit, up to where it ended: all log likelihood ratios, the sums there, the verdict."""

    ratios: tuple[float, ...]
    scores: UnitScores
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class TrialProgress:
    """`drawn` units were handed out, of which those in `path` count. The estimate allows for stopping if it says so."""

    trial: Trial
    path: TrialPath
    drawn: int
    lower: float
    upper: float
    estimate: StoppedEstimate


def sequential_test_of(trial: Trial) -> SequentialTest:
    return SequentialTest(effect=trial.effect, last_look=trial.most_units)


def walk_units(test: SequentialTest, unit_scores: Iterable[float | None]) -> TrialPath:
    """Assess after every unit in the order drawn; units behind one that still plays have to wait for it."""
    scores, ratios, verdict = UnitScores(), [], Verdict.CONTINUES
    for score in unit_scores:
        if score is None or verdict is not Verdict.CONTINUES:
            break
        scores = scores.plus([score])
        progress = test.assess(scores)
        ratios.append(progress.log_ratio)
        verdict = progress.verdict
    return TrialPath(tuple(ratios), scores, verdict)


def read_trial(trial: Trial) -> TrialProgress:
    """One query."""
    test = sequential_test_of(trial)
    unit_scores = list(TrialUnit.objects.filter(trial=trial).order_by("number").values_list("score", flat=True))
    path = walk_units(test, unit_scores)
    return TrialProgress(trial, path, len(unit_scores), test.lower, test.upper, estimate_effect(test, path.scores))


def list_trials(owner: User) -> QuerySet[Trial]:
    """An author's trials, newest first."""
    return Trial.objects.filter(owner=owner).select_related("player").order_by("-id")
