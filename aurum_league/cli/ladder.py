"""`aurum ladder`: each house bot against the one before it on rotated deals, with intervals."""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from rich.console import Console
from rich.table import Table

from aurum_league.cli.main import CommandError, add_ruleset_options, progress_bar, read_ruleset
from aurum_league.cli.play import check_agents, read_seed
from bots.brains import BRAINS, make_brain
from games.play.table import play_match
from games.rules.deal import derive_seed
from games.rules.match import Match
from games.rules.ruleset import Ruleset
from tournaments.rules.means import MeanInterval, interval_of_mean

HELP = "play the house bots against each other on rotated deals and print the ladder"
MOST_BLOCKS = 1_000_000


@dataclass(frozen=True, slots=True)
class Rung:
    """One bot, alone or as a side, against a table of another."""

    ruleset: Ruleset
    better: str
    other: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bots", nargs="*", metavar="bot", help="weakest first: each meets the one before (all)")
    parser.add_argument("--players", type=int, choices=(3, 4), help="only tables of so many (default: both)")
    add_ruleset_options(parser)
    parser.add_argument("--blocks", type=int, default=100, metavar="N", help="deals a step (default: 100)")
    parser.add_argument("--seed", metavar="HEX", help="up to 64 hexadecimal digits; the same deals again")


def run(arguments: argparse.Namespace) -> int:
    names = arguments.bots or [entry.name for entry in BRAINS]
    check_agents(names)
    if len(names) < 2:
        raise CommandError("A ladder has at least two bots.")
    if not 2 <= arguments.blocks <= MOST_BLOCKS:
        raise CommandError(f"--blocks is a number from 2 to {MOST_BLOCKS}.")
    seed = read_seed(arguments.seed)
    tables = (arguments.players,) if arguments.players else (3, 4)
    rulesets = [read_ruleset(arguments, players) for players in tables]
    steps = [Rung(ruleset, better, other) for ruleset in rulesets for other, better in pairwise(names)]
    with progress_bar("playing", sum(arguments.blocks * step.ruleset.sides for step in steps)) as advance:
        intervals = [play_step(step, seed, arguments.blocks, advance) for step in steps]
    console = Console(highlight=False)
    console.print(f"seed {seed.hex()}", soft_wrap=True)
    console.print(draw_ladder(steps, intervals))
    return 0


def play_step(step: Rung, seed: bytes, blocks: int, advance: Callable[[int], object]) -> MeanInterval:
    """The share of matches the better bot wins, a shared first place as a share; one deal is one block."""
    shares: list[float] = []
    numbers: list[int] = []
    for block in range(blocks):
        for share in play_block(step, derive_seed(seed, f"match {block}")):
            shares.append(share)
            numbers.append(block)
            advance(1)
    return interval_of_mean(shares, numbers)


def play_block(step: Rung, seed: bytes) -> Iterator[float]:
    """The same deals with the better bot on every side in turn."""
    sides = step.ruleset.sides
    for side in range(sides):
        match = Match(step.ruleset, seed)
        agents = []
        for seat in range(step.ruleset.players):
            chance = int.from_bytes(derive_seed(seed, f"agent {seat}")[:8], "big")
            agents.append(make_brain(step.better if seat % sides == side else step.other, chance))
        play_match(match, agents)
        assert match.result is not None
        best = match.result.places[0]
        yield 1 / len(best) if side in best else 0.0


def draw_ladder(steps: list[Rung], intervals: list[MeanInterval]) -> Table:
    table = Table(title="wins in %, a shared first place as a share", title_justify="left")
    for heading in ("table", "bot", "against"):
        table.add_column(heading, no_wrap=True)
    for heading in ("deals", "wins", "95 % sure", "even"):
        table.add_column(heading, justify="right")
    table.add_column("")
    for step, interval in zip(steps, intervals, strict=True):
        even = 1 / step.ruleset.sides
        mean, low, high, level = (_percent(share) for share in (interval.mean, interval.low, interval.high, even))
        table.add_row(
            step.ruleset.code,
            step.better,
            f"two {step.other}",
            str(interval.observations),
            mean,
            low if low == high else f"{low} … {high}",
            level,
            judge_step(interval, even),
        )
    return table


def judge_step(interval: MeanInterval, even: float) -> str:
    """Whether the interval is clear of even; where all deals went alike there is none, and nothing is claimed."""
    if interval.low is None or interval.high is None:
        return ""
    if interval.low > even:
        return "better"
    return "worse" if interval.high < even else "level"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * min(1.0, max(0.0, share)):.1f}"
