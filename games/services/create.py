"""Creating matches: seed, commitment, seats, a nudge on commit; and tickets, which commit before there is a table."""

import hashlib
import hmac
import json
import secrets
import uuid
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models.functions import Now

from aurum_league.common.errors import N_, LeagueError
from games.models import MatchKind, MatchState, Player, RunnerNeed, Sleeper
from games.play.agents import AgentRef
from games.rules.deal import SEED_BYTES, commitment
from games.rules.mixing import is_contribution
from games.rules.ruleset import Ruleset
from games.services.lease import LIVE_PRIORITY
from games.services.notices import MATCHES_A_NUDGE, nudge_on_commit


@dataclass(frozen=True, slots=True)
class SeatPlan:
    player: Player
    agent: AgentRef


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """One match to be: seats in seat order; matches with the same `deals` and `seed` are one block.

    `share` is how much of it will count for ratings.
    """

    ruleset: Ruleset
    seats: tuple[SeatPlan, ...]
    seed: bytes
    deals: uuid.UUID
    share: float = 1.0


def new_seed() -> bytes:
    return secrets.token_bytes(SEED_BYTES)


SLEEPER_DAYS = 1
"""For how long a bot that let a referee wait is played where it holds up nobody; it may have been the machine."""


def needs_of(agents: Iterable[AgentRef], sleepers: Container[AgentRef] = ()) -> RunnerNeed:
    """What a worker must be able to run for these agents."""
    uploads = [agent for agent in agents if agent.is_version]
    if any(agent in sleepers for agent in uploads):
        return RunnerNeed.PATIENCE
    return RunnerNeed.SANDBOX if uploads else RunnerNeed.HOUSE


def find_sleepers(plans: Sequence[MatchPlan]) -> frozenset[AgentRef]:
    """Those of the uploads in these plans that slept of late."""
    uploads = {str(seat.agent) for plan in plans for seat in plan.seats if seat.agent.is_version}
    if not uploads:
        return frozenset()
    since = Now() - timedelta(days=SLEEPER_DAYS)
    found = Sleeper.objects.filter(agent__in=uploads, slept_at__gt=since)
    return frozenset(map(AgentRef.parse, found.values_list("agent", flat=True)))


REAL_CARDS = "real_cards"
"""In a clock: the match is played at a real table, and nothing of it is dealt here; it waits for its result."""

_MATCH_COLUMNS = (
    "id, kind, ruleset, players, is_rated, state, priority, account, needs, seed, commitment, deals, log, clock, "
    "clocks, awaited, attempt, claimed_with, is_suspect, trouble, created_at, opens_at, closes_at, share"
)
_SEAT_COLUMNS = "match_id, seat, side, player_id, owner_id, agent"


@transaction.atomic
def create_matches(
    *,
    plans: Sequence[MatchPlan],
    kind: MatchKind,
    is_rated: bool,
    priority: int = 0,
    clock: Mapping[str, Any] | None = None,
    account: int | None = 0,
) -> list[int]:
    """Create matches that are ready to be played, and nudge the workers on commit; their ids in the order given.

    `account` is the user for whom they are played: workers serve those who wait one after another.
    """
    if is_rated:
        _require_one_hand_each(plans)
    clocks = [clock if any(seat.agent.is_awaited for seat in plan.seats) else None for plan in plans]
    sleepers = find_sleepers(plans)
    needs = [needs_of((seat.agent for seat in plan.seats), sleepers) for plan in plans]
    with connection.cursor() as cursor:
        cursor.execute("SELECT nextval('games_match_id_seq') FROM generate_series(1, %s)", [len(plans)])
        ids = [row[0] for row in cursor.fetchall()]
        cursor.execute("SELECT now()")
        now = cursor.fetchone()[0]
        with cursor.copy(f"COPY games_match ({_MATCH_COLUMNS}) FROM STDIN") as copy:
            for match_id, plan, need, own_clock in zip(ids, plans, needs, clocks, strict=True):
                copy.write_row(_match_row(match_id, plan, kind, is_rated, priority, account or 0, need, own_clock, now))
        with cursor.copy(f"COPY games_matchseat ({_SEAT_COLUMNS}) FROM STDIN") as copy:
            for match_id, plan in zip(ids, plans, strict=True):
                for number, seat in enumerate(plan.seats):
                    side = number % plan.ruleset.sides
                    copy.write_row((match_id, number, side, seat.player.pk, seat.player.owner_id, str(seat.agent)))
    nudge_on_commit(len(ids), is_live=any(clocks))
    nudge_on_commit(needs.count(RunnerNeed.PATIENCE) * MATCHES_A_NUDGE, needs=RunnerNeed.PATIENCE)
    return ids


def _require_one_hand_each(plans: Sequence[MatchPlan]) -> None:
    """Whoever answers for a connected bot sees its hand: nobody sits there with two of them, or beside their own."""
    for plan in plans:
        seats = [(seat.player.owner_id, seat.agent) for seat in plan.seats if seat.player.owner_id is not None]
        owners = [owner for owner, agent in seats if agent.is_awaited]
        if len(set(owners)) < len(owners):
            raise LeagueError(
                "both_seats",
                N_("One person would see two hands, by a connected bot of theirs."),
                N_("Play it unrated, or let them sit at different tables."),
                status=409,
            )


def _match_row(
    match_id: int,
    plan: MatchPlan,
    kind: MatchKind,
    is_rated: bool,
    priority: int,
    account: int,
    needs: RunnerNeed,
    clock: Mapping[str, Any] | None,
    now: datetime,
) -> tuple[object, ...]:
    window = _window_of(plan, clock)
    is_elsewhere = bool(clock and REAL_CARDS in clock)
    return (
        match_id,
        kind.value,
        plan.ruleset.code,
        plan.ruleset.players,
        is_rated,
        MatchState.READY.value if window is None and not is_elsewhere else MatchState.OPEN.value,
        max(priority, LIVE_PRIORITY) if clock else priority,
        account,
        needs.value,
        plan.seed,
        commitment(plan.seed),
        plan.deals,
        b"",
        json.dumps(clock) if clock else None,
        "{}",
        [],
        0,
        1,
        False,
        "",
        now,
        None if window is None else now,
        None if window is None else now + window,
        plan.share,
    )


def _window_of(plan: MatchPlan, clock: Mapping[str, Any] | None) -> timedelta | None:
    """How long the people of a match have to meet; None where nobody need be there at the same time as another."""
    has_people = any(seat.agent.is_person for seat in plan.seats)
    if clock is None or not has_people or "bank" not in clock or "window" not in clock:
        return None
    return timedelta(seconds=clock["window"])


PURPOSE = b"aurum table ticket"


@dataclass(frozen=True, slots=True)
class Ticket:
    """`text` is what comes back with the wish for a table; `commitment` binds the site to the table's secret."""

    text: str
    commitment: str


def offer_ticket() -> Ticket:
    nonce = secrets.token_hex(16)
    bound = commitment(_derive(nonce))
    return Ticket(f"{nonce}.{bound}", bound)


def read_ticket(text: str) -> bytes:
    """The secret that a ticket stands for; a fresh one where it is none of ours, or from before the key changed."""
    nonce, _, bound = text.partition(".")
    secret = _derive(nonce)
    return secret if hmac.compare_digest(commitment(secret).encode(), bound.encode()) else new_seed()


def take_ticket(text: str) -> str:
    """The ticket that somebody holds, or a new one where it is none of ours: from here on there is one."""
    _nonce, _, bound = text.partition(".")
    return text if commitment(read_ticket(text)) == bound else offer_ticket().text


def require_contribution(text: str) -> str:
    """What somebody adds to the deals, or nothing; a coded error where it is neither."""
    if text and not is_contribution(text):
        raise LeagueError(
            "bad_contribution",
            N_("A contribution to chance is 64 hexadecimal digits."),
            N_("Send 32 random bytes in small letters, or none."),
        )
    return text


def _derive(nonce: str) -> bytes:
    key = hashlib.sha256(PURPOSE + settings.SECRET_KEY.encode()).digest()
    return hmac.digest(key, nonce.encode(), "sha256")
