"""`aurum verify`: judge records again from their deals and actions alone, and a tournament's archive as a whole."""

import argparse
import os
import re
import sys
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aurum_league.cli.main import CommandError, progress_bar
from aurum_league.cli.record_files import STDIN, RecordLine, read_records
from games.rules.errors import RecordFault
from games.rules.match import Match
from games.rules.record import read_record

if TYPE_CHECKING:
    from games.play.agents import Agent

HELP = "judge records again from their deals and actions alone"
EXIT_BROKEN = 1
EXIT_UNREADABLE = 2
LONGEST_MESSAGE = 300


def add_arguments(parser: argparse.ArgumentParser) -> None:
    told = "records, one a line or as Parquet, or an archive: a zip or a folder; - is standard input"
    parser.add_argument("--key", metavar="HEX", help="the public key that records and archives must be signed with")
    parser.add_argument("--replay", action="store_true", help="also ask house bots every question again")
    parser.add_argument(
        "--bot",
        action="append",
        default=[],
        metavar="version:12=my.wasm",
        help="with --replay, ask this module too wherever that version sat; may be given again",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help=told)


def run(arguments: argparse.Namespace) -> int:
    if arguments.bot and not arguments.replay:
        raise CommandError("--bot goes with --replay.")
    if arguments.key is not None:
        arguments.key = arguments.key.lower()
        if not re.fullmatch(r"[0-9a-f]{64}", arguments.key):
            raise CommandError("--key is 64 hexadecimal digits, as at /.well-known/aurum-signing-key of the site.")
    with ExitStack() as stack:
        replay = BotReplay(stack, arguments.bot) if arguments.replay else None
        return _judge_files(arguments, replay)


def _judge_files(arguments: argparse.Namespace, replay: "BotReplay | None") -> int:
    verified = broken = unreadable = differences = 0
    total = sum(os.path.getsize(path) for path in arguments.files if os.path.isfile(path))
    with progress_bar("verifying", total) as advance:
        for path in arguments.files:
            is_archive = path != STDIN and (os.path.isdir(path) or zipfile.is_zipfile(path))
            whole = WholeArchive(path, arguments.key) if is_archive else None
            before = verified + broken
            try:
                for line in read_records(path):
                    play = _judge(line, arguments.key)
                    verified += play is not None
                    broken += play is None
                    if play is not None and whole is not None:
                        whole.take(line.record, play)
                    if play is not None and replay is not None:
                        differences += replay.check(line, play)
                    advance(line.size)
                if verified + broken == before and not (whole is not None and whole.is_whole):
                    raise OSError("it holds no record, so that nothing was checked")
                differences += whole.check() if whole is not None else 0
            except BrokenPipeError:
                raise
            except OSError as error:
                unreadable += 1
                print(f"aurum: {path}: {error.strerror or error}.", file=sys.stderr)
    print(_sum_up(verified, broken, differences))
    if replay is not None:
        print(replay.sum_up())
    if unreadable:
        return EXIT_UNREADABLE
    return EXIT_BROKEN if broken or differences else 0


class WholeArchive:
    """A zip or folder that may be a tournament's archive: what its records give is kept, then all of it is checked."""

    def __init__(self, path: str, key: str | None) -> None:
        # Standings and ratings load NumPy and SciPy, which a single record needs not.
        from aurum_league.cli import archive_check

        self.path, self.key, self.checks = path, key, archive_check
        self.facts: list[archive_check.RecordFacts] = []

    def take(self, record: Any, play: Match) -> None:
        self.facts.append(self.checks.gather_facts(record, play))

    @property
    def is_whole(self) -> bool:
        with suppress(RecordFault):
            return self.checks.open_archive(self.path).is_whole
        return False

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
        wrong = _judge_signature(line.record, key)
        if wrong is not None:
            raise RecordFault("wrong_signature", "signature", wrong)
    except RecordFault as fault:
        message = " ".join(fault.message.split())[:LONGEST_MESSAGE]
        print(f"{line.file}:{line.number}: {fault.place}: {fault.code}: {message}")
        return None
    return play


def _judge_signature(record: Any, key: str | None) -> str | None:
    """What is wrong with it; the library that reads signatures is asked for where there is one, or a key was given."""
    if key is None and "signature" not in record and "public_key" not in record:
        return None
    from aurum_league.common.proofs import find_signature_fault

    return find_signature_fault(record, key)


class BotReplay:
    """Asks the bots of each record every question again, from the chance that the match's seed gives them."""

    def __init__(self, stack: ExitStack, given: list[str]) -> None:
        from aurum_league.cli.bot import open_code, require_sandbox

        self.modules: dict[str, Path] = {}
        self.asked = self.alike = self.passed_over = 0
        for text in given:
            agent, _, path = text.partition("=")
            if not agent.startswith("version:") or not path.endswith(".wasm"):
                raise CommandError("--bot is version:12=my.wasm: only modules answer alike every time.")
            require_sandbox()
            self.modules[agent] = stack.enter_context(open_code(path))

    def check(self, line: RecordLine, play: Match) -> int:
        """Every decision that comes out otherwise in a line; how many."""
        from bots.agents.conformance import replay_decisions
        from games.play.agents import close_agent

        agents = dict(self._open(line.record, play))
        told = 0
        try:
            for difference in replay_decisions(play, agents):
                self.asked += 1
                self.alike += difference is None
                if difference is not None:
                    told += 1
                    who = f"{line.record['seats'][difference.seat]['agent']} at seat {difference.seat}"
                    came = f"the record has {difference.recorded}, it plays {difference.played}"
                    print(f"{line.file}:{line.number}: decision {difference.counter} of {who}: {came}")
        finally:
            for agent in agents.values():
                close_agent(agent)
        return told

    def _open(self, record: Any, play: Match) -> "Iterator[tuple[int, Agent]]":
        """House bots, and the modules that were given; a record whose seed is still secret has none to ask."""
        from bots.agents.uploaded import open_uploaded
        from bots.brains import BRAINS, make_brain
        from games.play.agents import AgentRef, SeatOrder, derive_bot_seed

        number, seats = record.get("match"), record.get("seats")
        if play.seed is None or not isinstance(number, int) or not isinstance(seats, list):
            self.passed_over += 1
            return
        known = {entry.name for entry in BRAINS}
        names = tuple(str(told.get("player", "")) for told in seats)
        for seat, told in enumerate(seats[: play.players]):
            agent = AgentRef.parse(str(told.get("agent")))
            chance = derive_bot_seed(play.seed, number, seat)
            if agent.is_house and agent.id in known:
                yield seat, make_brain(agent.id, chance)
            elif str(agent) in self.modules:
                order = SeatOrder(agent, seat, play.ruleset, chance, number, names)
                yield seat, open_uploaded(order, self.modules[str(agent)])

    def sum_up(self) -> str:
        told = f"{self.alike} of {self.asked} decisions of bots come out again"
        sealed = f"; {self.passed_over} records name no seed and match to ask them from" if self.passed_over else ""
        return f"{told}{sealed}."
