"""Playing: choose a table, sit at it, decide and resign."""

from django.contrib import messages
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from aurum_league.common.errors import LeagueError
from games.pages.refusals import answer_refusal, say_refusal
from games.pages.ruleset_names import describe_ruleset
from games.pages.sitting import ensure_sitter, read_sitter
from games.pages.table_form import GUIDED, TableForm
from games.pages.table_state import make_table_state
from games.pages.table_words import table_words
from games.rules.ruleset import Ruleset
from games.selectors.seat_tables import SeatTable, find_seat_table, see_from_seat
from games.selectors.sitters import (
    OwnSeat,
    find_own_seat,
    list_open_lobbies,
    list_open_tables,
    own_seat_among,
    require_agreed,
)
from games.services.answer import answer_decision, resign_seat
from games.services.lobby import open_lobby, play_now
from games.services.people import agree_to_bots
from games.services.windows import sit_at_table

TABLES_A_WHILE, WHILE_SECONDS = 30, 600


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def show_play(request: HttpRequest) -> HttpResponse:
    """The form for a table; sent, it deals at once, opens a lobby for invitations, or starts the guided match."""
    has_account = request.user.is_authenticated
    form = TableForm(request.POST or None, has_account=has_account)
    if request.method == "POST":
        is_guided = request.POST.get("start") == "guided"
        if is_guided or form.is_valid():
            try:
                return _open_table(request, form, is_guided=is_guided)
            except LeagueError as error:
                messages.error(request, say_refusal(error))
    sitter = read_sitter(request)
    context = {
        "form": form,
        "tables": [(match, own_seat_among(match, sitter)) for match in list_open_tables(sitter)],
        "lobbies": list_open_lobbies(sitter),
    }
    return render(request, "play/play.html", context)


def _open_table(request: HttpRequest, form: TableForm, *, is_guided: bool) -> HttpResponse:
    _require_calm(request)
    sitter = ensure_sitter(request)
    wish = GUIDED if is_guided else form.make_wish()
    if request.POST.get("start") == "invite":
        return redirect("lobby", open_lobby(sitter=sitter, wish=wish).invitation)
    return redirect("play_table", play_now(sitter=sitter, wish=wish))


def _require_calm(request: HttpRequest) -> None:
    """A table costs bots' time, and a guest is anybody: so many from one address in a while."""
    key = f"tables:{request.META.get('REMOTE_ADDR', '')}"
    cache.add(key, 0, WHILE_SECONDS)
    if cache.incr(key) > TABLES_A_WHILE:
        raise LeagueError("too_fast", "Too many tables in a short time.", "Wait a few minutes.", 429)


@require_safe
@never_cache
def show_table(request: HttpRequest, match_id: int) -> HttpResponse:
    """The table for whoever sits at it; anybody else watches the match."""
    own = find_own_seat(match_id, read_sitter(request))
    if own is None:
        return redirect("match", match_id)
    if own.must_agree:
        return render(request, "play/agreement.html", {"match_id": match_id})
    table = find_seat_table(match_id, own.seat, None)
    context = {
        "match": table,
        "ruleset_name": describe_ruleset(Ruleset.from_code(table.ruleset)),
        "table_state": make_table_state(table, is_guided=own.is_guided),
        "words": table_words(),
    }
    return render(request, "play/table.html", context)


@require_safe
@never_cache
def show_state(request: HttpRequest, match_id: int) -> JsonResponse:
    """The table now, with what happened after the first `since` actions."""
    try:
        return _answer_state(match_id, _require_seat(request, match_id), request.GET.get("since", ""))
    except LeagueError as error:
        return answer_refusal(error)


@require_POST
def decide(request: HttpRequest, match_id: int) -> JsonResponse:
    """Make a decision on the table as `counter` names it; answers with the table that follows."""
    counter = request.POST.get("counter", "")
    try:
        own = _require_seat(request, match_id)
        since, action = _read_number(counter), request.POST.get("action", "")[:40]
        stored = answer_decision(match_id=match_id, seat=own.seat, counter=since, text=action)
        if stored is None:
            return _answer_state(match_id, own, counter)
        return _answer_table(see_from_seat(stored, own.seat, since), own)
    except LeagueError as error:
        return answer_refusal(error)


@require_POST
def sit(request: HttpRequest, match_id: int) -> JsonResponse:
    """Say that somebody is at their table, which waits for all its people; answers with the table."""
    try:
        own = _require_seat(request, match_id)
        sit_at_table(match_id=match_id, seat=own.seat)
        return _answer_state(match_id, own, "")
    except LeagueError as error:
        return answer_refusal(error)


@require_POST
def agree(request: HttpRequest, match_id: int) -> HttpResponse:
    """Agree to be rated against bots, for whoever was entered by somebody else; on to the table."""
    if find_own_seat(match_id, read_sitter(request)) is None:
        return redirect("match", match_id)
    agree_to_bots(user_id=request.user.pk)
    return redirect("play_table", match_id)


@require_POST
def resign(request: HttpRequest, match_id: int) -> JsonResponse:
    """Give up the seat: the house plays on for it, and it comes last."""
    try:
        own = _require_seat(request, match_id)
        resign_seat(match_id=match_id, seat=own.seat)
        return _answer_state(match_id, own, request.POST.get("counter", ""))
    except LeagueError as error:
        return answer_refusal(error)


def _require_seat(request: HttpRequest, match_id: int) -> OwnSeat:
    own = find_own_seat(match_id, read_sitter(request))
    if own is None:
        raise LeagueError("not_your_seat", "You do not sit at this table.", "Open the match to watch it.", 403)
    require_agreed(own)
    return own


def _answer_state(match_id: int, own: OwnSeat, since: str) -> JsonResponse:
    number = _read_number(since)
    return _answer_table(find_seat_table(match_id, own.seat, number if number >= 0 else None), own)


def _answer_table(table: SeatTable, own: OwnSeat) -> JsonResponse:
    return JsonResponse(make_table_state(table, is_guided=own.is_guided))


def _read_number(text: str) -> int:
    """A counter as sent; -1 for what is none, which no table has."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else -1
