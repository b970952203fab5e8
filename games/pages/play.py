"""Playing: choose a table, sit at it, decide and resign."""

from dataclasses import replace
from typing import Any, TypedDict
from uuid import UUID, uuid4

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from aurum_league.common.api.access import is_within_rate, name_address
from aurum_league.common.errors import N_, LeagueError
from aurum_league.common.pages import shown_field
from games.api.tables import TableFormSerializer
from games.models import Match, MatchState
from games.pages.table_words import make_played_table, read_counter
from games.pages.words import EDITION_NAMES, answer_refusal, describe_ruleset, say_refusal, say_repeats, table_words
from games.play.table_state import TableState, to_json
from games.rules.ruleset import Ruleset
from games.selectors.matches import is_friendly
from games.selectors.sitters import (
    OwnSeat,
    Sitter,
    can_be_played_again,
    count_awaiting,
    find_own_seat,
    find_player,
    has_free_words,
    list_open_lobbies,
    list_open_tables,
    own_seat_among,
    require_agreed,
)
from games.selectors.tables import find_table, see_stored
from games.services.answer import answer_decision, resign_seat
from games.services.clocks import sit_at_table
from games.services.company import PHRASES
from games.services.create import offer_ticket
from games.services.lobby import (
    DEFAULT_STRENGTH,
    STRENGTHS,
    TILES,
    TableWish,
    open_lobby,
    play_again,
    play_now,
)
from games.services.players import agree_to_bots
from games.services.take_back import DEEDS, OWN_BID

GUEST_KEY = "guest"


def read_sitter(request: HttpRequest) -> Sitter:
    """Whoever this is now; a stranger gets no session by looking."""
    guest = request.session.get(GUEST_KEY)
    return Sitter(request.user.pk if request.user.is_authenticated else None, UUID(guest) if guest else None)


def ensure_sitter(request: HttpRequest) -> Sitter:
    """The same, and a stranger becomes a guest with a secret of their own."""
    if not request.user.is_authenticated and GUEST_KEY not in request.session:
        request.session[GUEST_KEY] = str(uuid4())
    return read_sitter(request)


CLOCK_NAMES = (
    ("calm", _("No hurry: a day for each decision")),
    ("live", _("Live: ten minutes, and ten seconds more for each decision")),
    ("days", _("By days: three days for each decision")),
)


class TableForm(forms.Form):
    """Here a ruleset is put together, where the API takes its code."""

    players = forms.TypedChoiceField(
        label=_("Players"),
        coerce=int,
        choices=((3, _("Three, each against the others")), (4, _("Four, in two pairs"))),
        widget=forms.RadioSelect,
        initial=3,
    )
    strength = shown_field(
        TableFormSerializer,
        "strength",
        label=_("House bots"),
        choices=[(strength.brain, strength.name) for strength in STRENGTHS.values()],
    )
    edition = forms.ChoiceField(label=_("Edition"), choices=list(EDITION_NAMES.items()), initial="en")
    zero_gold = forms.BooleanField(label=_("Everybody starts with a Gold 0"), required=False, initial=True)
    is_cumulative = forms.BooleanField(label=_("Three rounds, and the points add up"), required=False)
    clock = shown_field(TableFormSerializer, "clock", label=_("Pace"), choices=CLOCK_NAMES)
    is_rated = shown_field(TableFormSerializer, "is_rated", label=_("Rated"))
    agrees = shown_field(TableFormSerializer, "agrees", label=_("I agree to be rated against bots too"))

    def __init__(self, *args: Any, has_account: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not has_account:
            del self.fields["is_rated"], self.fields["agrees"]

    def make_wish(self) -> TableWish:
        chosen = self.cleaned_data
        ruleset = Ruleset(
            players=chosen["players"],
            edition=chosen["edition"],
            zero_gold=chosen["zero_gold"],
            scoring="cumulative" if chosen["is_cumulative"] else "nuggets",
        )
        return TableWish(
            ruleset=ruleset.code,
            strength=chosen["strength"],
            clock=chosen["clock"],
            is_rated=chosen.get("is_rated", False),
            agrees=chosen.get("agrees", False),
        )


GUIDED = TableWish(ruleset="en3", strength="greedy", is_guided=True)
"""A first match: three players by the plainest rules, against bots that forgive."""


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
        "own_player": find_player(sitter),
        "repeats": say_repeats(sitter.user_id),
        "ticket": offer_ticket(),
        "tiles": [STRENGTHS[brain] for brain in TILES],
        "others": [strength for strength in STRENGTHS.values() if strength.brain not in TILES],
        "strength": form["strength"].value() or DEFAULT_STRENGTH,
    }
    return render(request, "play/play.html", context)


def _open_table(request: HttpRequest, form: TableForm, *, is_guided: bool) -> HttpResponse:
    _require_calm(request)
    sitter = ensure_sitter(request)
    wish = replace(GUIDED if is_guided else form.make_wish(), **read_chance(request))
    if request.POST.get("start") == "invite":
        return redirect("lobby", open_lobby(sitter=sitter, wish=wish).invitation)
    return redirect("play_table", play_now(sitter=sitter, wish=wish))


class TableChance(TypedDict):
    """The ticket that the page showed and what the browser contributes; both may be empty."""

    ticket: str
    contribution: str


def read_chance(request: HttpRequest) -> TableChance:
    given = request.POST
    return TableChance(ticket=given.get("ticket", "")[:100], contribution=given.get("contribution", "")[:100])


def _require_calm(request: HttpRequest) -> None:
    """A table costs bots' time, and a guest is anybody: so many from one address in a while."""
    address = name_address(request.META.get("REMOTE_ADDR", ""))
    if not is_within_rate(address, "tables", TABLES_A_WHILE, window=WHILE_SECONDS):
        raise LeagueError("too_fast", N_("Too many tables in a short time."), N_("Wait a few minutes."), status=429)


@require_safe
@never_cache
def show_table(request: HttpRequest, match_id: int) -> HttpResponse:
    """The table for whoever sits at it; anybody else watches the match."""
    own = find_own_seat(match_id, read_sitter(request))
    if own is None:
        return redirect("match", match_id)
    if own.must_agree:
        return render(request, "play/agreement.html", {"match_id": match_id})
    table = find_table(match_id, own.seat)
    if table.state == MatchState.OPEN and table.closes_at is None:
        # At a real table: here it has nothing but its result.
        return redirect("table_sheet", match_id)
    has_hints = is_friendly(match_id)
    context = {
        "match": table,
        "stored": Match(pk=match_id),
        "ruleset_name": describe_ruleset(Ruleset.from_code(table.ruleset)),
        "own_seat": own.seat,
        "phrases": [(code, gettext(words)) for code, words in PHRASES.items()],
        "has_free_words": has_free_words(match_id),
        "has_hints": has_hints,
        "can_play_again": can_be_played_again(match_id),
        "can_take_back": has_hints and all(held.kind in ("person", "house") for held in table.seats),
        "table_state": to_json(make_played_table(table, own.seat, is_guided=own.is_guided)),
        "words": table_words(),
        "ticket": offer_ticket(),
    }
    return render(request, "play/table.html", context)


@require_safe
@never_cache
def show_awaiting(request: HttpRequest) -> JsonResponse:
    """At how many tables a decision is theirs, for the mark in the site's header."""
    return JsonResponse({"count": count_awaiting(request.user.pk) if request.user.is_authenticated else 0})


@require_safe
@never_cache
def show_state(request: HttpRequest, match_id: int) -> JsonResponse:
    """The table now, with what happened after the first `since` actions."""
    try:
        return _answer_state(match_id, require_seat(request, match_id), request.GET.get("since", ""))
    except LeagueError as error:
        return answer_refusal(error)


@require_POST
def decide(request: HttpRequest, match_id: int) -> JsonResponse:
    """Make a decision on the table as `counter` names it; answers with the table that follows."""
    counter = request.POST.get("counter", "")
    try:
        own = require_seat(request, match_id)
        since, action = read_counter(counter), request.POST.get("action", "")[:40]
        stored = answer_decision(match_id=match_id, seat=own.seat, counter=-1 if since is None else since, text=action)
        if stored is None:
            return _answer_state(match_id, own, counter)
        return _answer_table(see_stored(stored, own.seat, since), own)
    except LeagueError as error:
        return answer_refusal(error)


@require_POST
def take_back(request: HttpRequest, match_id: int) -> JsonResponse:
    """Take one's own bid up again, ask for the last decision, or answer whoever asks (`do`)."""
    deed = request.POST.get("do", "")
    try:
        own = require_seat(request, match_id)
        stored = DEEDS.get(deed, DEEDS[OWN_BID])(match_id=match_id, seat=own.seat)
        return _answer_state(match_id, own, "") if stored is None else _answer_table(see_stored(stored, own.seat), own)
    except LeagueError as error:
        return answer_refusal(error)


@require_POST
def sit(request: HttpRequest, match_id: int) -> JsonResponse:
    """Say that somebody is at their table, which waits for all its people; answers with the table."""
    try:
        own = require_seat(request, match_id)
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
        own = require_seat(request, match_id)
        resign_seat(match_id=match_id, seat=own.seat)
        return _answer_state(match_id, own, request.POST.get("counter", ""))
    except LeagueError as error:
        return answer_refusal(error)


@require_POST
def rematch(request: HttpRequest, match_id: int) -> HttpResponse:
    """The same table again: dealt at once against bots, and among people as soon as all of them have asked."""
    sitter = read_sitter(request)
    if find_own_seat(match_id, sitter) is None:
        return redirect("match", match_id)
    try:
        _require_calm(request)
        lobby = play_again(match_id=match_id, sitter=sitter, **read_chance(request))
    except LeagueError as error:
        messages.error(request, say_refusal(error))
        return redirect("play")
    return redirect("play_table", lobby.match_id) if lobby.match_id else redirect("lobby", lobby.invitation)


def require_seat(request: HttpRequest, match_id: int) -> OwnSeat:
    own = find_own_seat(match_id, read_sitter(request))
    if own is None:
        raise LeagueError(
            "not_your_seat", N_("You do not sit at this table."), N_("Open the match to watch it."), status=403
        )
    require_agreed(own)
    return own


def _answer_state(match_id: int, own: OwnSeat, since: str) -> JsonResponse:
    return _answer_table(find_table(match_id, own.seat, read_counter(since)), own)


def _answer_table(table: TableState, own: OwnSeat) -> JsonResponse:
    return JsonResponse(to_json(make_played_table(table, own.seat, is_guided=own.is_guided)))
