"""Reruns at the desk: matches played once more, what that would change, and applying or dropping it."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournaments.models import Rerun, RerunState, Tournament
from tournaments.pages.desk.access import act, act_on_form, desk_context, desk_page, person_of
from tournaments.pages.desk.matches import MATCHES_A_PAGE, DecisionForm
from tournaments.rules.lifecycle import Step, can_take
from tournaments.selectors.desk import find_rerun, name_entrants
from tournaments.selectors.listing import list_stages
from tournaments.selectors.reruns import preview_rerun
from tournaments.services.reruns import apply_rerun, drop_rerun, rerun_matches

LONGEST_NUMBER = 18


@require_POST
@desk_page
def begin_rerun(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    chosen = request.POST.getlist("match")[:MATCHES_A_PAGE]
    match_ids = [int(one) for one in chosen if one.isdecimal() and len(one) <= LONGEST_NUMBER]
    form = DecisionForm(request.POST)
    begun: list[Rerun] = []

    def begin(sent: dict[str, Any]) -> None:
        about: dict[str, Any] = {"match_ids": match_ids, "actor": person_of(request)}
        begun.append(rerun_matches(tournament_id=tournament.id, **about, **sent))

    back = reverse("desk_matches", args=[tournament.slug]) + "?state=finished"
    answer = act_on_form(request, back, form, begin, _("The matches are being played once more."))
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
