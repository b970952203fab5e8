"""In templates: a stage's name in the reader's language, and the way from a match to the table it was played at."""

from django import template
from django.core.cache import cache
from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Match
from tournaments.models import Stage
from tournaments.pages.frame import list_crumbs
from tournaments.pages.words import name_stage
from tournaments.selectors.exports import read_site_head
from tournaments.selectors.schedule import find_fixture_of

register = template.Library()
HEAD_SECONDS = 24 * 3600


@register.filter
def stage_name(stage: Stage) -> str:
    return name_stage(stage)


@register.simple_tag
def chain_head() -> str:
    """One digest that binds the site to everything that has happened by now, kept for a day at most."""
    return str(cache.get_or_set("chain-head", read_site_head, timeout=HEAD_SECONDS))


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
