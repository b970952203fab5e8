"""Measures the public pages, an organiser's desk, and what the site asks of a database with many matches, with the
demo and a large field.

It runs in a data folder of its own; one that is named is kept, and filled only the first time. "Cold" is the first view
after results have come in and everything kept was thrown away, "warm" the view after it; both without the network.
Statements run in a transaction that is rolled back; one that reads a large table from end to end is marked.
"""

import statistics
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from aurum_league.cli.main import CommandError
from benchmarks.report import Figure, Survey, at_most, tell
from benchmarks.site import own_services

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


def measure_pages(*, demo: bool, entrants: int, matches: int, tournaments: int, folder: str, only: str) -> Survey:
    figures: list[Figure] = []
    with own_services(folder):
        prepare_demo()
        measured = [("demo", "demo-league-1", DEMO_LIMIT)]
        if not demo:
            measured.append(("large field", prepare_field(entrants, matches, tournaments), FIELD_LIMIT))
        for title, slug, limit in measured:
            for address in list_addresses(slug):
                if only in address:
                    figures += list_figures(title, measure_page(address, slug), limit)
    return Survey("Public pages, without the network", figures)


def prepare_demo() -> None:
    """The demo, played to its end, where it is not there yet."""
    from aurum_league.operations.demo import start_demo
    from games.models import RunnerNeed
    from games.services.play import play_ready_matches
    from tournaments.models import Tournament
    from tournaments.services.advance import sweep_tournaments

    if Tournament.objects.exists():
        return
    start_demo()
    while sweep_tournaments():
        play_ready_matches(needs=RunnerNeed.HOUSE)


def prepare_field(entrants: int, matches: int, tournaments: int) -> str:
    """The address of the last tournament of the large field, which is filled in where it is not there yet."""
    from benchmarks.field import fill_site
    from tournaments.models import Tournament

    filled = Tournament.objects.filter(league__slug="bench-league").order_by("id").last()
    if filled is None:
        started = time.monotonic()
        filled = fill_site(entrants=entrants, matches=matches, tournaments=tournaments)
        tell(f"Filled in {time.monotonic() - started:.0f} s.")
    return filled.slug


def list_addresses(slug: str) -> list[str]:
    """Every public page that has something to show of this tournament and its entrants, and its organiser's desk."""
    from django.urls import reverse

    from tournaments.models import FixtureMatch, StageStandings, Tournament

    tournament = Tournament.objects.select_related("league").get(slug=slug)
    rows = StageStandings.objects.get(stage__tournament=tournament).rows
    names = dict(tournament.entrants.values_list("id", "player__slug"))
    first, second = (names[row["entrant"]] for row in rows[:2])
    played = FixtureMatch.objects.filter(stage__tournament=tournament, match__state="finished").earliest("match_id")
    parts = ("", "_now", "_schedule", "_entrants", "_crosstable", "_statistics", "_balance", "_downloads", "_projector")
    desk = ("tournament", "now", "entries", "list", "draw", "changes", "matches", "print", "times", "tell", "trail")
    plain = ("home", "home_now", "leagues", "tournaments", "players", "bots", "rules")
    return [
        *(reverse(name) for name in plain),
        f"{reverse('search')}?q=greedy",
        reverse("league", args=[tournament.league.slug if tournament.league else ""]),
        *(reverse(f"tournament{part}", args=[slug]) for part in parts),
        f"{reverse('tournament', args=[slug])}?page=7",
        *(reverse(f"desk_{part}", args=[slug]) for part in desk),
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

    from tournaments.models import Tournament

    client = Client(HTTP_HOST="localhost")
    if address.startswith("/desk/"):
        client.force_login(Tournament.objects.get(slug=slug).organiser)
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
        raise CommandError(f"{address} answers {answer.status_code}.")
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


def list_figures(title: str, cost: PageCost, limit: int) -> list[Figure]:
    name = f"{title} {cost.address}"
    return [
        Figure(name, f"cold, best of {VIEWS}", cost.best, "ms"),
        Figure(name, "cold", cost.cold, "ms", at_most(limit)),
        Figure(name, "warm", cost.warm, "ms", at_most(limit)),
        Figure(name, "queries", cost.queries),
        Figure(name, "size", cost.size / 1024, "KB"),
    ]


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


def measure_plans(*, entrants: int, matches: int, tournaments: int, folder: str) -> Survey:
    with own_services(folder):
        prepare_demo()
        prepare_field(entrants, matches, tournaments)
        costs = [measure_job(name, job) for name, job in list_jobs().items()]
    marks = [f"{cost.name} reads from end to end: {', '.join(cost.scanned)}" for cost in costs if cost.scanned]
    figures = [figure for cost in costs for figure in list_plan_figures(cost)]
    return Survey("What is asked of the database", figures, marks)


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


def measure_job(name: str, job: Callable[[], object]) -> Cost:
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


def list_plan_figures(cost: Cost) -> list[Figure]:
    return [
        Figure(cost.name, "the quicker of two runs", cost.milliseconds, "ms"),
        Figure(cost.name, f"statements, served by {', '.join(cost.indexes) or 'no index'}", cost.statements),
        Figure(cost.name, "large tables read from end to end", len(cost.scanned)),
    ]
