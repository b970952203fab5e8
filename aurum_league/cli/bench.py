"""`aurum bench`: the instruments of a checkout, which no installed package holds."""

import argparse
import sys
from importlib import import_module
from typing import Any

from aurum_league.cli.terminal import CommandError
from aurum_league.settings.environment import CHECKOUT

HELP = "measure: rules, sandbox, queue, pages and more; or break things on purpose (only in a checkout)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    if _are_instruments_here():
        _load_instruments().add_arguments(parser)
    else:
        # Whatever is asked of instruments that are not there gets the same answer, options included.
        parser.prefix_chars = ""
        parser.add_argument("instrument", nargs=argparse.REMAINDER)


def run(arguments: argparse.Namespace) -> int:
    if not _are_instruments_here():
        raise CommandError("The instruments are not installed here: run aurum bench in a checkout of the project.")
    return int(_load_instruments().run(arguments))


def _are_instruments_here() -> bool:
    return (CHECKOUT / "benchmarks" / "registry.py").is_file()


def _load_instruments() -> Any:
    """By name, since nothing of the product imports them; an editable install knows only the product's packages."""
    if str(CHECKOUT) not in sys.path:
        sys.path.append(str(CHECKOUT))
    return import_module("benchmarks.__main__")
