"""Paper for a matchday: where everybody sits, and a score sheet for each table with a code that opens its report."""

from dataclasses import dataclass

import qrcode
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe
from qrcode.image.svg import SvgPathImage

from games.rules.ruleset import Ruleset
from tournaments.models import FixtureMatch, Tournament
from tournaments.pages.desk.access import desk_context, desk_page
from tournaments.pages.tournament import choose_matchday
from tournaments.selectors.desk import list_desk_matches, name_sides
from tournaments.selectors.leagues import find_current_stage, list_stages
from tournaments.selectors.schedule import list_matchday_lines

ROUNDS_ON_PAPER = 4
MOST_SHEETS = 400


@dataclass(frozen=True, slots=True)
class Paper:
    """One score sheet: the match, who plays on each side, and the code."""

    link: FixtureMatch
    sides: list[str]
    code: SafeString
    address: str


@require_safe
@desk_page
def show_papers(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Tables by number, seats by name, and a sheet a match; the browser's print makes pages of it."""
    asked = request.GET.get("stage", "")
    stages = list_stages(tournament)
    stage = next((one for one in stages if str(one.number) == asked), None) or find_current_stage(tournament)
    days = list_matchday_lines(stage, is_in_charge=True)
    matchday, _note = choose_matchday(days, request.GET.get("day", ""))
    links = []
    if matchday is not None:
        found = list_desk_matches(tournament).filter(stage=stage, fixture__matchday__number=matchday.number)
        links = list(found.order_by("fixture__table", "number")[:MOST_SHEETS])
    papers = [_make(link) for link in links]
    seats = sorted(
        (seat.player.name, link.fixture.table) for link in links for seat in link.match.seats.all() if link.number == 1
    )
    ruleset = Ruleset.from_code(tournament.ruleset)
    context = desk_context(tournament, "desk_matches") | {
        "matchday": matchday,
        "matchdays": days,
        "stage": stage,
        "papers": papers,
        "seats": list(dict.fromkeys(seats)),
        "rounds": range(1, (3 if ruleset.is_cumulative else ROUNDS_ON_PAPER) + 1),
        "wanted": request.GET.get("only", ""),
    }
    return render(request, "desk/papers.html", context)


def _make(link: FixtureMatch) -> Paper:
    address = settings.SITE_URL.rstrip("/") + reverse("table_sheet", args=[link.match_id])
    return Paper(link, name_sides(link), draw_code(address), address)


def draw_code(text: str) -> SafeString:
    """A QR code as SVG within the page."""
    code = qrcode.QRCode(border=1, image_factory=SvgPathImage)
    code.add_data(text)
    picture = code.make_image().to_string(encoding="unicode")
    return mark_safe(picture[picture.index("<svg") :])  # drawn here from an address of ours
