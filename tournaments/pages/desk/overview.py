"""An event's desk: where it stands, what can be done next, the next season, and the trail of all that was done."""

from functools import partial
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from aurum_league.common.errors import LeagueError
from aurum_league.common.pages import say_refusal, shown_field
from games.pages.words import describe_ruleset
from games.rules.ruleset import Ruleset
from tournaments.api.leagues import SeasonFormSerializer
from tournaments.api.tournaments import BeaconFormSerializer
from tournaments.models import EntrantState, Tournament, TournamentState
from tournaments.pages.desk.access import UNPROCESSABLE, act_on_form, desk_context, desk_page, person_of
from tournaments.pages.words import TABLE_KINDS, name_format, say_challenger, say_time_left
from tournaments.rules.lifecycle import Step, can_take
from tournaments.rules.pairing import TableKind
from tournaments.selectors.desk import count_entrant_states
from tournaments.selectors.entrants import read_check_in
from tournaments.selectors.leagues import find_play_off, list_stages
from tournaments.selectors.progress import read_pace
from tournaments.selectors.standings import find_snapshot, list_level_for_title
from tournaments.services.chance import drop_beacon, name_beacon
from tournaments.services.leagues import Move, SeasonPlan, create_next_season, plan_next_season
from tournaments.services.play_off import create_play_off
from tournaments.services.steps import STEP_WORDS, STEPS, WITH_REASON, list_steps, take_organisers_step

LONGEST_REASON = 400
MAIN_STEPS = {
    TournamentState.DRAFT: Step.OPEN,
    TournamentState.OPEN: Step.DRAW,
    TournamentState.DRAWN: Step.START,
    TournamentState.PAUSED: Step.RESUME,
}
"""What usually comes next."""
NEXT_WORDS = {
    TournamentState.DRAFT: gettext_lazy("Only you see this draft. Look it over, then open the entries."),
    TournamentState.OPEN: gettext_lazy("Players enter by themselves, or you enter them. Then draw."),
    TournamentState.DRAWN: gettext_lazy("Look at the draw, change it by hand if you must, then release it."),
    TournamentState.PLAYING: gettext_lazy("It runs by itself. Look here for matches that want a decision."),
    TournamentState.PAUSED: gettext_lazy("Nothing new is begun. The audit trail says why it was paused."),
    TournamentState.FINISHED: gettext_lazy("It is over. Results can still be corrected, for a reason."),
    TournamentState.CANCELLED: gettext_lazy("It was cancelled. What was played stays."),
}


@require_safe
@desk_page
def show_overview(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    return _render(request, tournament)


def _render(request: HttpRequest, tournament: Tournament, **typed: Any) -> HttpResponse:
    """The page; `typed` is the reason given for a step that was refused, by the step, or a form as it was filled in."""
    context = desk_context(tournament, "desk_tournament") | _state_context(tournament) | _beacon_context(tournament)
    return render(request, "desk/overview.html", context | typed | {"typed": typed})


@require_safe
@desk_page
def show_progress(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The part of the page that changes while the tournament plays."""
    return render(request, "desk/overview_now.html", {"tournament": tournament, **_state_context(tournament)})


@require_POST
@desk_page
def take_step(request: HttpRequest, tournament: Tournament, step: str) -> HttpResponse:
    if step not in STEPS:
        raise Http404("no such step")
    back = reverse("desk_draw" if step == Step.DRAW else "desk_tournament", args=[tournament.slug])
    asked = Step(step)
    reason = request.POST.get("reason", "")[:LONGEST_REASON].replace("\x00", "")
    try:
        take_organisers_step(step=asked, tournament_id=tournament.id, actor=person_of(request), reason=reason)
    except LeagueError as error:
        messages.error(request, say_refusal(error))
        answer = _render(request, tournament, step=step, reason=reason)
        answer.status_code = UNPROCESSABLE
        return answer
    messages.success(request, _("Done: %(step)s.") % {"step": STEP_WORDS[asked][0]})
    return redirect(back)


@require_POST
@desk_page
def make_play_off(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Those who are level for the title play it off, in an event of its own."""
    try:
        made = create_play_off(tournament_id=tournament.id, actor=person_of(request))
    except LeagueError as error:
        messages.error(request, say_refusal(error))
        return redirect("desk_tournament", slug=tournament.slug)
    return redirect("desk_tournament", slug=made.slug)


def describe_steps(tournament: Tournament, *, only: tuple[Step, ...] = tuple(STEPS)) -> list[dict[str, Any]]:
    """Steps that the state allows, each as its button shows it, what usually comes next first."""
    main = MAIN_STEPS.get(TournamentState(tournament.state))
    return [
        {
            "name": step,
            "title": STEP_WORDS[step][0],
            "help": STEP_WORDS[step][1],
            "is_main": step is main,
            "needs_reason": step in WITH_REASON,
            "is_final": step is Step.CANCEL,
        }
        for step in sorted(list_steps(tournament), key=lambda step: step is not main)
        if step in only
    ]


BEGUN = (TournamentState.PLAYING, TournamentState.PAUSED, TournamentState.FINISHED)


def list_checklist(tournament: Tournament) -> list[tuple[bool, str, str]]:
    """What an event needs, in order: whether it is done, in words, and where; the first that is not is the next."""
    state = TournamentState(tournament.state)
    is_open = state not in (TournamentState.DRAFT, TournamentState.CANCELLED)
    is_drawn = state in (TournamentState.DRAWN, *BEGUN)
    there = tournament.entrants.filter(state__in=(EntrantState.ENTERED, EntrantState.CHECKED_IN)).count()
    missing = tournament.needs_check_in and tournament.entrants.filter(state=EntrantState.ENTERED).exists()
    enough = there >= TableKind(tournament.table_kind).entrants
    steps = [
        (bool(tournament.description.strip()), _("Say what it is"), "desk_edit"),
        (tournament.starts_at is not None or state in BEGUN, _("Say when it is"), "desk_times"),
        (is_open, _("Open the entries"), "desk_tournament"),
        (enough or is_drawn, _("Enter players"), "desk_entries"),
        *([(is_drawn or (enough and not missing), _("Check everybody in"), "desk_entries")] if missing else []),
        (is_drawn, _("Draw"), "desk_draw"),
        (state in BEGUN, _("Release and start"), "desk_draw"),
        (state == TournamentState.FINISHED, _("Have every table played"), "desk_matches"),
    ]
    return [(done, words, reverse(view, args=[tournament.slug])) for done, words, view in steps]


def _state_context(tournament: Tournament) -> dict[str, Any]:
    pace = read_pace(tournament)
    is_over = can_take(tournament.state, Step.PLAY_OFF)
    return {
        "level": _list_level(tournament) if is_over else [],
        "play_off": find_play_off(tournament) if is_over else None,
        "checklist": list_checklist(tournament),
        "next_words": NEXT_WORDS[TournamentState(tournament.state)],
        "steps": describe_steps(tournament),
        "can_forecast": tournament.state in (TournamentState.DRAFT, TournamentState.OPEN),
        "can_edit": can_take(tournament.state, Step.EDIT),
        "can_make_season": tournament.league_id is not None and can_take(tournament.state, Step.NEXT_SEASON),
        "pace": pace,
        "time_left": say_time_left(pace.left),
        "entrant_states": count_entrant_states(tournament),
        "stages": [(stage, name_format(stage.format)) for stage in list_stages(tournament)],
        "ruleset_words": describe_ruleset(Ruleset.from_code(tournament.ruleset)),
        "table_words": TABLE_KINDS[tournament.table_kind],
        "is_live": tournament.state in LIVE,
        "check_in": read_check_in(tournament),
        "challenger": say_challenger(list_stages(tournament)),
    }


def _list_level(tournament: Tournament) -> list[str]:
    stage = list_stages(tournament)[-1]
    return list_level_for_title(stage, find_snapshot(stage).rows)


class BeaconForm(forms.Form):
    at = shown_field(
        BeaconFormSerializer,
        "at",
        required=True,
        label=gettext_lazy("Public beacon"),
        widget=forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        help_text=gettext_lazy(
            "In UTC, after the entries and before the draw: the first round of drand from then on goes into the seed."
        ),
    )


class DropForm(forms.Form):
    reason = shown_field(
        BeaconFormSerializer,
        "reason",
        required=True,
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("Goes into the audit trail."),
    )


def _beacon_context(tournament: Tournament) -> dict[str, Any]:
    """A form to name a round where that is possible, or one to drop the round that is named."""
    if not can_take(tournament.state, Step.NAME_BEACON):
        return {}
    if tournament.beacon_round is not None:
        return {"drop_form": DropForm(auto_id="drop_%s")}
    return {"beacon_form": BeaconForm()} if settings.BEACON else {}


@require_POST
@desk_page
def change_beacon(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    back = reverse("desk_tournament", args=[tournament.slug])
    actor = person_of(request)

    def name(sent: dict[str, Any]) -> None:
        name_beacon(tournament_id=tournament.id, at=sent["at"], actor=actor)

    def drop(sent: dict[str, Any]) -> None:
        drop_beacon(tournament_id=tournament.id, reason=sent["reason"], actor=actor)

    if tournament.beacon_round is None:
        said = _("The round of the beacon is named.")
        show = partial(_show_typed, request, tournament, "beacon_form")
        return act_on_form(request, back, BeaconForm(request.POST), name, said, show)
    show = partial(_show_typed, request, tournament, "drop_form")
    return act_on_form(request, back, DropForm(request.POST), drop, _("The beacon is dropped."), show)


def _show_typed(request: HttpRequest, tournament: Tournament, name: str, form: forms.Form) -> HttpResponse:
    return _render(request, tournament, **{name: form})


LIVE = (TournamentState.OPEN, TournamentState.PLAYING, TournamentState.PAUSED)
"""States in which something changes while one looks."""
USUAL_MOVES = 1
MOVE_WORDS = {Move.UP: gettext_lazy("goes up"), Move.DOWN: gettext_lazy("goes down"), Move.STAYS: ""}


class SeasonForm(forms.Form):
    moves = shown_field(
        SeasonFormSerializer,
        "moves",
        label=gettext_lazy("How many go up and down"),
        help_text=gettext_lazy("Between each division and the next. They keep their sizes."),
    )
    name = shown_field(
        SeasonFormSerializer,
        "name",
        label=gettext_lazy("Name"),
        help_text=gettext_lazy("Empty: the league's name and the season's number."),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@desk_page
def show_next_season(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """A preview for the number asked for; what is sent makes it."""
    sent = request.POST if request.method == "POST" else request.GET
    form = SeasonForm({"moves": USUAL_MOVES, "name": "", **sent.dict()})
    plan: SeasonPlan | None = None
    if form.is_valid():
        try:
            if request.method == "POST":
                made = create_next_season(tournament_id=tournament.id, actor=person_of(request), **form.cleaned_data)
                return redirect("desk_tournament", slug=made.slug)
            plan = plan_next_season(tournament=tournament, moves=form.cleaned_data["moves"])
        except LeagueError as error:
            form.add_error(None, say_refusal(error))
    context = desk_context(tournament, "desk_tournament") | {"form": form, "plan": plan, "divisions": _show(plan)}
    return render(request, "desk/next_season.html", context, status=UNPROCESSABLE if form.errors else 200)


def _show(plan: SeasonPlan | None) -> list[list[tuple[str, object]]]:
    """Names of each division with what happens to them."""
    divisions = plan.divisions if plan else ()
    return [[(place.entrant.player.name, MOVE_WORDS[place.move]) for place in division] for division in divisions]
