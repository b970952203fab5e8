"""`aurum play`: matches between house bots, with their records and a table of results."""

import argparse
import re
import secrets
from collections.abc import Iterator
from contextlib import ExitStack
from typing import IO, TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from aurum_league.cli.main import CommandError, add_ruleset_options, progress_bar, read_ruleset
from games.rules.deal import SEED_BYTES, commitment, derive_seed
from games.rules.match import Match
from games.rules.record import dump_record, make_record
from games.rules.ruleset import Ruleset


class MatchTally:
    """Wins, shared first places, places, nuggets and points of every side."""

    def __init__(self, names: list[str], ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.names = [" + ".join(names[side :: ruleset.sides]) for side in range(ruleset.sides)]
        self.matches = 0
        self.wins = [0] * ruleset.sides
        self.shared = [0] * ruleset.sides
        self.places = [0.0] * ruleset.sides
        self.nuggets = [0] * ruleset.sides
        self.totals = [0] * ruleset.sides

    def add(self, match: Match) -> None:
        """Count a match that is over; those who share a place count the mean of the places they fill."""
        result = match.result
        assert result is not None
        self.matches += 1
        ahead = 0
        for group in result.places:
            for side in group:
                self.places[side] += ahead + (len(group) + 1) / 2
            ahead += len(group)
        best = result.places[0]
        for side in best:
            (self.wins if len(best) == 1 else self.shared)[side] += 1
        for side in range(self.ruleset.sides):
            self.nuggets[side] += result.nuggets[side]
            self.totals[side] += result.totals[side]

    def table(self) -> Table:
        count = f"{self.matches} match" + ("es" if self.matches != 1 else "")
        table = Table(title=f"{count}, {self.ruleset.code}", title_justify="left")
        table.add_column("side", justify="right")
        table.add_column("agent")
        for heading in ("wins", "shared", "wins %", "mean place", "nuggets", "mean points"):
            table.add_column(heading, justify="right")
        for side, name in enumerate(self.names):
            table.add_row(
                str(side),
                name,
                str(self.wins[side]),
                str(self.shared[side]),
                f"{100 * self.wins[side] / self.matches:.1f}",
                f"{self.places[side] / self.matches:.2f}",
                str(self.nuggets[side]),
                f"{self.totals[side] / self.matches:.1f}",
            )
        return table


if TYPE_CHECKING:
    from games.play.agents import Agent

HELP = "play matches between house bots"
MOST_MATCHES = 10_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--agents",
        required=True,
        metavar="A,B,C[,D]",
        help="three or four house bots by seat; of four, seats 0 and 2 play together",
    )
    add_ruleset_options(parser)
    parser.add_argument("--matches", type=int, default=1, metavar="N", help="how many matches (default: 1)")
    parser.add_argument("--seed", metavar="HEX", help="up to 64 hexadecimal digits; the same seed plays the same")
    parser.add_argument("--out", metavar="FILE", help="write the records there, one a line")


def run(arguments: argparse.Namespace) -> int:
    names = [name.strip() for name in arguments.agents.split(",")]
    if len(names) not in (3, 4):
        raise CommandError(f"A table has 3 or 4 agents, not {len(names)}; for example --agents counting,random,greedy.")
    if not 1 <= arguments.matches <= MOST_MATCHES:
        raise CommandError(f"--matches is a number from 1 to {MOST_MATCHES}.")
    check_agents(names)
    ruleset = read_ruleset(arguments, len(names))
    seed = read_seed(arguments.seed)
    console = Console(highlight=False)
    console.print(f"seed {seed.hex()}", soft_wrap=True)
    tally = MatchTally(names, ruleset)
    with ExitStack() as stack:
        out = stack.enter_context(open(arguments.out, "w", encoding="utf-8")) if arguments.out else None
        advance = stack.enter_context(progress_bar("playing", arguments.matches))
        for match in play_matches(ruleset, names, seed, arguments.matches):
            advance(1)
            tally.add(match)
            if out is not None:
                _write(out, match, names)
    console.print(tally.table())
    return 0


def _write(out: IO[str], match: Match, names: list[str]) -> None:
    assert match.seed is not None
    seats = [{"agent": name} for name in names]
    out.write(dump_record(make_record(match, with_seed=True, commitment=commitment(match.seed), seats=seats)) + "\n")


def play_matches(ruleset: Ruleset, names: list[str], seed: bytes, count: int) -> Iterator[Match]:
    """Matches on seeds of their own; agents get theirs apart from the deals, so that no luck tells of the cards."""
    from games.play.table import play_match

    for number in range(count):
        match = Match(ruleset, derive_seed(seed, f"match {number}"))
        play_match(match, [_make_agent(seed, number, seat, name) for seat, name in enumerate(names)])
        yield match


def _make_agent(seed: bytes, number: int, seat: int, name: str) -> "Agent":
    from bots.brains import make_brain

    return make_brain(name, int.from_bytes(derive_seed(seed, f"agent {number} {seat}")[:8], "big"))


def check_agents(names: list[str]) -> None:
    from bots.brains import ALIASES, BRAINS

    known = [entry.name for entry in BRAINS]
    for name in names:
        if name not in known and name not in ALIASES:
            raise CommandError(f"There is no agent {name!r}. There are: {', '.join([*known, *sorted(ALIASES)])}.")


def read_seed(text: str | None) -> bytes:
    """A fresh seed where none is given; a short one is filled up with zeros in front."""
    if text is None:
        return secrets.token_bytes(SEED_BYTES)
    if not re.fullmatch(rf"[0-9a-fA-F]{{1,{2 * SEED_BYTES}}}", text):
        raise CommandError(f"--seed is 1 to {2 * SEED_BYTES} hexadecimal digits.")
    return bytes.fromhex(text.zfill(2 * SEED_BYTES))
