"""The bracket of a knockout as a picture, with the same tables as a list."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.models import Stage
from tournaments.pages.frame import find_shown, frame_context
from tournaments.pages.words import name_stage
from tournaments.pictures.bracket import BracketBox, BracketSeat, draw_bracket
from tournaments.selectors.bracket import KNOCKOUT, BracketLine, read_bracket


@require_safe
def show_bracket(request: HttpRequest, slug: str) -> HttpResponse:
    shown = find_shown(request, slug)
    lines = read_bracket(shown.stage) if shown.stage.format == KNOCKOUT else []
    title = _("Bracket of %(stage)s") % {"stage": name_stage(shown.stage)}
    boxes = [make_box(line, shown.stage) for line in lines]
    context = frame_context(request, shown, "tournament_bracket") | {
        # The picture escapes every name itself.
        "picture": SafeString(draw_bracket(boxes, title)) if boxes else "",
        "lines": lines,
        "is_knockout": shown.stage.format == KNOCKOUT,
    }
    return render(request, "tournaments/bracket.html", context)


def make_box(line: BracketLine, stage: Stage) -> BracketBox:
    seats = [
        BracketSeat(seat.name or _("house bot"), seat.place, source)
        for seat, source in zip(line.table.seats, line.sources, strict=True)
    ]
    return BracketBox(line.slot, line.wave, tuple(seats), int(stage.options.get("advance", 1)))
