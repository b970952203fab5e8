"""One trial: set the arena, play under faults, let it recover, check, and say what was found."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from rich.console import Console
from rich.table import Table

from aurum_league.chaos.arena import Arena
from aurum_league.chaos.event import Event, prepare_event, read_progress, wait_for_database
from aurum_league.chaos.faults import FaultSchedule, Strike, list_faults
from aurum_league.chaos.finding import Finding
from aurum_league.chaos.history import read_history
from aurum_league.chaos.ledger import check_ledger
from aurum_league.chaos.prober import Prober
from aurum_league.chaos.promises import check_promises
from aurum_league.common.errors import LeagueError

POISONOUS = 3
SECONDS_TO_START = 120
SECONDS_BETWEEN_LINES = 10


@dataclass(frozen=True)
class Trial:
    """`seconds` is how long faults strike, `patience` how long the rest may take afterwards."""

    matches: int
    seconds: float
    patience: float
    lease: int
    slack: float
    seed: int


def run_trial(trial: Trial, folder: Path, console: Console) -> list[Finding]:
    started = time.monotonic()
    with Arena(folder / "programs.log") as arena:
        event = prepare_event(trial.matches, POISONOUS)
        console.print(f"{event.matches} matches and {POISONOUS} poisonous ones; the site is on port {arena.port}.")
        page = f"http://127.0.0.1:{arena.port}/tournaments/{event.tournament.slug}/"
        with Prober(page) as prober:
            _wait_until_it_runs(arena, event, prober)
            faults = FaultSchedule(arena, Random(trial.seed), list_faults(trial.lease))
            _play(trial, arena, event, faults, console)
        wait_for_database()
        console.print(f"{time.monotonic() - started:.0f} s  checking")
        history = read_history()
        findings = [
            *check_ledger(event.tournament, event.matches, event.poisonous, history),
            *check_promises(history, faults.diary, prober.readings, trial.lease, trial.slack),
        ]
    show_verdict(findings, faults.diary, console)
    console.print(f"{event.matches + POISONOUS} matches in {time.monotonic() - started:.0f} s, seed {trial.seed}.")
    return findings


def _wait_until_it_runs(arena: Arena, event: Event, prober: Prober) -> None:
    """Faults that strike before anything runs would prove nothing."""
    until = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < until:
        arena.tend()
        progress = read_progress(event)
        if prober.readings and progress and progress.ended:
            return
        time.sleep(0.2)
    raise LeagueError(
        "chaos_not_started",
        "Nothing was played within %(number)s s.",
        "Read programs.log.",
        number=SECONDS_TO_START,
    )


def _play(trial: Trial, arena: Arena, event: Event, faults: FaultSchedule, console: Console) -> None:
    """Until everything has ended and the time for faults is over, or patience is."""
    started, told = time.monotonic(), 0.0
    while (passed := time.monotonic() - started) < trial.seconds + trial.patience:
        arena.tend()
        is_striking = passed < trial.seconds or not faults.has_struck_all
        if is_striking:
            faults.strike()
        faults.mend(everything=not is_striking)
        progress = read_progress(event)
        if progress and time.monotonic() - told > SECONDS_BETWEEN_LINES:
            told = time.monotonic()
            phase = "under faults" if is_striking else "recovering"
            console.print(f"{passed:.0f} s  {phase}: {progress.ended} of {event.matches} ended")
        if progress and progress.is_over and not is_striking:
            return
        time.sleep(0.2)


def show_verdict(findings: Sequence[Finding], diary: Sequence[Strike], console: Console) -> None:
    struck = Counter(strike.fault for strike in diary)
    console.print("Faults: " + ", ".join(f"{name} {count} times" for name, count in struck.items()) + ", two beats")
    table = Table("promise", "measured", "")
    for finding in findings:
        table.add_row(finding.promise, finding.measured, "[red]BROKEN[/red]" if finding.breaches else "kept")
    console.print(table)
    for finding in findings:
        for line in finding.list_lines():
            console.print(f"[red]BROKEN[/red] {line}")
