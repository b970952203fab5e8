"""`aurum verify`: judge records again from their deals and actions alone, and a tournament's archive as a whole."""

import argparse
import os
import sys
import zipfile
from typing import Any

from aurum_league.cli.main import progress_bar
from aurum_league.cli.record_files import STDIN, RecordLine, read_records
from aurum_league.common.proofs import find_signature_fault
from games.rules.errors import RecordFault
from games.rules.match import Match
from games.rules.record import read_record

HELP = "judge records again from their deals and actions alone"
EXIT_BROKEN = 1
EXIT_UNREADABLE = 2
LONGEST_MESSAGE = 300


def add_arguments(parser: argparse.ArgumentParser) -> None:
    told = "records, one a line, or a zip of such files; - is standard input"
    parser.add_argument("--key", metavar="HEX", help="the public key that records and archives must be signed with")
    parser.add_argument("files", nargs="+", metavar="FILE", help=told)


def run(arguments: argparse.Namespace) -> int:
    verified = broken = unreadable = differences = 0
    total = sum(os.path.getsize(path) for path in arguments.files if os.path.isfile(path))
    with progress_bar("verifying", total) as advance:
        for path in arguments.files:
            whole = WholeArchive(path, arguments.key) if path != STDIN and zipfile.is_zipfile(path) else None
            try:
                for line in read_records(path):
                    play = _judge(line, arguments.key)
                    verified += play is not None
                    broken += play is None
                    if play is not None and whole is not None:
                        whole.take(line.record, play)
                    advance(line.size)
                differences += whole.check() if whole is not None else 0
            except BrokenPipeError:
                raise
            except OSError as error:
                unreadable += 1
                print(f"aurum: {path}: {error.strerror or error}.", file=sys.stderr)
    print(_sum_up(verified, broken, differences))
    if unreadable:
        return EXIT_UNREADABLE
    return EXIT_BROKEN if broken or differences else 0


class WholeArchive:
    """A zip that may be a tournament's archive: what its records give is kept, and then all of it is checked."""

    def __init__(self, path: str, key: str | None) -> None:
        # Standings and ratings load NumPy and SciPy, which a single record needs not.
        from aurum_league.cli import archive_check

        self.path, self.key, self.checks = path, key, archive_check
        self.facts: list[archive_check.RecordFacts] = []

    def take(self, record: Any, play: Match) -> None:
        self.facts.append(self.checks.gather_facts(record, play))

    def check(self) -> int:
        """What of it as a whole does not hold, each in a line; how many lines."""
        differences = 0
        try:
            for sentence in self.checks.check_archive(self.path, self.key, self.facts):
                differences += 1
                print(f"{self.path}: {' '.join(sentence.split())[:LONGEST_MESSAGE]}.")
        except RecordFault:
            return 0
        return differences


def _sum_up(verified: int, broken: int, differences: int) -> str:
    if broken:
        told = f"{verified} of {verified + broken} records hold"
    else:
        told = "1 record holds" if verified == 1 else f"{verified} records hold"
    if differences:
        told += f"; {differences} {'thing does' if differences == 1 else 'things do'} not"
    return f"{told}."


def _judge(line: RecordLine, key: str | None) -> Match | None:
    """The match of a record that holds; where it does not, say why in one line."""
    try:
        if line.fault is not None:
            raise line.fault
        play = read_record(line.record)
        wrong = find_signature_fault(line.record, key)
        if wrong is not None:
            raise RecordFault("wrong_signature", "signature", wrong)
    except RecordFault as fault:
        message = " ".join(fault.message.split())[:LONGEST_MESSAGE]
        print(f"{line.file}:{line.number}: {fault.place}: {fault.code}: {message}")
        return None
    return play
