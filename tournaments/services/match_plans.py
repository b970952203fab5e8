"""Planning matches: who sits where with which agent, on which deals, all of it from the tournament's seed."""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass

from aurum_league.common.errors import LeagueError
from games.models import Player, PlayerKind
from games.play.agents import is_awaited
from games.rules.deal import derive_seed, draw_first_seat
from games.rules.ruleset import Ruleset
from games.services.agents import agent_of
from games.services.create import MatchPlan, SeatPlan
from tournaments.models import Entrant, Fixture, Matchday, Stage, Tournament
from tournaments.rules.pairing import HOUSE, TableKind
from tournaments.rules.seating import block_rotations
from tournaments.services.house import ensure_filling_player


@dataclass(frozen=True, slots=True)
class PlannedMatch:
    """A match to be created: its fixture, its number there, its entrants by seat, and the plan."""

    fixture: Fixture
    number: int
    entrants: list[int]
    plan: MatchPlan


class MatchPlanner:
    """Plans the matches of a stage's fixtures, each player's agent looked up once and pinned."""

    def __init__(self, tournament: Tournament, stage: Stage) -> None:
        self.tournament = tournament
        self.stage = stage
        self.kind = TableKind(tournament.table_kind)
        self.ruleset = Ruleset.from_code(tournament.ruleset)
        self.seed = bytes(tournament.seed)
        entrants = Entrant.objects.select_related("player__team__first", "player__team__second").in_bulk(stage.field)
        self.players = {entrant.id: members_of(entrant.player) for entrant in entrants.values()}
        self.agents: dict[int, str] = {}

    def plan(self, matchday: Matchday, fixture: Fixture) -> Iterator[PlannedMatch]:
        """Every match of a fixture: a block on shared deals, or so many matches on deals of their own."""
        order = self.kind.seat(seat.entrant_id or HOUSE for seat in fixture.seats.all())
        label = f"match {self.stage.number} {matchday.number} {fixture.table}"
        number = 0
        if self.stage.block_deals:
            self._require_rotatable(order)
            for deal, seatings in enumerate(block_rotations(order, self.stage.block_deals), start=1):
                for seating in seatings:
                    number += 1
                    yield self._plan_one(fixture, number, seating, f"{label} deal {deal}")
        else:
            for number in range(1, self.stage.matches_each + 1):
                yield self._plan_one(fixture, number, order, f"{label} {number}")

    def _plan_one(self, fixture: Fixture, number: int, order: tuple[int, ...], label: str) -> PlannedMatch:
        """Position 0 takes the seat that the seed makes first player of the first round."""
        seed = derive_seed(self.seed, label)
        first = draw_first_seat(seed, len(order))
        entrants = [order[(seat - first) % len(order)] for seat in range(len(order))]
        met: dict[int, int] = {}
        seats = []
        for entrant in entrants:
            members = self._members(entrant)
            player = members[met.get(entrant, 0) % len(members)]
            met[entrant] = met.get(entrant, 0) + 1
            seats.append(SeatPlan(player, self._agent(player)))
        deals = uuid.UUID(bytes=derive_seed(seed, "deals")[:16], version=4)
        return PlannedMatch(fixture, number, entrants, MatchPlan(self.ruleset, tuple(seats), seed, deals))

    def _members(self, entrant: int) -> tuple[Player, ...]:
        if entrant == HOUSE and HOUSE not in self.players:
            self.players[HOUSE] = (ensure_filling_player(),)
        return self.players[entrant]

    def _agent(self, player: Player) -> str:
        if player.id not in self.agents:
            self.agents[player.id] = agent_of(player)
        return self.agents[player.id]

    def _require_rotatable(self, order: tuple[int, ...]) -> None:
        for entrant in order:
            for player in self._members(entrant):
                if is_awaited(self._agent(player)):
                    raise LeagueError(
                        "block_needs_bots",
                        f"{player.name} would see the same deal twice: only house bots and uploaded bots play blocks.",
                        "Set block_deals to 0, or leave people and connected bots out.",
                        status=409,
                    )


def members_of(player: Player) -> tuple[Player, ...]:
    """Who sits down for a player: both of a team, or the player alone."""
    return (player.team.first, player.team.second) if player.kind == PlayerKind.TEAM else (player,)
