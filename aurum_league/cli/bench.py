"""`aurum bench`: how fast the rules are, beside themselves uncompiled and beside others; what the sandbox costs."""

import argparse
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from aurum_league.cli.benchmarks import open_spiel, rules, sandbox
from aurum_league.cli.benchmarks.speed import Work, measure_medians
from aurum_league.cli.terminal import CommandError, progress_bar
from games.plain_rules import is_compiled, load_module, load_plain

HELP = "measure how fast the rules are, or what the sandbox costs"

PLAIN = "plain rules, Python agents"
COMPILED = "compiled rules, Python agents"
PLAYOUTS = "compiled rules, playouts in their own loop"
MATCHES = "whole matches, views and record made"
HEARTS_PYTHON = "OpenSpiel hearts, driven from Python"
HEARTS_CPP = "OpenSpiel hearts, evaluate_bots in C++"
UNITS = {PLAYOUTS: "rounds/s", HEARTS_CPP: "hands/s"}


@dataclass(frozen=True, slots=True)
class Goal:
    """One speed is to be at least so many times another."""

    name: str
    times: float
    other: str


GOALS = (
    Goal(PLAIN, 2.5, HEARTS_PYTHON),
    Goal(COMPILED, 2, PLAIN),
    Goal(COMPILED, 6, HEARTS_PYTHON),
    Goal(PLAYOUTS, 10, HEARTS_CPP),
    Goal(MATCHES, 0.25, COMPILED),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what",
        nargs="?",
        choices=["rules", "sandbox"],
        default="rules",
        help="rules, on one core (default); or sandbox: what it costs to run an uploaded bot, in half a minute",
    )
    parser.add_argument("--against", choices=["open-spiel"], help="compare the rules with OpenSpiel, if installed")
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="medians of so many runs (default: 5)")
    parser.add_argument("--seconds", type=float, default=1, metavar="S", help="CPU seconds of a run (default: 1)")


def run(arguments: argparse.Namespace) -> int:
    if arguments.runs < 1 or not 0 < arguments.seconds <= 60:
        raise CommandError("--runs is at least 1, --seconds more than 0 and at most 60.")
    console = Console(highlight=False)
    if arguments.what == "sandbox":
        return sandbox.show_costs(console)
    works = own_works()
    if not is_compiled():
        console.print("The rules are not compiled here: they run as plain Python.")
    if arguments.against and open_spiel.is_installed():
        works |= {HEARTS_PYTHON: open_spiel.hearts_from_python(), HEARTS_CPP: open_spiel.hearts_in_cpp()}
    elif arguments.against:
        console.print("OpenSpiel (the package open_spiel) is not installed here: there is nothing to compare with.")
    with progress_bar("measuring", len(works) * arguments.runs) as advance:
        speeds = measure_medians(works, arguments.runs, arguments.seconds, advance)
    console.print(draw_speeds(speeds, arguments.runs))
    console.print(draw_goals(speeds))
    return 0


def own_works() -> dict[str, Work]:
    works = {PLAIN: rules.rounds_with_agents(load_plain("round"))}
    if is_compiled():
        works |= {COMPILED: rules.rounds_with_agents(load_module("round")), PLAYOUTS: rules.playouts()}
    return works | {MATCHES: rules.whole_matches()}


def draw_speeds(speeds: dict[str, float], runs: int) -> Table:
    table = Table(title=f"one core, medians of {runs} runs", title_justify="left")
    table.add_column("what")
    table.add_column("speed", justify="right")
    table.add_column("unit")
    for name, speed in speeds.items():
        table.add_row(name, f"{speed:,.0f}", UNITS.get(name, "decisions/s"))
    return table


def draw_goals(speeds: dict[str, float]) -> Table:
    """The goals that can be told from these speeds."""
    table = Table(title="goals", title_justify="left")
    for heading in ("what", "beside"):
        table.add_column(heading)
    for heading in ("times", "goal"):
        table.add_column(heading, justify="right")
    table.add_column("")
    for goal in GOALS:
        if goal.name in speeds and goal.other in speeds:
            times = speeds[goal.name] / speeds[goal.other]
            verdict = "reached" if times >= goal.times else "missed"
            table.add_row(goal.name, goal.other, f"{times:.2f}", f"{goal.times:g}", verdict)
    return table
