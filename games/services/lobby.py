"""Casual tables: house bots beside people, and lobbies to which others come by an invitation, dealt when all sit."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from aurum_league.common.broker import publish
from aurum_league.common.errors import N_, LeagueError
from games.models import Lobby, LobbySeat, MatchKind, MatchState, Player, PlayerKind
from games.play.agents import GUEST
from games.rules.deal import commitment
from games.rules.mixing import mix_seed
from games.rules.ruleset import Ruleset, RulesetError
from games.selectors.rated_play import find_share, require_not_suspended, require_rateable
from games.selectors.sitters import Sitter, list_open_lobbies, list_open_tables
from games.services.answer import start_at_once
from games.services.create import MatchPlan, SeatPlan, create_matches, new_seed, read_ticket, require_contribution
from games.services.players import HOUSE_SLUG, agent_of, ensure_guest, ensure_person


@dataclass(frozen=True, slots=True)
class HouseStrength:
    """A house bot to play against: `brain` is its name among the house's agents, `title` its player's name."""

    brain: str
    title: str
    name: str | Promise


STRENGTHS = {
    strength.brain: strength
    for strength in (
        HouseStrength("random", "Random", _("Plays anything")),
        HouseStrength("greedy", "Greedy", _("Easy")),
        HouseStrength("counting", "Counting", _("Medium")),
        HouseStrength("learner", "Learner", _("Strong")),
        HouseStrength("search-1", "Search 1", _("Thinks ahead")),
        HouseStrength("learnt", "Learnt", _("Very strong")),
        HouseStrength("search-2", "Search 2", _("Thinks longer")),
        HouseStrength("search-3", "Search 3", _("Patient")),
        HouseStrength("champion", "Champion", _("The strongest")),
    )
}
DEFAULT_STRENGTH = "greedy"
TILES = ("greedy", "counting", "learner", "learnt", "champion")
"""The five levels that people choose from, as even on the rating scale as `aurum bench levels` can tell; the other bots
stand behind them."""
CLOCKS: dict[str, dict[str, float]] = {
    "calm": {"each": 86_400.0},
    "live": {"bank": 600.0, "increment": 10.0},
    "days": {"each": 3 * 86_400.0},
}
"""A day for each decision; ten minutes and ten seconds a decision; three days for each decision."""


def name_clock(clock: dict[str, float]) -> str:
    """The name under which a table with this clock is asked for."""
    return next((name for name, known in CLOCKS.items() if known == clock), "calm")


@transaction.atomic
def deal_table(*, lobby: Lobby, seats: list[LobbySeat]) -> int:
    """Create the match of a lobby whose row the caller has locked: people in their seats, house bots in the others."""
    sitting = {seat.seat: _seat_person(seat) for seat in seats}
    free = [seat for seat in range(lobby.players) if seat not in sitting]
    bots = _house_players(STRENGTHS[lobby.strength], len(free))
    house = {seat: SeatPlan(player, agent_of(player)) for seat, player in zip(free, bots, strict=True)}
    plans = tuple((sitting | house)[seat] for seat in range(lobby.players))
    share = _lock_share([plan.player for plan in plans]) if lobby.is_rated else 1.0
    given = {seat.seat: seat.contribution for seat in seats if seat.contribution}
    secret = bytes(lobby.secret) if lobby.secret is not None else new_seed()
    plan = MatchPlan(Ruleset.from_code(lobby.ruleset), plans, mix_seed(secret, given), uuid.uuid4(), share)
    (match_id,) = create_matches(plans=[plan], kind=MatchKind.CASUAL, is_rated=lobby.is_rated, clock=lobby.clock)
    lobby.match_id = match_id
    lobby.save(update_fields=("match",))
    return match_id


def _lock_share(players: Sequence[Player]) -> float:
    """How much a rated table counts; its people are locked, so that no two of their tables are dealt at once."""
    people = [player.pk for player in players if player.kind == PlayerKind.PERSON]
    list(Player.objects.filter(pk__in=people).order_by("pk").select_for_update(no_key=True).values_list("pk"))
    return find_share([player.pk for player in players])


def require_strength(name: str) -> HouseStrength:
    try:
        return STRENGTHS[name]
    except KeyError:
        known = ", ".join(STRENGTHS)
        raise LeagueError(
            "unknown_brain",
            N_("There is no house bot %(name)s."),
            N_("There are: %(names)s."),
            name=repr(name[:40]),
            names=known,
        ) from None


def _seat_person(seat: LobbySeat) -> SeatPlan:
    if isinstance(seat.user, User):
        player = ensure_person(seat.user)
        return SeatPlan(player, agent_of(player))
    assert seat.guest is not None
    return SeatPlan(ensure_guest(seat.guest), GUEST)


def _house_players(strength: HouseStrength, count: int) -> list[Player]:
    """So many players of one brain, each a player of its own: ratings tell apart who sat where."""
    found = []
    for number in range(1, count + 1):
        suffix, title = (f"_{number}", f"{strength.title} {number}") if number > 1 else ("", strength.title)
        player, _is_new = Player.objects.get_or_create(
            slug=f"{HOUSE_SLUG}{strength.brain}{suffix}", defaults={"kind": PlayerKind.HOUSE, "name": title}
        )
        found.append(player)
    return found


MOST_TABLES = 10


@dataclass(frozen=True, slots=True)
class TableWish:
    """What somebody wants to play; `agrees` says that they take a rated seat among bots.

    `ticket` is the one whose commitment they were shown (create.py), `contribution` what they add to the deals.
    """

    ruleset: str
    strength: str
    clock: str = "calm"
    is_rated: bool = False
    is_guided: bool = False
    agrees: bool = False
    ticket: str = ""
    contribution: str = ""


@transaction.atomic
def play_now(*, sitter: Sitter, wish: TableWish) -> int:
    """A table against house bots, dealt at once; the number of its match. The same ticket leads to the same table."""
    lobby = _open_lobby(sitter, wish)
    if lobby.match_id is not None:
        return lobby.match_id
    match_id = deal_table(lobby=lobby, seats=list(lobby.seats.select_related("user")))
    start_at_once(match_id=match_id)
    return match_id


@transaction.atomic
def open_lobby(*, sitter: Sitter, wish: TableWish) -> Lobby:
    """A table to which people are invited; whoever opens it sits in seat 0 and is its host. It is never rated.

    Who could choose their opponents could choose their rating. Sent twice, as by two clicks, one ticket opens one
    table; in another's hands it counts for nothing.
    """
    if wish.is_rated:
        raise LeagueError(
            "invitations_friendly",
            N_("Tables by invitation are friendly."),
            N_("Find a rated table on the page Play now, or invite people to a friendly one."),
            status=409,
        )
    return _open_lobby(sitter, wish)


def require_room(sitter: Sitter) -> None:
    """A coded error for whoever sits at as many tables as one may, or is suspended."""
    require_not_suspended(sitter.user_id)
    if list_open_tables(sitter).count() + list_open_lobbies(sitter).count() >= MOST_TABLES:
        raise LeagueError(
            "too_many_tables", N_("You sit at ten tables."), N_("Play or leave one of them first."), status=409
        )


@transaction.atomic
def play_again(*, match_id: int, sitter: Sitter, ticket: str = "", contribution: str = "") -> Lobby:
    """The same table again: against bots it is dealt at once; people come to one lobby, each to the seat they had, and
    the cards are dealt as soon as all of them have asked. Those who have not yet are told who waits.

    Raises where whoever asks did not sit there, or the match is not over.
    """
    before = Lobby.objects.select_for_update(of=("self",)).select_related("match").filter(match=match_id).first()
    own = before.seats.filter(sitter.condition).first() if before else None
    if before is None or own is None or before.match is None or before.match.state != MatchState.FINISHED:
        raise LeagueError(
            "no_rematch",
            N_("This table cannot be played again."),
            N_("Once a casual match is over, whoever sat there plays it again."),
            status=409,
        )
    is_alone = before.seats.count() == 1
    is_rated = before.is_rated and is_alone
    asked = (before.ruleset, before.strength, name_clock(before.clock), is_rated)
    wish = TableWish(*asked, agrees=is_rated, ticket=ticket, contribution=contribution)
    if is_alone:
        match_id = play_now(sitter=sitter, wish=wish)
        return Lobby.objects.get(match=match_id)
    lobby = Lobby.objects.select_for_update().filter(rematch_of=match_id).first()
    if lobby is None:
        lobby = _open_lobby(sitter, wish, seat=own.seat, rematch_of=match_id)
    elif lobby.match_id is None:
        free = set(range(lobby.players)) - set(lobby.seats.exclude(sitter.condition).values_list("seat", flat=True))
        seat = own.seat if own.seat in free else min(free, default=own.seat)
        take_seat(invitation=lobby.invitation, sitter=sitter, seat=seat, contribution=contribution)
    _deal_if_all_came(before, lobby)
    transaction.on_commit(partial(publish, f"match:{match_id}", {"again": lobby.pk}))
    return lobby


def _deal_if_all_came(before: Lobby, lobby: Lobby) -> None:
    seats = list(lobby.seats.select_related("user"))
    came = {(seat.user_id, seat.guest) for seat in seats}
    if lobby.match_id is None and {(seat.user_id, seat.guest) for seat in before.seats.all()} <= came:
        start_at_once(match_id=deal_table(lobby=lobby, seats=seats))


def _open_lobby(sitter: Sitter, wish: TableWish, *, seat: int = 0, rematch_of: int | None = None) -> Lobby:
    contribution, secret = require_contribution(wish.contribution), read_ticket(wish.ticket)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [commitment(secret)])
    opened = Lobby.objects.filter(commitment=commitment(secret)).first()
    if opened is not None:
        if opened.seats.filter(sitter.condition).exists():
            return opened
        secret = new_seed()
    require_room(sitter)
    try:
        ruleset = Ruleset.from_code(wish.ruleset)
    except RulesetError as error:
        raise LeagueError("ruleset_unknown", error.sentence, N_("Choose a ruleset.")) from None
    if wish.clock not in CLOCKS:
        raise LeagueError(
            "clock_unknown", N_("There is no such clock."), N_("There are: %(names)s."), names=list(CLOCKS)
        )
    if wish.is_rated:
        require_rated_seat(sitter, agrees=wish.agrees)
    lobby = Lobby.objects.create(
        ruleset=ruleset.code,
        players=ruleset.players,
        strength=require_strength(wish.strength).brain,
        clock=CLOCKS[wish.clock],
        is_rated=wish.is_rated,
        is_guided=wish.is_guided and not wish.is_rated,
        rematch_of_id=rematch_of,
        secret=secret,
        commitment=commitment(secret),
    )
    LobbySeat.objects.create(lobby=lobby, seat=seat, is_host=True, contribution=contribution, **sitter.columns)
    return lobby


@transaction.atomic
def take_seat(*, invitation: str, sitter: Sitter, seat: int, agrees: bool = False, contribution: str = "") -> Lobby:
    """Sit down, or move to another free seat; what was contributed moves along."""
    given = require_contribution(contribution)
    lobby = _lock_open(invitation)
    require_not_suspended(sitter.user_id)
    if not 0 <= seat < lobby.players:
        raise LeagueError("seat_unknown", N_("There is no such seat at this table."), N_("Choose another."))
    if lobby.is_rated:
        require_rated_seat(sitter, agrees=agrees)
    if lobby.seats.filter(seat=seat).exclude(sitter.condition).exists():
        raise LeagueError("seat_taken", N_("Somebody sits there already."), N_("Choose another seat."), status=409)
    if own := lobby.seats.filter(sitter.condition).first():
        own.seat, own.contribution = seat, own.contribution or given
        own.save(update_fields=("seat", "contribution"))
    else:
        is_first = not lobby.seats.exists()
        LobbySeat.objects.create(lobby=lobby, seat=seat, is_host=is_first, contribution=given, **sitter.columns)
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
        raise LeagueError("not_host", N_("Only whoever opened the table can deal."), N_("Ask them."), status=403)
    if len(seats) < lobby.players and not fills_with_bots:
        raise LeagueError(
            "seats_free", N_("There are still free seats."), N_("Wait, or let bots take them."), status=409
        )
    match_id = deal_table(lobby=lobby, seats=seats)
    start_at_once(match_id=match_id)
    return match_id


def _lock_open(invitation: str) -> Lobby:
    lobby = Lobby.objects.select_for_update().filter(invitation=invitation).first()
    if lobby is None:
        raise LeagueError(
            "lobby_unknown", N_("There is no table with this invitation."), N_("Ask for a new link."), status=404
        )
    if lobby.match_id is not None:
        raise LeagueError(
            "lobby_started", N_("The cards are dealt already."), N_("Watch the match instead."), status=409
        )
    return lobby


def require_rated_seat(sitter: Sitter, *, agrees: bool) -> None:
    """A coded error where this person may not sit down at a rated table, or has not agreed to bots there."""
    if sitter.user_id is None:
        raise LeagueError(
            "account_needed", N_("A rated table needs an account."), N_("Sign in, or play unrated."), status=403
        )
    if not agrees:
        raise LeagueError(
            "agreement_needed",
            N_("Bots may sit at this rated table."),
            N_("Say that you agree to be rated against them."),
            status=409,
        )
    require_rateable(sitter.user_id)
