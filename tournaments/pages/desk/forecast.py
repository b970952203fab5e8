"""The forecast at the desk: what the tournament will tell as it is, with twice the deals, or by another preset."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from aurum_league.common.refusals import say_sentence
from tournaments.models import Tournament
from tournaments.pages.desk.access import desk_context, desk_page
from tournaments.pages.words import DASH, say_percent
from tournaments.rules.forecast import Forecast
from tournaments.rules.pairing import TableKind
from tournaments.rules.presets import PRESETS
from tournaments.selectors.forecast import LEAST_KNOWN, MOST_ENTRANTS, TournamentForecast, read_forecast


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
