"""An event shown elsewhere: on a projector, within other sites (iframe, oEmbed), and as feeds."""

import re
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from csp.constants import NONE, SELF
from django.conf import settings
from django.contrib.syndication.views import Feed
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from aurum_league.common.pages import render_markdown
from tournaments.models import Tournament
from tournaments.pages.frame import find_shown
from tournaments.pages.home import list_times
from tournaments.pages.tournament import choose_matchday, name_state, show_rows
from tournaments.pages.words import name_stage
from tournaments.pictures.card import ROWS, draw_card
from tournaments.selectors.desk import name_entrants
from tournaments.selectors.entrants import count_taking_part
from tournaments.selectors.leagues import find_tournament, list_public_announcements, list_tournaments, say_announcement
from tournaments.selectors.schedule import list_fixtures, list_matchday_lines, show_tables
from tournaments.selectors.standings import find_snapshot

MOST_LINES = 60
EMBED_WIDTH, EMBED_HEIGHT = 640, 480
EMBED_POLICY = {
    "default-src": [NONE],
    "script-src": [SELF],
    "style-src": [SELF],
    "img-src": [SELF, "data:"],
    "font-src": [SELF],
    "connect-src": [SELF],
    "form-action": [NONE],
    "base-uri": [NONE],
    "frame-ancestors": ["*"],
}
"""An embedded page takes nothing in: no form, no base; whoever frames it cannot have a click do anything."""
SLUG = re.compile(r"^/tournaments/([-\w]+)/")
CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def _board_context(request: HttpRequest, slug: str) -> dict[str, Any]:
    """Tables of the matchday that is played, the standings, and what comes next."""
    shown = find_shown(request, slug)
    matchday, _note = choose_matchday(list_matchday_lines(shown.stage, is_in_charge=False), request.GET.get("day", ""))
    tables = []
    if matchday is not None:
        lines = show_tables(list(list_fixtures(matchday)[:MOST_LINES]))
        tables = [(line, name_state(line)) for line in lines]
    snapshot, now = find_snapshot(shown.stage), timezone.now()
    return {
        "tournament": shown.tournament,
        "stage": shown.stage,
        "stage_words": name_stage(shown.stage),
        "matchday": matchday,
        "tables": tables,
        "rows": show_rows(shown.stage, snapshot.rows[:MOST_LINES]),
        "zone_name": shown.tournament.time_zone.replace("_", " "),
        "next": next(((words, one.at) for words, one in list_times(shown.tournament) if one.at > now), None),
        "announcements": [
            (one, say_announcement(one, get_language() or "")) for one in list_public_announcements(shown.tournament, 1)
        ],
    }


@require_safe
def show_projector(request: HttpRequest, slug: str) -> HttpResponse:
    """Large type, no mouse: it follows by itself and scrolls by itself."""
    return render(request, "tournaments/projector.html", _board_context(request, slug))


@require_safe
@cache_control(public=True, max_age=300)
def show_card(request: HttpRequest, slug: str) -> HttpResponse:
    """A PNG for links: the event's name and state, and the first of the standings or how many have entered."""
    shown = find_shown(request, slug)
    rows = find_snapshot(shown.stage).rows[:ROWS]
    best = max((row["points"] for row in rows), default=0.0) or 1.0
    names = name_entrants([row["entrant"] for row in rows])
    bars = [(names.get(row["entrant"], ""), row["points"] / best) for row in rows]
    return HttpResponse(draw_card(shown.tournament.name, say_subtitle(shown.tournament), bars), "image/png")


def say_subtitle(tournament: Tournament) -> str:
    """State, how many take part, and the day of the start where one is set."""
    said = [str(tournament.get_state_display()), _("%(number)s entrants") % {"number": count_taking_part(tournament)}]
    if tournament.starts_at is not None:
        said.append(f"{tournament.starts_at.astimezone(ZoneInfo(tournament.time_zone)):%Y-%m-%d}")
    return " - ".join(said)


@require_safe
@xframe_options_exempt
def show_embed(request: HttpRequest, slug: str) -> HttpResponse:
    """A page for an iframe of any site, under a policy of its own; unlisted events are not embedded by strangers."""
    answer = render(request, "tournaments/embed.html", _board_context(request, slug))
    answer._csp_replace = EMBED_POLICY  # type: ignore[attr-defined]
    return answer


@require_safe
def show_oembed(request: HttpRequest) -> HttpResponse:
    """oEmbed 1.0: an iframe for the address of an event of ours."""
    found = _find_slug(request.GET.get("url", "")[:500])
    tournament = find_tournament(found, request.user) if found else None
    if tournament is None:
        raise Http404("no such event")
    if request.GET.get("format", "json") != "json":
        return HttpResponse(status=501)
    sizes = {"width": _size(request, "maxwidth", EMBED_WIDTH), "height": _size(request, "maxheight", EMBED_HEIGHT)}
    address = settings.SITE_URL.rstrip("/") + reverse("tournament_embed", args=[tournament.slug])
    frame = render_to_string("tournaments/embed_frame.html", {"address": address, "title": tournament.name, **sizes})
    told = {"version": "1.0", "type": "rich", "provider_name": "Aurum League", "provider_url": settings.SITE_URL}
    return JsonResponse({**told, "title": tournament.name, "html": frame.strip(), **sizes})


def _find_slug(address: str) -> str:
    """Of the event that an address of ours leads to; empty for any other."""
    try:
        asked = urlsplit(address)
    except ValueError:
        return ""
    found = SLUG.match(asked.path) if asked.hostname == urlsplit(settings.SITE_URL).hostname else None
    return found[1] if found else ""


def _size(request: HttpRequest, name: str, usual: int) -> int:
    asked = request.GET.get(name, "")
    return min(int(asked), usual) if asked.isdecimal() and len(asked) < 6 else usual


def show_words(text: str) -> str:
    """Readers of feeds take a summary for HTML: what people wrote goes out as pages show it, not as it was typed."""
    return visible(render_markdown(text))


def visible(text: str) -> str:
    """Without signs that XML cannot hold: one event named with such a sign would end the feed for all."""
    return CONTROLS.sub("", text)


class TournamentFeed(Feed):
    """What was announced at one event."""

    feed_type = Atom1Feed

    def get_object(self, request: HttpRequest, slug: str) -> Tournament:
        tournament = find_tournament(slug, request.user)
        if tournament is None:
            raise Http404("no such tournament")
        return tournament

    def title(self, tournament: Tournament) -> str:
        return visible(f"{tournament.name} · Aurum League")

    def link(self, tournament: Tournament) -> str:
        return reverse("tournament", args=[tournament.slug])

    def items(self, tournament: Tournament) -> list[Any]:
        return list_public_announcements(tournament, 30)

    def item_title(self, item: Any) -> str:
        return visible(say_announcement(item, get_language() or "")["title"])

    def item_description(self, item: Any) -> str:
        return show_words(say_announcement(item, get_language() or "")["text"])

    def item_link(self, item: Any) -> str:
        return f"{reverse('tournament', args=[item.tournament.slug])}#announcement-{item.pk}"

    def item_pubdate(self, item: Any) -> Any:
        return item.told_at


class SiteFeed(Feed):
    """The newest events of the site."""

    feed_type = Atom1Feed
    title = "Aurum League"
    link = "/tournaments/"

    def items(self) -> list[Tournament]:
        return list(list_tournaments()[:30])

    def item_title(self, item: Tournament) -> str:
        return visible(item.name)

    def item_description(self, item: Tournament) -> str:
        return show_words(f"{item.get_state_display()}.\n\n{item.description}")

    def item_link(self, item: Tournament) -> str:
        return reverse("tournament", args=[item.slug])

    def item_pubdate(self, item: Tournament) -> Any:
        return item.finished_at or item.started_at or item.created_at
