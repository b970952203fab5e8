"""What a tournament that is being written would be: who meets how often, how long, and what it would tell."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from aurum_league.common.errors import LeagueError
from aurum_league.common.pages import say_refusal, say_sentence
from games.pages.words import describe_ruleset
from games.rules.ruleset import Ruleset
from tournaments.models import EntryKind
from tournaments.pages.words import DASH, TABLE_KINDS, name_format, say_number, say_percent, say_span
from tournaments.rules.forecast import Outline
from tournaments.rules.spec import TournamentSpec, read_spec
from tournaments.selectors.progress import SpecPreview, preview_spec

USUAL_ENTRANTS = 12
MOST_ENTRANTS = 10_000
MINUTES_A_MATCH = 30
"""What a match between people takes about; said beside the time that is reckoned by it."""
EMPTY_NAME = "?"


@dataclass(frozen=True, slots=True)
class Fact:
    title: str
    words: str


def name_for_now(sent: QueryDict) -> QueryDict:
    """What a form sent, with a name where none is typed yet: what it will be does not hang on how it is called."""
    named = sent.copy()
    if not named.get("name", "").strip():
        named["name"] = EMPTY_NAME
    return named


def read_entrants(request: HttpRequest) -> int:
    asked = request.POST.get("expected", "")
    number = int(asked) if asked.isdecimal() and len(asked) <= 5 else USUAL_ENTRANTS
    return min(max(2, number), MOST_ENTRANTS)


def show_preview(request: HttpRequest, spec: Mapping[str, Any] | None) -> HttpResponse:
    """The part beside the form; where the form cannot be read yet it says so."""
    return render(request, "desk/preview.html", _context(request, spec))


def show_look(request: HttpRequest, spec: Mapping[str, Any], context: dict[str, Any]) -> HttpResponse:
    """The last step: everything in words, and what was typed in fields that nobody sees."""
    sent = [(name, value) for name, values in request.POST.lists() for value in values if name not in UNSENT]
    told = _context(request, spec) | {"spec": spec, "sent": sent, "is_last_step": True}
    kinds = {"table": TABLE_KINDS[spec["table_kind"]], "ruleset": describe_ruleset(Ruleset.from_code(spec["ruleset"]))}
    kinds["formats"] = ", ".join(name_format(stage["format"]) for stage in spec["stages"])
    return render(request, "desk/look.html", context | told | kinds)


UNSENT = ("csrfmiddlewaretoken", "look", "preview", "redraw", "open")


def _context(request: HttpRequest, given: Mapping[str, Any] | None) -> dict[str, Any]:
    entrants = read_entrants(request)
    if given is None:
        return {"facts": [], "problem": _("It shows here as soon as every field can be read."), "entrants": entrants}
    try:
        spec = read_spec(given)
        told = preview_spec(spec, entrants)
    except LeagueError as error:
        return {"facts": [], "problem": say_refusal(error), "entrants": entrants}
    problem = say_sentence(told.problem) if told.problem else ""
    return {"facts": list_facts(spec, told), "problem": problem, "entrants": entrants}


def list_facts(spec: TournamentSpec, told: SpecPreview) -> list[Fact]:
    outline, forecast = told.outline, told.forecast
    if outline is None or forecast is None:
        return []
    if outline.matchdays is None:
        return [Fact(_("How long"), _("It runs on until you end it."))]
    count = outline.matchdays
    facts = [Fact(_("Matchdays"), ngettext("%(count)s matchday", "%(count)s matchdays", count) % {"count": count})]
    if outline.meetings:
        facts.append(Fact(_("Who meets how often"), _say_meetings(spec, outline)))
    if outline.matches:
        facts.append(Fact(_("Matches of each"), _say_range(outline.matches)))
    if outline.rests and outline.rests[1]:
        facts.append(Fact(_("Each rests"), _say_range(outline.rests)))
    if forecast.matches is not None:
        facts.append(Fact(_("Matches in all"), say_number(forecast.matches)))
    facts.append(Fact(_("How long"), _say_time(spec, outline, forecast.seconds)))
    best = say_percent(forecast.best_wins) if forecast.best_wins is not None else DASH
    facts.append(Fact(_("The best wins"), best))
    gap = f"{round(forecast.gap)}" if forecast.gap is not None else DASH
    facts.append(Fact(_("Gap that will show"), gap))
    return facts


def _say_meetings(spec: TournamentSpec, outline: Outline) -> str:
    assert outline.meetings is not None
    times = {"times": _say_range(outline.meetings)}
    if spec.table_kind == "solo4":
        return _("partners: %(times)s") % times
    return _("each pair: %(times)s") % times


def _say_range(pair: tuple[float, float]) -> str:
    return say_span(say_number(round(pair[0], 1)), say_number(round(pair[1], 1)))


def _say_time(spec: TournamentSpec, outline: Outline, seconds: float | None) -> str:
    if spec.entry_kind == EntryKind.BOTS:
        if seconds is None:
            return _("as fast as the workers are")
        return _("about %(minutes)s min") % {"minutes": say_number(max(1, round(seconds / 60)))}
    if spec.clock and "each" in spec.clock:
        return _("days for each decision")
    minutes = (outline.matchdays or 0) * max(1, spec.stages[0].matches_each) * MINUTES_A_MATCH
    values = {"hours": say_number(round(minutes / 60, 1)), "minutes": MINUTES_A_MATCH}
    return _("about %(hours)s h, at %(minutes)s min a match") % values
