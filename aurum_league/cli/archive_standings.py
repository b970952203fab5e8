"""Tables, entrants and standings of an archive, counted again from its results."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict
from random import Random
from typing import Any

from aurum_league.cli.archive_results import ResultSheet, table_of
from tournaments.rules.formats import FORMATS, make_stage_format
from tournaments.rules.formats.format import Entry, PastMatchday, PastState, PastTable, Situation
from tournaments.rules.pairing import HOUSE, Finished, Pairing
from tournaments.rules.stage_sheet import (
    StageSheet,
    count_fixture_points,
    count_standings,
    measure_certainty,
    part_by_lots,
    place_entrants,
    tell_lots,
    unplayed_results,
)
from tournaments.rules.standings import TableResult
from tournaments.rules.story import (
    PLAYED_COLUMNS,
    Table,
    TournamentStory,
    digest_played,
    find_field_faults,
    find_lot_faults,
    find_played_faults,
    find_rule_faults,
    find_table_faults,
)

PLAYER_KINDS = ("guest", "person", "bot", "house", "team")
CLOSE = 1e-9


class StandingsCheck(ResultSheet):
    """Everything that is counted from results; a sentence for each thing that does not hold."""

    def check_fixtures(self) -> Iterator[str]:
        """Places and points of every table from its matches."""
        for row in self.tables["fixtures"]:
            about = f"stage {row['stage']}, matchday {row['matchday']}, table {row['table']}"
            sheet, matches = self.sheets[row["stage"]], self.of_fixture[table_of(row)]
            if row["lots"] is not None and not FORMATS[sheet.format].has_bracket:
                yield f"{about}: lots are drawn in brackets only"
            if row["slot"] and not self._is_slot(row, sheet):
                yield f"{about}: its entrants do not meet in {row['slot']}"
            if len(matches) != sheet.matches_a_fixture and (matches or row["state"] == "settled"):
                yield f"{about}: {len(matches)} matches of {sheet.matches_a_fixture} are here"
            if len({match["is_rated"] for match in matches}) > 1:
                yield f"{about}: some of its matches are rated, and some are not"
            if row["state"] != "settled":
                if row["places"] is not None or row["points"] is not None:
                    yield f"{about}: it is {row['state']} and has places"
                continue
            results = self.read_results(matches)
            if results is None:
                yield f"{about}: it is settled, and not all its matches are"
                continue
            places = place_entrants(row["entrants"], results, sheet.scoring)
            if row["lots"] is not None:
                purpose = sheet.label_lots(row["matchday"], row["table"])
                if row["lots"] != tell_lots(row["entrants"], places, row["places"], purpose):
                    yield f"{about}: its lots are told as {row['lots']}"
                if self.seed is not None:
                    places = part_by_lots(row["entrants"], places, self.seed, purpose)
            if list(places) != row["places"] and (row["lots"] is None or self.seed is not None):
                yield f"{about}: its places are told as {row['places']}, and its matches give {list(places)}"
            points = count_fixture_points(sheet, row["entrants"], results)
            if points != row["points"]:
                yield f"{about}: its points are told as {row['points']}, and its matches give {points}"

    def _is_slot(self, row: Any, sheet: StageSheet) -> bool:
        """A bracket's slot is checked with its places; a division's holds its own entrants only."""
        if FORMATS[sheet.format].has_bracket:
            return True
        members = dict(sheet.split_field()).get(row["slot"], ())
        return set(row["entrants"]) - {HOUSE} <= set(members)

    def check_entrants(self) -> Iterator[str]:
        """Everybody's state as the chain tells it, and who sits for whom."""
        told = TournamentStory(self.tables["events"])
        for row in self.tables["players"]:
            if row["kind"] not in PLAYER_KINDS:
                yield f"player {row['player']} is told to be a {row['kind']}"
        replaced = {row["replaces"] for row in self.tables["entrants"]} - {None}
        for row in self.tables["entrants"]:
            entrant = row["entrant"]
            right: dict[str, Any] = {"state": "replaced" if entrant in replaced else told.states.get(entrant)}
            if entrant not in replaced:
                right |= {"player": told.players.get(entrant, row["player"])}
            if told.is_whole:
                right |= {"left_on": None if entrant in replaced else told.left_on.get(entrant)}
            for name, value in right.items():
                if row[name] != value:
                    yield f"entrant {entrant} is told to have {name} {row[name]}, and the chain says {value}"
            if row["replaces"] is not None and row["replaces"] not in self.entrants:
                yield f"entrant {entrant} is told to replace one that is not here"
            if row["player"] not in self.players or (len(row["members"]) == 1 and row["members"] != [row["player"]]):
                yield f"entrant {entrant} is not player {row['player']}"

    def check_story(self) -> Iterator[str]:
        """Rules, fields, tables, what was played and what is void, as the chain tells them."""
        story, told = self.tables["events"], TournamentStory(self.tables["events"])
        if self.seed is not None:
            yield from find_lot_faults(story, self.seed)
        yield from find_rule_faults(story, {**self.manifest, "stages": list(self.stages.values())})
        for number, stage in self.stages.items():
            faults = [
                find_field_faults(story, number, stage["field"], stage["options"].get("divisions")),
                find_table_faults(story, number, self._list_tables(number), stage["byes"]),
                find_played_faults(story, number, self._digest_played(number)),
            ]
            yield from (f"stage {number}: {fault}" for one in faults for fault in one)
            entered = [told.entered_on.get(entrant, 1) for entrant in stage["field"]]
            if told.is_whole and stage["entered"] not in (None, entered):
                yield f"stage {number}: its entrants are told to have come on {stage['entered']}, and came on {entered}"
        for stage_number, day, table in self.fixtures if told.is_whole else ():
            is_void = self.fixtures[stage_number, day, table]["state"] == "void"
            if is_void != ((stage_number, day, table) in told.void_tables):
                about = f"stage {stage_number}, matchday {day}, table {table}"
                yield f"{about}: it is {'void' if is_void else 'not void'}, and the chain does not say so"

    def _list_tables(self, number: int) -> dict[tuple[int, int], Table]:
        """Tables that have matches: others were never released."""
        return {
            (row["matchday"], row["table"]): (row["slot"], row["entrants"], matches[0]["is_rated"])
            for row in self.tables["fixtures"]
            if row["stage"] == number and (matches := self.of_fixture[table_of(row)])
        }

    def _digest_played(self, number: int) -> str | None:
        """None while some of what was played is sealed."""
        lines = []
        for row in sorted(self.tables["matches"], key=lambda row: row["match"]):
            if row["stage"] == number and row["versions"] and row["versions"][0]["kind"] == "played":
                one = self.facts.get((row["match"], 1))
                if one is None:
                    return None
                columns = (one.forfeits, *(getattr(one.summary, name) for name in PLAYED_COLUMNS[1:]))
                lines.append((row["match"], columns))
        return digest_played(lines)

    def check_stages(self) -> Iterator[str]:
        """What each stage is said to be, who rested, and whether it is over."""
        for number, stage in self.stages.items():
            if FORMATS[stage["format"]].has_divisions == (stage["entered"] is None):
                yield f"stage {number} tells when its entrants came, and has no divisions, or the other way round"
            fixtures = [row for row in self.tables["fixtures"] if row["stage"] == number]
            seated = {(row["matchday"], one) for row in fixtures for one in row["entrants"]}
            drawn = {day for day, _ in seated} | self._find_idle_days(stage)
            for day, entrant in stage["byes"]:
                if (day, entrant) in seated or day not in drawn:
                    yield f"stage {number}: entrant {entrant} is told to rest on matchday {day}"
            if bool(stage["block_deals"]) != (stage["matches_each"] is None):
                yield f"stage {number} plays blocks of deals, or so many matches, and not both"
            ends = [event for event in self.tables["events"] if event["kind"] == "stage_finished"]
            if (stage["state"] == "finished") != any(event["detail"]["stage"] == number for event in ends):
                yield f"stage {number} is told to be {stage['state']}, and the chain says otherwise"

    def _find_idle_days(self, stage: Any) -> set[int]:
        """Matchdays on which everybody rests who did not leave: so few are left that no table can be drawn."""
        rested: dict[int, set[int]] = defaultdict(set)
        for day, entrant in stage["byes"]:
            rested[day].add(entrant)
        here = {one for one in stage["field"] if self.entrants[one]["left_on"] is None}
        return {day for day, resting in rested.items() if here <= resting}

    def check_standings(self, number: int) -> Iterator[str]:
        """Every place with what decided it, and how sure it is."""
        stage, sheet = self.stages[number], self.sheets[number]
        stored = [row for row in self.tables["standings"] if row["stage"] == number]
        is_over = stage["state"] == "finished"
        if is_over and sheet.final_places:
            yield from self._check_bracket(stage, sheet)
        if any(row["results_version"] != stage["results_version"] for row in stored) or not stored:
            if is_over:
                yield "its standings are not those of its last result"
            return
        results = self._read_stage(number, sheet)
        if results is None:
            return
        seed = self.seed or b""
        certainty = measure_certainty(sheet, results)
        computed = count_standings(sheet, results, seed)
        if len(computed) != len(stored):
            yield f"its standings have {len(stored)} rows, and its results give {len(computed)}"
        if self.seed is None:
            computed = [_without_lots(row) for row in computed]
            stored = [_without_lots(row) for row in stored]
            order = {row["entrant"]: place for place, row in enumerate(stored)}
            computed.sort(key=lambda row: order.get(row["entrant"], 0))
        for row, right in zip(stored, computed, strict=False):
            sure = certainty.get(right["entrant"])
            right = right | {"certainty": asdict(sure) if sure else None}
            for name in sorted(row.keys() & right.keys() | (right.keys() - row.keys())):
                if not _is_close(row.get(name), right[name]):
                    about = f"entrant {right['entrant']} has {name} {row.get(name)}"
                    yield f"{about}, and the results give {right[name]}"

    def _check_bracket(self, stage: Any, sheet: StageSheet) -> Iterator[str]:
        """A bracket that is over gives its places by itself."""
        days: dict[int, list[PastTable]] = defaultdict(list)
        for row in self.tables["fixtures"]:
            if row["stage"] == sheet.number:
                pairing = Pairing(row["table"], self.kind.seat(row["entrants"]), (), row["slot"])
                days[row["matchday"]].append(PastTable(pairing, PastState(row["state"]), tuple(row["places"] or ())))
        rested: dict[int, list[int]] = defaultdict(list)
        for day, entrant in stage["byes"]:
            rested[day].append(entrant)
        entries = tuple(
            Entry(one, entered_on=sheet.entered[one], left_on=self.entrants[one]["left_on"]) for one in sheet.field
        )
        history = tuple(PastMatchday(day, tuple(days[day]), tuple(rested[day])) for day in sorted({*days, *rested}))
        made = make_stage_format(sheet.format, self.kind, dict(sheet.options))
        drawn = made.draw(Situation(entries, history), Random(0))
        if not isinstance(drawn, Finished) or sorted(drawn.places) != sorted(sheet.final_places):
            yield "its final places are not those that its bracket gives"

    def _read_stage(self, number: int, sheet: StageSheet) -> list[TableResult] | None:
        """Results as the standings count them; None while some of them are sealed."""
        settled = [row for row in self.tables["fixtures"] if row["stage"] == number and row["state"] == "settled"]
        matches = [match for row in settled for match in self.of_fixture[table_of(row)]]
        results = self.read_results(sorted(matches, key=lambda row: row["match"]))
        voids = [
            entrant
            for row in self.tables["fixtures"]
            if row["stage"] == number and row["state"] == "void"
            for entrant in row["entrants"]
            if entrant != HOUSE
        ]
        byes = [entrant for _, entrant in self.stages[number]["byes"]]
        return None if results is None else [*results, *unplayed_results(sheet, byes, voids)]


def _without_lots(row: Any) -> Any:
    """While the seed is sealed nobody can draw the lots again: what they decided is left out."""
    values = {name: value for name, value in row["values"].items() if name != "lots"}
    kept = {**row, "values": values}
    decided = row["decided_by"]
    if decided and decided["metric"] == "lots":
        return {**kept, "place": None, "decided_by": None}
    # Of several who are level with each other, lots say who stands next; what decided against them is compared.
    return {**kept, "decided_by": {name: decided[name] for name in decided if name != "rival"}} if decided else kept


def _is_close(told: Any, right: Any) -> bool:
    """Equal; fractions to nine digits, for other machines round otherwise."""
    if isinstance(right, dict):
        is_alike = isinstance(told, dict) and told.keys() == right.keys()
        return is_alike and all(_is_close(told[name], right[name]) for name in right)
    if isinstance(right, float) and isinstance(told, int | float) and not isinstance(told, bool):
        return bool(abs(told - right) <= CLOSE * max(1.0, abs(right)))
    return bool(told == right and isinstance(told, bool) == isinstance(right, bool))
