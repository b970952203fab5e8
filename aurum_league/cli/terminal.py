"""What commands share: the error that ends one with a sentence, a progress bar, and the options that name a ruleset."""

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from games.rules.ruleset import DECIDERS, EDITIONS, SCORINGS, Ruleset


class CommandError(Exception):
    """What the caller can mend; printed without a traceback, exit code 2."""


@contextmanager
def progress_bar(label: str, total: int) -> Iterator[Callable[[int], object]]:
    """What to call with the number of steps done since the last call."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda steps: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(label, total=total)
        yield lambda steps: progress.advance(task, steps)


def add_ruleset_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--edition", choices=EDITIONS, default="en", help="whose printed rules hold (default: en)")
    parser.add_argument("--scoring", choices=SCORINGS, default="nuggets", help="what decides (default: nuggets)")
    parser.add_argument("--no-zero", action="store_true", help="the Gold 0 cards are out of the game")
    parser.add_argument(
        "--decider", choices=DECIDERS, default="shared", help="what becomes of a shared first place (default: shared)"
    )


def read_ruleset(arguments: argparse.Namespace, players: int) -> Ruleset:
    return Ruleset(players, arguments.edition, not arguments.no_zero, arguments.scoring, arguments.decider)
