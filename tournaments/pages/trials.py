"""Trials, for the bot's author alone: what was tried, a new one, and one on its way between its bounds."""

from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.formats import number_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from aurum_league.common.errors import LeagueError
from aurum_league.common.pages import say_refusal, shown_field
from bots.models import Bot, BotState
from bots.selectors import find_own_bot
from games.pages.words import describe_ruleset
from games.rules.ruleset import EDITIONS, Ruleset
from tournaments.api.trials import TrialFormSerializer
from tournaments.models import Trial, TrialState
from tournaments.pages.downloads import send_rows
from tournaments.pages.frame import cut_page
from tournaments.pages.words import DASH
from tournaments.pictures import list_rows
from tournaments.pictures.curves import Axes, draw_trial
from tournaments.rules.sequential import StoppedEstimate
from tournaments.selectors.trials import (
    count_played_matches,
    list_trial_steps,
    list_trial_versions,
    list_trials,
    read_trial,
)
from tournaments.services.trials import (
    FEWEST_UNITS,
    LARGEST_EFFECT,
    MOST_UNITS,
    SMALLEST_EFFECT,
    start_trial,
    stop_trial,
)


class TrialForm(forms.Form):
    """Versions and rules are chosen from lists; bounds of numbers the service names, and the browser before it."""

    new_agent = forms.ChoiceField(label=_("New version"))
    old_agent = forms.ChoiceField(label=_("Compared with"))
    players = forms.TypedChoiceField(
        label=_("Table"), coerce=int, choices=[(3, _("Three players")), (4, _("Four players"))]
    )
    edition = forms.ChoiceField(label=_("Edition"), choices=[(edition, edition) for edition in EDITIONS])
    effect = shown_field(
        TrialFormSerializer,
        "effect",
        label=_("Difference that matters"),
        min_value=SMALLEST_EFFECT,
        max_value=LARGEST_EFFECT,
        help_text=_(
            "In points a match: at a table of three, first place is 2, second 1. Half of it takes four times as long."
        ),
    )
    most_units = shown_field(
        TrialFormSerializer,
        "most_units",
        label=_("At most so many deals"),
        min_value=FEWEST_UNITS,
        max_value=MOST_UNITS,
        help_text=_("A deal is played six times at a table of three, twice at a table of four."),
    )

    def __init__(self, *args: Any, versions: dict[str, int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(agent, str(number)) for agent, number in versions.items()]
        for name in ("new_agent", "old_agent"):
            self.fields[name].choices = choices  # type: ignore[attr-defined]
        if len(choices) > 1:
            self.fields["old_agent"].initial = choices[1][0]

    def read_ruleset(self) -> str:
        return Ruleset(self.cleaned_data["players"], self.cleaned_data["edition"]).code


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
    steps = list_trial_steps(read_trial(_require_trial(request, slug, trial_id)))
    return send_rows(list_rows(steps), f"{slug}-trial-{trial_id}", form)


def _require_bot(request: HttpRequest, slug: str) -> tuple[Bot, User]:
    """One's own bot, and oneself; nobody else's bot is there at all."""
    assert isinstance(request.user, User)
    try:
        return find_own_bot(slug, request.user), request.user
    except LeagueError as error:
        raise Http404(say_refusal(error)) from None


def _require_trial(request: HttpRequest, slug: str, trial_id: int) -> Trial:
    bot, author = _require_bot(request, slug)
    trial = list_trials(author, bot.player).filter(pk=trial_id).first()
    if trial is None:
        raise Http404("no such trial")
    return trial


def _trial_context(trial: Trial) -> dict[str, Any]:
    progress = read_trial(trial)
    new, old = name_sides(trial, list_trial_versions(trial.player))
    title = gettext("Version %(new)s against version %(old)s") % {"new": new, "old": old}
    axes = Axes(title, gettext("deals"), gettext("log likelihood ratio"))
    ratios = progress.path.ratios
    picture = draw_trial(ratios, progress.lower, progress.upper, axes, gettext("better"), gettext("not better"))
    low, high = say_hundredths(progress.lower), say_hundredths(progress.upper)
    return {
        "trial": trial,
        "progress": progress,
        "new": new,
        "old": old,
        "tone": TONES.get(trial.state, "info"),
        # The picture escapes every word itself.
        "picture": SafeString(picture),
        "labels": "|".join(
            (gettext("deal"), gettext("log likelihood ratio"), gettext("lower bound"), gettext("upper bound"))
        ),
        "ratio": say_hundredths(ratios[-1] if ratios else 0.0),
        "bounds": gettext("%(low)s to %(high)s") % {"low": low, "high": high},
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
    return say_hundredths(estimate.value), gettext("%(low)s to %(high)s") % {"low": low, "high": high}


def say_stored(trial: Trial) -> tuple[str, str]:
    """The same as it was stored with the last unit that counted."""
    if trial.estimate is None or trial.estimate_low is None or trial.estimate_high is None:
        return DASH, ""
    return say_estimate(StoppedEstimate(trial.estimate, trial.estimate_low, trial.estimate_high, is_corrected=False))


def say_hundredths(value: float) -> str:
    return number_format(round(value, 2), 2).replace("-", MINUS)
