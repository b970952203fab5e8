"""The draw at the desk: forecast, preview with its reasons, places swapped by hand; and a matchday on paper."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_safe

from aurum_league.common.pages import say_sentence
from games.pages.lobby import QrCode, draw_qr
from games.rules.ruleset import Ruleset
from tournaments.models import Matchday, MatchdayState, Stage, Tournament, TournamentState
from tournaments.pages.desk.access import act_on_form, desk_context, desk_page, person_of
from tournaments.pages.desk.arrange import say_place
from tournaments.pages.desk.entries import ApartForm, read_numbers
from tournaments.pages.desk.overview import describe_steps
from tournaments.pages.frame import cut_page, find_shown, link_stages
from tournaments.pages.statistics import MOST_CERTIFIED, list_certificate
from tournaments.pages.tournament import TABLES_A_PAGE, choose_matchday, say_why
from tournaments.pages.words import CERTIFICATE, DASH, say_percent
from tournaments.rules.forecast import Forecast
from tournaments.rules.lifecycle import Step, can_take
from tournaments.rules.pairing import TableKind
from tournaments.rules.spec import PRESETS
from tournaments.selectors.board import MOST_SEATS, count_seats, preview_swap, read_board
from tournaments.selectors.desk import BlankSheet, find_matchday, list_blank_sheets, list_on_matchday, name_entrants
from tournaments.selectors.leagues import find_current_stage, list_stages
from tournaments.selectors.progress import LEAST_KNOWN, MOST_ENTRANTS, TournamentForecast, read_forecast
from tournaments.selectors.schedule import MatchdayLine, list_byes, list_fixtures, list_matchday_lines, show_tables
from tournaments.services.draw import swap_entrants


@dataclass(frozen=True, slots=True)
class ForecastLine:
    """One choice in words; a dash where nobody can tell."""

    name: str
    best_wins: str
    gap: str
    matches: str
    time: str


@require_safe
@desk_page
def show_forecast(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    least = TableKind(tournament.table_kind).entrants
    asked = request.GET.get("entrants", "")
    is_number = asked.isdecimal() and len(asked) <= len(str(MOST_ENTRANTS)) and least <= int(asked) <= MOST_ENTRANTS
    told = read_forecast(tournament, int(asked) if is_number else None)
    context = desk_context(tournament, "desk_tournament") | {
        "told": told,
        "least": least,
        "most": MOST_ENTRANTS,
        "based_on": _say_basis(told),
        "problem": _say_problem(told),
        "lines": [_show_line(code, forecast) for code, forecast in told.choices.items() if forecast.matches],
    }
    return render(request, "desk/forecast.html", context)


def _say_basis(told: TournamentForecast) -> str:
    """What the spread of strength is taken from."""
    values = {"spread": number_format(round(told.spread)), "number": told.known}
    if told.known >= LEAST_KNOWN:
        words = ngettext(
            "Strengths spread by %(spread)s rating points, from the rating of %(number)s entrant.",
            "Strengths spread by %(spread)s rating points, from the ratings of %(number)s entrants.",
            told.known,
        )
        return words % values
    return _("Too few ratings are known: strengths are taken to spread by %(spread)s rating points.") % values


def _say_problem(told: TournamentForecast) -> str:
    if told.problem:
        return say_sentence(told.problem)
    if told.choices["this"].matches is None:
        return _("This runs on, or its format cannot be played on paper: nothing can be forecast.")
    if told.choices["this"].best_wins is None:
        return _("So many tables are not played on paper while you wait: they are only counted.")
    return ""


def _show_line(code: str, forecast: Forecast) -> ForecastLine:
    own = {"this": _("As it is set up"), "twice": _("Twice as many deals")}
    return ForecastLine(
        name=own[code] if code in own else _(PRESETS[code].title),
        best_wins=DASH if forecast.best_wins is None else say_percent(forecast.best_wins),
        gap=DASH if forecast.gap is None else number_format(round(forecast.gap)),
        matches=number_format(forecast.matches or 0),
        time=say_duration(forecast.seconds),
    )


def say_duration(seconds: float | None) -> str:
    """About how long; a dash where nobody can tell."""
    if seconds is None:
        return DASH
    minutes = seconds / 60
    if minutes < 1:
        return _("under a minute")
    if minutes < 120:
        count = round(minutes)
        return ngettext("%(count)s minute", "%(count)s minutes", count) % {"count": count}
    count = round(minutes / 60)
    return ngettext("%(count)s hour", "%(count)s hours", count) % {"count": count}


FORECAST = (TournamentState.DRAFT, TournamentState.OPEN, TournamentState.DRAWN)
"""While somebody can still choose otherwise."""

DRAW_STEPS = (Step.DRAW, Step.START, Step.REOPEN, Step.RELEASE)


@require_safe
@desk_page
def show_draw(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    return _render(request, tournament, request.GET.get("day", ""))


def _render(request: HttpRequest, tournament: Tournament, day: str, **typed: forms.Form) -> HttpResponse:
    shown = find_shown(request, tournament.slug)
    matchdays = list_matchday_lines(shown.stage, is_in_charge=True)
    matchday, note = choose_matchday(matchdays, day)
    context = desk_context(tournament, "desk_draw") | {
        "stage": shown.stage,
        "stage_links": link_stages(request, shown.stages),
        "stage_link": f"?stage={shown.stage.number}",
        "note": shown.note or note,
        "steps": describe_steps(tournament, only=DRAW_STEPS),
        "matchdays": matchdays,
        "matchday": matchday,
        "certificate": list_certificate(shown) if len(shown.stage.field) <= MOST_CERTIFIED else [],
        "most": MOST_CERTIFIED,
    }
    context |= _show_board(tournament, shown.stage)
    context["can_forecast"] = tournament.state in FORECAST
    if matchday is not None:
        context |= _show_matchday(request, tournament, matchday)
    return render(request, "desk/draw.html", context | typed)


@require_http_methods(["GET", "HEAD", "POST"])
@desk_page
def swap_places(request: HttpRequest, tournament: Tournament, matchday_id: int) -> HttpResponse:
    """GET is the part of the page that says what a swap would come to; POST does it."""
    matchday = find_matchday(tournament, matchday_id)
    if matchday is None:
        raise Http404("no such matchday")
    if request.method != "POST":
        return _render_swap(request, tournament, matchday)
    form = ApartForm(request.POST, choices=list_on_matchday(matchday.pk))
    address = reverse("desk_draw", args=[tournament.slug])
    back = f"{address}?stage={matchday.stage.number}&day={matchday.number}#day-{matchday.number}"

    def swap(sent: dict[str, Any]) -> None:
        swap_entrants(matchday_id=matchday.pk, actor=person_of(request), **sent)

    def show(typed: forms.Form) -> HttpResponse:
        return _render(request, tournament, str(matchday.number), swap_form=typed)

    return act_on_form(request, back, form, swap, _("They have changed places; the tables are marked."), show)


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


REFUSED = {
    "absent": gettext_lazy("They do not both have a place on this matchday."),
    "rest": gettext_lazy("Both rest on this matchday."),
    "pinned": gettext_lazy("A pinned table stays as it is. Let it go first."),
    "clash": gettext_lazy("These must be kept apart, but would meet:"),
}


def _render_swap(request: HttpRequest, tournament: Tournament, matchday: Matchday) -> HttpResponse:
    asked = read_numbers([request.GET.get("first", ""), request.GET.get("second", "")])
    first, second = asked if len(asked) == 2 else (0, 0)
    told = preview_swap(matchday, first, second)
    names = name_entrants([first, second, *told.clash])
    moves = [(names.get(one, ""), *place) for one, place in ((first, told.first), (second, told.second))]
    context = {
        "tournament": tournament,
        "matchday": matchday,
        "pair": (first, second),
        "moves": [(name, say_place(before), say_place(after)) for name, before, after in moves],
        "refused": REFUSED.get(told.refused, ""),
        "clash": [names[one] for one in told.clash],
        "rows": [(CERTIFICATE.get(row.before.name, row.before.name), row) for row in told.rows],
    }
    return render(request, "desk/swap.html", context)


def _show_board(tournament: Tournament, stage: Stage) -> dict[str, Any]:
    """All matchdays at once, as long as that is a glance."""
    if not 0 < count_seats(stage) <= MOST_SEATS:
        return {"board": []}
    days = read_board(stage)
    return {"board": days, "can_arrange": can_take(tournament.state, Step.EDIT_DRAW) and any(d.is_open for d in days)}


ROUNDS_ON_PAPER = 4
MOST_SHEETS = 400


@dataclass(frozen=True, slots=True)
class Paper:
    """One score sheet: the match, who plays on each side, and the code."""

    match_id: int
    table: int
    sides: list[str]
    code: QrCode
    address: str


@require_safe
@desk_page
def show_papers(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Seats by name and a sheet a match, of all tables or one; the browser's print makes pages of it."""
    asked = request.GET.get("stage", "")
    stages = list_stages(tournament)
    stage = next((one for one in stages if str(one.number) == asked), None) or find_current_stage(tournament)
    days = list_matchday_lines(stage, is_in_charge=True)
    matchday, _note = choose_matchday(days, request.GET.get("day", ""))
    sheets = list_blank_sheets(stage, matchday.number) if matchday is not None else []
    tables = list(dict.fromkeys(sheet.table for sheet in sheets))
    table = next((one for one in tables if str(one) == request.GET.get("table")), None)
    sheets = [sheet for sheet in sheets if table in (None, sheet.table)]
    seats = sorted({(name, sheet.table) for sheet in sheets for names in sheet.sides.values() for name in names})
    ruleset = Ruleset.from_code(tournament.ruleset)
    context = desk_context(tournament, "desk_matches") | {
        "matchday": matchday,
        "matchdays": days,
        "stage": stage,
        "papers": [_make(sheet) for sheet in sheets[:MOST_SHEETS]],
        "tables": tables,
        "table": table,
        "seats": seats,
        "rounds": range(1, (3 if ruleset.is_cumulative else ROUNDS_ON_PAPER) + 1),
        "wanted": request.GET.get("papers", ""),
    }
    return render(request, "desk/papers.html", context)


def _make(sheet: BlankSheet) -> Paper:
    address = settings.SITE_URL.rstrip("/") + reverse("table_sheet", args=[sheet.match_id])
    sides = [" + ".join(dict.fromkeys(names)) for _side, names in sorted(sheet.sides.items())]
    return Paper(sheet.match_id, sheet.table, sides, draw_qr(address), address)
