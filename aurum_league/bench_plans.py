"""Measures what the site asks of a database with many matches, and says which index serves each of it.

python -m aurum_league.bench_plans [--matches 1000000] [--tournaments 10] [--folder FOLDER]

The data is that of bench_pages; a folder that it has filled can be named. Everything runs in a transaction that is
rolled back. A statement that reads a large table from end to end is marked.
"""

import argparse
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from aurum_league.bench_pages import own_services, prepare

LARGE = 10_000
"""Reading a table of more rows than this from end to end deserves a mark."""


@dataclass(frozen=True)
class Cost:
    """Milliseconds in all, statements, the indexes that served them, and large tables read from end to end."""

    name: str
    milliseconds: float
    statements: int
    indexes: tuple[str, ...]
    scanned: tuple[str, ...]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m aurum_league.bench_plans", description=__doc__)
    parser.add_argument("--entrants", type=int, default=1000)
    parser.add_argument("--matches", type=int, default=1_000_000)
    parser.add_argument("--tournaments", type=int, default=10, help="of the same field, sharing the matches")
    parser.add_argument("--folder", type=Path, help="where the data is kept for the next time")
    arguments = parser.parse_args()
    with own_services(arguments.folder):
        import django

        django.setup()
        prepare(arguments.entrants, arguments.matches, arguments.tournaments)
        show_costs([measure(name, job) for name, job in list_jobs().items()], Console(width=150))
    return 0


def list_jobs() -> dict[str, Callable[[], object]]:
    """What workers, sweeps and pages ask again and again."""
    from games.models import RunnerNeed
    from games.services.clocks import flag_late_matches, sweep_matches
    from games.services.lease import claim_matches, free_stale_leases
    from tournaments.models import Stage, Tournament
    from tournaments.selectors.players import list_latest
    from tournaments.selectors.standings import read_standings
    from tournaments.services.advance import advance_tournament
    from tournaments.services.results import refresh_standings

    tournament = Tournament.objects.latest("id")
    stage = Stage.objects.filter(tournament=tournament).latest("number")
    return {
        "claim 200 matches": lambda: claim_matches(token=uuid.uuid4(), limit=200, needs=RunnerNeed.HOUSE),
        "free stale leases": free_stale_leases,
        "flag late seats": flag_late_matches,
        "sweep": sweep_matches,
        "latest matches": lambda: list_latest(20),
        "read standings": lambda: read_standings(stage),
        "compute standings": lambda: refresh_standings(stage_id=stage.pk, is_final=True),
        "advance a tournament": lambda: advance_tournament(tournament_id=tournament.pk),
    }


def measure(name: str, job: Callable[[], object]) -> Cost:
    """The quicker of two runs, and the plans of its statements; nothing it does remains."""
    from django.db import connection, transaction
    from django.test.utils import CaptureQueriesContext

    spent = []
    with transaction.atomic():
        for _ in range(2):
            mark = transaction.savepoint()
            with CaptureQueriesContext(connection) as seen:
                started = time.perf_counter()
                job()
                spent.append(1000 * (time.perf_counter() - started))
            transaction.savepoint_rollback(mark)
        statements = [query["sql"] for query in seen.captured_queries if _has_plan(query["sql"])]
        nodes = [node for statement in statements for node in explain(statement)]
        transaction.set_rollback(True)
    indexes = sorted({node["Index Name"] for node in nodes if "Index Name" in node})
    scanned = {node["Relation Name"] for node in nodes if node["Node Type"] == "Seq Scan" and _is_large(node)}
    return Cost(name, min(spent), len(statements), tuple(indexes), tuple(sorted(scanned)))


def _has_plan(statement: str) -> bool:
    return statement.lstrip().upper().startswith(("SELECT", "UPDATE", "WITH", "DELETE"))


def _is_large(node: dict[str, Any]) -> bool:
    return int(node["Plan Rows"]) > LARGE


def explain(statement: str) -> Iterator[dict[str, Any]]:
    """The nodes of the plan that Postgres chooses for a statement, without running it."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN (FORMAT JSON) " + statement.replace("%", "%%"), ())
        ((found,),) = cursor.fetchall()
    waiting = [found[0]["Plan"]]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += node.get("Plans", [])


def show_costs(costs: list[Cost], console: Console) -> None:
    table = Table("asked", "ms", "statements", "indexes", "read from end to end")
    for cost in costs:
        table.add_row(
            cost.name,
            f"{cost.milliseconds:.1f}",
            str(cost.statements),
            ", ".join(cost.indexes),
            ", ".join(cost.scanned),
        )
    console.print(table)


if __name__ == "__main__":
    sys.exit(main())
