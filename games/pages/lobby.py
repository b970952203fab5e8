"""The lobby: a table before the deal, to which people come by its invitation."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from aurum_league.common.errors import LeagueError
from games.models import Lobby
from games.pages.play import ensure_sitter, read_sitter
from games.pages.words import describe_ruleset, say_refusal
from games.rules.ruleset import Ruleset
from games.selectors.sitters import find_lobby
from games.services.lobby import STRENGTHS, leave_seat, start_lobby, take_seat


@require_safe
@never_cache
def show_lobby(request: HttpRequest, invitation: str) -> HttpResponse:
    """Who sits where; once the cards are dealt, the table (or, for those who did not sit down, the match)."""
    lobby = _require_lobby(invitation)
    if lobby.match_id is not None:
        return redirect("play_table", lobby.match_id)
    return render(request, "play/lobby.html", _describe(request, lobby))


@require_safe
@never_cache
def show_seats(request: HttpRequest, invitation: str) -> HttpResponse:
    """The seats alone, for the page that asks again every few seconds; a call to move on once the cards are dealt.

    Nothing where they are as the page shows them: drawn anew they would take away a tick, or a button under a finger.
    """
    lobby = _require_lobby(invitation)
    if lobby.match_id is not None:
        return HttpResponse(headers={"HX-Refresh": "true"})
    described = _describe(request, lobby)
    if request.GET.get("seen") == described["seen"]:
        return HttpResponse(status=204)
    return render(request, "play/lobby_seats.html", described)


@require_POST
def change_lobby(request: HttpRequest, invitation: str) -> HttpResponse:
    """Sit down, get up, or deal."""
    sitter = ensure_sitter(request)
    wanted = request.POST.get("do", "")
    try:
        if wanted == "start":
            fills = request.POST.get("fills_with_bots") == "on"
            return redirect("play_table", start_lobby(invitation=invitation, sitter=sitter, fills_with_bots=fills))
        if wanted == "leave":
            leave_seat(invitation=invitation, sitter=sitter)
        elif wanted.isascii() and wanted.isdigit():
            agrees = request.POST.get("agrees") == "on"
            given = request.POST.get("contribution", "")[:100]
            take_seat(invitation=invitation, sitter=sitter, seat=int(wanted[:2]), agrees=agrees, contribution=given)
    except LeagueError as error:
        messages.error(request, say_refusal(error))
    return redirect("lobby", invitation)


def _require_lobby(invitation: str) -> Lobby:
    lobby = find_lobby(invitation)
    if lobby is None:
        raise Http404(gettext("There is no table with this invitation."))
    return lobby


def _describe(request: HttpRequest, lobby: Lobby) -> dict[str, Any]:
    sitter = read_sitter(request)
    taken = {seat.seat: seat for seat in lobby.seats.all()}
    own = next(
        (
            seat
            for seat in taken.values()
            if (seat.user_id is not None and seat.user_id == sitter.user_id)
            or (seat.guest is not None and seat.guest == sitter.guest)
        ),
        None,
    )
    return {
        "lobby": lobby,
        "ruleset_name": describe_ruleset(Ruleset.from_code(lobby.ruleset)),
        "strength": STRENGTHS[lobby.strength],
        "seats": [(number, taken.get(number)) for number in range(lobby.players)],
        "own": own,
        "seen": " ".join(f"{seat.seat}:{seat.pk}:{seat.is_host:d}" for seat in taken.values()),
        "free": lobby.players - len(taken),
        "address": request.build_absolute_uri(request.path.removesuffix("seats/")),
    }
