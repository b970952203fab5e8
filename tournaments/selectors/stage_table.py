"""The standings of a stage computed from its results: the rows that the snapshot stores."""

from dataclasses import replace
from typing import Any

from tournaments.models import Stage, Tournament
from tournaments.rules.pairing import HOUSE, TableKind
from tournaments.rules.standings import StandingRow, TableResult, compute_standings, credit_points, credit_wins
from tournaments.selectors.divisions import split_field
from tournaments.selectors.results import read_stage_results
from tournaments.selectors.stages import chain_of, scoring_of


def compute_stage_standings(
    tournament: Tournament, stage: Stage, results: list[TableResult] | None = None
) -> list[dict[str, Any]]:
    """The rows as they are stored, division by division; with results given, as they would be with those."""
    if results is None:
        results = read_stage_results(stage, TableKind(tournament.table_kind))
    rows: list[dict[str, Any]] = []
    for division, members in split_field(tournament, stage):
        mine = results if not division else _results_of(results, set(members))
        ranked = compute_standings(
            members,
            mine,
            scoring_of(stage),
            chain_of(stage),
            lots_seed=bytes(tournament.seed),
            lots_purpose=f"standings {stage.number}",
        )
        rows += [_stored_row(row, division, stage) for row in _without_house(ranked)]
    return _apply_final_places(rows, stage) if stage.final_places else rows


def _results_of(results: list[TableResult], members: set[int]) -> list[TableResult]:
    return [result for result in results if members.intersection(result.entrants)]


def _without_house(rows: tuple[StandingRow, ...]) -> list[StandingRow]:
    """A filling house bot holds no place: those below it move up."""
    house = next((row.place for row in rows if row.entrant == HOUSE), None)
    if house is None:
        return list(rows)
    return [replace(row, place=row.place - (row.place > house)) for row in rows if row.entrant != HOUSE]


def _stored_row(row: StandingRow, division: str, stage: Stage) -> dict[str, Any]:
    decided, scoring = row.decided_by, scoring_of(stage)
    return {
        "place": row.place,
        "entrant": row.entrant,
        "division": division,
        "points": credit_points(row.tally, scoring),
        "wins": credit_wins(row.tally, scoring),
        "values": dict(zip(stage.tiebreaks, row.values, strict=True)),
        "decided_by": decided
        and {
            "metric": decided.metric,
            "value": decided.value,
            "rival": decided.rival,
            "rival_value": decided.rival_value,
        },
        "tally": row.tally._asdict(),
    }


def _apply_final_places(rows: list[dict[str, Any]], stage: Stage) -> list[dict[str, Any]]:
    """A bracket decides the places itself; the rest of each row stays as it was counted."""
    places = dict(stage.final_places)
    for row in rows:
        row["place"] = places.get(row["entrant"], len(rows))
        row["decided_by"] = {"metric": "bracket"}
    return sorted(rows, key=lambda row: (row["place"], stage.field.index(row["entrant"])))
