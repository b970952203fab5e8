"""`aurum rate`: rate anybody's results, without a server."""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, fields
from typing import Any, BinaryIO

from aurum_league.cli.main import CommandError, is_name

HELP = "rate the results of a file: strengths, ratings and ranks with their doubt"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="RESULTS", nargs="?", default="-", help="a line a match, as JSON (-: stdin)")
    parser.add_argument("--anchor", metavar="NAME", help="the player who is 1500 (default: the mean is)")
    parser.add_argument("--json", action="store_true", help="a list of objects instead of a table")


def run(arguments: argparse.Namespace) -> int:
    with _open_results(arguments.file) as stream:
        results = ResultReader(arguments.file)
        results.read(stream)
    ratings = results.rate(arguments.anchor)
    islands = max((one.island for one in ratings), default=1)
    if islands > 1:
        print(
            f"aurum: these results are of {islands} islands that never met; "
            "each has a scale and ranks of its own, and nobody is compared across them.",
            file=sys.stderr,
        )
    if arguments.json:
        print(json.dumps([asdict(one) for one in ratings], ensure_ascii=False, indent=1))
    else:
        _print_table(ratings, with_islands=islands > 1)
    return 0


class ResultReader:
    """Names become numbers in the order they are met; every complaint names its line."""

    def __init__(self, path: str) -> None:
        self.path = "standard input" if path == "-" else path
        self.names: dict[str, int] = {}
        self.blocks: dict[str, int] = {}
        self.tables: list[Any] = []
        self.shape: tuple[int, int] | None = None
        self.number = 0

    def read(self, lines: Iterable[bytes]) -> None:
        for self.number, line in enumerate(lines, start=1):
            if line.strip():
                self.tables.append(self._read_line(self._decode(line)))
        if not self.tables:
            raise CommandError(f"{self.path} has no results.")

    def rate(self, anchor: str | None) -> list[Any]:
        from tournaments.rules.ratings.likelihood import PoolTables
        from tournaments.rules.ratings.listing import rate_players

        if anchor is not None and anchor not in self.names:
            raise CommandError(f"--anchor {anchor}: nobody of that name is in {self.path}.")
        number = None if anchor is None else self.names[anchor]
        return rate_players(PoolTables.from_tables(self.tables), list(self.names), number)

    def _decode(self, line: bytes) -> str:
        """Some editors put a mark before the first line."""
        try:
            return line.decode("utf-8-sig" if self.number == 1 else "utf-8")
        except UnicodeDecodeError:
            raise self._complain("not UTF-8 text") from None

    def _read_line(self, line: str) -> Any:
        from tournaments.rules.ratings.values import RatedTable

        try:
            result = json.loads(line)
        except (ValueError, RecursionError) as error:
            why = f"{error.msg} at column {error.colno}" if isinstance(error, json.JSONDecodeError) else error
            raise self._complain(f"not JSON ({why})") from None
        if not isinstance(result, dict):
            raise self._complain('a result is an object with "sides" and "places"')
        unknown = sorted(set(result) - {"sides", "places", "block"} - EXTRAS)
        if unknown:
            raise self._complain(f'"{unknown[0]}" is not known; a result has "sides", "places" and perhaps "block"')
        sides = self._read_sides(result.get("sides"))
        places = self._read_places(result.get("places"), len(sides))
        block, scores = self._read_block(result.get("block")), self._read_totals(result.get("totals"), len(sides))
        return RatedTable(sides, places, block=block, scores=scores)

    def _read_sides(self, sides: Any) -> tuple[tuple[int, ...], ...]:
        if not isinstance(sides, list) or not all(isinstance(side, list) and side for side in sides):
            raise self._complain('"sides" is a list of lists of names, such as [["a"], ["b"], ["c"]]')
        names = [name for side in sides for name in side]
        if not all(isinstance(name, str) and is_name(name) for name in names):
            raise self._complain("a name is a text of visible characters and plain spaces")
        if len(set(names)) < len(names):
            raise self._complain("nobody can sit at a table twice")
        shape = (len(sides), len(sides[0]))
        if shape[0] not in (2, 3) or any(len(side) != shape[1] for side in sides):
            raise self._complain("a match has two or three sides of equal size")
        if self.shape is not None and shape != self.shape:
            raise self._complain(f"{_say_shape(shape)}, but the lines before have {_say_shape(self.shape)}")
        self.shape = shape
        return tuple(tuple(self.names.setdefault(name, len(self.names)) for name in side) for side in sides)

    def _read_places(self, places: Any, sides: int) -> tuple[int, ...]:
        whole = isinstance(places, list) and all(type(place) is int and 1 <= place <= sides for place in places)
        if not whole or len(places) != sides or min(places) != 1:
            raise self._complain(f'"places" is a list of {sides} whole numbers from 1, the best; ties share a place')
        return tuple(places)

    def _read_totals(self, totals: Any, sides: int) -> tuple[float, ...] | None:
        if totals is None:
            return None
        if not isinstance(totals, list) or len(totals) != sides or any(type(one) not in (int, float) for one in totals):
            raise self._complain(f'"totals" is a list of {sides} numbers, what each side scored')
        if not all(abs(one) <= LARGEST_TOTAL for one in totals):
            raise self._complain(f'"totals" are numbers up to {LARGEST_TOTAL:,}')
        return tuple(totals)

    def _read_block(self, block: Any) -> int | None:
        if block is None:
            return None
        if type(block) not in (str, int):
            raise self._complain('"block" is a text or a whole number, the same for matches on the same deals')
        return self.blocks.setdefault(str(block), len(self.blocks))

    def _complain(self, sentence: str) -> CommandError:
        return CommandError(f"{self.path}, line {self.number}: {sentence}.")


LARGEST_TOTAL = 1_000_000_000

EXTRAS = frozenset({"totals", "nuggets", "rounds"})
"""What our own files of matches also hold; the rating takes totals where they are, and does not need the others."""


def _say_shape(shape: tuple[int, int]) -> str:
    return f"{shape[0]} sides of {shape[1]}"


@contextmanager
def _open_results(path: str) -> Iterator[BinaryIO]:
    if path == "-":
        yield sys.stdin.buffer
        return
    with open(path, "rb") as stream:
        yield stream


def _print_table(ratings: list[Any], *, with_islands: bool) -> None:
    from rich.console import Console
    from rich.table import Table

    columns = [field.name for field in fields(ratings[0]) if with_islands or field.name != "island"]
    table = Table(box=None, pad_edge=False)
    for column in columns:
        table.add_column(column, justify="left" if column == "name" else "right", no_wrap=True)
    for one in ratings:
        table.add_row(*(_say_value(column, getattr(one, column)) for column in columns))
    # Wide enough for every column: a table in a pipe has no terminal to fit into.
    Console(highlight=False, markup=False, width=max(200, Console().width)).print(table, soft_wrap=True)


def _say_value(column: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.0f}" if column.startswith("rating") else f"{value:.3f}"
    return str(value)
