"""`aurum show`: draw a recorded match in the terminal, trick by trick."""

import argparse
from typing import Any

from rich.console import Console

from aurum_league.cli.drawing import draw_match
from aurum_league.cli.errors import CommandError
from aurum_league.cli.record_files import read_records
from games.rules.faults import RecordFault
from games.rules.record import read_record
from games.rules.transcript import write_transcript

HELP = "draw a recorded match, trick by trick"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="RECORD", help="a file of records, or a zip of such files; - is standard input")
    parser.add_argument("--line", type=int, default=1, metavar="N", help="which line of the file (default: 1)")
    parser.add_argument("--text", action="store_true", help="the compact notation, one line a trick")


def run(arguments: argparse.Namespace) -> int:
    record = _find_record(arguments.file, arguments.line)
    if arguments.text:
        print(write_transcript(record), end="")
        return 0
    console = Console(highlight=False)
    for part in draw_match(record):
        console.print(part)
    return 0


def _find_record(path: str, number: int) -> Any:
    """The record on that line, judged before it is drawn."""
    for line in read_records(path):
        if line.number == number:
            try:
                if line.fault is not None:
                    raise line.fault
                read_record(line.record)
            except RecordFault as fault:
                raise CommandError(f"{path}:{number}: {fault}") from None
            return line.record
    raise CommandError(f"{path} has no record on line {number}.")
