"""Standings as pages and terminals show them: the stored snapshot with names, and ratings where there are any."""

from dataclasses import dataclass
from typing import Any

from games.models import PlayerKind
from tournaments.models import Entrant, EntrantState, Rating, Stage, StageStandings
from tournaments.selectors.entrant_ratings import read_entrant_ratings


@dataclass(frozen=True, slots=True)
class StandingsLine:
    """One row. `values` follows the stage's chain; `tally` counts matches, wins in twelfths and so on."""

    place: int
    entrant_id: int
    player_id: int
    name: str
    slug: str
    is_house: bool
    state: EntrantState
    division: str
    values: dict[str, float | None]
    decided_by: dict[str, Any] | None
    tally: dict[str, int]
    mu: float | None
    sigma: float | None
    official: float | None
    official_se: float | None


@dataclass(frozen=True, slots=True)
class Standings:
    """`version` names the results the lines were made from: a key for caches; `is_current` whether there are newer."""

    stage_id: int
    version: int
    is_current: bool
    chain: tuple[str, ...]
    lines: tuple[StandingsLine, ...]


def read_standings(stage: Stage) -> Standings:
    """Three queries however many lines; no lines before anything was counted."""
    stored = StageStandings.objects.filter(stage=stage).first()
    rows = stored.rows if stored else []
    entrants = Entrant.objects.select_related("player").in_bulk([row["entrant"] for row in rows])
    ratings = read_entrant_ratings(stage.tournament, [entrant.player_id for entrant in entrants.values()])
    return Standings(
        stage_id=stage.id,
        version=stored.version if stored else 0,
        is_current=stored is not None and stored.version == stage.results_version,
        chain=tuple(stage.tiebreaks),
        lines=tuple(_line(row, entrants[row["entrant"]], ratings) for row in rows),
    )


def _line(row: dict[str, Any], entrant: Entrant, ratings: dict[int, Rating]) -> StandingsLine:
    rating = ratings.get(entrant.player_id)
    return StandingsLine(
        place=row["place"],
        entrant_id=entrant.id,
        player_id=entrant.player_id,
        name=entrant.player.name,
        slug=entrant.player.slug,
        is_house=entrant.player.kind == PlayerKind.HOUSE,
        state=EntrantState(entrant.state),
        division=row["division"],
        values=row["values"],
        decided_by=row["decided_by"],
        tally=row["tally"],
        mu=rating.mu if rating else None,
        sigma=rating.sigma if rating else None,
        official=rating.official if rating else None,
        official_se=rating.official_se if rating else None,
    )
