"""The league's metrics: what is there, what they count, and that each is documented."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from aurum_league.operations.metrics import MEANINGS
from aurum_league.settings.environment import CHECKOUT
from games.models import Match, MatchState
from games.services.clocks import beat
from tests.services.games.conftest import MakeMatches, make_matches  # noqa: F401

HOUSE = ("house:random",) * 3


def read_metrics(client: Client) -> dict[str, float]:
    text = client.get("/metrics").content.decode()
    return {name: float(value) for name, value in re.findall(r"^(aurum_\S+) (\S+)$", text, re.M)}


def test_matches_and_leases_are_counted(make_matches: MakeMatches, client: Client) -> None:  # noqa: F811
    first, second, _ = make_matches(*HOUSE, count=3)
    beat()
    held = {"state": MatchState.PLAYING, "lease_token": "0" * 32, "lease_until": timezone.now()}
    Match.objects.filter(pk=first.pk).update(**held)
    Match.objects.filter(pk=second.pk).update(state=MatchState.QUARANTINED)
    told = read_metrics(client)
    counted = {state: told[f'aurum_matches{{state="{state}"}}'] for state in ("ready", "playing", "quarantined")}
    assert counted == {"ready": 1, "playing": 1, "quarantined": 1}
    assert told["aurum_database_up"] == told["aurum_redis_up"] == 1
    assert 0 <= told["aurum_seconds_since_sweep"] < 60 and told["aurum_first_ready_age_seconds"] >= 0


@pytest.mark.parametrize("name", MEANINGS)
def test_every_metric_is_documented(name: str) -> None:
    """With what it means and what to do."""
    (row,) = re.findall(rf"^\| `{name}`.*$", (CHECKOUT / "docs" / "OPERATIONS.md").read_text(), re.M)
    assert len(row.split("|")) == 5 and all(cell.strip() for cell in row.split("|")[1:-1])
