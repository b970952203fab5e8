"""What pages of tournaments share: who may see one, its tabs and stage, long lists, and parts rendered once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from aurum_league.common.cache import cache_value, find_cached
from games.pages.words import describe_ruleset
from games.rules.ruleset import Ruleset
from tournaments.models import Stage, StageState, Tournament
from tournaments.pages.words import TABLE_KINDS, name_format, name_stage
from tournaments.rules.formats import FORMATS
from tournaments.selectors.chance import show_chance
from tournaments.selectors.leagues import find_tournament, is_in_charge, list_stages
from tournaments.selectors.progress import count_stage_matches

LONGEST_NUMBER = 6


def read_page_number(request: HttpRequest) -> int:
    """The page that the address asks for; 1 where that is no number of a page."""
    asked = request.GET.get("page", "")
    return max(1, int(asked)) if asked.isdecimal() and len(asked) <= LONGEST_NUMBER else 1


def cut_page(request: HttpRequest, rows: QuerySet[Any] | Sequence[Any], size: int) -> Page:
    return Paginator(rows, size).get_page(read_page_number(request))


ASKED = "counted"
"""The parameter by which an address asks for a part that takes its time."""

LARGE_STAGE = 10_000
"""Matches of a stage from which its parts are fetched apart."""


def must_wait(request: HttpRequest, stage: Stage) -> bool:
    return ASKED not in request.GET and count_stage_matches(stage) > LARGE_STAGE


CACHE_SECONDS = 300


def render_cached(
    request: HttpRequest,
    key: str,
    template: str,
    make_context: Callable[[], dict[str, Any]],
    seconds: int = CACHE_SECONDS,
) -> SafeString:
    """The part in the reader's language; what it shows must follow from the key alone.

    A context with `is_incomplete` set is rendered, but not cached.
    """
    key = f"{key}-{get_language()}"
    known: SafeString | None = find_cached(key)
    if known is None:
        context = make_context()
        known = render_to_string(template, context, request)
        if not context.get("is_incomplete"):
            cache_value(key, known, seconds)
    return known


@dataclass(frozen=True, slots=True)
class Shown:
    """The tournament and stage of a page; `note` says so where the address asked for a stage that is not there."""

    tournament: Tournament
    stages: list[Stage]
    stage: Stage
    note: str


def find_shown(request: HttpRequest, slug: str) -> Shown:
    """Raises Http404 for what is not there or is somebody else's draft."""
    tournament = find_tournament(slug, request.user)
    if tournament is None:
        raise Http404("no such tournament")
    stages = list_stages(tournament)
    asked = request.GET.get("stage", "")
    current = next((stage for stage in stages if stage.state != StageState.FINISHED), stages[-1])
    chosen = next((stage for stage in stages if str(stage.number) == asked), None)
    note = ""
    if asked and chosen is None:
        note = _("This tournament has no stage “%(asked)s”; shown is %(name)s.") % {
            "asked": asked[:20],
            "name": name_stage(current),
        }
    return Shown(tournament, stages, chosen or current, note)


def frame_context(request: HttpRequest, shown: Shown, tab: str) -> dict[str, Any]:
    """The context of templates/tournaments/frame.html."""
    tournament = shown.tournament
    return {
        "tournament": tournament,
        "stages": shown.stages,
        "stage": shown.stage,
        "note": shown.note,
        "tabs": list_tabs(shown),
        "tab": reverse(tab, args=[tournament.slug]),
        "crumbs": list_crumbs(tournament),
        "stage_links": link_stages(request, shown.stages),
        "stage_link": f"?stage={shown.stage.number}",
        "format_words": ", ".join(name_format(stage.format) for stage in shown.stages),
        "table_words": TABLE_KINDS[tournament.table_kind],
        "ruleset_words": describe_ruleset(Ruleset.from_code(tournament.ruleset)),
        "is_in_charge": is_in_charge(request.user, tournament),
    }


def chance_context(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    """The context of templates/tournaments/chance.html."""
    return {"chance": show_chance(tournament, request.user, now=timezone.now())}


def list_crumbs(tournament: Tournament) -> list[tuple[str, str]]:
    if tournament.league is None:
        return [(_("Tournaments"), reverse("tournaments"))]
    league = tournament.league
    return [(_("Leagues"), reverse("leagues")), (league.name, reverse("league", args=[league.slug]))]


def list_tabs(shown: Shown) -> list[tuple[str, str]]:
    """Tabs as (name, address); a bracket only where there is one."""
    has_bracket = any(FORMATS[stage.format].has_bracket for stage in shown.stages)
    tabs = [
        (_("Standings"), "tournament"),
        (_("Schedule"), "tournament_schedule"),
        (_("Entrants"), "tournament_entrants"),
        *([(_("Bracket"), "tournament_bracket")] if has_bracket else []),
        (_("Crosstable"), "tournament_crosstable"),
        (_("Statistics"), "tournament_statistics"),
        (_("Balance"), "tournament_balance"),
        (_("Downloads"), "tournament_downloads"),
    ]
    return [(name, reverse(view, args=[shown.tournament.slug])) for name, view in tabs]


def link_stages(request: HttpRequest, stages: list[Stage]) -> list[tuple[str, str]]:
    """Links to switch between stages; none where there is one only."""
    return [(name_stage(stage), f"?stage={stage.number}") for stage in stages] if len(stages) > 1 else []
