"""`aurum bot play`: an author's bot against house bots or other files, each deal from every seat, with an interval."""

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console

from aurum_league.cli.bot import FILE_HELP, open_code, require_sandbox
from aurum_league.cli.main import CommandError, add_ruleset_options, progress_bar, read_ruleset
from aurum_league.cli.play import check_agents, read_seed
from bots.agents.uploaded import find_quantile
from bots.runners.streams import show_text
from games.play.agents import Agent, AgentFault, AgentKind, AgentRef, PlatformFault, SeatOrder, close_agent
from games.play.table import Failure, Table
from games.rules.deal import derive_seed
from games.rules.match import Match
from games.rules.ruleset import Ruleset

HELP = "play your bot against house bots or others' files, in the site's sandbox with the site's limits"
MOST_MATCHES = 1_000_000
OPPONENTS = 2
FALLBACK = "greedy"
OWN = "bot"
ENDINGS = (".py", ".zip", ".wasm")


@dataclass
class Score:
    """A win is 1 and a shared first place a share of it; matches on one deal are one block.

    What was used, and all failures but the number of others', are the author's own bot's.
    """

    values: list[float] = field(default_factory=list)
    blocks: list[int] = field(default_factory=list)
    forfeits: int = 0
    failures: list[Failure] = field(default_factory=list)
    failures_of_others: int = 0
    cpu: list[float] = field(default_factory=list)
    fuel: list[int] = field(default_factory=list)
    stderr: str = ""


@dataclass(frozen=True)
class Rotation:
    """One match to be played: on which deal, with the bot's seats and the others' names by seat."""

    block: int
    seed: bytes
    seats: tuple[str, ...]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help=FILE_HELP)
    parser.add_argument(
        "others",
        nargs="+",
        metavar="OTHER",
        help="one or two opponents, house bots or files; of four players, the other side. One sits at both seats",
    )
    parser.add_argument("--players", type=int, choices=(3, 4), default=3, help="with 4 the bot is its own partner")
    add_ruleset_options(parser)
    parser.add_argument("--matches", type=int, default=30, metavar="N", help="at least so many matches (default: 30)")
    parser.add_argument("--stderr", action="store_true", help="show what the bot wrote to stderr in one match")
    parser.add_argument("--seed", metavar="HEX", help="up to 64 hexadecimal digits; the same deals again")


def run(arguments: argparse.Namespace) -> int:
    others = arguments.others * OPPONENTS if len(arguments.others) == 1 else arguments.others
    if len(others) != OPPONENTS:
        raise CommandError(f"There are one or {OPPONENTS} opponents, such as counting.")
    if not 1 <= arguments.matches <= MOST_MATCHES:
        raise CommandError(f"--matches is a number from 1 to {MOST_MATCHES}.")
    check_agents([name for name in others if not _is_file(name)])
    ruleset = read_ruleset(arguments, arguments.players)
    require_sandbox()
    seed = read_seed(arguments.seed)
    rotations = list(list_rotations(ruleset, others, seed, arguments.matches))
    console = Console(highlight=False)
    console.print(f"seed {seed.hex()}", soft_wrap=True)
    score = Score()
    with ExitStack() as stack:
        codes = {OWN: stack.enter_context(open_code(arguments.file))}
        codes |= {name: stack.enter_context(open_code(name)) for name in sorted(set(others)) if _is_file(name)}
        _compile_modules({**codes, arguments.file: codes[OWN]})
        advance = stack.enter_context(progress_bar("playing", len(rotations)))
        for rotation in rotations:
            play_rotation(score, rotation, ruleset, codes)
            advance(1)
    print_score(console, score, ruleset, others)
    if arguments.stderr:
        console.print(f"\nstderr of one match:\n{show_text(score.stderr) or 'empty'}", markup=False, soft_wrap=True)
    return 0


def _is_file(name: str) -> bool:
    return name.endswith(ENDINGS)


def _compile_modules(codes: Mapping[str, Path]) -> None:
    """So that a module that the site would refuse is told before it plays."""
    from bots.agents.uploaded import compile_uploaded
    from bots.runners.verdict import RunnerError

    for name, code in codes.items():
        try:
            compile_uploaded(code)
        except RunnerError as error:
            raise CommandError(f"{name}: {error} ({error.code})") from None


def list_rotations(ruleset: Ruleset, others: list[str], seed: bytes, matches: int) -> Iterator[Rotation]:
    """Whole blocks: on each deal the bot, or its side, sits at every seat once."""
    order = [OWN, others[0], others[1]] if ruleset.players == 3 else [OWN, others[0], OWN, others[1]]
    turns = ruleset.sides
    for block in range(-(-matches // turns)):
        deal = derive_seed(seed, f"match {block}")
        for turn in range(turns):
            yield Rotation(block, deal, tuple(order[(seat - turn) % len(order)] for seat in range(len(order))))


def play_rotation(score: Score, rotation: Rotation, ruleset: Ruleset, codes: Mapping[str, Path]) -> None:
    """A seat that fails gets a strike, and forfeits after three, as on the site. `codes` has the files' folders."""
    from bots.brains import make_brain

    agents: list[Agent] = []
    table = Table(Match(ruleset, rotation.seed), agents, lambda seat: make_brain(FALLBACK, seat))
    try:
        agents.extend(_open_agents(rotation, ruleset, codes))
        table.advance()
    except PlatformFault as fault:
        raise CommandError(f"This machine failed, not the bot: {fault} Try again.") from None
    finally:
        for name, agent in zip(rotation.seats, agents, strict=False):
            close_agent(agent)
            if name == OWN:
                score.cpu += getattr(agent, "cpu", [])
                score.fuel += getattr(agent, "fuel", [])
                score.stderr = score.stderr or getattr(agent, "stderr", "")
    _count(score, rotation, table)


def _open_agents(rotation: Rotation, ruleset: Ruleset, codes: Mapping[str, Path]) -> Iterator[Agent]:
    from bots.agents.uploaded import open_uploaded
    from bots.brains import make_brain

    for seat, name in enumerate(rotation.seats):
        chance = int.from_bytes(derive_seed(rotation.seed, f"agent {seat}")[:8], "big")
        if name in codes:
            local = AgentRef(AgentKind.LOCAL, name)
            yield open_uploaded(SeatOrder(local, seat, ruleset, chance, rotation.block, rotation.seats), codes[name])
        else:
            yield make_brain(name, chance)


def _count(score: Score, rotation: Rotation, table: Table) -> None:
    result = table.match.result
    assert result is not None
    side = rotation.seats.index(OWN) % table.match.ruleset.sides
    is_forfeit = any(rotation.seats[seat] == OWN for seat in table.forfeits)
    best = result.places[0]
    score.values.append(1 / len(best) if side in best and not is_forfeit else 0.0)
    score.blocks.append(rotation.block)
    score.forfeits += is_forfeit
    own = [failure for failure in table.failures if rotation.seats[failure.seat] == OWN]
    score.failures += own
    score.failures_of_others += len(table.failures) - len(own)


def print_score(console: Console, score: Score, ruleset: Ruleset, others: list[str]) -> None:
    from tournaments.rules.statistics.crosstable import interval_of_mean

    interval = interval_of_mean(score.values, score.blocks)
    count = len(score.values)
    range_ = (
        ""
        if interval.low is None or interval.high is None
        else f", 95 % from {_percent(interval.low)} to {_percent(interval.high)}"
    )
    console.print(f"{count} matches on {interval.observations} deals, {ruleset.code}, against {' and '.join(others)}")
    console.print(f"won {_percent(interval.mean)}{range_}; even is {_percent(1 / ruleset.sides)}")
    console.print(_tell_use(score))
    if score.failures_of_others:
        console.print(f"failed decisions of others: {score.failures_of_others}")
    if score.failures:
        verdicts = Counter(failure.fault.verdict for failure in score.failures)
        told = ", ".join(f"{verdict} {number}" for verdict, number in verdicts.most_common())
        console.print(f"forfeits {score.forfeits}; failed decisions: {told}. The first of them:")
        _print_failure(console, score.failures[0].fault)


def _tell_use(score: Score) -> str:
    """A module is charged fuel, which is the same every time; a Python bot CPU time."""
    if score.fuel:
        return f"fuel a decision: {_quantiles(score.fuel, '{:,.0f}')}"
    return f"CPU time a decision: {_quantiles([1000 * seconds for seconds in score.cpu], '{:.2g} ms')}"


def _quantiles(used: Sequence[float], template: str) -> str:
    told = (
        f"{name} {template.format(find_quantile(used, share) or 0)}" for name, share in (("p50", 0.5), ("p99", 0.99))
    )
    return ", ".join(told)


def _print_failure(console: Console, fault: AgentFault) -> None:
    console.print(show_text(fault.detail), markup=False)
    for title, text in (("answered", fault.answered), ("stderr", fault.stderr)):
        if text:
            console.print(f"{title}: {show_text(text.rstrip())}", markup=False, soft_wrap=True)


def _percent(share: float) -> str:
    return f"{100 * max(0.0, min(1.0, share)):.1f} %"
