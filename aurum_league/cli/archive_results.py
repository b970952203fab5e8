"""Results of an archive: its tables by key, and every match, its seats and versions against records and the chain."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from aurum_league.common.proofs import digest_version
from games.play.table import Summary, summarise
from games.rules.deal import commitment, derive_seed, draw_first_seat
from games.rules.match import Match
from games.rules.outcome import count_places
from tournaments.rules.pairing import HOUSE, TableKind
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
    agents: list[str | None]
    finished_at: str | None
    forfeits: list[int]
    summary: Summary


def gather_facts(record: Any, play: Match) -> RecordFacts:
    seats = [seat for number, seat in enumerate(record.get("seats", ())) if seat.get("seat") == number]
    return RecordFacts(
        match=record.get("match", 0),
        version=record.get("result_version", 1),
        ruleset=play.ruleset.code,
        seed=play.seed,
        names=[seat.get("player") for seat in seats],
        agents=[seat.get("agent") for seat in seats],
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


HOUSE_SLUG = "house-"
PLAYED = ("played", "rerun", "fresh")
KINDS = (*PLAYED, "by_hand", "forfeit", "void")
OPEN_STATES = ("open", "ready", "playing", "waiting", "held", "quarantined", "void")
"""What a match may be that has no result."""


class ResultCheck(ResultSheet):
    """Everything about matches; a sentence for each thing that does not hold."""

    def take_facts(self, facts: Iterable[RecordFacts]) -> Iterator[str]:
        for name in ("matches", "fixtures", "entrants", "players", "stages"):
            known = {"matches": self.matches, "fixtures": self.fixtures}.get(name, getattr(self, name))
            if len(known) < len(self.tables[name]):
                yield f"{name}.ndjson tells one of them twice"
        for one in facts:
            row = self.matches.get(one.match)
            versions = {version["version"] for version in row["versions"] if version["has_record"]} if row else set()
            if one.version not in versions or (one.match, one.version) in self.facts:
                yield f"the record of match {one.match}, version {one.version}, belongs to no result, or is there twice"
            self.facts[one.match, one.version] = one

    def check_matches(self) -> Iterator[str]:
        for row in self.tables["matches"]:
            for check in (self._check_place, self._check_seats, self._check_versions, self._check_counted):
                yield from (f"match {row['match']}: {fault}" for fault in check(row))

    def _check_place(self, row: Any) -> Iterator[str]:
        """Where it was played, and that its seed follows from there."""
        fixture, sheet = self.fixtures.get(table_of(row)), self.sheets[row["stage"]]
        if fixture is None or row["counts"] != fixture["state"]:
            yield "its table is not in the archive, or counts otherwise"
        if row["label"] != sheet.label_match(row["matchday"], row["table"], row["number"]):
            yield f"its seed would follow from {row['label']!r}, which is not where it was played"
        if self.seed is not None and commitment(derive_seed(self.seed, row["label"])) != row["commitment"]:
            yield "its seed does not follow from the tournament's"
        own = [one for one in self.facts_of(row) if self.find_version(row, one.version)["record_match"] is None]
        for one in own:
            if one.seed is None or commitment(one.seed) != row["commitment"]:
                yield "its record is not on the deals that it was committed to"

    def _check_seats(self, row: Any) -> Iterator[str]:
        """Entrants sit as their table was drawn, players are theirs, and its records name the same."""
        fixture, seed = self.fixtures.get(table_of(row)), self.find_match_seed(row)
        if fixture is not None and seed is not None:
            first = draw_first_seat(seed, len(row["entrants"]))
            seated = self.sheets[row["stage"]].seat_entrants(fixture["entrants"], row["number"], first)
            if seated != row["entrants"]:
                yield f"its entrants are {row['entrants']} by seat, and its table seats {seated}"
        if len(row["players"]) != len(row["entrants"]):
            yield "it has not as many players as entrants"
        for entrant, player in zip(row["entrants"], row["players"], strict=False):
            if player not in self.players or (entrant != HOUSE and player not in self.list_members(entrant)):
                yield f"player {player} does not sit for entrant {entrant}"
        names = [self.players[player]["name"] for player in row["players"] if player in self.players]
        for one in self.facts_of(row):
            if one.names != names:
                yield f"its record names {one.names}, and its seats {names}"
            for player, agent in zip(row["players"], one.agents, strict=False):
                if player in self.players and not _can_play_for(agent, self.players[player]):
                    yield f"its record says that {agent} played for player {player}"
            if one.ruleset != self.manifest["ruleset"]:
                yield f"its record is of {one.ruleset}, and the tournament of {self.manifest['ruleset']}"

    def _check_versions(self, row: Any) -> Iterator[str]:
        """Every version of the result: numbered, in its kind, and what its record gives."""
        versions = row["versions"]
        if [line["version"] for line in versions] != list(range(1, len(versions) + 1)):
            yield "versions of its result are missing"
        for line in versions:
            about = f"version {line['version']} of its result"
            one = self.facts.get((row["match"], line["version"]))
            if line["kind"] not in KINDS or (line["kind"] == "played") != (not line["reason"]):
                yield f"{about} is {line['kind']} and gives {line['reason'] or 'no'!r} as its reason"
            if line["kind"] == "played" and (line["actor"], line["account"]) != (None, None):
                yield f"{about} was played, and names somebody who decided it"
            is_fresh = line["record_match"] is not None
            if is_fresh != (line["kind"] == "fresh") and (line["kind"] in PLAYED or not is_fresh):
                yield f"{about} is {line['kind']}, and its record is of match {line['record_match']}"
            if line["has_record"] and one is None:
                yield f"the record of {about} is missing"
            if one is not None:
                told = {name: line[name] for name in ("places", "forfeits", "nuggets", "totals")}
                given = {name: getattr(one.summary, name) for name in ("nuggets", "totals")}
                given |= {"places": count_places(one.summary.places, one.forfeits), "forfeits": one.forfeits}
                yield from (
                    f"{about} has the {name} {told[name]}, and its record gives {given[name]}"
                    for name in told
                    if told[name] != given[name]
                )
            if one is not None and _moment(versions[0]["at"]) != _moment(one.finished_at):
                yield f"it ended at {versions[0]['at']}, and the record of {about} says {one.finished_at}"
            if one is not None and is_fresh and not self._is_fresh_seed(line, one.seed):
                yield f"the record of {about} is not on the deals that the chain committed to"

    def _is_fresh_seed(self, line: Any, seed: bytes | None) -> bool:
        """Whether the chain told the commitment to these deals when the new match was begun."""
        begun = (event["detail"] for event in self.tables["events"] if event["kind"] == "fresh_begun")
        told = {detail["fresh"]: detail["commitment"] for detail in begun}
        return seed is not None and told.get(line["record_match"]) == commitment(seed)

    def _check_counted(self, row: Any) -> Iterator[str]:
        """The newest version is what counts."""
        if (row["state"] == "finished") != bool(row["versions"]) or (row["places"] is None) == bool(row["versions"]):
            yield f"it is {row['state']} and has {len(row['versions'])} versions of a result"
            return
        if not row["versions"]:
            yield from self._check_unplayed(row)
            return
        if row["share"] != 1:
            yield f"{row['share']} of it counts"
        if row["state"] != "finished" or not set(row["early"]) <= set(row["forfeits"]):
            yield f"it is {row['state']}, and {row['early']} are early forfeits of {row['forfeits']}"
        newest, facts = row["versions"][-1], self.facts_of(row)
        if (newest["places"], newest["forfeits"]) != (row["places"], row["forfeits"]):
            yield "the newest version of its result is not the one that counts"
        seed = facts[-1].seed if facts else self.find_match_seed(row)
        if seed is not None and row["first_seat"] != draw_first_seat(seed, len(row["players"])):
            yield f"seat {row['first_seat']} was not first"
        if row["exact_bids"] is not None:
            right = facts[-1].summary.exact_bids if facts else self._find_bids_by_hand(row)
            if row["exact_bids"] != right:
                yield f"its exact bids are told as {row['exact_bids']}, and its record gives {right}"

    def _check_unplayed(self, row: Any) -> Iterator[str]:
        told = ("places", "forfeits", "early", "exact_bids", "first_seat")
        if any(row[name] is not None for name in told) or row["share"] != 1:
            yield "it has no result, and something of one is told"
        is_over = row["counts"] == "void" or self.manifest["state"] == "finished"
        if row["state"] not in OPEN_STATES or (row["state"] == "void") != is_over:
            yield f"it is {row['state']}, and its table {row['counts']}"

    def _find_bids_by_hand(self, row: Any) -> list[int]:
        """Exact bids as the chain tells them of a score sheet; none where the result came without one."""
        told = [0] * len(row["places"])
        for event in self.tables["events"]:
            if event["detail"].get("match") == row["match"] and "exact_bids" in event["detail"]:
                told = event["detail"]["exact_bids"]
        return told

    def check_decisions(self) -> Iterator[str]:
        """Every version that somebody decided is in the chain, and every one in the chain is here."""
        kept = {
            (int(match), digest)
            for event in self.tables["events"]
            for match, digest in event["detail"].get("results", {}).items()
        }
        found = set()
        for row in self.tables["matches"]:
            for line in row["versions"]:
                if line["kind"] == "played" or line["nuggets"] is None:
                    continue
                digest = (row["match"], digest_version(row["match"], line))
                found.add(digest)
                if digest not in kept:
                    yield f"match {row['match']}: nothing in the chain tells version {line['version']} of its result"
        sealed = {row["match"] for row in self.tables["matches"] if any(v["nuggets"] is None for v in row["versions"])}
        for match, _ in sorted(kept - found):
            if match not in sealed:
                yield f"match {match}: the chain tells a version of its result that is not here"


def _can_play_for(agent: Any, player: Any) -> bool:
    """A house bot's address names its brain; which version of a bot sat there, only the site knows."""
    kind, _, number = str(agent).partition(":")
    if kind == "house":
        brain = player["address"].removeprefix(HOUSE_SLUG).partition("_")[0]
        return bool(player["kind"] == "house" and player["address"].startswith(HOUSE_SLUG) and brain == number)
    if kind == "person":
        return not number and player["kind"] in ("person", "guest")
    return player["kind"] == "bot" and (number.isdigit() if kind == "version" else (kind, number) == ("connected", ""))


def _moment(text: Any) -> Any:
    return text.replace("Z", "+00:00") if isinstance(text, str) else text
