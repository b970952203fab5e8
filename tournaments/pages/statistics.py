"""Statistics of a stage: bids, tricks and gold by entrant, how rounds ended, and whether the seat matters."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.models import Stage
from tournaments.pages.frame import find_shown, frame_context
from tournaments.pages.kept import render_kept
from tournaments.pages.large import must_wait
from tournaments.pages.paging import cut_page, read_page_number
from tournaments.pages.words import DASH, say_percent, say_span
from tournaments.rules.pairing import TableKind
from tournaments.rules.statistics.bias import PositionBias
from tournaments.selectors.entrants import name_field
from tournaments.selectors.pace import read_version
from tournaments.selectors.statistics import (
    BidStatistics,
    RoundEnds,
    read_bias,
    read_bids,
    read_rounds,
)

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
        context["part"] = render_kept(
            request, key, "tournaments/statistics_part.html", lambda: _part_context(request, stages)
        )
    return render(request, "tournaments/statistics.html", context)


def _part_context(request: HttpRequest, stages: Sequence[Stage]) -> dict[str, Any]:
    tournament = stages[0].tournament
    names = {entrant: name for stage in stages for entrant, name in name_field(stage).items()}
    bids = [line for entrant, line in read_bids(stages).items() if entrant in names]
    bids.sort(key=lambda line: line.exact_share, reverse=True)
    page = cut_page(request, bids, LINES_A_PAGE)
    bias = read_bias(stages)
    rounds = read_rounds(stages)
    is_solo3 = tournament.table_kind == TableKind.SOLO3
    return {
        "tournament": tournament,
        "page": page,
        "rows": [(names[line.id], show_bids(line)) for line in page.object_list],
        "ends": show_ends(rounds.ends, rounds.rounds),
        "biases": [
            show_bias(_("By seat") if is_solo3 else _("By side"), bias.seat),
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


def show_ends(ends: RoundEnds, rounds: int) -> list[tuple[str, int, str]]:
    counted = (
        (_("the leader had no card left"), ends.no_lead),
        (_("somebody could not play"), ends.no_play),
        (_("somebody declined to play gold"), ends.declined_gold),
    )
    return [(words, count, say_percent(count / max(rounds, 1))) for words, count in counted]


def show_bias(title: str, bias: PositionBias) -> dict[str, Any]:
    """Shares of first places by position, and in words whether luck explains their difference."""
    shares = [
        (
            position,
            say_percent(share.mean, 1),
            DASH
            if share.low is None or share.high is None
            else say_span(say_percent(share.low, 1), say_percent(share.high, 1)),
        )
        for position, share in enumerate(bias.shares)
    ]
    return {"title": title, "shares": shares, "verdict": say_verdict(bias.p_value), "matches": bias.matches}


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
