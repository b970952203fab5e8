"""In templates: names of stages and times as readers want them, and the way from a match to its table."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import template
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from aurum_league.common.cache import read_cached
from aurum_league.common.site_events import list_heads
from games.models import Match, MatchKind
from tournaments.models import RerunMatch, Stage
from tournaments.pages.frame import list_crumbs
from tournaments.pages.words import name_stage
from tournaments.selectors.desk import find_fresh_pair
from tournaments.selectors.ratings import read_house_ratings
from tournaments.selectors.schedule import find_fixture_of
from tournaments.selectors.timetable import USUAL_ZONE, read_zones

register = template.Library()
HEADS_SECONDS = 60
HOUSE_SECONDS = 300


@register.filter
def stage_name(stage: Stage) -> str:
    return name_stage(stage)


@register.simple_tag
def chain_heads() -> list[Any]:
    """The heads of all chains as they were published day by day, newest first."""
    return read_cached("chain-heads", HEADS_SECONDS, list_heads)


@register.simple_tag
def fresh_match(match: Match) -> RerunMatch | None:
    """The new match on fresh deals that is played for this one, or the one that this one is played for."""
    return find_fresh_pair(match.pk) if match.kind == MatchKind.TOURNAMENT else None


@register.simple_tag
def moment(at: datetime, zone: str) -> SafeString:
    """A time as the event's own clock shows it; the script of the site adds the reader's where it differs."""
    local = at.astimezone(ZoneInfo(zone))
    words = f"{date_format(local, 'SHORT_DATE_FORMAT')}, {local:%H:%M}"
    instant = at.astimezone(UTC).isoformat().replace("+00:00", "Z")
    return format_html(
        '<time datetime="{}" data-zone="{}" data-yours="{}">{} <small class="soft">{}</small></time>',
        *(instant, zone, _("your time"), words, zone.replace("_", " ")),
    )


@register.filter
def with_zones(tables: Sequence[tuple[Match, int]]) -> list[tuple[Match, int, str]]:
    """Each match and own seat with the time zone of the event it belongs to."""
    zones = read_zones([match.pk for match, _own in tables])
    return [(match, own, zones.get(match.pk, USUAL_ZONE)) for match, own in tables]


@register.filter
def match_zone(match: Match) -> str:
    return read_zones([match.pk]).get(match.pk, USUAL_ZONE)


@register.simple_tag
def match_crumbs(match: Match) -> list[tuple[str, str]]:
    """Links (name, address) down to the table; none for a match outside of a tournament."""
    fixture = find_fixture_of(match)
    if fixture is None:
        return []
    day, stage = fixture.matchday, fixture.matchday.stage
    tournament = stage.tournament
    table = reverse("tournament_table", args=[tournament.slug, stage.number, day.number, fixture.table])
    words = _("Table %(table)s of matchday %(day)s") % {"table": fixture.table, "day": day.number}
    way = (tournament.name, reverse("tournament", args=[tournament.slug]))
    return [*list_crumbs(tournament), way, (words, table)]


@register.simple_tag
def house_ratings() -> list[tuple[str, int]]:
    """The house bots' ratings at tables of three, by their brains; those who have played nothing are left out."""
    return read_cached("house-ratings", HOUSE_SECONDS, read_house_ratings)
