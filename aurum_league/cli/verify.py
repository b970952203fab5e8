"""`aurum verify`: judge records again from their deals and actions alone, and a tournament's archive as a whole."""

import argparse
import os
import sys
import zipfile

from aurum_league.cli.archive_check import check_archive
from aurum_league.cli.record_files import STDIN, RecordLine, read_records
from aurum_league.cli.terminal import progress_bar
from games.rules.errors import RecordFault
from games.rules.record import read_record

HELP = "judge records again from their deals and actions alone"
EXIT_BROKEN = 1
EXIT_UNREADABLE = 2
LONGEST_MESSAGE = 300


def add_arguments(parser: argparse.ArgumentParser) -> None:
    told = "records, one a line, or a zip of such files; - is standard input"
    parser.add_argument("--key", metavar="HEX", help="the public key that archives must be signed with")
    parser.add_argument("files", nargs="+", metavar="FILE", help=told)


def run(arguments: argparse.Namespace) -> int:
    verified = broken = unreadable = differences = 0
    total = sum(os.path.getsize(path) for path in arguments.files if os.path.isfile(path))
    with progress_bar("verifying", total) as advance:
        for path in arguments.files:
            try:
                for line in read_records(path):
                    is_sound = _judge(line)
                    verified += is_sound
                    broken += not is_sound
                    advance(line.size)
                differences += _check_whole(path, arguments.key)
            except BrokenPipeError:
                raise
            except OSError as error:
                unreadable += 1
                print(f"aurum: {path}: {error.strerror or error}.", file=sys.stderr)
    print(_sum_up(verified, broken))
    if unreadable:
        return EXIT_UNREADABLE
    return EXIT_BROKEN if broken or differences else 0


def _check_whole(path: str, key: str | None) -> int:
    """What of an archive as a whole does not hold, each in a line; how many lines."""
    if path == STDIN or not zipfile.is_zipfile(path):
        return 0
    differences = 0
    try:
        for sentence in check_archive(path, key):
            differences += 1
            print(f"{path}: {' '.join(sentence.split())[:LONGEST_MESSAGE]}.")
    except RecordFault:
        return 0
    return differences


def _sum_up(verified: int, broken: int) -> str:
    if broken:
        return f"{verified} of {verified + broken} records hold."
    return "1 record holds." if verified == 1 else f"{verified} records hold."


def _judge(line: RecordLine) -> bool:
    """Whether a record holds; where not, say why in one line."""
    try:
        if line.fault is not None:
            raise line.fault
        read_record(line.record)
    except RecordFault as fault:
        message = " ".join(fault.message.split())[:LONGEST_MESSAGE]
        print(f"{line.file}:{line.number}: {fault.place}: {fault.code}: {message}")
        return False
    return True
