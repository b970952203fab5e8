"""Measures what the site asks of a database with many matches, and says which index serves each of it.

The data is that of the pages; a folder that it has filled can be named. Everything runs in a transaction that is
rolled back. A statement that reads a large table from end to end is marked.
"""

import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from benchmarks.pages import prepare_demo, prepare_field
from benchmarks.report import Figure, Report
from benchmarks.site import own_services

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


def measure_plans(*, entrants: int, matches: int, tournaments: int, folder: str) -> Report:
    with own_services(folder):
        prepare_demo()
        prepare_field(entrants, matches, tournaments)
        costs = [measure(name, job) for name, job in list_jobs().items()]
    marks = [f"{cost.name} reads from end to end: {', '.join(cost.scanned)}" for cost in costs if cost.scanned]
    return Report("What is asked of the database", [figure for cost in costs for figure in list_figures(cost)], marks)


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


def list_figures(cost: Cost) -> list[Figure]:
    return [
        Figure(cost.name, "the quicker of two runs", cost.milliseconds, "ms"),
        Figure(cost.name, f"statements, served by {', '.join(cost.indexes) or 'no index'}", cost.statements),
        Figure(cost.name, "large tables read from end to end", len(cost.scanned)),
    ]
