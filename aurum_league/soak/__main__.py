"""Plays and reads for half an hour and says whether anything grows: python -m aurum_league.soak --minutes 30."""

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path

import django
from rich.console import Console
from rich.table import Table

from aurum_league.settings.environment import enter_own_folder


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m aurum_league.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--every", type=float, default=10, help="seconds between two samples")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="aurum-soak-"))
    enter_own_folder(folder)
    django.setup()
    console = Console(width=None if sys.stdout.isatty() else 120)
    is_growing = soak(folder, arguments.minutes * 60, arguments.every, console)
    shutil.rmtree(folder, ignore_errors=True)
    return 1 if is_growing else 0


def soak(folder: Path, seconds: float, every: float, console: Console) -> bool:
    from django.core.management import call_command

    from aurum_league.chaos.arena import Arena
    from aurum_league.soak.sampling import Sample, take_sample
    from aurum_league.soak.work import Readers, refill, start_tournament_of_house_bots
    from games.models import MatchResult

    samples: list[Sample] = []
    with Arena(folder / "programs.log") as arena:
        call_command("migrate", verbosity=0, interactive=False)
        tournament = start_tournament_of_house_bots()
        paths = ["/", f"/tournaments/{tournament.slug}/", "/players/", "/api/v1/matches", "/readyz"]
        with Readers(f"http://127.0.0.1:{arena.port}", paths, 2) as readers:
            started = time.monotonic()
            while time.monotonic() - started < seconds:
                arena.tend()
                tournament = refill(tournament)
                samples.append(take_sample(arena))
                time.sleep(every)
        played, pids = MatchResult.objects.count(), {name: one.pid for name, one in arena.programs.items()}
    failed = sum(reading.status not in (200, 503) for reading in readers.readings)
    console.print(f"{played} matches, {len(readers.readings)} pages ({failed} failed), {len(samples)} samples, {pids}")
    return show_growth(samples, console)


def show_growth(samples: list[dict[str, float]], console: Console) -> bool:
    from aurum_league.soak.growth import judge_growth

    table = Table("watched", "second quarter", "last quarter", "")
    growths = [judge_growth(name, [sample.get(name, 0) for sample in samples]) for name in samples[-1]]
    for growth in growths:
        mark = "[red]GROWS[/red]" if growth.is_growing else "steady"
        table.add_row(growth.name, f"{growth.before:.1f}", f"{growth.after:.1f}", mark)
    console.print(table)
    return any(growth.is_growing for growth in growths)


if __name__ == "__main__":
    sys.exit(main())
