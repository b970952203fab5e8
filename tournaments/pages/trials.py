"""Trials, for the bot's author alone: what was tried, a new one, and one on its way between its bounds."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.formats import number_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from aurum_league.common.errors import LeagueError
from aurum_league.common.refusals import say_refusal
from bots.models import Bot, BotState
from bots.selectors.bots import find_own_bot
from games.pages.ruleset_names import describe_ruleset
from games.rules.ruleset import Ruleset
from tournaments.models import Trial, TrialState
from tournaments.pages.files import send_rows
from tournaments.pages.paging import cut_page
from tournaments.pages.trial_form import TrialForm
from tournaments.pages.words import DASH
from tournaments.pictures.curves import Axes, draw_trial
from tournaments.pictures.exports import list_rows
from tournaments.rules.sequential import StoppedEstimate
from tournaments.selectors.trials import (
    count_played_matches,
    list_steps,
    list_trial_versions,
    list_trials,
    read_trial,
)
from tournaments.services.trials import start_trial, stop_trial

TRIALS_A_PAGE = 20
UNPROCESSABLE = 422
TONES: dict[str, str] = {TrialState.BETTER: "success", TrialState.STOPPED: "warning"}
MINUS = "\N{MINUS SIGN}"


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_trials(request: HttpRequest, slug: str) -> HttpResponse:
    """The trials of one's bot, and the form that begins another."""
    bot, author = _require_bot(request, slug)
    versions = list_trial_versions(bot.player)
    form = TrialForm(request.POST if request.method == "POST" else None, versions=versions)
    if form.is_valid():
        sent = form.cleaned_data
        asked = {name: sent[name] for name in ("new_agent", "old_agent", "effect", "most_units")}
        try:
            trial = start_trial(author=author, player=bot.player, ruleset=form.read_ruleset(), **asked)
            return redirect("trial", slug=slug, trial_id=trial.pk)
        except LeagueError as error:
            form.add_error(None, say_refusal(error))
    page = cut_page(request, list_trials(author, bot.player), TRIALS_A_PAGE)
    context = {
        "bot": bot,
        "form": form,
        "page": page,
        "trials": [(trial, *name_sides(trial, versions), say_stored(trial)) for trial in page.object_list],
        "can_begin": len(versions) > 1 and bot.state != BotState.RETIRED,
    }
    return render(request, "trials/list.html", context, status=UNPROCESSABLE if form.errors else 200)


@login_required
@require_safe
def show_trial(request: HttpRequest, slug: str, trial_id: int) -> HttpResponse:
    return render(request, "trials/trial.html", _trial_context(_require_trial(request, slug, trial_id)))


@login_required
@require_safe
def show_trial_now(request: HttpRequest, slug: str, trial_id: int) -> HttpResponse:
    """The part of the page that changes while the trial plays."""
    return render(request, "trials/now.html", _trial_context(_require_trial(request, slug, trial_id)))


@login_required
@require_POST
def end_trial(request: HttpRequest, slug: str, trial_id: int) -> HttpResponse:
    trial = _require_trial(request, slug, trial_id)
    stop_trial(trial_id=trial.pk, author=trial.owner)
    return redirect("trial", slug=slug, trial_id=trial_id)


@login_required
@require_safe
def download_trial(request: HttpRequest, slug: str, trial_id: int, form: str) -> HttpResponseBase:
    steps = list_steps(read_trial(_require_trial(request, slug, trial_id)))
    return send_rows(list_rows(steps), f"{slug}-trial-{trial_id}", form)


def _require_bot(request: HttpRequest, slug: str) -> tuple[Bot, User]:
    """One's own bot, and oneself; nobody else's bot is there at all."""
    assert isinstance(request.user, User)
    try:
        return find_own_bot(slug, request.user), request.user
    except LeagueError as error:
        raise Http404(error.message) from None


def _require_trial(request: HttpRequest, slug: str, trial_id: int) -> Trial:
    bot, author = _require_bot(request, slug)
    trial = list_trials(author, bot.player).filter(pk=trial_id).first()
    if trial is None:
        raise Http404("no such trial")
    return trial


def _trial_context(trial: Trial) -> dict[str, Any]:
    progress = read_trial(trial)
    new, old = name_sides(trial, list_trial_versions(trial.player))
    title = _("Version %(new)s against version %(old)s") % {"new": new, "old": old}
    axes = Axes(title, _("deals"), _("log likelihood ratio"))
    ratios = progress.path.ratios
    picture = draw_trial(ratios, progress.lower, progress.upper, axes, _("better"), _("not better"))
    low, high = say_hundredths(progress.lower), say_hundredths(progress.upper)
    return {
        "trial": trial,
        "progress": progress,
        "new": new,
        "old": old,
        "tone": TONES.get(trial.state, "info"),
        # The picture escapes every word itself.
        "picture": SafeString(picture),
        "labels": "|".join((_("deal"), _("log likelihood ratio"), _("lower bound"), _("upper bound"))),
        "ratio": say_hundredths(ratios[-1] if ratios else 0.0),
        "bounds": _("%(low)s to %(high)s") % {"low": low, "high": high},
        "effect": say_hundredths(trial.effect),
        "estimate": say_estimate(progress.estimate) if progress.path.scores.units > 1 else None,
        "matches": count_played_matches(trial),
        "ruleset_words": describe_ruleset(Ruleset.from_code(trial.ruleset)),
    }


def name_sides(trial: Trial, versions: dict[str, int]) -> tuple[str, str]:
    """The new and the old version by number; an agent that is no version of the bot any more by its code."""
    new, old = (str(versions.get(agent, agent)) for agent in (trial.new_agent, trial.old_agent))
    return new, old


def say_estimate(estimate: StoppedEstimate) -> tuple[str, str]:
    """The difference in points a match, and its 95 % interval."""
    low, high = say_hundredths(estimate.low), say_hundredths(estimate.high)
    return say_hundredths(estimate.value), _("%(low)s to %(high)s") % {"low": low, "high": high}


def say_stored(trial: Trial) -> tuple[str, str]:
    """The same as it was stored with the last unit that counted."""
    if trial.estimate is None or trial.estimate_low is None or trial.estimate_high is None:
        return DASH, ""
    return say_estimate(StoppedEstimate(trial.estimate, trial.estimate_low, trial.estimate_high, is_corrected=False))


def say_hundredths(value: float) -> str:
    return number_format(round(value, 2), 2).replace("-", MINUS)
