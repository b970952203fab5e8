"""`aurum bot new`: a small bot that works, to begin with."""

import argparse
import re
from importlib.resources import files
from pathlib import Path

from aurum_league.cli.terminal import CommandError

HELP = "write a small working bot"
TEMPLATE = "starter_bot.py"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", help="its name, such as my_bot; the file is named after it")


def run(arguments: argparse.Namespace) -> int:
    name = arguments.name.removesuffix(".py")
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,39}", name):
        raise CommandError("A bot's file is named with letters, digits and _, and begins with a letter.")
    file = Path(f"{name}.py")
    source = (files("aurum_league.cli") / TEMPLATE).read_text(encoding="utf-8")
    try:
        with file.open("x", encoding="utf-8") as out:
            out.write(source.replace("NAME", name, 1).replace("FILE", str(file)))
    except FileExistsError:
        raise CommandError(f"{file} is there already; it was left as it is.") from None
    print(f"{file} is written. It plays already; make it better, then:\n")
    print(f"  aurum bot check {file}")
    print(f"  aurum bot play {file} --against counting,counting --matches 30")
    return 0
