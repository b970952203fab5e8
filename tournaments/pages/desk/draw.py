"""The draw at the desk: a preview with certificate and reasons, and places swapped by hand before release."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournaments.models import MatchdayState, Tournament
from tournaments.pages.desk.access import act_on_form, desk_context, desk_page, person_of
from tournaments.pages.desk.entries import ApartForm
from tournaments.pages.desk.overview import describe_steps
from tournaments.pages.frame import Shown, cut_page, find_shown, link_stages
from tournaments.pages.schedule import TABLES_A_PAGE, choose_matchday, say_why
from tournaments.pages.statistics import MOST_CERTIFIED, certify_stage
from tournaments.pages.words import CERTIFICATE
from tournaments.rules.lifecycle import Step, can_take
from tournaments.selectors.desk import find_matchday, list_on_matchday
from tournaments.selectors.progress import read_version
from tournaments.selectors.schedule import MatchdayLine, list_byes, list_fixtures, list_matchday_lines, show_tables
from tournaments.services.draw import swap_entrants

DRAW_STEPS = (Step.DRAW, Step.START, Step.REOPEN, Step.RELEASE)


@require_safe
@desk_page
def show_draw(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    shown = find_shown(request, tournament.slug)
    matchdays = list_matchday_lines(shown.stage, is_in_charge=True)
    matchday, note = choose_matchday(matchdays, request.GET.get("day", ""))
    context = desk_context(tournament, "desk_draw") | {
        "stage": shown.stage,
        "stage_links": link_stages(request, shown.stages),
        "stage_link": f"?stage={shown.stage.number}",
        "note": shown.note or note,
        "steps": describe_steps(tournament, only=DRAW_STEPS),
        "matchdays": matchdays,
        "matchday": matchday,
        "certificate": _certify(shown),
        "most": MOST_CERTIFIED,
    }
    if matchday is not None:
        context |= _show_matchday(request, tournament, matchday)
    return render(request, "desk/draw.html", context)


@require_POST
@desk_page
def swap_places(request: HttpRequest, tournament: Tournament, matchday_id: int) -> HttpResponse:
    matchday = find_matchday(tournament, matchday_id)
    if matchday is None:
        raise Http404("no such matchday")
    form = ApartForm(request.POST, choices=list_on_matchday(matchday.pk))
    back = f"{reverse('desk_draw', args=[tournament.slug])}?stage={matchday.stage.number}&day={matchday.number}"

    def swap(sent: dict[str, Any]) -> None:
        swap_entrants(matchday_id=matchday.pk, actor=person_of(request), **sent)

    return act_on_form(request, back, form, swap, _("They have changed places; the tables are marked."))


def _show_matchday(request: HttpRequest, tournament: Tournament, matchday: MatchdayLine) -> dict[str, Any]:
    page = cut_page(request, list_fixtures(matchday), TABLES_A_PAGE)
    shown: dict[str, Any] = {
        "page": page,
        "tables": [(line, say_why(line.fixture.why)) for line in show_tables(page.object_list)],
        "byes": list_byes(matchday),
    }
    if matchday.state == MatchdayState.DRAWN and can_take(tournament.state, Step.EDIT_DRAW):
        shown["swap_form"] = ApartForm(choices=list_on_matchday(matchday.id))
    return shown


def _certify(shown: Shown) -> list[tuple[Any, Any]]:
    """Rows of the certificate with their names; none for a field too large to count while somebody waits."""
    if len(shown.stage.field) > MOST_CERTIFIED:
        return []
    # The key holds the last event's number, and every draw and edit by hand is an event.
    key = f"balance-{shown.stage.number}-{read_version(shown.tournament, shown.stages)}"
    return [(CERTIFICATE.get(row.name, row.name), row) for row in certify_stage(shown.stage, key)]
