"""Plays a tournament under faults and says what was lost: python -m aurum_league.chaos --matches 10000."""

import argparse
import secrets
import shutil
import sys
import tempfile
from pathlib import Path

import django
from rich.console import Console

from aurum_league.settings.environment import enter_own_folder


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m aurum_league.chaos", description=__doc__)
    parser.add_argument("--matches", type=int, default=10_000, help="matches of the tournament, about")
    parser.add_argument("--seconds", type=float, default=120, help="how long faults strike")
    parser.add_argument("--patience", type=float, default=400, help="how long the rest may take afterwards")
    parser.add_argument("--lease", type=int, default=30, help="seconds of a worker's lease; faults come as much faster")
    parser.add_argument("--slack", type=float, default=0, help="seconds more for promises, where the machine is busy")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**9), help="which faults, when")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="aurum-chaos-"))
    enter_own_folder(folder, LEASE_SECONDS=str(arguments.lease))
    django.setup()
    from aurum_league.chaos.trial import Trial, run_trial

    console = Console(width=None if sys.stdout.isatty() else 140)
    console.print(
        f"Chaos: faults for {arguments.seconds:.0f} s, seed {arguments.seed}, the programs' log is in {folder}"
    )
    is_kept = not any(finding.breaches for finding in run_trial(Trial(**vars(arguments)), folder, console))
    console.print("Nothing lost." if is_kept else "Promises were broken.")
    if is_kept:
        shutil.rmtree(folder, ignore_errors=True)
    return 0 if is_kept else 1


if __name__ == "__main__":
    sys.exit(main())
