"""The schedule by matchday, and the matches of one table."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from games.models import MatchState
from games.pages.words import describe_clock
from tournaments.models import EntryKind, FixtureState, MatchdayState, Tournament
from tournaments.pages.frame import cut_page, find_shown, frame_context
from tournaments.pages.words import say_reason
from tournaments.selectors.leagues import is_in_charge
from tournaments.selectors.players import result_line
from tournaments.selectors.schedule import (
    MatchdayLine,
    TableLine,
    find_fixture,
    list_byes,
    list_fixtures,
    list_matchday_lines,
    list_table_matches,
    show_tables,
)
from tournaments.services.release import DEFAULT_CLOCK

TABLES_A_PAGE = 60
MATCHES_A_PAGE = 60


@require_safe
def show_schedule(request: HttpRequest, slug: str) -> HttpResponse:
    shown = find_shown(request, slug)
    context = frame_context(request, shown, "tournament_schedule")
    matchdays = list_matchday_lines(shown.stage, is_in_charge=is_in_charge(request.user, shown.tournament))
    matchday, note = choose_matchday(matchdays, request.GET.get("day", ""))
    context["note"] = context["note"] or note
    if matchday is not None:
        page = cut_page(request, list_fixtures(matchday), TABLES_A_PAGE)
        tables = [(line, name_state(line), say_why(line.fixture.why)) for line in show_tables(page.object_list)]
        context |= {"page": page, "tables": tables, "byes": list_byes(matchday)}
    choices = [(day.number, say_left(day)) for day in matchdays]
    context |= {"choices": choices, "matchday": matchday, "clock": say_clock(shown.tournament)}
    return render(request, "tournaments/schedule.html", context)


def choose_matchday(matchdays: list[MatchdayLine], asked: str) -> tuple[MatchdayLine | None, str]:
    """The matchday asked for, else the first that is not over; with a note where there is none of that number."""
    if not matchdays:
        return None, ""
    chosen = next((day for day in matchdays if str(day.number) == asked), None)
    if chosen is not None:
        return chosen, ""
    current = next((day for day in matchdays if day.left), matchdays[0])
    if not asked:
        return current, ""
    note = _("There is no matchday “%(asked)s” in this stage; shown is matchday %(number)s.")
    return current, note % {"asked": asked[:20], "number": current.number}


def say_left(day: MatchdayLine) -> str:
    if day.state == MatchdayState.DRAWN:
        return _("planned")
    if not day.left:
        return _("played")
    return ngettext("%(number)s table to play", "%(number)s tables to play", day.left) % {"number": day.left}


def name_state(line: TableLine) -> str:
    return str(FixtureState(line.fixture.state).label)


def say_clock(tournament: Tournament) -> str:
    """How people and connected bots are timed; empty where only bots play that need no such clock."""
    has_people = tournament.entry_kind != EntryKind.BOTS
    return describe_clock(tournament.clock or (DEFAULT_CLOCK if has_people else None))


def say_why(why: list[Any]) -> list[str]:
    return [say_reason(code, numbers) for code, numbers in why]


@require_safe
def show_table(request: HttpRequest, slug: str, stage: int, day: int, table: int) -> HttpResponse:
    """One table of a matchday, match by match."""
    shown = find_shown(request, slug)
    held = next((one for one in shown.stages if one.number == stage), None)
    fixture = find_fixture(held, day, table) if held else None
    if held is None or fixture is None:
        raise Http404("no such table")
    page = cut_page(request, list_table_matches(fixture), MATCHES_A_PAGE)
    rows = [(match, result_line(match) if match.state == MatchState.FINISHED else None) for match in page.object_list]
    context = frame_context(request, shown, "tournament_schedule") | {
        "stage_links": [],
        "fixture": fixture,
        "line": show_tables([fixture])[0],
        "why": say_why(fixture.why),
        "page": page,
        "rows": rows,
        "clock": say_clock(shown.tournament),
        "back": f"{reverse('tournament_schedule', args=[slug])}?stage={stage}&day={day}",
    }
    return render(request, "tournaments/table.html", context)
