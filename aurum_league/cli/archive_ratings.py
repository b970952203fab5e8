"""Ratings of an archive: its pools' matches rated again in the recorded order, and the official fit made again."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import nan
from typing import Any

import numpy as np

from games.rules.outcome import count_places
from tournaments.rules.ratings.fit import fit_pool
from tournaments.rules.ratings.listing import (
    OFFICIAL_COLUMNS,
    VERSION_BITS,
    gather_entities,
    rate_officially,
    seats_of_pool,
)
from tournaments.rules.ratings.live import rate_match, rated_places
from tournaments.rules.ratings.values import LiveRating, PoolKey, RatedMatch, RatedTable, pool_tables, show_live

MOST_MATCHES = 200_000
"""Of a larger pool an archive tells the tournament's own matches only."""
CLOSE = 1e-9
CLOSE_FIT = 1e-5
"""A fit is found by steps, and ends within this of where another machine's does; a live rating is a plain sum."""
STEP = ("mu_before", "sigma_before", "mu_after", "sigma_after", "place", "is_forfeit")


Played = dict[tuple[int, int], list[int]]
"""Places as records give them, by match and version of the result: before forfeits count."""


def check_ratings(tables: dict[str, list[Any]], played: Played) -> Iterator[str]:
    """A sentence for every pool, match and player of whom the ratings do not follow from the results."""
    matches = {row["match"]: row for row in tables["matches"]}
    teams = {row["entrant"]: row["player"] for row in tables["entrants"] if len(row["members"]) == 2}
    pools = {row["pool"]: PoolCheck(row) for row in tables["pools"]}
    if len(pools) < len(tables["pools"]):
        yield "pools.ndjson tells one of them twice"
    for name, table in (("rated", tables["rated"]), ("ratings", tables["ratings"])):
        for row in table:
            if row["pool"] not in pools:
                yield f"{name}.ndjson names a pool {row['pool']} that is not told"
    for row in tables["ratings"]:
        pools[row["pool"]].ratings.append(row)
    for row in tables["rated"]:
        pool = pools[row["pool"]]
        about = f"pool {row['pool']}, match {row['match']}"
        if row["match"] in matches:
            pool.own.add(row["match"])
            yield from (f"{about}: {fault}" for fault in _compare_match(row, matches[row["match"]], teams, played))
        yield from (f"{about}: {fault}" for fault in pool.rate(row))
    for name, pool in pools.items():
        yield from (f"pool {name}: {fault}" for fault in pool.finish())
    yield from _find_unrated(tables, pools)
    yield from _check_players(tables)
    yield from _check_blocks(tables, matches)


def _find_unrated(tables: dict[str, list[Any]], pools: "dict[str, PoolCheck]") -> Iterator[str]:
    """Matches of the tournament's own that count, and that no pool has rated."""
    persons = {row["player"] for row in tables["players"] if row["kind"] == "person"}
    for row in tables["matches"]:
        if not row["is_rated"] or row["counts"] == "void" or not row["versions"]:
            continue
        seats = tuple(row["players"])
        is_person = tuple(player in persons for player in seats)
        about = (tuple(row["places"]), tuple(row["forfeits"]), (0, 0), row["share"])
        match = RatedMatch(row["match"], seats, is_person, *about)
        for key, table in pool_tables(match):
            pool = next((pool for pool in pools.values() if pool.key == key), None)
            is_due = rated_places(table) is not None and (pool is None or pool.is_checked)
            if is_due and (pool is None or row["match"] not in pool.own):
                yield f"match {row['match']} counts for ratings, and no pool has rated it"


def _check_players(tables: dict[str, list[Any]]) -> Iterator[str]:
    kinds = {row["player"]: row["kind"] for row in tables["players"]}
    for row in tables["rated"]:
        if row["persons"] != [kinds.get(player) == "person" for player in row["players"]]:
            yield f"pool {row['pool']}, match {row['match']}: its players are not those that players.ndjson tells"
        for player, version in zip(row["players"], row["versions"], strict=True):
            if version and kinds.get(player) != "bot":
                yield f"pool {row['pool']}, match {row['match']}: player {player} is no bot, and has version {version}"
    for row in tables["ratings"]:
        if row["player"] not in kinds:
            yield f"pool {row['pool']}: player {row['player']} is not told in players.ndjson"


def _check_blocks(tables: dict[str, list[Any]], matches: dict[int, Any]) -> Iterator[str]:
    """Blocks are numbered as they come, and matches of the tournament's own share one where they share their deals."""
    last = 0
    labels: dict[int, Any] = {}
    blocks: dict[Any, int] = {}
    for row in tables["rated"]:
        is_known = 1 <= row["block"] <= last
        last = max(last, row["block"]) if is_known or row["block"] == last + 1 else last
        label = matches[row["match"]]["label"] if row["match"] in matches else row["block"]
        is_one = labels.setdefault(row["block"], label) == label
        if row["block"] > last or not is_one or blocks.setdefault(label, row["block"]) != row["block"]:
            yield f"pool {row['pool']}, match {row['match']}: its block of deals is not number {row['block']}"


def _compare_match(row: Any, match: Any, teams: dict[int, int], played: Played) -> Iterator[str]:
    """A rated match of the tournament's own is the one that its records give."""
    sides = match["entrants"][:2] if match["entrants"][:2] == match["entrants"][2:] else [0, 0]
    if row["teams"] != (None if len(row["players"]) == 3 else [teams.get(entrant, 0) for entrant in sides]):
        yield f"it was rated as a table of the teams {row['teams']}"
    if row["players"] != match["players"] or not match["is_rated"]:
        yield "its seats are not those that were rated"
    if (count_places(row["places"], row["forfeits"]), row["forfeits"]) != (match["places"], match["forfeits"]):
        yield f"it was rated with the places {row['places']}, and counts as {match['places']}"
    elif played.get((row["match"], len(match["versions"])), row["places"]) != row["places"]:
        yield f"it was rated with the places {row['places']}, which its record does not give"
    if (row["share"], row["early"]) != (match["share"], match["early"]):
        yield f"it was rated with the share {row['share']} and early forfeits {row['early']}"
    newest = match["versions"][-1]["totals"] if match["versions"] else None
    if row["totals"] is not None and newest not in (None, row["totals"]):
        yield f"it was rated with the scores {row['totals']}, and has {newest}"
    if "steps" not in row:
        yield "its steps are missing"


@dataclass
class PoolCheck:
    """One pool, its matches rated again one after the other; nothing of a pool that waits to be rated again."""

    told: Any
    ratings: list[Any] = field(default_factory=list)
    own: set[int] = field(default_factory=set)
    live: dict[int, LiveRating] = field(default_factory=dict)
    played: Counter[int] = field(default_factory=Counter)
    number: int = 0
    fitted: list[tuple[list[int], list[int], int, float, list[float]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        told = self.told
        self.key = PoolKey(told["players"], told["is_teams"], told["entry_kind"])
        teams = "-teams" if told["is_teams"] else ""
        self.name = f"{told['entry_kind']}-{told['players']}{teams}"
        self.is_checked = told["rebuild_from"] is None

    def rate(self, row: Any) -> Iterator[str]:
        if not self.is_checked:
            return
        self.number = self.number + 1 if self.told["is_whole"] else row["sequence"]
        if row["sequence"] != self.number:
            yield f"it was rated as number {row['sequence']}, and is number {self.number}"
        if (row["totals"] is not None) != (self.key.entry_kind == "bots"):
            yield f"it tells the scores {row['totals']}, which are told where bots are rated, and nowhere else"
        if not set(row["early"]) <= set(row["forfeits"]):
            yield f"its early forfeits {row['early']} are no forfeits"
        table = self._find_table(row)
        if table is None:
            yield "its result does not count in this pool"
            return
        steps = {step["player"]: step for step in row.get("steps", ())}
        if not self.told["is_whole"]:
            self.live |= {one: LiveRating(step["mu_before"], step["sigma_before"]) for one, step in steps.items()}
        made = rate_match(self.live, table)
        if "steps" in row and (sorted(steps) != sorted(step.player for step in made) or len(steps) < len(row["steps"])):
            yield f"its steps are of the players {sorted(steps)}"
        for step in made:
            right = (*step.before, *step.after, step.place, step.is_forfeit)
            stored: Any = steps.get(step.player)
            for name, is_right in zip(STEP, right, strict=True) if stored else ():
                if not _is_close(stored[name], is_right):
                    yield f"player {step.player} has {name} {stored[name]}, and the results give {is_right}"
            self.live[step.player] = step.after
            self.played[step.player] += 1
        if row["sequence"] <= self.told["fitted_sequence"]:
            self._note_for_fit(row, table, {step.player: step.place for step in made})

    def _find_table(self, row: Any) -> RatedTable | None:
        match = RatedMatch(
            row["match"],
            tuple(row["players"]),
            tuple(row["persons"]),
            tuple(row["places"]),
            tuple(row["forfeits"]),
            tuple(row["teams"] or (0, 0)),
            row["share"],
            tuple(row["early"]),
        )
        return next((table for key, table in pool_tables(match) if key == self.key), None)

    def _note_for_fit(self, row: Any, table: RatedTable, places: dict[int, int]) -> None:
        versions: dict[int, int] = defaultdict(int)
        versions |= dict(zip(reversed(row["players"]), reversed(row["versions"]), strict=True))
        order = [player for side in table.sides for player in sorted(side)]
        entities = [(player << VERSION_BITS) + versions[player] for player in order]
        totals = row["totals"] if row["totals"] and not row["forfeits"] else [nan] * len(table.sides)
        # A fixed team sits on no seat by itself, and is fitted by wins alone.
        sitting = frozenset(row["players"])
        scores = [
            total if player in sitting else nan
            for total, side in zip(totals, table.sides, strict=True)
            for player in sorted(side)
        ]
        self.fitted.append((entities, [places[player] for player in order], row["block"], table.share, scores))

    def finish(self) -> Iterator[str]:
        """Where everybody stands after all matches."""
        if self.name != self.told["pool"]:
            yield f"it is the pool {self.name}"
        if self.told["is_whole"] != (self.told["sequence"] <= MOST_MATCHES):
            yield f"it is told in whole, or not, although it has {self.told['sequence']} matches"
        players = {row["player"] for row in self.ratings}
        if self.told["anchor"] not in {None, *players} or self.told["fitted_sequence"] > self.told["sequence"]:
            yield f"its fit of {self.told['fitted_sequence']} matches has the anchor {self.told['anchor']}"
        if not self.is_checked:
            yield f"it is to be rated again from number {self.told['rebuild_from']} on, so it was not checked"
            return
        if self.told["is_whole"]:
            if self.number != self.told["sequence"]:
                yield f"it tells {self.number} matches of {self.told['sequence']}"
            yield from self._compare_live()
            yield from self._compare_official()

    def _compare_live(self) -> Iterator[str]:
        stored = {row["player"]: row for row in self.ratings}
        if stored.keys() != self.live.keys() or len(stored) < len(self.ratings):
            yield f"it rates {len(self.ratings)} players, and its matches {len(self.live)}"
        for player, rating in self.live.items():
            row = stored.get(player)
            if row is None:
                continue
            right: dict[str, Any] = {"mu": rating.mu, "sigma": rating.sigma, "matches": self.played[player]}
            if self.key.entry_kind != "bots":
                shown = show_live(rating)
                right |= {"lower_bound": shown.lower_bound, "is_provisional": shown.is_provisional}
                right |= {name: None for name in OFFICIAL_COLUMNS if name not in right}
            yield from _compare(player, row, right, CLOSE)

    def _compare_official(self) -> Iterator[str]:
        """Of bots: the fit of all matches up to the one that it was made after."""
        if self.key.entry_kind != "bots" or not self.fitted:
            if self.told["fitted_sequence"] or any(row["official"] is not None for row in self.ratings):
                yield "its official ratings belong to no fit that it tells of"
            return
        sides, members = seats_of_pool(self.key.players, self.key.is_teams)
        seats, places, blocks, shares, scores = zip(*self.fitted, strict=True)
        entities = gather_entities(
            sides, members, np.array(seats, np.int64), np.array(places, np.int8), np.array(blocks), np.array(shares),
            np.array(scores, np.float64),
        )
        fit = fit_pool(entities.tables, entities.forerunners)
        right = rate_officially(fit, entities.newest, self.told["anchor"])
        for row in self.ratings:
            one = right.get(row["player"])
            if one is None:
                nothing = dict.fromkeys(OFFICIAL_COLUMNS) | {"is_provisional": True}
                yield from _compare(row["player"], row, nothing, CLOSE_FIT)
                continue
            yield from _compare(row["player"], row, one.columns, CLOSE_FIT)


def _compare(player: int, row: Any, right: dict[str, Any], reach: float) -> Iterator[str]:
    for name, value in right.items():
        if not _is_close(row[name], value, reach):
            yield f"player {player} has {name} {row[name]}, and the results give {value}"


def _is_close(told: Any, right: Any, reach: float = CLOSE) -> bool:
    if isinstance(right, float) and isinstance(told, float):
        return bool(abs(told - right) <= reach * max(1.0, abs(right)))
    return bool(told == right and type(told) is type(right))
