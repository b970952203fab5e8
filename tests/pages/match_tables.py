"""Tables for the tests of match pages: house bots that have played, blocks on the same deals, people at a table."""

import uuid
from collections.abc import Sequence

from games.models import Match, MatchKind, Player, PlayerKind, RunnerNeed
from games.play.agents import AgentRef
from games.rules.ruleset import Ruleset
from games.services.create import MatchPlan, SeatPlan, create_matches
from games.services.play import play_ready_matches

NAMES = ("Lodestone", "Aqua Regia", "Maria <Prophetissa>", "Quicksilver")
CLOCK: dict[str, object] = {"bank": 600.0, "increment": 0.0}


def seat_players(players: int) -> list[Player]:
    return [
        Player.objects.get_or_create(name=name, slug=f"house-{seat}", kind=PlayerKind.HOUSE)[0]
        for seat, name in enumerate(NAMES[:players])
    ]


def make_block(
    code: str = "en3", seatings: int = 1, seed: bytes = bytes(32), agents: Sequence[str] = ()
) -> list[Match]:
    """Matches on the same deals that are ready to be played, each with the seats moved on by one."""
    ruleset = Ruleset.from_code(code)
    players = seat_players(ruleset.players)
    chosen = [AgentRef.parse(agent) for agent in agents or ["house:greedy"] * ruleset.players]
    deals = uuid.uuid4()
    plans = [
        MatchPlan(
            ruleset,
            tuple(SeatPlan(players[(seat + shift) % ruleset.players], agent) for seat, agent in enumerate(chosen)),
            seed,
            deals,
        )
        for shift in range(seatings)
    ]
    ids = create_matches(plans=plans, kind=MatchKind.CASUAL, is_rated=False, clock=CLOCK)
    return list(Match.objects.filter(pk__in=ids).order_by("pk"))


def play_block(
    code: str = "en3", seatings: int = 1, seed: bytes = bytes(32), agents: Sequence[str] = ()
) -> list[Match]:
    """The same, and played as far as it goes without people."""
    matches = make_block(code, seatings, seed, agents)
    play_ready_matches(needs=RunnerNeed.HOUSE)
    return list(Match.objects.filter(pk__in=[match.pk for match in matches]).order_by("pk"))
