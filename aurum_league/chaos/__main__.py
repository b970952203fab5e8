"""Plays a tournament under faults and says what was lost: python -m aurum_league.chaos --matches 10000."""

import argparse
import secrets
import shutil
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from aurum_league.environment import enter_own_folder

POISONOUS = 3
SECONDS_TO_RECOVER = 600


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m aurum_league.chaos", description=__doc__)
    parser.add_argument("--matches", type=int, default=10_000, help="matches of the tournament, about")
    parser.add_argument("--seconds", type=float, default=120, help="how long faults strike")
    parser.add_argument("--seed", type=int, default=None, help="which faults, when")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="aurum-chaos-"))
    enter_own_folder(folder)
    seed = arguments.seed if arguments.seed is not None else secrets.randbelow(10**9)
    losses = run_chaos(folder, arguments.matches, arguments.seconds, seed)
    if not losses:
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if losses else 0


def run_chaos(folder: Path, matches: int, seconds: float, seed: int) -> list[str]:
    """Set the arena, play under faults, let it recover, check; the losses, as sentences."""
    from aurum_league.chaos.arena import Arena
    from aurum_league.chaos.faults import FaultSchedule

    console = Console()
    console.print(f"Chaos: about {matches} matches, faults for {seconds:.0f} s, seed {seed}, log in {folder}")
    with Arena(folder / "programs.log") as arena:
        from aurum_league.chaos.event import find_losses, prepare, read_ended, wait_for_database

        event = prepare(matches, POISONOUS)
        faults = FaultSchedule(arena, Random(seed))
        started = time.monotonic()
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
            task = bar.add_task("under faults", total=event.matches)
            while time.monotonic() - started < seconds + SECONDS_TO_RECOVER:
                arena.tend()
                if time.monotonic() - started < seconds:
                    faults.strike()
                else:
                    bar.update(task, description="recovering")
                ended = read_ended(event)
                bar.update(task, completed=ended)
                if ended == event.matches and time.monotonic() - started > seconds:
                    break
                time.sleep(0.3)
        wait_for_database()
        losses = list(find_losses(event))
        took = time.monotonic() - started
    console.print(", ".join(f"{name} {count} times" for name, count in faults.struck.items()))
    for loss in losses:
        console.print(f"[red]LOST[/red] {loss}")
    console.print(f"{event.matches} matches and {POISONOUS} poisonous ones in {took:.0f} s: {len(losses)} losses.")
    return losses


if __name__ == "__main__":
    sys.exit(main())
