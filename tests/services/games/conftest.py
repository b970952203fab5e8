"""Players and matches for the tests of the games services."""

import uuid
from collections.abc import Callable

import pytest

from games.models import Match, MatchKind, Player, PlayerKind
from games.play.agents import AgentRef
from games.rules.ruleset import Ruleset
from games.services.create import MatchPlan, SeatPlan, create_matches, new_seed

MakeMatches = Callable[..., list[Match]]


@pytest.fixture
def make_matches(db: None) -> MakeMatches:
    """Create ready matches for agents given by seat; a person's seat belongs to a guest of the house."""

    def make(*agents: str, count: int = 1, code: str = "en3", clock: dict[str, object] | None = None) -> list[Match]:
        players = [
            Player.objects.get_or_create(kind=PlayerKind.HOUSE, name=f"House {seat}", slug=f"house-{seat}")[0]
            for seat in range(len(agents))
        ]
        seats = tuple(SeatPlan(player, AgentRef.parse(agent)) for player, agent in zip(players, agents, strict=True))
        plans = [MatchPlan(Ruleset.from_code(code), seats, new_seed(), uuid.uuid4()) for _ in range(count)]
        ids = create_matches(plans=plans, kind=MatchKind.CASUAL, is_rated=False, clock=clock)
        return list(Match.objects.filter(pk__in=ids).order_by("pk"))

    return make
