"""Creating matches: a seed, its commitment, the seats, and a nudge once all of it is committed."""

import secrets
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction

from games.models import Match, MatchKind, MatchSeat, MatchState, Player, RunnerNeed
from games.play.agents import is_awaited
from games.rules.deal import SEED_BYTES, commitment
from games.rules.ruleset import Ruleset
from games.services.nudge import nudge_on_commit


@dataclass(frozen=True, slots=True)
class SeatPlan:
    player: Player
    agent: str


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """One match to be: seats in seat order; matches with the same `deals` and `seed` are one block."""

    ruleset: Ruleset
    seats: tuple[SeatPlan, ...]
    seed: bytes
    deals: uuid.UUID


def new_seed() -> bytes:
    return secrets.token_bytes(SEED_BYTES)


def needs_of(agents: Iterable[str]) -> RunnerNeed:
    """What a worker must be able to run for these agents."""
    return RunnerNeed.SANDBOX if any(agent.startswith("version:") for agent in agents) else RunnerNeed.HOUSE


@transaction.atomic
def create_matches(
    *,
    plans: Sequence[MatchPlan],
    kind: MatchKind,
    is_rated: bool,
    priority: int = 0,
    clock: dict[str, object] | None = None,
) -> list[Match]:
    """Create matches that are ready to be played, in the order given, and nudge the workers on commit."""
    matches = Match.objects.bulk_create(
        [
            Match(
                kind=kind,
                ruleset=plan.ruleset.code,
                players=plan.ruleset.players,
                is_rated=is_rated,
                state=MatchState.READY,
                priority=priority,
                needs=needs_of(seat.agent for seat in plan.seats),
                seed=plan.seed,
                commitment=commitment(plan.seed),
                deals=plan.deals,
                clock=clock if any(is_awaited(seat.agent) for seat in plan.seats) else None,
            )
            for plan in plans
        ],
        batch_size=2000,
    )
    MatchSeat.objects.bulk_create(
        [
            MatchSeat(
                match=match,
                seat=number,
                side=number % plan.ruleset.sides,
                player=seat.player,
                owner_id=seat.player.owner_id,
                agent=seat.agent,
            )
            for match, plan in zip(matches, plans, strict=True)
            for number, seat in enumerate(plan.seats)
        ],
        batch_size=6000,
    )
    nudge_on_commit(len(matches), is_live=any(match.clock for match in matches))
    return matches
