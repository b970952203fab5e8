"""The crosstable of a stage: everybody against everybody, with what is more than luck."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.pages.frame import find_shown, frame_context
from tournaments.pages.large import must_wait
from tournaments.pages.words import name_stage
from tournaments.pictures.crosstable import draw_crosstable
from tournaments.selectors.crosstable import read_crosstable

MOST_ENTRANTS = 24
"""More rows than this do not fit a screen, nor the weight of a page."""


@require_safe
def show_crosstable(request: HttpRequest, slug: str) -> HttpResponse:
    shown = find_shown(request, slug)
    context = frame_context(request, shown, "tournament_crosstable")
    if not must_wait(request, shown.stage):
        table = read_crosstable(shown.stage, limit=MOST_ENTRANTS)
        title = _("Crosstable of %(stage)s") % {"stage": name_stage(shown.stage)}
        # The picture escapes every name itself.
        picture = SafeString(draw_crosstable(table.entrants, table.cells, title)) if table.cells else ""
        context |= {"picture": picture, "table": table}
    return render(request, "tournaments/crosstable.html", context)
