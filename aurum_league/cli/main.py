"""Finds the command that was asked for and turns its errors into one sentence; and what commands share."""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import version
from io import TextIOWrapper
from typing import Any, NoReturn

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from aurum_league.settings.environment import CHECKOUT
from games.rules.ruleset import DECIDERS, EDITIONS, SCORINGS, Ruleset


class CommandError(Exception):
    """What the caller can mend; printed without a traceback, exit code 2."""


def is_name(text: str) -> bool:
    """Visible characters and plain spaces: what prints on one line of a table and does nothing to a terminal."""
    return bool(text.strip()) and text.isprintable()


def make_bar(console: Console) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True)


@contextmanager
def progress_bar(label: str, total: int) -> Iterator[Callable[[int], object]]:
    """What to call with the number of steps done since the last call."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda steps: None
        return
    with make_bar(console) as progress:
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


# A command is a module of this package with HELP, add_arguments(parser) and run(arguments) -> exit code.
BENCH = "bench"
PACKAGES = ("aurum_league", "games", "bots", "tournaments", "benchmarks")
COMMANDS = ("play", "verify", "show", "rules", BENCH, "ladder", "draw", "rate", "bot")

EXIT_ERROR = 2
EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and answer its exit code; 2 is an error that one sentence on stderr explains."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    parsed = build_parser(given).parse_args(given)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code: int = parsed.run(parsed)
        sys.stdout.flush()
        return code
    except ModuleNotFoundError as error:
        return _fail(tell_missing(error))
    except CommandError as error:
        return _fail(str(error))
    except BrokenPipeError:
        # Whoever read us has had enough; what is left in the buffer must not raise again when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_BROKEN_PIPE
    except OSError as error:
        return _fail(f"{error.filename or 'output'}: {error.strerror or error}.")
    except KeyboardInterrupt:
        print("aurum: interrupted.", file=sys.stderr)
        return EXIT_INTERRUPTED


class SentenceParser(argparse.ArgumentParser):
    """Says what is wrong with the arguments in one sentence, without the usage lines."""

    def error(self, message: str) -> NoReturn:
        raise SystemExit(_fail(f"{message}; see {self.prog} --help."))


def build_parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    """A parser of the command that is asked for, so that the libraries of the others need not be loaded, or of all."""
    parser = SentenceParser(prog="aurum", description="Aurum without a server: play, verify, show, measure.")
    parser.add_argument("--version", action="version", version=f"aurum {version('aurum-league')}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="command")
    for name in [name for name in arguments[:1] if name in COMMANDS] or COMMANDS:
        module = _load_command(name)
        command = commands.add_parser(name, help=module.HELP, description=module.HELP)
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return parser


def tell_missing(error: ModuleNotFoundError) -> str:
    """The sentence for a library that a light install leaves out; raises what is a fault of ours."""
    missing = (error.name or "").partition(".")[0]
    if missing in PACKAGES or not missing:
        raise error
    extra = "wasm" if missing == "wasmtime" else "site"
    return f"This needs {missing}, which a light install leaves out: pip install 'aurum-league[{extra}]'."


def _load_command(name: str) -> Any:
    try:
        return _load_instruments() if name == BENCH else import_module(f"aurum_league.cli.{name}")
    except ModuleNotFoundError as error:
        return MissingLibrary(tell_missing(error))


class MissingLibrary:
    """What stands in for a command whose libraries are not installed."""

    HELP = "needs libraries that are not installed here"

    def __init__(self, sentence: str) -> None:
        self.sentence = sentence

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.prefix_chars = ""
        parser.add_argument("given", nargs=argparse.REMAINDER)

    def run(self, arguments: argparse.Namespace) -> int:
        raise CommandError(self.sentence)


class MissingInstruments:
    """What stands in for the instruments where only the package is installed: every wish gets the same answer."""

    HELP = "measure; only in a checkout of the project"

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        parser.prefix_chars = ""
        parser.add_argument("instrument", nargs=argparse.REMAINDER)

    @staticmethod
    def run(arguments: argparse.Namespace) -> int:
        raise CommandError("The instruments are not installed here: run aurum bench in a checkout of the project.")


def _load_instruments() -> Any:
    """By name, since nothing of the product imports them; an editable install knows only the product's packages."""
    if not (CHECKOUT / "benchmarks" / "registry.py").is_file():
        return MissingInstruments
    if str(CHECKOUT) not in sys.path:
        sys.path.append(str(CHECKOUT))
    return import_module("benchmarks.__main__")


def _fail(sentence: str) -> int:
    print(f"aurum: {sentence}", file=sys.stderr)
    return EXIT_ERROR
