"""What a tournament's chain of events tells of its rules, fields, tables and entrants, against what is there.

Whoever changes one of them in the database would have to write the chain anew, and its heads are public. A tournament
from before a thing was told has no event about it, and then nothing is said of it.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tournaments.rules.pairing import order_by_lots

SEEDING = "seeding"
"""What lots for the seeds of the first stage are drawn for."""
Story = Sequence[Mapping[str, Any]]
COUNTING = ("format", "options", "points", "tiebreaks", "block_deals", "matches_each", "groups", "cut")
"""All of a stage that its draw and its standings follow from."""
OF_TOURNAMENT = ("ruleset", "table_kind", "entry_kind", "is_rated")
STATES_BY_EVENT = {
    **{kind: kind for kind in ("entered", "checked_in", "withdrawn", "disqualified")},
    **{"set_aside": "absent", "list_undone": "withdrawn"},
}
"""What an event about one entrant, or several, makes of their state where it does not say."""


def tell_rules(tournament: Any, stages: Iterable[Any]) -> dict[str, Any]:
    """What an event keeps of them: of rows of the database, by their attributes."""
    told = {name: getattr(tournament, name) for name in OF_TOURNAMENT}
    return told | {"stages": [{name: getattr(stage, name) for name in COUNTING} for stage in stages]}


Table = tuple[str, Sequence[int], bool]
"""Its slot, its entrants in turn order, and whether it is rated."""


def digest_tables(tables: Mapping[int, Table]) -> str:
    """SHA-256 over all of them by rising number, as JSON without spaces."""
    rows = [[number, slot, list(entrants), is_rated] for number, (slot, entrants, is_rated) in sorted(tables.items())]
    return hashlib.sha256(json.dumps(rows, separators=(",", ":")).encode()).hexdigest()


PLAYED_COLUMNS = ("forfeits", "nuggets", "totals", "exact_bids", "bids", "tricks", "gold_points", "ends")


def digest_played(lines: Iterable[tuple[int, Sequence[Sequence[int]]]]) -> str:
    """SHA-256 over matches that were played, by rising number, and their columns; Postgres adds up the same.

    A line a match, parted by line feeds: its number and the columns with spaces between, each in braces with commas.
    """
    rows = (
        " ".join([str(match), *("{" + ",".join(map(str, column)) + "}" for column in columns)])
        for match, columns in lines
    )
    return hashlib.sha256("\n".join(rows).encode()).hexdigest()


def find_rule_faults(story: Story, now: Mapping[str, Any]) -> Iterator[str]:
    """Rules that are not those of the newest event that tells them; `now` may lack what an archive does not hold."""
    told = next((event["detail"]["rules"] for event in reversed(story) if "rules" in event["detail"]), None)
    if told is None:
        return
    for name in OF_TOURNAMENT:
        if name in now and now[name] != told[name]:
            yield f"its {name} is {now[name]!r}, and the chain says {told[name]!r}"
    if len(now["stages"]) != len(told["stages"]):
        yield f"it has {len(now['stages'])} stages, and the chain tells {len(told['stages'])}"
    for number, (stage, right) in enumerate(zip(now["stages"], told["stages"], strict=False), start=1):
        for name in COUNTING:
            if name in stage and _of_spec(stage, right, name) != _of_spec(right, right, name):
                yield f"stage {number} has {name} {stage[name]!r}, and the chain says {right[name]!r}"


def _of_spec(stage: Mapping[str, Any], told: Mapping[str, Any], name: str) -> Any:
    """Divisions that groups make of the field are told with the field; in a block the number of matches is idle."""
    if name == "options" and told["groups"]:
        return {key: value for key, value in stage[name].items() if key != "divisions"}
    return None if name == "matches_each" and told["block_deals"] else stage[name]


def find_field_faults(story: Story, number: int, field: Sequence[int], divisions: Any) -> Iterator[str]:
    """Who is in a stage, in the order of their seeds: as it was fixed by a draw, and everybody who came late."""
    told: dict[str, Any] = {}
    for event in story:
        if "rules" in event["detail"]:
            told = {}
        elif "field" in event["detail"] and event["detail"]["stage"] == number:
            told = {"divisions": None, **event["detail"], "field": list(event["detail"]["field"])}
        elif "late" in event["detail"] and event["detail"]["late"]["stage"] == number and told:
            told["field"].append(event["detail"]["entrant"])
    if told and told["field"] != list(field):
        yield f"its field is {list(field)}, and the chain says {told['field']}"
    if told and told["divisions"] is not None and told["divisions"] != divisions:
        yield f"its groups are of {divisions}, and the chain says {told['divisions']}"


def find_lot_faults(story: Story, seed: bytes) -> Iterator[str]:
    """Entrants whom lots put in their order when the field was seeded, and whose lots give another."""
    for event in story:
        for group in event["detail"].get("lots", ()):
            if order_by_lots(seed, SEEDING, group) != list(group):
                yield f"event {event['number']} says that lots gave the order {group}, and they do not"


def find_table_faults(
    story: Story,
    number: int,
    tables: Mapping[tuple[int, int], Table],
    byes: Iterable[Sequence[int]],
) -> Iterator[str]:
    """Tables of a stage, by matchday and number, and who rested, that are not those which were released."""
    released = [event for event in story if event["kind"] == "released" and event["detail"]["stage"] == number]
    if any("digest" not in event["detail"] for event in released):
        return
    left = dict(tables)
    rested: list[list[int]] = []
    for event in released:
        detail, day = event["detail"], event["detail"]["matchday"]
        found = {table: left.pop((day, table), ("", (), False)) for table in detail["tables"]}
        if digest_tables(found) != detail["digest"]:
            yield f"the tables of matchday {day} are not those that event {event['number']} released"
        rested += [[day, entrant] for entrant in detail["rested"]]
    for day, table in sorted(left):
        yield f"no event released table {table} of matchday {day}"
    if sorted(rested) != sorted([day, entrant] for day, entrant in byes):
        yield "who rested is not what the chain says"


def find_played_faults(story: Story, number: int, digest: str | None) -> Iterator[str]:
    """Matches of a finished stage that are not as they were played; None while some of them are sealed."""
    for event in story:
        detail = event["detail"]
        is_end = event["kind"] == "stage_finished" and detail["stage"] == number and "played" in detail
        if is_end and digest is not None and detail["played"] != digest:
            yield f"its matches are not those that were played when event {event['number']} ended it"


class TournamentStory:
    """Everybody's state, player and matchdays and all void tables as the chain tells them.

    What no event tells is not in them; `is_whole` says whether all of it is told.
    """

    def __init__(self, story: Story) -> None:
        self.states: dict[int, str] = {}
        self.players: dict[int, int] = {}
        self.left_on: dict[int, int | None] = {}
        self.entered_on: dict[int, int] = {}
        self.void_tables: set[tuple[int, int, int]] = set()
        self.is_whole = any("rules" in event["detail"] for event in story)
        for event in story:
            self._take(event["kind"], event["detail"])

    def _take(self, kind: str, detail: Mapping[str, Any]) -> None:
        if kind in STATES_BY_EVENT:
            for entrant in [detail["entrant"]] if "entrant" in detail else detail.get("entrants", ()):
                self.states[entrant] = detail.get("state", STATES_BY_EVENT[kind])
        if "player" in detail and "entrant" in detail:
            self.players[detail["entrant"]] = detail["player"]
        if "left_on" in detail:
            self.left_on[detail["entrant"]] = detail["left_on"]
        if kind == "stage_seeded":
            for entrant in detail["field"]:
                self.entered_on.pop(entrant, None)
        if "late" in detail:
            self.entered_on[detail["entrant"]] = detail["late"]["matchday"]
        self.void_tables.update(tuple(table) for table in detail.get("void_tables", ()))
