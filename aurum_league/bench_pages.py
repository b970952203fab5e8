"""Measures the public pages: server time and queries of each, with the demo and with a large field.

python -m aurum_league.bench_pages [--demo] [--entrants 1000] [--matches 100000] [--folder FOLDER] [--only WORD]

It runs in a data folder of its own; one that is named is kept, and filled only the first time. "Cold" is the first view
after results have come in and everything kept was thrown away, "warm" the view after it; both without the network.
"""

import argparse
import shutil
import statistics
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from aurum_league.embedded.layout import Wanted
from aurum_league.embedded.services import start_services, stop_services
from aurum_league.settings.connections import read_layout
from aurum_league.settings.environment import enter_own_folder

VIEWS = 5
FEW_MATCHES = 5
DEMO_LIMIT, FIELD_LIMIT = 100, 300


class PageCost(NamedTuple):
    """Milliseconds of first views (the best, and the median) and of the next, and the queries of the first."""

    address: str
    best: float
    cold: float
    warm: float
    queries: int
    size: int


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m aurum_league.bench_pages", description=__doc__)
    parser.add_argument("--demo", action="store_true", help="the demo alone, without a large field beside it")
    parser.add_argument("--entrants", type=int, default=1000)
    parser.add_argument("--matches", type=int, default=100_000)
    parser.add_argument("--tournaments", type=int, default=1, help="of the same field, sharing the matches")
    parser.add_argument("--folder", type=Path, help="where the data is kept for the next time")
    parser.add_argument("--only", default="", help="measure addresses that hold this word")
    arguments = parser.parse_args()
    with own_services(arguments.folder):
        import django

        django.setup()
        prepare_demo()
        measured = [("demo", "demo-league-1", DEMO_LIMIT)]
        if not arguments.demo:
            field = prepare_field(arguments.entrants, arguments.matches, arguments.tournaments)
            measured.append(("large field", field, FIELD_LIMIT))
        console = Console(width=120)
        for title, slug, limit in measured:
            costs = [measure_page(address, slug) for address in list_addresses(slug) if arguments.only in address]
            show_costs(console, title, costs, limit)
    return 0


@contextmanager
def own_services(folder: Path | None) -> Iterator[None]:
    """Embedded servers in this folder, or in one that is gone afterwards."""
    chosen = folder.absolute() if folder else Path(tempfile.mkdtemp(prefix="aurum-bench-"))
    enter_own_folder(chosen)
    start_services(read_layout(), Wanted())
    try:
        yield
    finally:
        stop_services(read_layout())
        if folder is None:
            shutil.rmtree(chosen, ignore_errors=True)


def prepare(entrants: int, matches: int, tournaments: int) -> None:
    """The demo and the large field, where they are not there yet."""
    prepare_demo()
    prepare_field(entrants, matches, tournaments)


def prepare_demo() -> None:
    """The demo, played to its end, where it is not there yet."""
    from django.core.management import call_command

    from aurum_league.operations.demo import start_demo
    from games.models import RunnerNeed
    from games.services.play import play_ready_matches
    from tournaments.models import Tournament
    from tournaments.services.advance import sweep_tournaments

    call_command("migrate", verbosity=0, interactive=False)
    if Tournament.objects.exists():
        return
    start_demo()
    while sweep_tournaments():
        play_ready_matches(needs=RunnerNeed.HOUSE)


def prepare_field(entrants: int, matches: int, tournaments: int) -> str:
    """The address of the last tournament of the large field, which is filled in where it is not there yet."""
    from aurum_league.bench_field import fill_site
    from tournaments.models import Tournament

    filled = Tournament.objects.filter(league__slug="bench-league").order_by("id").last()
    if filled is None:
        started = time.monotonic()
        filled = fill_site(entrants=entrants, matches=matches, tournaments=tournaments)
        Console().print(f"Filled in {time.monotonic() - started:.0f} s.")
    return filled.slug


def list_addresses(slug: str) -> list[str]:
    """Every public page that has something to show of this tournament and its entrants."""
    from django.urls import reverse

    from tournaments.models import FixtureMatch, StageStandings, Tournament

    tournament = Tournament.objects.select_related("league").get(slug=slug)
    rows = StageStandings.objects.get(stage__tournament=tournament).rows
    names = dict(tournament.entrants.values_list("id", "player__slug"))
    first, second = (names[row["entrant"]] for row in rows[:2])
    played = FixtureMatch.objects.filter(stage__tournament=tournament, match__state="finished").earliest("match_id")
    parts = ("", "_now", "_schedule", "_entrants", "_crosstable", "_statistics", "_balance", "_downloads")
    plain = ("home", "home_now", "leagues", "tournaments", "players", "bots", "rules")
    return [
        *(reverse(name) for name in plain),
        f"{reverse('search')}?q=greedy",
        reverse("league", args=[tournament.league.slug if tournament.league else ""]),
        *(reverse(f"tournament{part}", args=[slug]) for part in parts),
        f"{reverse('tournament', args=[slug])}?page=7",
        reverse("tournament_table", args=[slug, 1, 1, 1]),
        reverse("player", args=[first]),
        reverse("head_to_head", args=[first, second]),
        reverse("match", args=[played.match_id]),
    ]


def measure_page(address: str, slug: str) -> PageCost:
    """The median of some views of each kind; templates and plans are warm, for a server has them warm."""
    from django.core.cache import cache
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    client = Client(HTTP_HOST="localhost")
    view_page(client, address)
    cold, warm = [], []
    for _ in range(VIEWS):
        bring_results(slug)
        cache.clear()
        cold.append(view_page(client, address)[0])
        warm.append(view_page(client, address)[0])
    cache.clear()
    with CaptureQueriesContext(connection) as seen:
        size = view_page(client, address)[1]
    return PageCost(address, min(cold), statistics.median(cold), statistics.median(warm), len(seen), size)


def view_page(client: object, address: str) -> tuple[float, int]:
    """Milliseconds and bytes."""
    started = time.perf_counter()
    answer = client.get(address)  # type: ignore[attr-defined]
    spent = 1000 * (time.perf_counter() - started)
    if answer.status_code != 200:
        raise SystemExit(f"{address} answers {answer.status_code}.")
    return spent, len(answer.content)


def bring_results(slug: str) -> None:
    """Settle a few matches of the tournament, as a worker does, where any are left."""
    from games.models import RunnerNeed
    from games.services.lease import claim_matches
    from games.services.play import Batch
    from tournaments.models import Tournament
    from tournaments.services.advance import advance_tournament

    token = uuid.uuid4()
    claimed = claim_matches(token=token, limit=FEW_MATCHES, needs=RunnerNeed.HOUSE)
    if claimed:
        Batch(claimed, token).play()
        advance_tournament(tournament_id=Tournament.objects.get(slug=slug).pk)


def show_costs(console: Console, title: str, costs: list[PageCost], limit: int) -> None:
    table = Table(title=f"Pages with the {title}; at most {limit} ms each")
    for heading in ("page", "best cold ms", "cold ms", "warm ms", "queries", "KB"):
        table.add_column(heading, justify="left" if heading == "page" else "right")
    for cost in costs:
        mark = "" if max(cost.cold, cost.warm) <= limit else " !"
        times = (f"{cost.best:.0f}", f"{cost.cold:.0f}{mark}", f"{cost.warm:.0f}")
        table.add_row(cost.address, *times, f"{cost.queries}", f"{cost.size / 1024:.0f}")
    console.print(table)


if __name__ == "__main__":
    sys.exit(main())
