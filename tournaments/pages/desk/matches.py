"""Matches at the desk: those that want a decision first, and what can be decided about one of them."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from games.models import MatchState
from games.services.by_hand import HandResult
from tournaments.models import FixtureMatch, Tournament
from tournaments.pages.desk.access import act_on_form, desk_context, desk_page, person_of
from tournaments.pages.desk.stage_form import NumbersField
from tournaments.pages.paging import cut_page
from tournaments.rules.lifecycle import Step, can_take
from tournaments.selectors.desk import count_match_states, list_desk_matches, list_reruns
from tournaments.services.decisions import enter_result, forfeit_match, play_again, void_match

MATCHES_A_PAGE = 60
LONGEST_LIST = 60
LARGEST_FIGURE = 10_000
WITH_A_WORKER = (MatchState.PLAYING,)


class DecisionForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Reason"), max_length=400, help_text=gettext_lazy("Goes into the audit trail.")
    )


class AgainForm(forms.Form):
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=400, required=False)


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
    counts = count_match_states(tournament)
    asked = request.GET.get("state", "")
    state = asked if asked in MatchState.values else ""
    if not asked and counts.get(MatchState.QUARANTINED):
        state = MatchState.QUARANTINED
    address = reverse("desk_matches", args=[tournament.slug])
    context = desk_context(tournament, "desk_matches") | {
        "page": cut_page(request, list_desk_matches(tournament, [state] if state else []), MATCHES_A_PAGE),
        "filters": [
            (f"{_('All')} ({sum(counts.values())})", f"{address}?state=all"),
            *(
                (f"{MatchState(one).label} ({count})", f"{address}?state={one}")
                for one, count in sorted(counts.items())
            ),
        ],
        "filter": f"{address}?state={state or 'all'}",
        "can_rerun": can_take(tournament.state, Step.CORRECT) and state in ("", MatchState.FINISHED),
        "rerun_form": DecisionForm(),
        "reruns": list_reruns(tournament),
    }
    return render(request, "desk/matches.html", context)


@require_safe
@desk_page
def show_match(request: HttpRequest, tournament: Tournament, match_id: int) -> HttpResponse:
    link = _find(tournament, match_id)
    state, can_decide = link.match.state, can_take(tournament.state, Step.DECIDE)
    can_correct = can_take(tournament.state, Step.CORRECT) and state not in (*WITH_A_WORKER, MatchState.VOID)
    is_open = state not in (*WITH_A_WORKER, MatchState.VOID, MatchState.FINISHED)
    context = desk_context(tournament, "desk_matches") | {
        "link": link,
        "match": link.match,
        "result": getattr(link.match, "result", None),
        "sides": _name_sides(link),
        "again_form": AgainForm(auto_id="again_%s") if can_decide and state == MatchState.QUARANTINED else None,
        "forfeit_form": ForfeitForm(link=link, auto_id="forfeit_%s") if can_decide and is_open else None,
        "result_form": ResultForm(auto_id="result_%s") if can_correct else None,
        "void_form": DecisionForm(auto_id="void_%s")
        if can_take(tournament.state, Step.CORRECT) and link.fixture.state != "void"
        else None,
    }
    return render(request, "desk/match.html", context)


@require_POST
@desk_page
def decide_match(request: HttpRequest, tournament: Tournament, match_id: int, decision: str) -> HttpResponse:
    link = _find(tournament, match_id)
    about: dict[str, Any] = {"match_id": link.match_id, "actor": person_of(request)}
    result = ResultForm(request.POST)
    decisions: dict[str, tuple[forms.Form, Callable[[dict[str, Any]], object]]] = {
        "again": (AgainForm(request.POST), lambda sent: play_again(**about, **sent)),
        "void": (DecisionForm(request.POST), lambda sent: void_match(**about, **sent)),
        "forfeit": (ForfeitForm(request.POST, link=link), lambda sent: forfeit_match(**about, **sent)),
        "result": (
            result,
            lambda sent: enter_result(**about, result=result.read_result(), reason=sent["reason"]),
        ),
    }
    if decision not in decisions:
        raise Http404("no such decision")
    back = reverse("desk_match", args=[tournament.slug, link.match_id])
    return act_on_form(request, back, *decisions[decision], _("Decided; it is in the audit trail."))


def _find(tournament: Tournament, match_id: int) -> FixtureMatch:
    link = list_desk_matches(tournament).filter(match_id=match_id).first()
    if link is None:
        raise Http404("no such match")
    return link


def _name_sides(link: FixtureMatch) -> list[str]:
    """Who makes up each side, in the order in which places are given."""
    sides: dict[int, list[str]] = {}
    for seat in link.match.seats.all():
        sides.setdefault(seat.side, []).append(seat.player.name)
    return [" + ".join(dict.fromkeys(names)) for _side, names in sorted(sides.items())]
