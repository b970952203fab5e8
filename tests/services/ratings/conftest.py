"""Players, rated matches with results as a test wants them, and settling that goes the way of every match."""

import uuid
from collections.abc import Callable, Mapping, Sequence

import pytest
from django.contrib.auth.models import User

from games.models import Match, MatchKind, Player, PlayerKind, RunnerNeed
from games.play.agents import AgentRef
from games.play.table import Summary
from games.rules.ruleset import Ruleset
from games.services.create import MatchPlan, SeatPlan, create_matches, new_seed
from games.services.lease import claim_matches
from games.services.settle import PlayedMatch, settle_matches

Result = tuple[Sequence[int], ...]
Settle = Callable[..., list[int]]


def make_players(count: int, kind: PlayerKind = PlayerKind.HOUSE) -> list[Player]:
    """House bots, or people who each have an account."""
    made = Player.objects.count()
    numbers = range(made + 1, made + count + 1)
    owners: list[User | None] = [None] * count
    if kind is PlayerKind.PERSON:
        owners = [User.objects.create_user(f"user-{number}") for number in numbers]
    return Player.objects.bulk_create(
        Player(kind=kind, name=f"{kind} {number}", slug=f"house-greedy_{number}", owner=owner)
        for number, owner in zip(numbers, owners, strict=True)
    )


def summary_of(places: Sequence[int], forfeits: Sequence[int] = (), early: Sequence[int] = ()) -> Summary:
    """A result of which only places and forfeits matter; better places score more."""
    sides = len(places)
    return Summary(
        places=list(places),
        nuggets=[1 if place == 1 else 0 for place in places],
        totals=[10 * (sides - place) for place in places],
        exact_bids=[1] * sides,
        bids=[9] * sides,
        tricks=[8] * sides,
        gold_points=[3] * sides,
        forfeits=list(forfeits),
        rounds=3,
        ends=[1, 1, 1],
        first_seat=0,
        lots=False,
        log=b"",
        early=list(early),
    )


@pytest.fixture
def settle_results(db: None) -> Settle:
    """Create matches of the given players and settle them in one batch with the given places and forfeits."""

    def settle(
        tables: Sequence[Sequence[Player]],
        results: Sequence[Result],
        *,
        is_rated: bool = True,
        agents: Sequence[str] | None = None,
        blocks: Sequence[int] | None = None,
        share: float = 1.0,
    ) -> list[int]:
        deals: dict[int, uuid.UUID] = {}
        plans = []
        for number, players in enumerate(tables):
            named = agents or ["house:greedy"] * len(players)
            seats = tuple(SeatPlan(player, AgentRef.parse(agent)) for player, agent in zip(players, named, strict=True))
            block = blocks[number] if blocks else number
            ruleset = Ruleset.from_code(f"en{len(players)}")
            plans.append(MatchPlan(ruleset, seats, new_seed(), deals.setdefault(block, uuid.uuid4()), share))
        ids = create_matches(plans=plans, kind=MatchKind.CASUAL, is_rated=is_rated)
        settle_ready(dict(zip(ids, results, strict=True)))
        return ids

    return settle


def settle_ready(results: Mapping[int, Result]) -> None:
    """Claim all ready matches and settle those named."""
    token = uuid.uuid4()
    needs = set(Match.objects.filter(pk__in=results).values_list("needs", flat=True))
    for need in needs:
        claimed = claim_matches(token=token, limit=len(results), needs=RunnerNeed(need))
        played = [PlayedMatch(match, summary_of(*results[match.id]), ()) for match in claimed]
        settle_matches(played=played, token=token)
