"""Trials as pages show them: how far one is, between which bounds, and what is known of the difference."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import QuerySet

from aurum_league.common.errors import N_, LeagueError
from bots.models import BotVersion, VersionState
from games.models import MatchState, Player
from games.play.agents import AgentKind, AgentRef
from tournaments.models import Trial, TrialUnit
from tournaments.rules.sequential import SequentialTest, StoppedEstimate, TrialVerdict, UnitScores, estimate_effect


@dataclass(frozen=True, slots=True)
class TrialPath:
    """The test walked unit by unit, up to where it ended: all log likelihood ratios, the sums there, the verdict."""

    ratios: tuple[float, ...]
    scores: UnitScores
    verdict: TrialVerdict


@dataclass(frozen=True, slots=True)
class TrialProgress:
    """Units in the order drawn, None for one that still plays; those in `path` count.

    The estimate allows for stopping if it says so.
    """

    trial: Trial
    path: TrialPath
    units: tuple[float | None, ...]
    lower: float
    upper: float
    estimate: StoppedEstimate


@dataclass(frozen=True, slots=True)
class TrialStep:
    """One unit that counts: the new version's lead in it, and where the test stood after it."""

    unit: int
    score: float
    log_ratio: float
    lower: float
    upper: float


def sequential_test_of(trial: Trial) -> SequentialTest:
    return SequentialTest(effect=trial.effect, last_look=trial.most_units)


def walk_units(test: SequentialTest, unit_scores: Iterable[float | None]) -> TrialPath:
    """Assess after every unit in the order drawn; units behind one that still plays have to wait for it."""
    scores, ratios, verdict = UnitScores(), [], TrialVerdict.CONTINUES
    for score in unit_scores:
        if score is None or verdict is not TrialVerdict.CONTINUES:
            break
        scores = scores.plus([score])
        progress = test.assess(scores)
        ratios.append(progress.log_ratio)
        verdict = progress.verdict
    return TrialPath(tuple(ratios), scores, verdict)


def read_trial(trial: Trial) -> TrialProgress:
    """One query."""
    test = sequential_test_of(trial)
    units = tuple(TrialUnit.objects.filter(trial=trial).order_by("number").values_list("score", flat=True))
    path = walk_units(test, units)
    return TrialProgress(trial, path, units, test.lower, test.upper, estimate_effect(test, path.scores))


def list_trial_steps(progress: TrialProgress) -> list[TrialStep]:
    """The way of a trial unit by unit, for CSV and JSON."""
    counted = zip(progress.units, progress.path.ratios, strict=False)
    return [
        TrialStep(unit, score, ratio, progress.lower, progress.upper)
        for unit, (score, ratio) in enumerate(counted, start=1)
        if score is not None
    ]


def list_trials(owner: User, player: Player | None = None) -> QuerySet[Trial]:
    """An author's trials, newest first; of one bot, where it is named."""
    trials = Trial.objects.filter(owner=owner).select_related("player").order_by("-id")
    return trials if player is None else trials.filter(player=player)


def find_trial(trial_id: int, owner: User) -> Trial:
    """Somebody else's trial is as good as none."""
    trial = list_trials(owner).filter(pk=trial_id).first()
    if trial is None:
        raise LeagueError("no_trial", N_("You have no trial %(number)s."), status=404, number=trial_id)
    return trial


def count_played_matches(trial: Trial) -> int:
    """Matches of a trial that were played to their end, those of units that do not count yet included."""
    played = TrialUnit.matches.through.objects.filter(trialunit__trial=trial, match__state=MatchState.FINISHED)
    return played.count()


def list_trial_versions(player: Player) -> dict[str, int]:
    """What may be tried of a bot: its qualified versions as agents, newest first, each with its number."""
    qualified = BotVersion.objects.filter(bot__player=player, state=VersionState.QUALIFIED).order_by("-number")
    return {str(AgentRef(AgentKind.VERSION, str(pk))): number for pk, number in qualified.values_list("id", "number")}
