"""Releasing: fixtures become matches, planned with their seats, agents and deals, that workers and people may play."""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from aurum_league.common.errors import N_, LeagueError
from aurum_league.common.sql import array_text
from games.models import MatchKind, Player, PlayerKind
from games.play.agents import AgentRef
from games.rules.deal import derive_seed, draw_first_seat
from games.rules.ruleset import Ruleset
from games.services.create import MatchPlan, SeatPlan, create_matches
from games.services.players import agent_of
from tournaments.models import (
    Entrant,
    Fixture,
    Matchday,
    MatchdayState,
    Release,
    Stage,
    StageState,
    Tournament,
    TournamentState,
)
from tournaments.rules.lifecycle import Step
from tournaments.rules.pairing import HOUSE, TableKind, block_rotations, seat_matches
from tournaments.rules.story import Table, digest_tables
from tournaments.selectors.chance import seed_of
from tournaments.selectors.leagues import find_current_stage
from tournaments.selectors.schedule import list_free_fixtures
from tournaments.services.field import ensure_filling_player
from tournaments.services.lifecycle import (
    lock_tournament,
    lock_tournament_for,
    nudge_tournament_on_commit,
    record_event,
    take_step,
)


def name_deals(seed: bytes) -> uuid.UUID:
    """By this the matches of a block know that they share their deals; it tells nothing of them."""
    return uuid.UUID(bytes=derive_seed(seed, "deals")[:16], version=4)


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
        self.seed = seed_of(tournament)
        entrants = Entrant.objects.select_related("player__team__first", "player__team__second").in_bulk(stage.field)
        self.players = {entrant.id: members_of(entrant.player) for entrant in entrants.values()}
        self.agents: dict[int, AgentRef] = {}

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
            for number, seating in enumerate(seat_matches(order, self.stage.matches_each), start=1):
                yield self._plan_one(fixture, number, seating, f"{label} {number}")

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
        return PlannedMatch(fixture, number, entrants, MatchPlan(self.ruleset, tuple(seats), seed, name_deals(seed)))

    def _members(self, entrant: int) -> tuple[Player, ...]:
        if entrant == HOUSE and HOUSE not in self.players:
            self.players[HOUSE] = (ensure_filling_player(),)
        return self.players[entrant]

    def _agent(self, player: Player) -> AgentRef:
        if player.id not in self.agents:
            self.agents[player.id] = agent_of(player)
        return self.agents[player.id]

    def _require_rotatable(self, order: tuple[int, ...]) -> None:
        for entrant in order:
            for player in self._members(entrant):
                if not self._agent(player).remembers_nothing:
                    raise LeagueError(
                        "block_needs_bots",
                        N_("%(name)s would see the same deal twice: only house bots and uploaded bots play blocks."),
                        N_("Set block_deals to 0, or leave people and connected bots out."),
                        status=409,
                        name=player.name,
                    )


def members_of(player: Player) -> tuple[Player, ...]:
    """Who sits down for a player: both of a team, or the player alone."""
    return (player.team.first, player.team.second) if player.kind == PlayerKind.TEAM else (player,)


_COPY_LINKS = "COPY tournaments_fixturematch (fixture_id, match_id, stage_id, number, entrants) FROM STDIN"
DEFAULT_CLOCK: dict[str, float] = {"bank": 1800, "window": 259_200}
"""Half an hour a match for people and connected bots, where the organiser sets nothing else; people meet within three
days."""


@transaction.atomic
def start_tournament(*, tournament_id: int, actor: User | None = None) -> Tournament:
    """Release the drawn tournament: its first matches can be played once this commits."""
    tournament = lock_tournament(tournament_id)
    if tournament.state == TournamentState.PLAYING:
        return tournament
    take_step(tournament, Step.START)
    stage = find_current_stage(tournament)
    stage.state = StageState.PLAYING
    stage.save(update_fields=("state",))
    if stage.release != Release.TIMED:
        release_next_matchday(tournament, stage)
    record_event(tournament, "started", actor=actor)
    nudge_tournament_on_commit(tournament.id)
    return tournament


@transaction.atomic
def release_by_hand(*, tournament_id: int, actor: User | None = None) -> Matchday | None:
    """Release the next drawn matchday of a tournament that plays; None where there is none."""
    tournament = lock_tournament_for(tournament_id, Step.RELEASE)
    matchday = release_next_matchday(tournament, find_current_stage(tournament), actor=actor)
    nudge_tournament_on_commit(tournament.id)
    return matchday


def release_next_matchday(tournament: Tournament, stage: Stage, *, actor: User | None = None) -> Matchday | None:
    """Make matches of the first matchday that is drawn and not released; the caller holds the tournament's lock."""
    matchday = stage.matchdays.filter(state=MatchdayState.DRAWN).order_by("number").first()
    if matchday is not None:
        _release_fixtures(tournament, stage, matchday, list(_with_seats(matchday.fixtures.all())), actor)
    return matchday


def release_free_fixtures(tournament: Tournament, stage: Stage) -> int:
    """Make matches of every drawn table whose entrants have all ended their earlier ones; of how many matchdays.

    So one slow table holds up only those who sit at it. The caller holds the tournament's lock.
    """
    free = list_free_fixtures(stage)
    is_empty = Q(state=MatchdayState.DRAWN, fixtures=None)
    days = list(stage.matchdays.filter(Q(fixtures__in=free) | is_empty).distinct().order_by("number"))
    for matchday in days:
        _release_fixtures(tournament, stage, matchday, list(_with_seats(matchday.fixtures.filter(id__in=free))))
    return len(days)


def _with_seats(fixtures: QuerySet[Fixture]) -> QuerySet[Fixture]:
    return fixtures.prefetch_related("seats").order_by("table")


def _release_fixtures(
    tournament: Tournament, stage: Stage, matchday: Matchday, fixtures: list[Fixture], actor: User | None = None
) -> None:
    """Make the matches of some of a matchday's tables; the matchday counts as released with the first of them."""
    count = _create_fixture_matches(tournament, stage, matchday, fixtures)
    rested: dict[str, list[int]] = {"rested": []}
    if matchday.state == MatchdayState.DRAWN:
        rested = {"rested": list(matchday.byes.order_by("entrant_id").values_list("entrant_id", flat=True))}
        matchday.state = MatchdayState.RELEASED
        matchday.released_at = timezone.now()
        matchday.save(update_fields=("state", "released_at"))
    told = _tell_tables(tournament, fixtures)
    detail = {"stage": stage.number, "matchday": matchday.number, "matches": count, **told, **rested}
    record_event(tournament, "released", actor=actor, detail=detail)


def _tell_tables(tournament: Tournament, fixtures: Sequence[Fixture]) -> dict[str, Any]:
    """What the event keeps of who was drawn to meet whom: which tables, and one digest over all of them."""
    tables: dict[int, Table] = {}
    for fixture in fixtures:
        entrants = [seat.entrant_id or HOUSE for seat in fixture.seats.all()]
        tables[fixture.table] = (fixture.slot, entrants, tournament.is_rated and is_rateable(fixture))
    return {"tables": sorted(tables), "digest": digest_tables(tables)}


def _create_fixture_matches(tournament: Tournament, stage: Stage, matchday: Matchday, fixtures: list[Fixture]) -> int:
    planner = MatchPlanner(tournament, stage)
    parts: dict[bool, list[PlannedMatch]] = {}
    for fixture in fixtures:
        planned = list(planner.plan(matchday, fixture))
        fixture.open_matches = len(planned)
        parts.setdefault(tournament.is_rated and is_rateable(fixture), []).extend(planned)
    for is_rated, part in parts.items():
        _create(tournament, stage, part, is_rated=is_rated)
    Fixture.objects.bulk_update(fixtures, ["open_matches"], batch_size=2000)
    return sum(map(len, parts.values()))


def is_rateable(fixture: Fixture) -> bool:
    """Tables that a house bot fills, or that the format could not keep apart as it should, are played unrated."""
    return not {"house_fills", "unrated"} & {code for code, _ in fixture.why}


def _create(tournament: Tournament, stage: Stage, planned: Sequence[PlannedMatch], *, is_rated: bool) -> None:
    match_ids = create_matches(
        plans=[match.plan for match in planned],
        kind=MatchKind.TOURNAMENT,
        is_rated=is_rated,
        account=tournament.organiser_id,
        clock=tournament.clock or DEFAULT_CLOCK,
    )
    with connection.cursor() as cursor, cursor.copy(_COPY_LINKS) as copy:
        for one, match_id in zip(planned, match_ids, strict=True):
            copy.write_row((one.fixture.pk, match_id, stage.pk, one.number, array_text(one.entrants)))
