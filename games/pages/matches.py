"""The match page: who plays, how it stands or ended, the replay, the score sheet, and the check of its fairness."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from aurum_league.common.errors import LeagueError
from aurum_league.common.pages import say_refusal
from games.models import Match, MatchSeat, MatchState, PlayerKind
from games.models.match import ENDED
from games.pages.replay import Asked, explain_places, make_replay, make_score_sheet
from games.pages.table_words import make_watched_table, read_counter
from games.pages.words import describe_clock, describe_ruleset, say_share, table_words
from games.play.see_table import type_finished
from games.play.table_state import to_json
from games.rules.match import Match as Play
from games.rules.record import dump_record
from games.rules.ruleset import Ruleset
from games.rules.transcript import write_transcript
from games.selectors.archives import read_log
from games.selectors.matches import (
    count_open_matches,
    list_result_versions,
    list_seatings,
    load_match,
    may_see_match,
    read_table_parts,
    record_of,
    replay_match,
)
from games.selectors.tables import find_table, gold_at_end

RUNNING = (MatchState.PLAYING, MatchState.WAITING)
_BADGES: dict[str, str] = {
    MatchState.FINISHED: "success",
    MatchState.VOID: "error",
    MatchState.QUARANTINED: "error",
}


@require_safe
def show_match(request: HttpRequest, match_id: int) -> HttpResponse:
    """A page for every state; what is sealed is left out, and the page says until when."""
    match = require_match(request, match_id)
    held = list(match.seats.all())
    ruleset = Ruleset.from_code(match.ruleset)
    context: dict[str, Any] = {
        "match": match,
        "held": held,
        "ruleset_name": describe_ruleset(ruleset),
        "counts": say_share(match.share) if match.is_rated else "",
        "clock": "" if match.state in ENDED else describe_clock(match.clock),
        "state_badge": _BADGES.get(match.state, "info"),
        "can_report": request.user.is_authenticated and any(_is_other(seat, request.user.pk) for seat in held),
        "has_own_upload": any(seat.ref.is_version and seat.owner_id == request.user.pk for seat in held),
        "has_provable": any(seat.ref.is_version or seat.ref.is_house for seat in held),
        "is_seated": request.user.is_authenticated and any(seat.owner_id == request.user.pk for seat in held),
    }
    if match.state in RUNNING:
        context |= _watch(match, held, ruleset)
    elif match.state == MatchState.FINISHED:
        matches_left = count_open_matches(match)
        context |= {"matches_left": matches_left, "places": _list_places(match, held, ruleset)}
        context["versions"] = list_result_versions(match, is_sealed=bool(matches_left))
        if not matches_left and not match.result.is_by_hand:
            try:
                context |= _open(match, held, request)
            except LeagueError as error:
                context["is_away"] = say_refusal(error)
            for row in context["places"]:
                row["why"] = context.get("why_placed", {}).get(row["side"])
    return render(request, "matches/match.html", context)


def _is_other(seat: MatchSeat, user_id: int) -> bool:
    return seat.owner_id != user_id and seat.player.kind != PlayerKind.HOUSE


@require_safe
def show_step(request: HttpRequest, match_id: int) -> HttpResponse:
    """The replay alone at one step, for the page's script; the address takes the same parameters as the page."""
    match = require_match(request, match_id)
    if sealed := answer_sealed(request, match):
        return sealed
    replay = make_replay(replay_match(match), list(match.seats.all()), Asked.read(request.GET, match.players))
    return JsonResponse(to_json(replay))


@require_safe
@cache_control(no_store=True)
def show_running(request: HttpRequest, match_id: int) -> HttpResponse:
    """A running match as everybody sees it, with what happened after the first `since` actions; for pages that
    follow it, which load themselves anew once it is over."""
    match = require_match(request, match_id)
    since = read_counter(request.GET.get("since", ""))
    return JsonResponse(to_json(make_watched_table(find_table(match.pk, since=since))))


@require_safe
def download_record(request: HttpRequest, match_id: int) -> HttpResponse:
    match = require_match(request, match_id)
    if sealed := answer_sealed(request, match):
        return sealed
    return _attach(dump_record(record_of(match)) + "\n", "application/json", f"aurum-{match.pk}.json")


@require_safe
def download_transcript(request: HttpRequest, match_id: int) -> HttpResponse:
    match = require_match(request, match_id)
    if sealed := answer_sealed(request, match):
        return sealed
    return _attach(write_transcript(record_of(match)), "text/plain; charset=utf-8", f"aurum-{match.pk}.txt")


def require_match(request: HttpRequest, match_id: int) -> Match:
    match = load_match(match_id)
    if match is None or not may_see_match(match, request.user):
        raise Http404(gettext("There is no match with this number."))
    return match


def answer_sealed(request: HttpRequest, match: Match) -> HttpResponse | None:
    """The page that says why there is no record to see yet; None for a match with one that is open to all."""
    if match.state == MatchState.FINISHED and match.result.is_by_hand:
        raise Http404(gettext("This result was written by hand: there is no record."))
    if match.state in (MatchState.VOID, MatchState.QUARANTINED):
        raise Http404(gettext("This match was not played to its end: there is no record."))
    matches_left = count_open_matches(match)
    if match.state == MatchState.FINISHED and not matches_left:
        require_record(match)
        return None
    context = {"matches_left": matches_left, "back_url": reverse("match", args=[match.pk])}
    return render(request, "sealed.html", context, status=403)


def require_record(match: Match) -> None:
    """A page that says so where its record lies in an archive that is away."""
    try:
        read_log(match.result)
    except LeagueError as error:
        raise Http404(say_refusal(error)) from None


def _open(match: Match, held: list[MatchSeat], request: HttpRequest) -> dict[str, Any]:
    play = replay_match(match)
    golds = [gold_at_end(play, number) for number in range(1, len(play.rounds) + 1)]
    rounds = [type_finished(done) for done in play.rounds]
    told = explain_places(play.ruleset, match.result.places, rounds, has_lots=match.result.lots)
    replay = make_replay(play, held, Asked.read(request.GET, play.players))
    return {
        "why_placed": {place.side: place.why for place in told},
        "replay": replay,
        "table_state": to_json(replay),
        "words": table_words(),
        "sheet": make_score_sheet(_name_sides(held, play.ruleset), rounds, golds),
        "seatings": _list_seatings(match, play),
        "seed": play.seed.hex() if play.seed else "",
        "parts": read_table_parts(match),
    }


def _watch(match: Match, held: list[MatchSeat], ruleset: Ruleset) -> dict[str, Any]:
    table = find_table(match.pk)
    seen = table.view
    history = seen.history if seen else ()
    return {
        "table_state": to_json(make_watched_table(table)) if seen else None,
        "words": table_words(),
        "is_delayed": seen is None,
        "round_number": len(history) + 1,
        "awaited": [held[seat].player.name for seat in table.awaited],
        "sheet": make_score_sheet(_name_sides(held, ruleset), history),
    }


def _name_sides(held: list[MatchSeat], ruleset: Ruleset) -> list[str]:
    return [" & ".join(seat.player.name for seat in held[side :: ruleset.sides]) for side in range(ruleset.sides)]


def _list_places(match: Match, held: list[MatchSeat], ruleset: Ruleset) -> list[dict[str, Any]]:
    """Sides by place; of a match that is still sealed the page shows nothing but the places."""
    result = match.result
    rows = [
        {
            "side": side,
            "place": result.counted_places[side],
            "seats": [(seat, seat.seat in result.forfeits) for seat in held[side :: ruleset.sides]],
            "nuggets": result.nuggets[side],
            "points": result.totals[side],
        }
        for side in range(ruleset.sides)
    ]
    return sorted(rows, key=lambda row: row["place"])


def _list_seatings(match: Match, play: Play) -> list[dict[str, Any]]:
    """The block's matches with, for each seat, who sat there and what came of it; empty for a match on its own."""
    sides = play.ruleset.sides
    matches = list_seatings(match)
    return [
        {
            "match": other,
            "seats": [
                {
                    "name": seat.player.name,
                    "place": other.result.seat_places[seat.seat],
                    "nuggets": other.result.nuggets[seat.seat % sides],
                    "points": other.result.totals[seat.seat % sides],
                }
                for seat in other.seats.all()
            ],
        }
        for other in matches
        if len(matches) > 1
    ]


def _attach(text: str, content_type: str, name: str) -> HttpResponse:
    return HttpResponse(
        text, content_type=content_type, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
