"""The audit trail at the desk: every event of a tournament in words, newest first."""

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_safe

from tournaments.models import Tournament, TournamentEvent
from tournaments.pages.desk.access import desk_context, desk_page
from tournaments.pages.frame import cut_page
from tournaments.selectors.desk import list_events, name_entrants

EVENTS_A_PAGE = 100
MOST_NAMES = 12
EVENT_WORDS = {
    "created": gettext_lazy("Draft made"),
    "edited": gettext_lazy("Edited"),
    "opened": gettext_lazy("Entries opened"),
    "entered": gettext_lazy("Entered"),
    "checked_in": gettext_lazy("Checked in"),
    "set_aside": gettext_lazy("Missing at check-in, set aside"),
    "texts_edited": gettext_lazy("Texts changed"),
    "list_entered": gettext_lazy("Entered by list"),
    "list_undone": gettext_lazy("Entries by list undone"),
    "guest_renamed": gettext_lazy("Guest renamed"),
    "withdrawn": gettext_lazy("Withdrawn"),
    "disqualified": gettext_lazy("Disqualified"),
    "replaced": gettext_lazy("Replaced"),
    "seeded": gettext_lazy("Seeded by hand"),
    "stage_seeded": gettext_lazy("Next stage seeded"),
    "kept_apart": gettext_lazy("Kept apart"),
    "meeting_allowed": gettext_lazy("No longer kept apart"),
    "times_set": gettext_lazy("Times set"),
    "clock_stopped": gettext_lazy("Could not go on by itself"),
    "reminded": gettext_lazy("Players reminded"),
    "check_in_set": gettext_lazy("End of check-in set"),
    "contributed": gettext_lazy("Contributed to the seed"),
    "beacon_named": gettext_lazy("Round of the beacon named"),
    "beacon_dropped": gettext_lazy("Beacon dropped"),
    "seed_mixed": gettext_lazy("Seed mixed"),
    "drawn": gettext_lazy("Drawn"),
    "draw_edited": gettext_lazy("Draw changed by hand"),
    "table_pinned": gettext_lazy("Table pinned or let go"),
    "matchdays_swapped": gettext_lazy("Matchdays swapped"),
    "rest_wished": gettext_lazy("Rest by wish"),
    "merged": gettext_lazy("Another event merged into this one"),
    "split": gettext_lazy("Entrants moved to a new event"),
    "invited": gettext_lazy("Players invited"),
    "entry_rules_set": gettext_lazy("Rules of entry set"),
    "reopened": gettext_lazy("Entries opened again"),
    "started": gettext_lazy("Started"),
    "released": gettext_lazy("Matchday released"),
    "paused": gettext_lazy("Paused"),
    "resumed": gettext_lazy("Resumed"),
    "stage_finished": gettext_lazy("Stage finished"),
    "finished": gettext_lazy("Finished"),
    "helper_joined": gettext_lazy("Helper joined"),
    "helper_removed": gettext_lazy("Helper removed"),
    "handed_over": gettext_lazy("Handed over"),
    "unlisted": gettext_lazy("Taken out of the lists"),
    "listed": gettext_lazy("Listed again"),
    "cancelled": gettext_lazy("Cancelled"),
    "next_season": gettext_lazy("Next season made"),
    "played_again": gettext_lazy("Match to be played again"),
    "voided": gettext_lazy("Match made void"),
    "forfeited": gettext_lazy("Match forfeited"),
    "result_entered": gettext_lazy("Result entered by hand"),
    "result_changed": gettext_lazy("Result changed by hand"),
    "sheet_written": gettext_lazy("Result reported"),
    "sheet_disputed": gettext_lazy("Reported result disputed"),
    "sheet_dropped": gettext_lazy("Report taken back"),
    "dispute_dropped": gettext_lazy("Disputed result stays"),
    "postponed": gettext_lazy("Table postponed"),
    "announced": gettext_lazy("Announced"),
    "rerun_begun": gettext_lazy("Rerun begun"),
    "rerun_applied": gettext_lazy("Rerun applied"),
    "rerun_dropped": gettext_lazy("Rerun dropped"),
    "fresh_begun": gettext_lazy("New match on fresh deals begun"),
    "fresh_counted": gettext_lazy("New match counts"),
    "fresh_dropped": gettext_lazy("New match dropped"),
    "archived": gettext_lazy("Records put into an archive"),
}
DETAIL_WORDS = {
    "stage": gettext_lazy("stage"),
    "matchday": gettext_lazy("matchday"),
    "matchdays": gettext_lazy("matchdays"),
    "table": gettext_lazy("table"),
    "count": gettext_lazy("entrants"),
    "match": gettext_lazy("match"),
    "matches": gettext_lazy("matches"),
    "seats": gettext_lazy("seats"),
    "before": gettext_lazy("places before"),
    "after": gettext_lazy("places after"),
    "held": gettext_lazy("matches held back"),
    "freed": gettext_lazy("matches freed"),
    "voided": gettext_lazy("matches made void"),
    "fresh": gettext_lazy("new match"),
    "rerun": gettext_lazy("rerun"),
    "places": gettext_lazy("places changed"),
    "season": gettext_lazy("season"),
    "fields": gettext_lazy("fields"),
    "times": gettext_lazy("times"),
    "people": gettext_lazy("people"),
    "audience": gettext_lazy("audience"),
    "user": gettext_lazy("user"),
    "role": gettext_lazy("role"),
    "check_in_ends_at": gettext_lazy("check-in ends"),
    "contributions": gettext_lazy("contributions"),
    "round": gettext_lazy("round"),
    "draw": pgettext_lazy("number of a draw", "draw"),
}


@require_safe
@desk_page
def show_trail(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    events = list_events(tournament).select_related("actor").reverse()
    page = cut_page(request, events, EVENTS_A_PAGE)
    names = name_entrants(sorted({one for event in page.object_list for one in _list_entrants(event)}))
    rows = [(event, EVENT_WORDS.get(event.kind, event.kind), say_detail(event, names)) for event in page.object_list]
    context = desk_context(tournament, "desk_trail") | {"page": page, "rows": rows}
    return render(request, "desk/trail.html", context)


def say_detail(event: TournamentEvent, names: dict[int, str]) -> str:
    """What an event was about, in words."""
    entrants = _list_entrants(event)
    said = [", ".join(names.get(one, "?") for one in entrants[:MOST_NAMES])] if entrants else []
    if len(entrants) > MOST_NAMES:
        said.append(_("and %(count)d more") % {"count": len(entrants) - MOST_NAMES})
    for key, value in event.detail.items():
        if key in DETAIL_WORDS:
            said.append(f"{DETAIL_WORDS[key]} {_say(value)}")
    return "; ".join(said)


def _list_entrants(event: TournamentEvent) -> list[int]:
    detail = event.detail
    one = [detail["entrant"]] if "entrant" in detail else []
    return [*one, *detail.get("entrants", ()), *detail.get("order", ())]


def _say(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, Iterable) and not isinstance(value, str) else str(value)
