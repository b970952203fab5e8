"""`aurum bot`: the commands of a bot's author; here `new`, a small bot that works, and `check`, as the site does it."""

import argparse
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from rich.console import Console

from aurum_league.cli.main import CommandError
from bots.starters import PYTHON, STARTERS

if TYPE_CHECKING:
    from bots.agents.conformance import CheckFault

HELP = "write, check, play and connect a bot of your own"
CHECK_HELP = "run the check that the site runs on every upload"
FILE_HELP = "the bot: one .py file, a .zip with main.py, or a .wasm module"
EXIT_FAILED = 1
LONGEST_SHOWN = 2000
# A command is a module beside this one with HELP, add_arguments(parser) and run(arguments) -> exit code.
MODULES = {"play": "bot_play", "profile": "bot_profile", "connect": "bot_connect"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(title="commands", required=True, metavar="command")
    _add_command(commands, "new", "write a small working bot", add_language, write_bot)
    _add_command(commands, "check", CHECK_HELP, add_upload, check_upload)
    for name, place in MODULES.items():
        module = import_module(f"aurum_league.cli.{place}")
        _add_command(commands, name, module.HELP, module.add_arguments, module.run)
    for name, parts in import_module("aurum_league.cli.bot_site").COMMANDS.items():
        _add_command(commands, name, *parts)


def _add_command(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    help_: str,
    add: Callable[[argparse.ArgumentParser], None],
    run_: Callable[[argparse.Namespace], int],
) -> None:
    command = commands.add_parser(name, help=help_, description=help_)
    add(command)
    command.set_defaults(run_bot=run_)


def run(arguments: argparse.Namespace) -> int:
    code: int = arguments.run_bot(arguments)
    return code


def add_language(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", help="its name, such as my_bot; the file is named after it")
    parser.add_argument(
        "--language",
        choices=[PYTHON.language, *STARTERS],
        default=PYTHON.language,
        help="all but Python are compiled to WebAssembly (default: python)",
    )


def write_bot(arguments: argparse.Namespace) -> int:
    starter = STARTERS.get(arguments.language, PYTHON)
    name = arguments.name.removesuffix(f".{starter.ending}")
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,39}", name):
        raise CommandError("A bot's file is named with letters, digits and _, and begins with a letter.")
    file = Path(f"{name}.{starter.ending}")
    try:
        with file.open("x", encoding="utf-8") as out:
            out.write(starter.read_source(name, str(file)))
    except FileExistsError:
        raise CommandError(f"{file} is there already; it was left as it is.") from None
    if starter is PYTHON:
        print(f"{file} is written. It plays already; make it better, then:\n")
        played = str(file)
    else:
        print(f"{file} is written. It beats greedy already; make it better, then ({starter.needs}):\n")
        print(f"  {starter.tell_build(name, str(file))}")
        played = f"{name}.wasm"
    print(f"  aurum bot check {played}")
    print(f"  aurum bot play {played} counting --matches 30")
    return 0


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


def add_upload(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help=FILE_HELP)
    parser.add_argument("--quick", action="store_true", help="one match instead of four, while you work on it")
    parser.add_argument("--json", action="store_true", help="what was found as JSON, for scripts")


def check_upload(arguments: argparse.Namespace) -> int:
    from bots.agents.conformance import STEPS, check_bot
    from games.play.agents import PlatformFault

    console = Console(highlight=False, quiet=arguments.json)
    steps = STEPS[:1] if arguments.quick else STEPS
    with console.status("trying the sandbox …") as doing, open_code(arguments.file) as code:
        require_sandbox()
        try:
            report = check_bot(
                code,
                tell=lambda name: console.print(f"passed  {name}"),
                steps=steps,
                begin=lambda name: doing.update(f"{name} …"),
            )
        except PlatformFault as fault:
            raise CommandError(f"This machine failed, not the bot: {fault} Try again.") from None
    told = report.to_dict()
    if arguments.json:
        print(json.dumps(told, ensure_ascii=False))
    if report.fault is not None:
        print_fault(console, report.fault)
        return EXIT_FAILED
    used = ", ".join(f"{name} {milliseconds:g} ms" for name, milliseconds in told["cpu_ms"].items())
    fuel = ", ".join(f"{name} {amount:,}" for name, amount in told.get("fuel", {}).items())
    verdict = "The bot plays; the whole check is yet to come" if arguments.quick else "The bot qualifies"
    spent = f"fuel {fuel}" if fuel else f"CPU time {used}"
    console.print(f"{verdict}: {told['decisions']} decisions, {spent}.", soft_wrap=True)
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
