"""Tournaments: their list, one's own page with how far it is, live, and the schedule by matchday and table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.models import Match, MatchState
from games.pages.words import describe_clock
from tournaments.models import EntrantState, EntryKind, FixtureState, MatchdayState, Stage, Tournament, TournamentState
from tournaments.pages.frame import (
    Shown,
    chance_context,
    cut_page,
    find_shown,
    frame_context,
    read_page_number,
    render_cached,
)
from tournaments.pages.home import list_times
from tournaments.pages.words import (
    DASH,
    explain_metrics,
    say_challenger,
    say_decision,
    say_number,
    say_reason,
    say_span,
    say_time_left,
)
from tournaments.pictures.bars import Runner, draw_race
from tournaments.pictures.curves import Axes
from tournaments.rules.formats import FORMATS
from tournaments.selectors.entrants import find_own_entry, read_check_in
from tournaments.selectors.leagues import (
    RUNNING,
    find_champions,
    find_play_off,
    is_in_charge,
    list_public_announcements,
    list_tournaments,
    say_announcement,
)
from tournaments.selectors.players import result_line, with_result
from tournaments.selectors.progress import read_pace, read_version
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
from tournaments.selectors.standings import Certainty, StandingsLine, find_snapshot, list_level_for_title, name_rows
from tournaments.selectors.statistics import read_race
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


@dataclass(frozen=True, slots=True)
class ShownRow:
    """One line; `span` is empty where the results leave only its own place open.

    `bar` is where the interval begins, how wide it is, and its mean, in hundredths of what a win is worth.
    """

    line: StandingsLine
    state: str
    points: str
    wins: str
    score: str
    interval: str
    bar: tuple[float, float, float] | None
    span: str
    decided: str
    starts_division: bool


def show_rows(stage: Stage, rows: Sequence[dict[str, Any]]) -> list[ShownRow]:
    """Rows of the snapshot that fit a page; the first of a page names its division again."""
    shown, division = [], None
    best = max(stage.points, default=0.0)
    for line in name_rows(stage, rows):
        shown.append(_show_row(line, bool(line.division) and line.division != division, best))
        division = line.division
    return shown


def _show_row(line: StandingsLine, starts_division: bool, best: float) -> ShownRow:
    played, sure = line.tally["played"], line.certainty
    rival = {line.decided_by["rival"]: line.rival} if line.rival and line.decided_by else {}
    return ShownRow(
        line=line,
        state="" if line.state in (EntrantState.ENTERED, EntrantState.CHECKED_IN) else str(line.state.label),
        points=say_number(line.points),
        wins=say_number(line.wins),
        score=number_format(line.tally["total_score"] / played, 2) if played else DASH,
        interval=_say_interval(sure),
        bar=find_bar(sure, best),
        span=say_span(sure.best, sure.worst) if sure and sure.best != sure.worst else "",
        decided=say_decision(line.decided_by, rival),
        starts_division=starts_division,
    )


def find_bar(sure: Certainty | None, best: float) -> tuple[float, float, float] | None:
    """Where an interval of points a match lies between nothing and a win; None where it is not known."""
    if sure is None or sure.reach is None or not best:
        return None
    ends = (sure.mean - sure.reach, sure.mean + sure.reach, sure.mean)
    low, high, mean = (round(100 * min(max(value / best, 0.0), 1.0), 1) for value in ends)
    return low, max(1.0, high - low), mean


def _say_interval(sure: Certainty | None) -> str:
    if sure is None or sure.reach is None:
        return DASH
    return f"{number_format(sure.mean, 2)} ± {number_format(sure.reach, 2)}"


TOURNAMENTS_A_PAGE = 24
LINES_A_PAGE = 100
FILTERS = {
    "running": RUNNING,
    "open": (TournamentState.OPEN, TournamentState.DRAWN),
    "finished": (TournamentState.FINISHED, TournamentState.CANCELLED),
}


@require_safe
def show_tournaments(request: HttpRequest) -> HttpResponse:
    names = {"": _("All"), "running": _("Running"), "open": _("Open for entries"), "finished": _("Finished")}
    asked = request.GET.get("show", "")
    shown = list_tournaments(states=tuple(FILTERS.get(asked, ())))
    context = {
        "page": cut_page(request, shown, TOURNAMENTS_A_PAGE),
        "filters": [(name, f"?show={key}" if key else reverse("tournaments")) for key, name in names.items()],
        "filter": f"?show={asked}" if asked in FILTERS else reverse("tournaments"),
    }
    return render(request, "tournaments/list.html", context)


@require_safe
def show_tournament(request: HttpRequest, slug: str) -> HttpResponse:
    shown = find_shown(request, slug)
    context = frame_context(request, shown, "tournament") | chance_context(request, shown.tournament)
    context |= {
        "now": render_now(request, shown),
        "announcements": [
            (one, say_announcement(one, get_language() or "")) for one in list_public_announcements(shown.tournament, 5)
        ],
        "challenger": say_challenger(shown.stages),
        "times": list_times(shown.tournament),
        "check_in": (check_in := read_check_in(shown.tournament)),
        "entry": find_own_entry(shown.tournament, request.user) if check_in else None,
    }
    return render(request, "tournaments/standings.html", context)


@require_safe
def show_now(request: HttpRequest, slug: str) -> HttpResponse:
    """The parts of the page that change while the tournament plays: its state goes to where it stands.

    The way to the standings (`part=race`) reads every result, so it is asked for by itself.
    """
    shown = find_shown(request, slug)
    if request.GET.get("part") == "race":
        return HttpResponse(render_race(request, shown))
    context = {"tournament": shown.tournament, "now": render_now(request, shown)}
    return render(request, "tournaments/now_with_state.html", context)


def render_race(request: HttpRequest, shown: Shown) -> SafeString:
    key = f"race-{read_version(shown.tournament, shown.stages)}-{shown.stage.number}"
    rows = find_snapshot(shown.stage).rows
    return render_cached(request, key, "tournaments/race.html", lambda: show_race(shown.stage, rows))


def render_now(request: HttpRequest, shown: Shown) -> SafeString:
    """Progress and standings, rendered once for all watchers until a result changes them."""
    version = read_version(shown.tournament, shown.stages)
    play_off = find_play_off(shown.tournament) if _is_decided(shown) else None
    key = f"now-{version}-{shown.stage.number}-{read_page_number(request)}-{play_off.state if play_off else ''}"
    return render_cached(request, key, "tournaments/now.html", lambda: _now_context(request, shown, play_off))


def _now_context(request: HttpRequest, shown: Shown, play_off: Tournament | None) -> dict[str, Any]:
    snapshot = find_snapshot(shown.stage)
    page = cut_page(request, snapshot.rows, LINES_A_PAGE)
    page.object_list = show_rows(shown.stage, list(page.object_list))
    pace = read_pace(shown.tournament)
    return {
        "tournament": shown.tournament,
        "stage": shown.stage,
        "pace": pace,
        "time_left": say_time_left(pace.left),
        "is_running": shown.tournament.state in RUNNING,
        "champions": find_champions([shown.tournament]).get(shown.tournament.id, []),
        "is_current": snapshot.version == shown.stage.results_version,
        "page": page,
        "level": list_level_for_title(shown.stage, snapshot.rows) if _is_decided(shown) else [],
        "play_off": play_off,
        "has_race": not FORMATS[shown.stage.format].has_bracket,
        "chain": explain_metrics(() if FORMATS[shown.stage.format].has_bracket else shown.stage.tiebreaks),
    }


FEWEST_IN_A_RACE = 6


def show_race(stage: Stage, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Points over an even share as the matches came in, and those that decided it; nothing where few have counted."""
    order = [row["entrant"] for row in rows if row["entrant"] > 0]
    if FORMATS[stage.format].has_bracket or len(order) < 2:
        return {}
    told = read_race(stage, order)
    if len(told.race.ahead[0]) < FEWEST_IN_A_RACE:
        return {}
    runners = [Runner(name, way) for name, way in zip(told.names, told.race.ahead, strict=True)]
    axes = Axes(_("The way to these standings"), _("matches"), _("points over an even share"))
    deciding = with_result(Match.objects.filter(pk__in=told.deciding)).order_by("pk")
    return {
        "race": SafeString(draw_race(runners, axes, told.race.decided)),
        "race_rows": [(runner.name, say_number(runner.ahead[-1])) for runner in runners],
        "decided": told.race.decided,
        "deciding": [result_line(match) for match in deciding],
    }


def _is_decided(shown: Shown) -> bool:
    """Whether the stage shown is the one that gave the title."""
    return shown.tournament.state == TournamentState.FINISHED and shown.stage == shown.stages[-1]
