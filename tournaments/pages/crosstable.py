"""The crosstable of a stage: everybody against everybody, with what is more than luck."""

from itertools import combinations
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.formats import get_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.pages.frame import find_shown, frame_context
from tournaments.pages.large import must_wait
from tournaments.pages.words import DASH, MARKS, name_stage, say_percent, say_signed
from tournaments.pictures.crosstable import draw_crosstable
from tournaments.rules.statistics.crosstable import CrosstableCell
from tournaments.selectors.crosstable import Crosstable, read_crosstable

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
