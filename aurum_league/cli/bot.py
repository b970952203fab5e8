"""`aurum bot`: the commands of a bot's author, and the first of them, a small bot that works to begin with."""

import argparse
import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from aurum_league.cli.terminal import CommandError
from bots.starters import PYTHON, STARTERS

HELP = "write, check, play and connect a bot of your own"
# A command is a module beside this one with HELP, add_arguments(parser) and run(arguments) -> exit code.
MODULES = {"check": "bot_check", "play": "bot_play", "connect": "bot_connect"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(title="commands", required=True, metavar="command")
    _add_command(commands, "new", "write a small working bot", add_language, write_bot)
    for name, place in MODULES.items():
        module = import_module(f"aurum_league.cli.{place}")
        _add_command(commands, name, module.HELP, module.add_arguments, module.run)


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
