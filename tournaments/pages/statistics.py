"""What a stage tells beyond its standings: certificate, bracket, crosstable and statistics."""

from collections.abc import Sequence
from functools import partial
from itertools import combinations
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.formats import get_format, number_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from aurum_league.common.cache import read_cached
from tournaments.models import Stage, TournamentState
from tournaments.pages.frame import (
    Shown,
    chance_context,
    cut_page,
    find_shown,
    frame_context,
    must_wait,
    read_page_number,
    render_cached,
)
from tournaments.pages.words import CERTIFICATE, DASH, MARKS, name_stage, say_percent, say_signed, say_span
from tournaments.pictures.bars import Bar, BidColumn, Reach, count_columns, draw_bars, draw_bids, draw_reaches
from tournaments.pictures.curves import Axes
from tournaments.pictures.stages import BracketBox, BracketSeat, draw_bracket, draw_crosstable
from tournaments.rules.crosstable import CrosstableCell, PositionBias
from tournaments.rules.formats import FORMATS
from tournaments.rules.pairing import TableKind
from tournaments.selectors.chance import revealed_parts
from tournaments.selectors.entrants import name_field
from tournaments.selectors.leagues import is_in_charge
from tournaments.selectors.progress import read_version
from tournaments.selectors.schedule import PREVIEWS, BracketLine, read_bracket
from tournaments.selectors.situation import CertifiedRow, certify_stage
from tournaments.selectors.standings import revealed_seed
from tournaments.selectors.statistics import (
    BidStatistics,
    Crosstable,
    RoundEnds,
    read_bias,
    read_bids,
    read_crosstable,
    read_round_bids,
    read_rounds,
)

MOST_CERTIFIED = 300
"""The certificate counts every pair of entrants: beyond this a page would keep its reader waiting."""
CACHE_SECONDS = 3600


@require_safe
def show_balance(request: HttpRequest, slug: str) -> HttpResponse:
    shown = find_shown(request, slug)
    may_see = shown.tournament.state not in PREVIEWS or is_in_charge(request.user, shown.tournament)
    is_too_large = len(shown.stage.field) > MOST_CERTIFIED
    is_over = shown.tournament.state == TournamentState.FINISHED
    if is_over:
        shown.tournament.refresh_from_db(fields=("seed", "secret"))
    context = frame_context(request, shown, "tournament_balance") | {
        "certificate": list_certificate(shown) if may_see and not is_too_large else [],
        "is_too_large": may_see and is_too_large,
        "most": MOST_CERTIFIED,
        "seed": revealed_seed(shown.tournament),
        "secret": (revealed_parts(shown.tournament) or {}).get("secret") if is_over else None,
        **chance_context(request, shown.tournament),
    }
    return render(request, "tournaments/balance.html", context)


def list_certificate(shown: Shown) -> list[tuple[Any, CertifiedRow]]:
    """Rows with their names, kept until something changes: every draw and edit by hand is an event."""
    key = f"balance-{shown.stage.number}-{read_version(shown.tournament, shown.stages)}"
    rows = read_cached(key, CACHE_SECONDS, partial(certify_stage, shown.stage))
    return [(CERTIFICATE.get(one.row.name, one.row.name), one) for one in rows]


@require_safe
def show_bracket(request: HttpRequest, slug: str) -> HttpResponse:
    shown = find_shown(request, slug)
    lines = read_bracket(shown.stage) if FORMATS[shown.stage.format].has_bracket else []
    title = _("Bracket of %(stage)s") % {"stage": name_stage(shown.stage)}
    boxes = [make_box(line, shown.stage) for line in lines]
    context = frame_context(request, shown, "tournament_bracket") | {
        # The picture escapes every name itself.
        "picture": SafeString(draw_bracket(boxes, title, _("bye"))) if boxes else "",
        "lines": lines,
        "is_knockout": FORMATS[shown.stage.format].has_bracket,
    }
    return render(request, "tournaments/bracket.html", context)


def make_box(line: BracketLine, stage: Stage) -> BracketBox:
    seats = [
        BracketSeat(seat.name or _("house bot"), seat.place, source)
        for seat, source in zip(line.table.seats, line.sources, strict=True)
    ]
    return BracketBox(line.slot, line.wave, tuple(seats), int(stage.options.get("advance", 1)))


MOST_IN_CROSSTABLE = 12
"""More rows than this do not fit a screen, nor the weight of a page."""


@require_safe
def show_crosstable(request: HttpRequest, slug: str) -> HttpResponse:
    shown = find_shown(request, slug)
    context = frame_context(request, shown, "tournament_crosstable")
    if not must_wait(request, shown.stage):
        table = read_crosstable(shown.stage, limit=MOST_IN_CROSSTABLE)
        title = _("Crosstable of %(stage)s") % {"stage": name_stage(shown.stage)}
        # The picture escapes every name itself.
        drawn = draw_crosstable(table.entrants, table.cells, title, get_format("DECIMAL_SEPARATOR"))
        picture = SafeString(drawn) if table.cells else ""
        context |= {"picture": picture, "table": table, "rows": list_meetings(table)}
    return render(request, "tournaments/crosstable.html", context)


def list_meetings(table: Crosstable) -> list[dict[str, Any]]:
    """Each pair that met once, seen from the better placed, in words."""
    pairs = combinations(table.entrants, 2)
    met = ((own, other, table.cells[own[0], other[0]]) for own, other in pairs if (own[0], other[0]) in table.cells)
    return [{"entrant": own[1], "opponent": other[1], **show_cell(cell)} for own, other, cell in met]


def show_cell(cell: CrosstableCell) -> dict[str, Any]:
    interval = DASH
    if cell.low is not None and cell.high is not None:
        interval = _("%(low)s to %(high)s") % {"low": say_signed(cell.low), "high": say_signed(cell.high)}
    return {
        "meetings": cell.meetings,
        "ahead": say_percent(cell.share_ahead),
        "difference": say_signed(cell.mean_difference),
        "interval": interval,
        "verdict": MARKS[cell.mark],
    }


LINES_A_PAGE = 100
WHOLE = "all"
"""What an address names as its stage where it asks for all of them together."""


@require_safe
def show_statistics(request: HttpRequest, slug: str) -> HttpResponse:
    shown = find_shown(request, slug)
    is_whole = request.GET.get("stage") == WHOLE
    stages = shown.stages if is_whole else [shown.stage]
    context = frame_context(request, shown, "tournament_statistics")
    if len(shown.stages) > 1:
        context["stage_links"] += [(_("Whole tournament"), f"?stage={WHOLE}")]
    if is_whole:
        context |= {"note": "", "stage_link": f"?stage={WHOLE}"}
    if not any(must_wait(request, stage) for stage in stages):
        chosen = WHOLE if is_whole else shown.stage.number
        key = f"statistics-{read_version(shown.tournament, shown.stages)}-{chosen}-{read_page_number(request)}"
        context["part"] = render_cached(
            request, key, "tournaments/statistics_part.html", lambda: _part_context(request, stages)
        )
    return render(request, "tournaments/statistics.html", context)


def _part_context(request: HttpRequest, stages: Sequence[Stage]) -> dict[str, Any]:
    tournament = stages[0].tournament
    names = {entrant: name for stage in stages for entrant, name in name_field(stage).items()}
    bids = [line for entrant, line in read_bids(stages).items() if entrant in names]
    bids.sort(key=lambda line: line.exact_share, reverse=True)
    page = cut_page(request, bids, LINES_A_PAGE)
    lines = list(page.object_list)
    bias = read_bias(stages)
    rounds = read_rounds(stages)
    is_solo3 = tournament.table_kind == TableKind.SOLO3
    return {
        "tournament": tournament,
        "page": page,
        "rows": [
            (names[line.id], {**show_bids(line), "reach": drawn})
            for line, drawn in zip(lines, draw_exact(lines), strict=True)
        ],
        **show_round_bids(count_columns(read_round_bids(stages))),
        "ends": (ends := show_ends(rounds.ends, rounds.rounds)),
        "ends_picture": draw_ends(ends, rounds.rounds),
        "biases": [
            show_bias(_("By seat"), bias.seat, _("Seat %(number)s"))
            if is_solo3
            else show_bias(_("By side"), bias.seat),
            show_bias(_("By distance from the first player"), bias.first_player),
        ],
    }


def show_bids(line: BidStatistics) -> dict[str, Any]:
    """Means of a round, in words; the share of exact bids with its interval."""
    interval = ""
    if line.exact_low is not None and line.exact_high is not None:
        interval = say_span(say_percent(line.exact_low), say_percent(line.exact_high))
    return {
        "matches": line.matches,
        "rounds": line.rounds,
        "bid": line.a_round(line.bids),
        "tricks": line.a_round(line.tricks),
        "gold": line.a_round(line.gold_points),
        "won": say_percent(line.a_round(line.nuggets)),
        "exact": say_percent(line.exact_share),
        "interval": interval,
    }


def draw_exact(lines: Sequence[BidStatistics]) -> list[SafeString]:
    """The share of exact bids of each with its interval, all on one scale."""
    reaches = [
        Reach(line.exact_low, line.exact_share, line.exact_high)
        if line.exact_low is not None and line.exact_high is not None
        else None
        for line in lines
    ]
    return [SafeString(drawn) for drawn in draw_reaches(reaches)]


def show_round_bids(columns: Sequence[BidColumn]) -> dict[str, Any]:
    """Bids against tricks as a picture, and its numbers for the table behind it."""
    title = _("Bids, and how often they were made")
    axes = Axes(title, _("bid"), _("rounds"))
    return {"columns": columns, "columns_picture": SafeString(draw_bids(columns, axes)) if columns else ""}


def draw_ends(ends: Sequence[tuple[str, int, str]], rounds: int) -> SafeString:
    bars = [Bar(words, count / max(rounds, 1), share) for words, count, share in ends]
    return SafeString(draw_bars(bars, _("How rounds ended")))


def show_ends(ends: RoundEnds, rounds: int) -> list[tuple[str, int, str]]:
    counted = (
        (_("the leader had no card left"), ends.no_lead),
        (_("somebody could not play"), ends.no_play),
        (_("somebody declined to play gold"), ends.declined_gold),
    )
    return [(words, count, say_percent(count / max(rounds, 1))) for words, count in counted]


def show_bias(title: str, bias: PositionBias, named: str = "") -> dict[str, Any]:
    """Shares of first places by position, and in words whether luck explains their difference.

    `named`: how a position is called, counted from 1; else it is a number from 0.
    """
    names = [named % {"number": number + 1} if named else str(number) for number in range(len(bias.shares))]
    shares = [
        (
            names[position],
            say_percent(share.mean, 1),
            DASH
            if share.low is None or share.high is None
            else say_span(say_percent(share.low, 1), say_percent(share.high, 1)),
        )
        for position, share in enumerate(bias.shares)
    ]
    bars = [
        Bar(names[position], share.mean, say_percent(share.mean, 1), share.low, share.high)
        for position, share in enumerate(bias.shares)
    ]
    picture = SafeString(draw_bars(bars, title, 1 / len(bars))) if bars else ""
    return {
        "title": title,
        "picture": picture,
        "shares": shares,
        "verdict": say_verdict(bias.p_value),
        "matches": bias.matches,
    }


def say_verdict(p_value: float | None) -> str:
    if p_value is None:
        return _("Too few blocks of deals to tell.")
    if p_value < 0.01:
        verdict = _("More than luck: such shares arise by chance in fewer than 1 of 100 (p = %(p)s).")
    elif p_value < 0.05:
        verdict = _("Perhaps more than luck (p = %(p)s).")
    else:
        verdict = _("Luck explains it (p = %(p)s).")
    return verdict % {"p": number_format(p_value, 3)}
