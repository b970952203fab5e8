"""Chaos: a tournament played while everything it stands on is killed, and the check that nothing is lost."""

import secrets
import shutil
import tempfile
from pathlib import Path

import django

from aurum_league.settings.environment import enter_own_folder
from benchmarks.report import Survey, tell


def measure_chaos(
    *,
    matches: int,
    seconds: float,
    patience: float,
    lease: int,
    slack: float,
    seed: int,
    workers: int,
    milliseconds: float,
) -> Survey:
    """In a data folder of its own, which stays, with the programs' log, where a promise was broken."""
    folder = Path(tempfile.mkdtemp(prefix="aurum-chaos-"))
    enter_own_folder(folder, LEASE_SECONDS=str(lease))
    django.setup()
    from benchmarks.chaos.trial import ChaosTrial, run_trial

    seed = seed if seed >= 0 else secrets.randbelow(10**9)
    tell(f"Chaos: faults for {seconds:.0f} s, seed {seed}, the programs' log is in {folder}")
    report = run_trial(ChaosTrial(matches, seconds, patience, lease, slack, seed, workers, milliseconds), folder)
    if not report.broken:
        shutil.rmtree(folder, ignore_errors=True)
    return report
