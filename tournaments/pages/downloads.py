"""What can be taken home of a tournament: tables as CSV and JSON, and everything as one archive."""

from collections.abc import Callable, Iterator

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.models import Tournament
from tournaments.pages.archive import stream_archive
from tournaments.pages.files import write_csv, write_json
from tournaments.pages.frame import find_shown, frame_context
from tournaments.selectors.exports import Row, export_results, export_schedule, export_standings

EXPORTS: dict[str, Callable[[Tournament], Iterator[Row]]] = {
    "standings": export_standings,
    "schedule": export_schedule,
    "results": export_results,
}
WRITERS = {"csv": (write_csv, "text/csv; charset=utf-8"), "json": (write_json, "application/json")}


@require_safe
def show_downloads(request: HttpRequest, slug: str) -> HttpResponse:
    shown = find_shown(request, slug)
    files = [
        ("standings", _("Standings"), _("Places, points, tie-breaks and intervals, stage by stage.")),
        ("schedule", _("Schedule"), _("Every table that was released, and why it was drawn.")),
        ("results", _("Results"), _("Every finished match, a row a side.")),
    ]
    context = frame_context(request, shown, "tournament_downloads") | {"files": files, "stage_links": []}
    return render(request, "tournaments/downloads.html", context)


@require_safe
def download_rows(request: HttpRequest, slug: str, name: str, form: str) -> HttpResponseBase:
    tournament = find_shown(request, slug).tournament
    if name not in EXPORTS or form not in WRITERS:
        raise Http404("no such file")
    write, content_type = WRITERS[form]
    return _send(write(EXPORTS[name](tournament)), content_type, f"{slug}-{name}.{form}")


@require_safe
def download_archive(request: HttpRequest, slug: str) -> HttpResponseBase:
    tournament = find_shown(request, slug).tournament
    return _send(stream_archive(tournament), "application/zip", f"{slug}.zip")


def _send(parts: Iterator[str] | Iterator[bytes], content_type: str, name: str) -> StreamingHttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingHttpResponse(parts, content_type=content_type, headers=headers)
