"""An archive's tables by their keys, and what its records give: what the checks of results and standings look at."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from games.play.table import Summary, summarise
from games.rules.deal import derive_seed
from games.rules.match import Match
from tournaments.rules.pairing import TableKind
from tournaments.rules.stage_sheet import StageSheet, table_result
from tournaments.rules.standings import TableResult


@dataclass(frozen=True, slots=True)
class RecordFacts:
    """What one record gives once it was judged: nothing here is the archive's word but numbers, names and times."""

    match: int
    version: int
    ruleset: str
    seed: bytes | None
    names: list[str | None]
    finished_at: str | None
    forfeits: list[int]
    summary: Summary


def gather_facts(record: Any, play: Match) -> RecordFacts:
    return RecordFacts(
        match=record.get("match", 0),
        version=record.get("result_version", 1),
        ruleset=play.ruleset.code,
        seed=play.seed,
        names=[seat.get("player") for number, seat in enumerate(record.get("seats", ())) if seat.get("seat") == number],
        finished_at=record.get("finished_at"),
        forfeits=record.get("forfeits", []),
        summary=summarise(play),
    )


@dataclass
class ResultSheet:
    """An archive's tables by their keys, and what its records give."""

    manifest: Any
    seed: bytes | None
    tables: dict[str, list[Any]]
    facts: dict[tuple[int, int], RecordFacts] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.kind = TableKind(self.manifest["table_kind"])
        self.stages = {row["stage"]: row for row in self.tables["stages"]}
        self.sheets = {number: self._make_sheet(row) for number, row in self.stages.items()}
        self.fixtures = {table_of(row): row for row in self.tables["fixtures"]}
        self.matches = {row["match"]: row for row in self.tables["matches"]}
        self.entrants = {row["entrant"]: row for row in self.tables["entrants"]}
        self.players = {row["player"]: row for row in self.tables["players"]}
        self.of_fixture: dict[tuple[int, int, int], list[Any]] = defaultdict(list)
        for row in self.tables["matches"]:
            self.of_fixture[table_of(row)].append(row)

    def _make_sheet(self, row: Any) -> StageSheet:
        return StageSheet(
            number=row["stage"],
            kind=self.kind,
            format=row["format"],
            options=row["options"],
            points=tuple(row["points"]),
            tiebreaks=tuple(row["tiebreaks"]),
            block_deals=row["block_deals"],
            matches_each=1 if row["block_deals"] else row["matches_each"],
            field=tuple(row["field"]),
            entered=dict(zip(row["field"], row["entered"] or [1] * len(row["field"]), strict=True)),
            final_places=tuple((entrant, place) for entrant, place in row["final_places"]),
        )

    def read_results(self, matches: list[Any]) -> list[TableResult] | None:
        """What these matches count as; None where one has no result, or a sealed one."""
        results = []
        for row in sorted(matches, key=lambda row: row["match"]):
            newest = row["versions"][-1] if row["versions"] else None
            if newest is None or newest["nuggets"] is None or row["exact_bids"] is None:
                return None
            one = self.facts.get((row["match"], newest["version"]))
            places = one.summary.places if one else newest["places"]
            # Which matches are on the same deals is told by their labels.
            block = hash((row["label"], newest["record_match"]))
            columns = (row["entrants"], places, newest["nuggets"], newest["totals"], row["exact_bids"])
            results.append(table_result(self.kind, block, *columns, row["forfeits"], row["first_seat"]))
        return results

    def facts_of(self, row: Any) -> list[RecordFacts]:
        found = (self.facts.get((row["match"], line["version"])) for line in row["versions"])
        return [one for one in found if one is not None]

    def find_version(self, row: Any, version: int) -> Any:
        return next(line for line in row["versions"] if line["version"] == version)

    def find_match_seed(self, row: Any) -> bytes | None:
        if self.seed is not None:
            return derive_seed(self.seed, row["label"])
        own = [one for one in self.facts_of(row) if self.find_version(row, one.version)["record_match"] is None]
        return own[0].seed if own else None

    def list_members(self, entrant: int) -> set[int]:
        """Players who sat for an entrant, and for those whom it replaced."""
        members: set[int] = set()
        seen = set()
        while entrant in self.entrants and entrant not in seen:
            seen.add(entrant)
            members.update(self.entrants[entrant]["members"])
            entrant = self.entrants[entrant]["replaces"]
        return members


def table_of(row: Any) -> tuple[int, int, int]:
    return row["stage"], row["matchday"], row["table"]
