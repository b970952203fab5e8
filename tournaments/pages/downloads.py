"""What can be taken home of a tournament: tables as CSV and JSON, and everything as one archive."""

from collections.abc import Callable, Iterator

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.models import Tournament
from tournaments.pages.archive import stream_archive
from tournaments.pages.files import send_file, send_rows
from tournaments.pages.frame import find_shown, frame_context
from tournaments.selectors.bracket import KNOCKOUT
from tournaments.selectors.exports import Row, export_results, export_schedule, export_standings
from tournaments.selectors.picture_rows import export_bracket, export_crosstable, export_statistics

EXPORTS: dict[str, Callable[[Tournament], Iterator[Row]]] = {
    "standings": export_standings,
    "schedule": export_schedule,
    "results": export_results,
    "crosstable": export_crosstable,
    "bracket": export_bracket,
    "statistics": export_statistics,
}


@require_safe
def show_downloads(request: HttpRequest, slug: str) -> HttpResponse:
    shown = find_shown(request, slug)
    files = [
        ("standings", _("Standings"), _("Places, points, tie-breaks and intervals, stage by stage.")),
        ("schedule", _("Schedule"), _("Every table that was released, and why it was drawn.")),
        ("results", _("Results"), _("Every finished match, a row a side.")),
        ("crosstable", _("Crosstable"), _("Every entrant against every other, with intervals.")),
        ("statistics", _("Statistics"), _("Bids, tricks, gold and how rounds ended, by entrant.")),
    ]
    if any(stage.format == KNOCKOUT for stage in shown.stages):
        files.append(("bracket", _("Bracket"), _("Every table of the bracket, a row a seat.")))
    context = frame_context(request, shown, "tournament_downloads") | {"files": files, "stage_links": []}
    return render(request, "tournaments/downloads.html", context)


@require_safe
def download_rows(request: HttpRequest, slug: str, name: str, form: str) -> HttpResponseBase:
    tournament = find_shown(request, slug).tournament
    if name not in EXPORTS:
        raise Http404("no such file")
    return send_rows(EXPORTS[name](tournament), f"{slug}-{name}", form)


@require_safe
def download_archive(request: HttpRequest, slug: str) -> HttpResponseBase:
    tournament = find_shown(request, slug).tournament
    return send_file(stream_archive(tournament), "application/zip", f"{slug}.zip")

