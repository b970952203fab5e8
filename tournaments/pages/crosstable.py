"""The crosstable of a stage: everybody against everybody, with what is more than luck."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.pages.frame import find_shown, frame_context
from tournaments.pictures.crosstable import draw_crosstable
from tournaments.selectors.crosstable import read_crosstable


@require_safe
def show_crosstable(request: HttpRequest, slug: str) -> HttpResponse:
    shown = find_shown(request, slug)
    table = read_crosstable(shown.stage)
    title = _("Crosstable of %(stage)s") % {"stage": shown.stage.name}
    context = frame_context(request, shown, "tournament_crosstable") | {
        # The picture escapes every name itself.
        "picture": SafeString(draw_crosstable(table.entrants, table.cells, title)) if table.cells else "",
        "table": table,
    }
    return render(request, "tournaments/crosstable.html", context)
