"""Which index serves what workers and sweeps ask: found by the planner's own word, whatever the size of the tables."""

import uuid
from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from aurum_league.operations.metrics import LeagueCollector
from benchmarks.pages import explain
from games.models import RunnerNeed
from games.services.clocks import flag_late_matches
from games.services.lease import claim_matches, free_stale_leases

pytestmark = pytest.mark.django_db


def claim() -> None:
    claim_matches(token=uuid.uuid4(), limit=200, needs=RunnerNeed.HOUSE)


@pytest.mark.parametrize(
    ("job", "indexes"),
    [
        pytest.param(claim, {"match_queue", "match_suspects"}, id="claim"),
        pytest.param(free_stale_leases, {"match_queue"}, id="stale leases"),
        pytest.param(flag_late_matches, {"match_clock"}, id="late seats"),
        pytest.param(lambda: list(LeagueCollector().collect()), {"match_queue", "match_clock"}, id="metrics"),
    ],
)
def test_an_index_serves_it(job: Callable[[], object], indexes: set[str]) -> None:
    """With reading from end to end forbidden where there is another way, as on a large table it is dearer."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
    with CaptureQueriesContext(connection) as seen:
        job()
    statements = [query["sql"] for query in seen.captured_queries if "games_match" in query["sql"]]
    nodes = [node for statement in statements for node in explain(statement)]
    assert indexes <= {node.get("Index Name") for node in nodes}
    assert [node for node in nodes if node["Node Type"] == "Seq Scan" and node["Relation Name"] == "games_match"] == []
