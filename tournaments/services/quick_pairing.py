"""Finding a table: people wait for one, are sat down with others of their strength, or take house bots instead."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.urls import reverse
from django.utils import timezone

from aurum_league.common.api.access import DAY_SECONDS, is_within_rate
from aurum_league.common.errors import N_, LeagueError
from aurum_league.common.telling import tell
from games.models import Lobby, LobbySeat, Player, PlayerKind
from games.rules.deal import commitment, keyed_bytes, shuffle
from games.rules.ruleset import Ruleset, RulesetError
from games.selectors.sitters import Sitter
from games.services.answer import start_at_once
from games.services.create import new_seed, read_ticket, require_contribution, take_ticket
from games.services.lobby import (
    CLOCKS,
    DEFAULT_STRENGTH,
    TableWish,
    deal_table,
    open_lobby,
    require_rated_seat,
    require_room,
)
from tournaments.models import Block, Seeker
from tournaments.rules.quick_pairing import pair_waiting
from tournaments.selectors.waiting import find_seeker, read_rating, read_waiting

PACES = ("live", "days")
FORGOTTEN = timedelta(hours=1)
QUEUE_LOCK = 20_017
"""One pairing at a time: whoever finds it held need not wait, because whoever holds it pairs them."""

STRENGTH_NUMBERS = {"greedy": 1380, "counting": 1500, "learner": 1620, "learnt": 1735, "champion": 1870}
"""The number at which a house bot is somebody's equal, about: measured by `aurum bench levels` (docs/HOUSE_BOTS.md)."""


@dataclass(frozen=True, slots=True)
class SeekWish:
    """What somebody waits for; `low` and `high` bound the ratings of the others, None for any.

    `ticket` is the one whose commitment they were shown, `contribution` what they add to the deals.
    """

    ruleset: str
    clock: str = "live"
    is_rated: bool = True
    low: int | None = None
    high: int | None = None
    bots_after: int = 30
    ticket: str = ""
    contribution: str = ""


@transaction.atomic
def start_waiting(*, sitter: Sitter, wish: SeekWish) -> Seeker:
    """Wait for a table; who waits already waits for this one from now on. Rated needs what every rated seat needs."""
    ruleset = _require_wish(wish)
    if wish.is_rated:
        require_rated_seat(sitter, agrees=True)
    require_room(sitter)
    now = timezone.now()
    rating = read_rating(sitter.user_id, ruleset.players)
    values: dict[str, Any] = {
        "ruleset": ruleset.code,
        "players": ruleset.players,
        "clock": wish.clock,
        "is_rated": wish.is_rated,
        "low": wish.low,
        "high": wish.high,
        "rating": rating.number,
        "best": rating.best,
        "bots_after": wish.bots_after,
        "since": now,
        "seen_at": now,
        "match": None,
        "contribution": require_contribution(wish.contribution),
        "ticket": take_ticket(wish.ticket),
    }
    own: dict[str, Any] = sitter.columns
    seeker, _is_new = Seeker.objects.update_or_create(**own, defaults=values)
    return seeker


def _require_wish(wish: SeekWish) -> Ruleset:
    if wish.clock not in PACES:
        raise LeagueError(
            "clock_unknown", N_("There is no such clock."), N_("There are: %(names)s."), names=list(PACES)
        )
    if wish.low is not None and wish.high is not None and wish.low > wish.high:
        raise LeagueError(
            "empty_range",
            N_("No rating lies between these bounds."),
            N_("Give the lower one first, or leave them out."),
        )
    try:
        return Ruleset.from_code(wish.ruleset)
    except RulesetError as error:
        raise LeagueError("ruleset_unknown", error.sentence, N_("Choose a ruleset.")) from None


@transaction.atomic
def stop_waiting(*, sitter: Sitter) -> None:
    """Get up before the deal; nothing where one does not wait, or the cards are dealt."""
    seeker = find_seeker(sitter)
    if seeker is not None:
        Seeker.objects.filter(pk=seeker.pk, match=None).delete()


def keep_waiting(*, sitter: Sitter) -> Seeker | None:
    """One of somebody's pages is open: they go on waiting, and whoever fits sits down. None for who does not wait."""
    seeker = find_seeker(sitter)
    if seeker is None or seeker.match_id is not None:
        return seeker
    Seeker.objects.filter(pk=seeker.pk, match=None).update(seen_at=timezone.now())
    # Whom another question sits down meanwhile hears of it by their next one.
    return find_seeker(sitter) if pair_seekers() else seeker


@transaction.atomic
def pair_seekers() -> int:
    """Sit down whoever fits together; how many tables were dealt."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [QUEUE_LOCK])
        if not cursor.fetchone()[0]:
            return 0
    Seeker.objects.filter(seen_at__lt=timezone.now() - FORGOTTEN).delete()
    groups = pair_waiting(read_waiting())
    chosen = Seeker.objects.filter(pk__in=[number for group in groups for number in group], match=None)
    by_id = {
        one.pk: one for one in chosen.select_related("user").order_by("pk").select_for_update(of=("self",), no_key=True)
    }
    # Who has got up since they were read leaves their group to be paired by the next question.
    dealt = [[by_id[number] for number in group] for group in groups if by_id.keys() >= set(group)]
    for seekers in dealt:
        _deal(seekers, "counting")
    return len(dealt)


@transaction.atomic
def take_bots(*, sitter: Sitter) -> int:
    """Play with house bots of one's strength instead of waiting on, rated in the mixed pool; the match's number."""
    own = find_seeker(sitter)
    seeker = Seeker.objects.select_for_update(no_key=True).filter(pk=own.pk).first() if own else None
    if seeker is None:
        raise LeagueError("not_waiting", N_("You do not wait for a table."), N_("Choose one first."), status=409)
    if seeker.match_id is not None:
        return seeker.match_id
    if (timezone.now() - seeker.since).total_seconds() < seeker.bots_after:
        raise LeagueError(
            "bots_later",
            N_("House bots are offered after %(number)s seconds."),
            N_("Wait a little longer."),
            status=409,
            number=seeker.bots_after,
        )
    brain = min(STRENGTH_NUMBERS, key=lambda name: abs(STRENGTH_NUMBERS[name] - seeker.rating))
    return _deal([seeker], brain)


def _deal(seekers: list[Seeker], strength: str) -> int:
    """Deal a table whose seats are drawn by its committed secret, so that everybody can check the draw afterwards."""
    first = seekers[0]
    secret = _find_secret(min(seekers, key=lambda one: (one.since, one.pk)))
    lobby = Lobby.objects.create(
        ruleset=first.ruleset,
        players=first.players,
        strength=strength,
        clock=CLOCKS[first.clock],
        is_rated=first.is_rated,
        secret=secret,
        commitment=commitment(secret),
    )
    numbers = draw_seats(secret, first.players)
    seats = LobbySeat.objects.bulk_create(
        LobbySeat(
            lobby=lobby,
            seat=numbers[place],
            user=one.user,
            guest=one.guest,
            is_host=not place,
            contribution=one.contribution,
        )
        for place, one in enumerate(seekers)
    )
    match_id = deal_table(lobby=lobby, seats=seats)
    Seeker.objects.filter(pk__in=[one.pk for one in seekers]).update(match=match_id)
    start_at_once(match_id=match_id)
    return match_id


def _find_secret(longest: Seeker) -> bytes:
    """What the site committed to before this one waited; a ticket deals one table only."""
    secret = read_ticket(longest.ticket)
    return new_seed() if Lobby.objects.filter(commitment=commitment(secret)).exists() else secret


def draw_seats(secret: bytes, players: int) -> list[int]:
    """The seats of those who sit down, lowest rating first: a shuffle by the table's committed secret.

    Not by the mixed seed, into which contributions go by seat.
    """
    numbers = list(range(players))
    shuffle(keyed_bytes(secret, "seats"), numbers)
    return numbers


@transaction.atomic
def set_block(*, user: User, player: Player, is_blocked: bool) -> None:
    """Never be sat down beside a player by pairing, nor be challenged by them; or take that back."""
    if player.owner_id == user.pk:
        raise LeagueError("blocks_oneself", N_("You cannot block yourself."), status=409)
    if is_blocked:
        Block.objects.get_or_create(user=user, player=player)
    else:
        Block.objects.filter(user=user, player=player).delete()


CHALLENGES_A_DAY = 20


@transaction.atomic
def challenge_player(*, user: User, player: Player) -> Lobby:
    """Open a friendly table, and tell a player that they are invited to it."""
    if player.kind != PlayerKind.PERSON or player.owner is None or not player.owner.is_active:
        raise LeagueError("not_a_person", N_("Only people with an account can be challenged."), status=409)
    if player.owner_id == user.pk:
        raise LeagueError("challenges_oneself", N_("You cannot challenge yourself."), status=409)
    if Block.objects.filter(user=player.owner_id, player__owner=user.pk, player__kind=PlayerKind.PERSON).exists():
        raise LeagueError("blocked", N_("%(name)s takes no challenge from you."), status=403, name=player.name)
    if not is_within_rate(f"user-{user.pk}", "challenges", CHALLENGES_A_DAY, window=DAY_SECONDS):
        # Each is a mail to somebody who asked for none.
        raise LeagueError("too_many", N_("You have challenged enough people today."), N_("Go on tomorrow."), status=429)
    lobby = open_lobby(sitter=Sitter(user_id=user.pk), wish=TableWish("en3", DEFAULT_STRENGTH, clock="live"))
    tell(
        [player.owner],
        kind="challenge",
        subject=N_("%(name)s challenges you"),
        text=N_("%(name)s invites you to a friendly table. A seat is free for you."),
        url=reverse("lobby", args=[lobby.invitation]),
        name=user.username,
    )
    return lobby
