"""`aurum bot profile`: where a bot's time goes, by phase, with its slowest decisions and their positions."""

import argparse
from collections import defaultdict
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table as Grid

from aurum_league.cli.bot import FILE_HELP, require_sandbox
from aurum_league.cli.bot_matches import COMMAND, Contest, is_file, open_field, play_table
from aurum_league.cli.main import CommandError, add_ruleset_options, progress_bar, read_ruleset
from aurum_league.cli.play import read_seed
from bots.agents.uploaded import find_quantile
from games.play.agents import Agent, AgentFault, close_agent
from games.rules.deal import derive_seed
from games.rules.match import Match
from games.rules.view import View

HELP = "show where your bot's time goes: by phase, and its slowest decisions with their positions"
SLOWEST = 5
MOST_MATCHES = 10_000


@dataclass(frozen=True)
class TimedDecision:
    """One decision: what it used (milliseconds, or fuel), and where to find it."""

    phase: str
    used: float
    match: int
    seat: int
    counter: int
    hand: str
    legal: int


class Watched:
    """Passes every question on and notes what its answer used."""

    def __init__(self, agent: Agent, match: int, noted: list[TimedDecision]) -> None:
        self.agent = agent
        self.match = match
        self.noted = noted

    def choose(self, view: View) -> int:
        try:
            return self.agent.choose(view)
        except AgentFault as fault:
            sentence = f"The bot failed a decision: {fault.verdict}: {fault.detail} See aurum bot check."
            raise CommandError(sentence) from None
        finally:
            told = view.to_dict()
            hand, phase, legal = " ".join(told["round"]["hand"]), told["round"]["phase"], len(told["legal"])
            used = find_use(self.agent)
            self.noted.append(TimedDecision(phase, used, self.match, view.seat, view.log_end, hand, legal))

    def end(self, view: View, forfeits: list[int]) -> None:
        self.agent.end(view, forfeits)  # type: ignore[attr-defined]

    def close(self) -> None:
        close_agent(self.agent)


def find_use(agent: Agent) -> float:
    """What the last decision used: a module's fuel, else milliseconds of CPU time, or of the clock's for a command."""
    fuel = getattr(agent, "fuel", None)
    if fuel:
        return float(fuel[-1])
    seconds: list[float] = getattr(agent, "cpu", None) or getattr(agent, "wall", [])
    return 1000 * seconds[-1] if seconds else 0.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help=f'{FILE_HELP}; or "cmd:./program --option"')
    parser.add_argument("--players", type=int, choices=(3, 4), default=3)
    add_ruleset_options(parser)
    parser.add_argument("--matches", type=int, default=5, metavar="N", help="so many against greedy (default: 5)")
    parser.add_argument("--seed", metavar="HEX", help="up to 64 hexadecimal digits; the same deals again")


def run(arguments: argparse.Namespace) -> int:
    if not is_file(arguments.file) and not arguments.file.startswith(COMMAND):
        raise CommandError("A bot to profile is a .py, .zip or .wasm file, or cmd: with a command.")
    if not 1 <= arguments.matches <= MOST_MATCHES:
        raise CommandError(f"--matches is a number from 1 to {MOST_MATCHES}.")
    if is_file(arguments.file):
        require_sandbox()
    ruleset = read_ruleset(arguments, arguments.players)
    noted: list[TimedDecision] = []
    with ExitStack() as stack:
        arena = open_field(stack, [arguments.file, "greedy"], ruleset, read_seed(arguments.seed))
        advance = stack.enter_context(progress_bar("playing", arguments.matches))
        for number in range(arguments.matches):
            play_watched(arena, number, noted)
            advance(1)
    console = Console(highlight=False)
    unit = "fuel" if arguments.file.endswith(".wasm") else "ms"
    console.print(f"seed {arena.seed.hex()}", soft_wrap=True)
    console.print(draw_phases(noted, unit))
    console.print(draw_slowest(noted, unit))
    return 0


def play_watched(arena: Contest, number: int, noted: list[TimedDecision]) -> None:
    """One match, the bot at another seat each time and `greedy` at all others."""
    seats = tuple(0 if seat == number % arena.ruleset.players else 1 for seat in range(arena.ruleset.players))
    match = Match(arena.ruleset, derive_seed(arena.seed, f"match {number}"))

    def watch(seat: int, agent: Agent) -> Agent:
        return Watched(agent, number + 1, noted) if seats[seat] == 0 else agent

    play_table(arena, seats, number + 1, match, watch)


def draw_phases(noted: Sequence[TimedDecision], unit: str) -> Grid:
    by_phase: dict[str, list[float]] = defaultdict(list)
    for decision in noted:
        by_phase[decision.phase].append(decision.used)
    total = sum(decision.used for decision in noted) or 1.0
    grid = Grid(title=f"{len(noted)} decisions, {unit}", title_justify="left")
    grid.add_column("phase")
    for heading in ("decisions", "share of all", "p50", "p99", "most"):
        grid.add_column(heading, justify="right")
    for phase, used in by_phase.items():
        figures = (find_quantile(used, 0.5) or 0.0, find_quantile(used, 0.99) or 0.0, max(used))
        grid.add_row(phase, str(len(used)), f"{100 * sum(used) / total:.0f} %", *map(tell_use, figures))
    return grid


def draw_slowest(noted: Sequence[TimedDecision], unit: str) -> Grid:
    grid = Grid(title="slowest", title_justify="left")
    for heading in (unit, "match", "seat", "counter", "phase", "legal", "hand"):
        grid.add_column(heading)
    for decision in sorted(noted, key=lambda decision: -decision.used)[:SLOWEST]:
        place = (decision.match, decision.seat, decision.counter, decision.phase, decision.legal, decision.hand)
        grid.add_row(tell_use(decision.used), *map(str, place))
    return grid


def tell_use(figure: float) -> str:
    return f"{figure:,.0f}" if figure >= 1000 else f"{figure:.3g}"
