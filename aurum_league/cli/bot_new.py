"""`aurum bot new`: a small bot that works, to begin with, in Python or in a language that becomes WebAssembly."""

import argparse
import re
from importlib.resources import files
from pathlib import Path

from aurum_league.cli.terminal import CommandError
from bots.starters import STARTERS

HELP = "write a small working bot"
TEMPLATE = "starter_bot.py"
PYTHON = "python"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", help="its name, such as my_bot; the file is named after it")
    parser.add_argument(
        "--language",
        choices=[PYTHON, *STARTERS],
        default=PYTHON,
        help="all but Python are compiled to WebAssembly (default: python)",
    )


def run(arguments: argparse.Namespace) -> int:
    starter = STARTERS.get(arguments.language)
    ending = starter.ending if starter else "py"
    name = arguments.name.removesuffix(f".{ending}")
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,39}", name):
        raise CommandError("A bot's file is named with letters, digits and _, and begins with a letter.")
    file = Path(f"{name}.{ending}")
    if starter is None:
        _write(file, _read_template(name, str(file)))
        print(f"{file} is written. It plays already; make it better, then:\n")
        _tell_next(str(file))
        return 0
    _write(file, starter.read_source(name, str(file)))
    print(f"{file} is written. It beats greedy already; make it better, then ({starter.needs}):\n")
    print(f"  {starter.tell_build(name, str(file))}")
    _tell_next(f"{name}.wasm")
    return 0


def _read_template(name: str, file: str) -> str:
    source = (files("aurum_league.cli") / TEMPLATE).read_text(encoding="utf-8")
    return source.replace("NAME", name, 1).replace("FILE", file)


def _write(file: Path, source: str) -> None:
    try:
        with file.open("x", encoding="utf-8") as out:
            out.write(source)
    except FileExistsError:
        raise CommandError(f"{file} is there already; it was left as it is.") from None


def _tell_next(file: str) -> None:
    print(f"  aurum bot check {file}")
    print(f"  aurum bot play {file} counting --matches 30")
