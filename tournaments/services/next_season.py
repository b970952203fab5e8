"""The next season of a league: who goes up, down or stays, looked at first and then made, open for further entries."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from aurum_league.common.errors import N_, LeagueError
from tournaments.models import Entrant, Stage, StageStandings, Tournament
from tournaments.rules.formats.catalogue import FORMATS
from tournaments.rules.formats.league_season import promote
from tournaments.rules.lifecycle import Step
from tournaments.selectors.leagues import spec_of
from tournaments.services.entries import IN_FIELD, enter_players, require_can_enter
from tournaments.services.events import record_event
from tournaments.services.field import seed_entrants
from tournaments.services.leagues import create_tournament
from tournaments.services.lifecycle import lock_tournament_for, open_tournament

MOST_MOVES = 100
SEASON_MADE = "next_season"


class Move(StrEnum):
    UP = "up"
    DOWN = "down"
    STAYS = "stays"


@dataclass(frozen=True, slots=True)
class SeasonPlace:
    """One entrant of this season and where the next one finds them."""

    entrant: Entrant
    move: Move


@dataclass(frozen=True, slots=True)
class SeasonPlan:
    """The next season's divisions, the first one first; `left_out` are those who left or may not enter any more."""

    divisions: tuple[tuple[SeasonPlace, ...], ...]
    left_out: tuple[Entrant, ...]

    @property
    def players(self) -> list[Any]:
        """Players in the order in which they are seeded."""
        return [place.entrant.player for division in self.divisions for place in division]


def plan_next_season(*, tournament: Tournament, moves: int) -> SeasonPlan:
    """What the next season would be with so many going up and down between divisions; nothing is changed."""
    if not 0 <= moves <= MOST_MOVES:
        raise LeagueError(
            "bad_moves", N_("From 0 to %(most)s may go up and down, not %(number)s."), most=MOST_MOVES, number=moves
        )
    stage = _find_deciding_stage(tournament)
    entrants = Entrant.objects.select_related("player__team__first", "player__team__second").in_bulk(stage.field)
    staying = {entrant.id for entrant in entrants.values() if _may_play_on(tournament, entrant)}
    before = _order_divisions(stage, staying)
    after = promote(before, moves)
    home = {entrant: number for number, division in enumerate(before) for entrant in division}
    return SeasonPlan(
        tuple(
            tuple(SeasonPlace(entrants[one], _move(home[one], number)) for one in division)
            for number, division in enumerate(after)
        ),
        tuple(entrant for one, entrant in sorted(entrants.items()) if one not in staying),
    )


@transaction.atomic
def create_next_season(*, tournament_id: int, moves: int = 1, name: str = "", actor: User | None = None) -> Tournament:
    """Make the next season from a finished one, open for entries; the one made before where there is one."""
    tournament = lock_tournament_for(tournament_id, Step.NEXT_SEASON)
    if tournament.league is None:
        raise LeagueError(
            "no_season", N_("This tournament is no season of a league."), N_("Make it in a league."), status=409
        )
    made = tournament.events.filter(kind=SEASON_MADE).first()
    if made is not None:
        return Tournament.objects.get(pk=made.detail["tournament"])
    plan = plan_next_season(tournament=tournament, moves=moves)
    spec = _next_spec(tournament, plan) | ({"name": name} if name.strip() else {})
    following = create_tournament(spec=spec, organiser=tournament.organiser, league=tournament.league)
    if not name.strip():
        Tournament.objects.filter(pk=following.pk).update(name=f"{tournament.league.name} {following.season}"[:80])
        following.refresh_from_db()
    open_tournament(tournament_id=following.pk, actor=actor)
    entered = enter_players(tournament_id=following.pk, players=plan.players, actor=actor)
    seed_entrants(tournament_id=following.pk, order=[entrant.pk for entrant in entered], actor=actor)
    record_event(tournament, SEASON_MADE, actor=actor, detail={"tournament": following.pk, "season": following.season})
    return Tournament.objects.get(pk=following.pk)


def _find_deciding_stage(tournament: Tournament) -> Stage:
    """The stage with divisions, or else the first: everybody who took part is in it."""
    stages = list(tournament.stages.order_by("number"))
    return next((stage for stage in stages if FORMATS[stage.format].has_divisions and not stage.groups), stages[0])


def _may_play_on(tournament: Tournament, entrant: Entrant) -> bool:
    try:
        require_can_enter(tournament, entrant.player)
    except LeagueError:
        return False
    return entrant.state in IN_FIELD


def _order_divisions(stage: Stage, staying: set[int]) -> list[list[int]]:
    """The entrants of each division as they ended; groups dealt from one field are no divisions."""
    divisions: dict[str, list[int]] = {}
    for row in sorted(_final_rows(stage), key=lambda row: row["place"]) if stage.groups else _final_rows(stage):
        if row["entrant"] in staying:
            divisions.setdefault("" if stage.groups else row["division"], []).append(row["entrant"])
    return list(divisions.values())


def _final_rows(stage: Stage) -> list[dict[str, Any]]:
    stored = StageStandings.objects.filter(stage=stage).first()
    return stored.rows if stored else []


def _move(before: int, after: int) -> Move:
    if before == after:
        return Move.STAYS
    return Move.UP if after < before else Move.DOWN


def _next_spec(tournament: Tournament, plan: SeasonPlan) -> dict[str, Any]:
    """The same tournament again, its divisions as large as the plan makes them."""
    spec = spec_of(tournament)
    return spec | {"stages": list(_next_stages(spec["stages"], plan))}


def _next_stages(stages: list[dict[str, Any]], plan: SeasonPlan) -> Iterator[dict[str, Any]]:
    for stage in stages:
        options = dict(stage["options"])
        if stage["groups"]:
            options.pop("divisions", None)
        elif FORMATS[stage["format"]].has_divisions:
            options["divisions"] = [len(division) for division in plan.divisions]
        yield stage | {"options": options}
