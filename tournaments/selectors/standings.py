"""Standings as pages show them: the stored snapshot with names, ratings, intervals and the places left open."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games.models import PlayerKind
from tournaments.models import Entrant, EntrantState, Rating, Stage, StageStandings
from tournaments.rules.stage_sheet import Certainty
from tournaments.rules.standings import METRICS, Decision, StandingRow, Tally, find_level_title
from tournaments.rules.standings.tally import UNITS
from tournaments.selectors.entrants import read_entrant_ratings


@dataclass(frozen=True, slots=True)
class StandingsLine:
    """One row. `values` follows the stage's chain; `tally` counts matches, wins in twelfths and so on.

    `points` and `wins` are what the chain compares, byes included; `tally` leaves byes out. `rival` is the name of the
    entrant that `decided_by` compares with.
    """

    place: int
    entrant_id: int
    player_id: int
    name: str
    slug: str
    is_house: bool
    state: EntrantState
    division: str
    points: float
    wins: float
    values: dict[str, float | None]
    decided_by: dict[str, Any] | None
    rival: str
    tally: dict[str, int]
    certainty: Certainty | None
    mu: float | None
    sigma: float | None
    official: float | None
    official_low: float | None
    official_high: float | None


@dataclass(frozen=True, slots=True)
class Standings:
    """`version` names the results the lines were made from: a key for caches; `is_current` whether there are newer."""

    stage_id: int
    version: int
    is_current: bool
    chain: tuple[str, ...]
    lines: tuple[StandingsLine, ...]


def find_snapshot(stage: Stage) -> StageStandings:
    """What was last computed; an unsaved one without rows before anything was counted."""
    return StageStandings.objects.filter(stage=stage).first() or StageStandings(stage=stage, version=0)


def read_standings(stage: Stage) -> Standings:
    """Three queries however many lines; no lines before anything was counted."""
    stored = find_snapshot(stage)
    return Standings(
        stage_id=stage.id,
        version=stored.version,
        is_current=stored.version == stage.results_version and bool(stored.rows),
        chain=tuple(stage.tiebreaks),
        lines=name_rows(stage, stored.rows),
    )


def name_rows(stage: Stage, rows: Sequence[dict[str, Any]]) -> tuple[StandingsLine, ...]:
    """Some rows of a snapshot as lines, in two queries."""
    rivals = [row["decided_by"]["rival"] for row in rows if row["decided_by"] and "rival" in row["decided_by"]]
    entrants = Entrant.objects.select_related("player").in_bulk({*rivals, *(row["entrant"] for row in rows)})
    ratings = read_entrant_ratings(stage.tournament, [entrants[row["entrant"]].player_id for row in rows])
    return tuple(_line(row, entrants, ratings) for row in rows)


def find_level_for_title(stage: Stage, rows: Sequence[dict[str, Any]]) -> tuple[int, ...]:
    """Entrants whom nothing but lots parts for the title, or who share it; none where it was won.

    With divisions the title is that of the first one; a bracket leaves nobody level.
    """
    first = [row for row in rows if row["division"] in ("", "D1")]
    if any(row["decided_by"] and row["decided_by"]["metric"] not in METRICS for row in first):
        return ()
    return find_level_title([_rank_again(row) for row in first])


def list_level_for_title(stage: Stage, rows: Sequence[dict[str, Any]]) -> list[str]:
    """Their names."""
    level = find_level_for_title(stage, rows)
    names = dict(Entrant.objects.filter(id__in=level).values_list("id", "player__name")) if level else {}
    return [names[entrant] for entrant in level]


def _rank_again(row: dict[str, Any]) -> StandingRow:
    decided = row["decided_by"]
    decision = Decision(**{**decided, "metric": METRICS[decided["metric"]]}) if decided else None
    return StandingRow(row["place"], row["entrant"], tuple(row["values"].values()), decision, Tally())


def _line(row: dict[str, Any], entrants: dict[int, Entrant], ratings: dict[int, Rating]) -> StandingsLine:
    entrant, tally, sure = entrants[row["entrant"]], row["tally"], row.get("certainty")
    rival = entrants.get((row["decided_by"] or {}).get("rival", 0))
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
        points=row.get("points", tally["points"] / UNITS),
        wins=row.get("wins", tally["wins"] / UNITS),
        values=row["values"],
        decided_by=row["decided_by"],
        rival=rival.player.name if rival else "",
        tally=tally,
        certainty=Certainty(**sure) if sure else None,
        mu=rating.mu if rating else None,
        sigma=rating.sigma if rating else None,
        official=rating.official if rating else None,
        official_low=rating.official_low if rating else None,
        official_high=rating.official_high if rating else None,
    )
