"""`aurum bot check`: the conformance check that the site runs on every upload."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from rich.console import Console

from aurum_league.cli.terminal import CommandError


@contextmanager
def open_code(path: str) -> Iterator[Path]:
    """The folder of a .py, .zip or .wasm, unpacked as the site would; refused where the site would refuse."""
    from bots.runners.archive import LARGEST_UPLOAD, unpack
    from bots.runners.verdict import ArchiveError

    with open(path, "rb") as file:
        upload = file.read(LARGEST_UPLOAD + 1)
    with TemporaryDirectory(prefix="aurum-bot-") as folder:
        code = Path(folder).resolve() / "bot"
        try:
            unpack(upload, code)
        except ArchiveError as error:
            raise CommandError(f"{path}: {error}") from None
        yield code


def require_sandbox() -> None:
    from bots.runners.selftest import read_sandbox_state

    state = read_sandbox_state()
    if not state.is_safe:
        raise CommandError(
            f"The sandbox that the site uses does not hold on this machine: {state.reason} "
            "The bot can still be connected: see aurum bot connect --help."
        )


if TYPE_CHECKING:
    from bots.agents.conformance import CheckFault

HELP = "run the check that the site runs on every upload"
FILE_HELP = "the bot: one .py file, a .zip with main.py, or a .wasm module"
EXIT_FAILED = 1
LONGEST_SHOWN = 2000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help=FILE_HELP)


def run(arguments: argparse.Namespace) -> int:
    from bots.agents.conformance import check_bot
    from games.play.agents import PlatformFault

    require_sandbox()
    console = Console(highlight=False)
    with open_code(arguments.file) as code:
        try:
            report = check_bot(code, tell=lambda name: console.print(f"passed  {name}"))
        except PlatformFault as fault:
            raise CommandError(f"This machine failed, not the bot: {fault} Try again.") from None
    if report.fault is not None:
        print_fault(console, report.fault)
        return EXIT_FAILED
    told = report.to_dict()
    used = ", ".join(f"{name} {milliseconds:g} ms" for name, milliseconds in told["cpu_ms"].items())
    fuel = ", ".join(f"{name} {amount:,}" for name, amount in told.get("fuel", {}).items())
    console.print(
        f"The bot qualifies: {told['decisions']} decisions, {f'fuel {fuel}' if fuel else f'CPU time {used}'}."
    )
    return 0


def print_fault(console: Console, fault: "CheckFault") -> None:
    """The exact exchange, shortened in the middle where it is long; what would steer the terminal is escaped."""
    from bots.runners.streams import show_text

    place = "" if fault.seat is None else f", at seat {fault.seat}"
    console.print(f"failed  {fault.step}{place}: {fault.verdict}")
    console.print(show_text(fault.detail), markup=False)
    for title, text in (("asked", fault.asked), ("answered", fault.answered), ("stderr", fault.stderr)):
        if text:
            console.print(f"\n{title}:")
            console.print(show_text(_shorten(text)), markup=False, soft_wrap=True)


def _shorten(text: str) -> str:
    half = LONGEST_SHOWN // 2
    return text if len(text) <= LONGEST_SHOWN else f"{text[:half]} […] {text[-half:]}"
