"""The matches of `aurum bot play`: who sits where on which deal, one of them played, and its line in a saved file."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

from aurum_league.cli.bot import open_code
from aurum_league.cli.main import CommandError
from aurum_league.cli.play import check_agents
from games.play.agents import Agent, AgentKind, AgentRef, PlatformFault, SeatOrder, close_agent
from games.play.table import Failure, Table
from games.rules.deal import commitment, derive_seed
from games.rules.match import Match
from games.rules.record import dump_record, make_record
from games.rules.ruleset import Ruleset

COMMAND = "cmd:"
ENDINGS = (".py", ".zip", ".wasm")
FALLBACK = "greedy"
SAVED = "bench"
"""The key of a saved record that says which match of which run it is."""


@dataclass(frozen=True)
class Sitting:
    """One match to be played: on which deal, and which contestant sits where, by number."""

    block: int
    seats: tuple[int, ...]


@dataclass(frozen=True)
class Fail:
    """One decision that a seat failed to make, in words."""

    seat: int
    step: int
    verdict: str
    detail: str
    asked: str
    answered: str
    stderr: str


@dataclass(frozen=True)
class Played:
    """What one match came to: places by seat, who forfeited, what failed, and what each contestant's decisions used.

    `used` has seconds, `fuel` a module's fuel; `stderr` the last words of the first contestant. `record` is a line.
    """

    sitting: Sitting
    places: tuple[int, ...]
    forfeits: tuple[int, ...]
    failures: tuple[Fail, ...] = ()
    used: Mapping[int, list[float]] = field(default_factory=dict)
    fuel: Mapping[int, list[int]] = field(default_factory=dict)
    stderr: str = ""
    record: str = ""


@dataclass(frozen=True)
class Contest:
    """Who plays, by which rules, on which deals: all that a process needs to play any match of a run.

    `codes` are the folders of those contestants that are files, `digests` tell of all what code they had.
    """

    names: tuple[str, ...]
    ruleset: Ruleset
    seed: bytes
    codes: Mapping[int, Path]
    digests: tuple[str, ...] = ()

    def describe(self) -> dict[str, Any]:
        named = {"names": list(self.names), "ruleset": self.ruleset.code, "seed": self.seed.hex()}
        return {**named, "code": list(self.digests)}


def is_file(name: str) -> bool:
    return name.endswith(ENDINGS) and not name.startswith(COMMAND)


def open_field(stack: ExitStack, names: Sequence[str], ruleset: Ruleset, seed: bytes) -> Contest:
    """Unpack files and compile modules as the site would, so that what it would refuse is told before anybody plays."""
    from bots.agents.local import split_command
    from bots.runners.archive import content_hash

    check_agents([name for name in names if not is_file(name) and not name.startswith(COMMAND)])
    for name in names:
        if name.startswith(COMMAND):
            try:
                split_command(name.removeprefix(COMMAND))
            except ValueError as error:
                raise CommandError(f"{name} names no command: {error}.") from None
    codes = {number: stack.enter_context(open_code(name)) for number, name in enumerate(names) if is_file(name)}
    for number, code in codes.items():
        _compile(names[number], code)
    digests = tuple(content_hash(Path(name).read_bytes()) if is_file(name) else "" for name in names)
    return Contest(tuple(names), ruleset, seed, codes, digests)


def _compile(name: str, code: Path) -> None:
    from bots.agents.uploaded import compile_uploaded
    from bots.runners.verdict import RunnerError

    try:
        compile_uploaded(code)
    except RunnerError as error:
        raise CommandError(f"{name}: {error} ({error.code})") from None


def list_seatings(ruleset: Ruleset, contestants: int) -> list[tuple[int, ...]]:
    """Every seating of every table that the contestants fill, all of which one deal is played by.

    At three, two contestants are the first against two of the other, more meet three by three; at four, sides of one
    contestant each meet two by two.
    """
    if ruleset.players == 4:
        pairs = combinations(range(contestants), 2)
        return [(a, b, a, b) for pair in pairs for a, b in permutations(pair)]
    tables = [(0, 1, 1)] if contestants == 2 else list(combinations(range(contestants), 3))
    return [seats for table in tables for seats in sorted(set(permutations(table)))]


def list_sittings(ruleset: Ruleset, contestants: int, matches: int) -> Iterator[Sitting]:
    """Whole blocks, at least so many matches: everybody has played every deal from every seat."""
    seatings = list_seatings(ruleset, contestants)
    for block in range(-(-matches // len(seatings))):
        for seats in seatings:
            yield Sitting(block, seats)


def play_sitting(arena: Contest, sitting: Sitting) -> Played:
    """A seat that fails gets a strike, and forfeits after three, as on the site."""
    match = Match(arena.ruleset, derive_seed(arena.seed, f"match {sitting.block}"))
    table = play_table(arena, sitting.seats, sitting.block + 1, match)
    return _sum_up(arena, sitting, table)


def play_table(
    arena: Contest,
    seats: Sequence[int],
    number: int,
    match: Match,
    watch: Callable[[int, Agent], Agent] = lambda seat, agent: agent,
) -> Table:
    """Plays one match to its end; `watch` may stand between a seat and its agent."""
    from bots.brains import make_brain

    agents: list[Agent] = []
    table = Table(match, agents, lambda seat: make_brain(FALLBACK, seat))
    try:
        for seat, agent in enumerate(open_seats(arena, seats, number, match)):
            agents.append(watch(seat, agent))
        table.advance()
    except PlatformFault as fault:
        raise CommandError(f"This machine failed, not the bot: {fault} Try again.") from None
    finally:
        for agent in agents:
            close_agent(agent)
    return table


def open_seats(arena: Contest, seats: Sequence[int], number: int, match: Match) -> Iterator[Agent]:
    """The contestants' agents by seat; `number` is what they know the match by. Raises PlatformFault."""
    from bots.agents.local import CommandAgent, split_command
    from bots.agents.uploaded import open_uploaded
    from bots.brains import make_brain

    assert match.seed is not None
    shown = tuple(arena.names[one] for one in seats)
    for seat, one in enumerate(seats):
        chance = int.from_bytes(derive_seed(match.seed, f"agent {seat}")[:8], "big")
        name = arena.names[one]
        order = SeatOrder(AgentRef(AgentKind.LOCAL, name), seat, arena.ruleset, chance, number, shown)
        if one in arena.codes:
            yield open_uploaded(order, arena.codes[one])
        elif name.startswith(COMMAND):
            yield CommandAgent(order, split_command(name.removeprefix(COMMAND)))
        else:
            yield make_brain(name, chance)


def _sum_up(arena: Contest, sitting: Sitting, table: Table) -> Played:
    from games.rules.outcome import count_seat_places

    match, result = table.match, table.match.result
    assert result is not None and match.seed is not None
    played = [result.place_of(side) for side in range(arena.ruleset.sides)]
    places = tuple(count_seat_places(played, table.forfeits))
    failures = tuple(_tell_failure(failure) for failure in table.failures)
    used: dict[int, list[float]] = {}
    fuel: dict[int, list[int]] = {}
    stderr = ""
    for seat, agent in enumerate(table.agents):
        number = sitting.seats[seat]
        used.setdefault(number, []).extend(getattr(agent, "cpu", None) or getattr(agent, "wall", []))
        fuel.setdefault(number, []).extend(getattr(agent, "fuel", []))
        if number == 0:
            stderr = stderr or getattr(agent, "stderr", "")
    told = {**arena.describe(), **asdict(sitting), "places": places, "failures": [asdict(f) for f in failures]}
    told["used"] = {number: [round(seconds, 6) for seconds in all_] for number, all_ in used.items() if all_}
    told["fuel"] = {number: all_ for number, all_ in fuel.items() if all_}
    record = make_record(
        match,
        with_seed=True,
        commitment=commitment(match.seed),
        seats=[{"agent": arena.names[number]} for number in sitting.seats],
        forfeits=table.forfeits,
        **{SAVED: told},
    )
    return Played(sitting, places, tuple(table.forfeits), failures, used, fuel, stderr, dump_record(record))


def _tell_failure(failure: Failure) -> Fail:
    fault = failure.fault
    return Fail(failure.seat, failure.step, fault.verdict, fault.detail, fault.asked, fault.answered, fault.stderr)


def read_saved(path: Path, arena: Contest) -> list[Played]:
    """The matches of a run that was broken off; CommandError where the file holds another run's.

    A last line that was not written whole is cut off: its match is played again.
    """
    if not path.exists():
        return []
    text = path.read_bytes()
    whole, newline, rest = text.rpartition(b"\n")
    if rest:
        path.write_bytes(whole + newline)
    return [_read_line(path, number, line, arena) for number, line in enumerate(whole.splitlines(), 1)]


def _read_line(path: Path, number: int, line: bytes, arena: Contest) -> Played:
    try:
        record = json.loads(line)
        saved = record[SAVED]
        sitting = Sitting(saved["block"], tuple(saved["seats"]))
        failures = tuple(Fail(**told) for told in saved["failures"])
        described = {key: saved[key] for key in ("names", "ruleset", "seed", "code")}
        places = tuple(saved["places"])
        used, fuel = ({int(one): told for one, told in saved[key].items()} for key in ("used", "fuel"))
    except (ValueError, KeyError, TypeError):
        raise CommandError(f"{path}:{number} is no match that aurum bot play has saved.") from None
    if described != arena.describe():
        if {**described, "code": list(arena.digests)} == arena.describe():
            both = zip(arena.names, described["code"], arena.digests, strict=True)
            changed = " and ".join(name for name, old, new in both if old != new)
            raise CommandError(f"{path} was played by another {changed}, which has changed since. Name another file.")
        raise CommandError(
            f"{path} holds another run: {' '.join(described['names'])}, {described['ruleset']}, "
            f"seed {described['seed']}. Name another file, or the same bots."
        )
    return Played(sitting, places, tuple(record["forfeits"]), failures, used, fuel)


def find_saved_seed(path: Path) -> bytes | None:
    """The seed of the run that a file holds; None where it holds none that can be read."""
    try:
        with path.open("rb") as file:
            return bytes.fromhex(json.loads(file.readline())[SAVED]["seed"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def play_all(arena: Contest, sittings: Iterable[Sitting], processes: int) -> Iterator[Played]:
    """In order; several processes share the work. Whoever stops listening ends it."""
    if processes == 1:
        for sitting in sittings:
            yield play_sitting(arena, sitting)
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    # A process that is forked would share the fork server of bots with its parent; a new one has its own.
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        waiting = [pool.submit(play_sitting, arena, sitting) for sitting in sittings]
        try:
            for future in waiting:
                yield future.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
