"""Matches at the desk: those that want a decision, what can be decided about one, and reruns."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from aurum_league.common.pages import shown_field
from games.models import MatchState
from games.services.by_hand import HandResult
from tournaments.api.running import DecisionFormSerializer
from tournaments.models import FixtureMatch, FixtureState, Rerun, RerunState, SheetState, Tournament
from tournaments.pages.desk.access import act, act_on_form, desk_context, desk_page, desk_page_for, person_of
from tournaments.pages.desk.stage_form import NumbersField
from tournaments.pages.frame import cut_page
from tournaments.rules.lifecycle import Step, can_take
from tournaments.selectors.desk import (
    count_match_states,
    filter_desk_matches,
    find_desk_match,
    find_fresh_match,
    find_rerun,
    list_desk_matches,
    list_disputes,
    list_reruns,
    name_entrants,
    name_sides,
    preview_rerun,
)
from tournaments.selectors.leagues import list_stages
from tournaments.selectors.rights import Right
from tournaments.services.decisions import (
    apply_rerun,
    drop_rerun,
    enter_result,
    forfeit_match,
    play_again,
    rerun_matches,
    void_match,
)
from tournaments.services.fresh import drop_fresh, play_fresh

MATCHES_A_PAGE = 60
LONGEST_LIST = 60
LARGEST_FIGURE = 10_000
LONGEST_NUMBER = 8
WITH_A_WORKER = (MatchState.PLAYING,)


class DecisionForm(forms.Form):
    """Which match and which decision the address says, where the API takes them in its body."""

    reason = shown_field(
        DecisionFormSerializer,
        "reason",
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("Goes into the audit trail."),
        required=True,
    )


class AgainForm(forms.Form):
    reason = shown_field(DecisionFormSerializer, "reason", label=gettext_lazy("Reason"))


class ForfeitForm(DecisionForm):
    seats = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Seats that forfeit"), coerce=int, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, *args: Any, link: FixtureMatch, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = [(seat.seat, f"{seat.seat + 1}: {seat.player.name}") for seat in link.match.seats.all()]
        self.fields["seats"].choices = names  # type: ignore[attr-defined]


class ResultForm(DecisionForm):
    places = NumbersField(
        label=gettext_lazy("Places"),
        max_length=LONGEST_LIST,
        help_text=gettext_lazy("One for each side in the order above, such as 2, 1, 3; who is level shares: 1, 1, 3."),
    )
    nuggets = NumbersField(label=gettext_lazy("Nuggets"), max_length=LONGEST_LIST, required=False)
    totals = NumbersField(label=gettext_lazy("Total scores"), max_length=LONGEST_LIST, required=False)

    def clean(self) -> dict[str, Any]:
        for name in ("places", "nuggets", "totals"):
            values = self.cleaned_data.get(name) or []
            if any(type(value) is not int or abs(value) > LARGEST_FIGURE for value in values):
                self.add_error(name, _("Write whole numbers of a size that a match can have."))
        return self.cleaned_data

    def read_result(self) -> HandResult:
        sent = self.cleaned_data
        return HandResult(tuple(sent["places"]), tuple(sent["nuggets"]), tuple(sent["totals"]))


@require_safe
@desk_page
def show_matches(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    return _render_list(request, tournament, DecisionForm())


def _render_list(request: HttpRequest, tournament: Tournament, rerun_form: forms.Form) -> HttpResponse:
    counts = count_match_states(tournament)
    asked = request.GET.get("state", "")
    state = asked if asked in MatchState.values else ""
    if not asked and counts.get(MatchState.QUARANTINED):
        state = MatchState.QUARANTINED
    asked_for = {"who": request.GET.get("who", "")[:80]}
    asked_for |= {name: request.GET.get(name, "")[:LONGEST_NUMBER] for name in ("day", "table")}
    day, table = (int(one) if (one := asked_for[name]).isdecimal() else None for name in ("day", "table"))
    links = filter_desk_matches(list_desk_matches(tournament, [state] if state else []), asked_for["who"], day, table)
    kept = "".join(f"&{urlencode({name: words})}" for name, words in asked_for.items() if words)
    address = reverse("desk_matches", args=[tournament.slug])
    context = desk_context(tournament, "desk_matches") | {
        "page": cut_page(request, links, MATCHES_A_PAGE),
        "filters": [
            (f"{_('All')} ({sum(counts.values())})", f"{address}?state=all{kept}"),
            *(
                (f"{MatchState(one).label} ({count})", f"{address}?state={one}{kept}")
                for one, count in sorted(counts.items())
            ),
        ],
        "filter": f"{address}?state={state or 'all'}{kept}",
        "can_rerun": can_take(tournament.state, Step.CORRECT) and state in ("", MatchState.FINISHED),
        **asked_for,
        "state": asked,
        "reports": list_disputes(tournament),
        "rerun_form": rerun_form,
        "reruns": list_reruns(tournament),
    }
    return render(request, "desk/matches.html", context)


@require_safe
@desk_page
def show_match(request: HttpRequest, tournament: Tournament, match_id: int) -> HttpResponse:
    return _render_match(request, tournament, _find(tournament, match_id))


def _render_match(
    request: HttpRequest, tournament: Tournament, link: FixtureMatch, **typed: forms.Form
) -> HttpResponse:
    state, can_decide = link.match.state, can_take(tournament.state, Step.DECIDE)
    can_correct = can_take(tournament.state, Step.CORRECT) and state not in (*WITH_A_WORKER, MatchState.VOID)
    is_open = state not in (*WITH_A_WORKER, MatchState.VOID, MatchState.FINISHED)
    context = desk_context(tournament, "desk_matches") | {
        "link": link,
        "match": link.match,
        "result": getattr(link.match, "result", None),
        "report": link.match.sheets.filter(state__in=(SheetState.OPEN, SheetState.DISPUTED)).first(),
        "sides": name_sides(link),
        "again_form": AgainForm(auto_id="again_%s") if can_decide and state == MatchState.QUARANTINED else None,
        "forfeit_form": ForfeitForm(link=link, auto_id="forfeit_%s") if can_decide and is_open else None,
        "result_form": ResultForm(auto_id="result_%s") if can_correct else None,
        "void_form": DecisionForm(auto_id="void_%s")
        if can_take(tournament.state, Step.CORRECT) and link.fixture.state != "void"
        else None,
        "fresh_form": DecisionForm(auto_id="fresh_%s") if can_correct and _can_be_fresh(link) else None,
    }
    if fresh := find_fresh_match(link.match_id):
        context |= {"fresh": fresh, "result_form": None, "void_form": None, "fresh_form": None}
        context["drop_form"] = AgainForm(auto_id="drop_%s")
    return render(request, "desk/match.html", context | typed)


@require_POST
@desk_page_for(Right.RESULTS)
def decide_match(request: HttpRequest, tournament: Tournament, match_id: int, decision: str) -> HttpResponse:
    link = _find(tournament, match_id)
    about: dict[str, Any] = {"match_id": link.match_id, "actor": person_of(request)}
    result = ResultForm(request.POST, auto_id="result_%s")
    decisions: dict[str, tuple[forms.Form, Callable[[dict[str, Any]], object]]] = {
        "again": (AgainForm(request.POST, auto_id="again_%s"), lambda sent: play_again(**about, **sent)),
        "void": (DecisionForm(request.POST, auto_id="void_%s"), lambda sent: void_match(**about, **sent)),
        "fresh": (DecisionForm(request.POST, auto_id="fresh_%s"), lambda sent: play_fresh(**about, **sent)),
        "drop-fresh": (AgainForm(request.POST, auto_id="drop_%s"), lambda sent: drop_fresh(**about, **sent)),
        "forfeit": (
            ForfeitForm(request.POST, link=link, auto_id="forfeit_%s"),
            lambda sent: forfeit_match(**about, **sent),
        ),
        "result": (
            result,
            lambda sent: enter_result(**about, result=result.read_result(), reason=sent["reason"]),
        ),
    }
    if decision not in decisions:
        raise Http404("no such decision")
    back = reverse("desk_match", args=[tournament.slug, link.match_id])

    def show(typed: forms.Form) -> HttpResponse:
        form = {f"{decision.partition('-')[0]}_form": typed}
        return _render_match(request, tournament, _find(tournament, match_id), **form)

    return act_on_form(request, back, *decisions[decision], _("Decided; it is in the audit trail."), show)


def _find(tournament: Tournament, match_id: int) -> FixtureMatch:
    link = find_desk_match(tournament, match_id)
    if link is None:
        raise Http404("no such match")
    return link


def _can_be_fresh(link: FixtureMatch) -> bool:
    """Whether it has a result that counts, and somebody who can have seen its cards."""
    has_result = link.match.state == MatchState.FINISHED and link.fixture.state != FixtureState.VOID
    return has_result and any(seat.ref.is_awaited for seat in link.match.seats.all())


@require_POST
@desk_page
def begin_rerun(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    chosen = request.POST.getlist("match")[:MATCHES_A_PAGE]
    match_ids = [int(one) for one in chosen if one.isdecimal() and len(one) <= 18]
    form = DecisionForm(request.POST)
    begun: list[Rerun] = []

    def begin(sent: dict[str, Any]) -> None:
        about: dict[str, Any] = {"match_ids": match_ids, "actor": person_of(request)}
        begun.append(rerun_matches(tournament_id=tournament.id, **about, **sent))

    back = reverse("desk_matches", args=[tournament.slug]) + "?state=finished"
    said = _("The matches are being played once more.")
    answer = act_on_form(request, back, form, begin, said, lambda typed: _render_list(request, tournament, typed))
    return redirect("desk_rerun", slug=tournament.slug, rerun_id=begun[0].pk) if begun else answer


@require_safe
@desk_page
def show_rerun(request: HttpRequest, tournament: Tournament, rerun_id: int) -> HttpResponse:
    rerun = _find_rerun(tournament, rerun_id)
    preview = preview_rerun(rerun)
    stages = {stage.id: stage.name for stage in list_stages(tournament)}
    names = name_entrants([place.entrant_id for place in preview.places])
    is_open = rerun.state == RerunState.PLAYING and can_take(tournament.state, Step.CORRECT)
    context = desk_context(tournament, "desk_matches") | {
        "rerun": rerun,
        "preview": preview,
        "places": [(names[place.entrant_id], stages[place.stage_id], place) for place in preview.places],
        "can_apply": is_open and not preview.waiting,
        "can_drop": is_open,
    }
    return render(request, "desk/rerun.html", context)


@require_POST
@desk_page
def close_rerun(request: HttpRequest, tournament: Tournament, rerun_id: int, deed: str) -> HttpResponse:
    rerun = _find_rerun(tournament, rerun_id)
    back = reverse("desk_rerun", args=[tournament.slug, rerun.pk])
    about: dict[str, Any] = {"rerun_id": rerun.pk, "actor": person_of(request)}
    if deed == "apply":
        return act(request, back, lambda: apply_rerun(**about), _("The new results stand."))
    if deed == "drop":
        return act(request, back, lambda: drop_rerun(**about), _("Everything stays as it was."))
    raise Http404("no such deed")


def _find_rerun(tournament: Tournament, rerun_id: int) -> Rerun:
    rerun = find_rerun(tournament, rerun_id)
    if rerun is None:
        raise Http404("no such rerun")
    return rerun
