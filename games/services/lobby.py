"""Lobbies: open one, sit down by its invitation, leave, and deal; each holds the lobby's row while it decides."""

from dataclasses import dataclass

from django.db import transaction

from aurum_league.common.errors import LeagueError
from games.models import Lobby, LobbySeat
from games.rules.ruleset import Ruleset, RulesetError
from games.selectors.sitters import Sitter, list_open_lobbies, list_open_tables
from games.services.answer import start_at_once
from games.services.casual import CLOCKS, deal_table, require_strength

MOST_TABLES = 10


@dataclass(frozen=True, slots=True)
class TableWish:
    """What somebody wants to play; `agrees` says that they take a rated seat among bots."""

    ruleset: str
    strength: str
    clock: str = "calm"
    is_rated: bool = False
    is_guided: bool = False
    agrees: bool = False


@transaction.atomic
def play_now(*, sitter: Sitter, wish: TableWish) -> int:
    """A table against house bots, dealt at once; the number of its match."""
    lobby = open_lobby(sitter=sitter, wish=wish)
    match_id = deal_table(lobby=lobby, seats=list(lobby.seats.select_related("user")))
    start_at_once(match_id=match_id)
    return match_id


@transaction.atomic
def open_lobby(*, sitter: Sitter, wish: TableWish) -> Lobby:
    """A table to which people are invited; whoever opens it sits in seat 0 and is its host."""
    if list_open_tables(sitter).count() + list_open_lobbies(sitter).count() >= MOST_TABLES:
        raise LeagueError("too_many_tables", "You sit at ten tables.", "Play or leave one of them first.", 409)
    try:
        ruleset = Ruleset.from_code(wish.ruleset)
    except RulesetError as error:
        raise LeagueError("ruleset_unknown", str(error), "Choose a ruleset.") from None
    if wish.clock not in CLOCKS:
        raise LeagueError("clock_unknown", "There is no such clock.", f"There are: {', '.join(CLOCKS)}.")
    if wish.is_rated:
        _require_rateable(sitter, agrees=wish.agrees)
    lobby = Lobby.objects.create(
        ruleset=ruleset.code,
        players=ruleset.players,
        strength=require_strength(wish.strength).brain,
        clock=CLOCKS[wish.clock],
        is_rated=wish.is_rated,
        is_guided=wish.is_guided and not wish.is_rated,
    )
    LobbySeat.objects.create(lobby=lobby, seat=0, is_host=True, **sitter.columns)
    return lobby


@transaction.atomic
def take_seat(*, invitation: str, sitter: Sitter, seat: int, agrees: bool = False) -> Lobby:
    """Sit down, or move to another free seat."""
    lobby = _lock_open(invitation)
    if not 0 <= seat < lobby.players:
        raise LeagueError("seat_unknown", "There is no such seat at this table.", "Choose another.")
    if lobby.is_rated:
        _require_rateable(sitter, agrees=agrees)
    if lobby.seats.filter(seat=seat).exclude(sitter.condition).exists():
        raise LeagueError("seat_taken", "Somebody sits there already.", "Choose another seat.", 409)
    if own := lobby.seats.filter(sitter.condition).first():
        own.seat = seat
        own.save(update_fields=("seat",))
    else:
        LobbySeat.objects.create(lobby=lobby, seat=seat, is_host=not lobby.seats.exists(), **sitter.columns)
    return lobby


@transaction.atomic
def leave_seat(*, invitation: str, sitter: Sitter) -> None:
    """Get up before the cards are dealt; the next one who sits becomes host where the host leaves."""
    lobby = _lock_open(invitation)
    lobby.seats.filter(sitter.condition).delete()
    if not lobby.seats.filter(is_host=True).exists() and (heir := lobby.seats.order_by("seat").first()):
        heir.is_host = True
        heir.save(update_fields=("is_host",))


@transaction.atomic
def start_lobby(*, invitation: str, sitter: Sitter, fills_with_bots: bool) -> int:
    """Deal: the host says when, and whether house bots take the seats left free; the number of the match."""
    lobby = _lock_open(invitation)
    seats = list(lobby.seats.select_related("user"))
    if not lobby.seats.filter(sitter.condition, is_host=True).exists():
        raise LeagueError("not_host", "Only whoever opened the table can deal.", "Ask them.", 403)
    if len(seats) < lobby.players and not fills_with_bots:
        raise LeagueError("seats_free", "There are still free seats.", "Wait, or let bots take them.", 409)
    match_id = deal_table(lobby=lobby, seats=seats)
    start_at_once(match_id=match_id)
    return match_id


def _lock_open(invitation: str) -> Lobby:
    lobby = Lobby.objects.select_for_update().filter(invitation=invitation).first()
    if lobby is None:
        raise LeagueError("lobby_unknown", "There is no table with this invitation.", "Ask for a new link.", 404)
    if lobby.match_id is not None:
        raise LeagueError("lobby_started", "The cards are dealt already.", "Watch the match instead.", 409)
    return lobby


def _require_rateable(sitter: Sitter, *, agrees: bool) -> None:
    if sitter.user_id is None:
        raise LeagueError("account_needed", "A rated table needs an account.", "Sign in, or play unrated.", 403)
    if not agrees:
        raise LeagueError(
            "agreement_needed", "Bots may sit at this rated table.", "Say that you agree to be rated against them.", 409
        )
