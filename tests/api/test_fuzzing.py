"""Schemathesis over the whole schema, as everybody who may ask.

A few requests for each operation and role; many more, and a tally, with
pytest tests/api/test_fuzzing.py --hypothesis-profile thorough -s
"""

from typing import Any

import pytest
from django.contrib.auth.models import User

from aurum_league.accounts.access import create_token
from aurum_league.common.api.access import SCOPES
from aurum_league.common.presence import SandboxReport, report_sandbox
from games.models import Match
from games.selectors.sitters import Sitter
from games.services.lobby import TableWish, open_lobby
from tests.api.conftest import MANY, THOROUGH, World
from tests.api.fuzzing import Tally, list_operations, send_requests
from tests.api.test_schema import SCHEMA
from tournaments.models import Rerun, Trial

pytestmark = pytest.mark.django_db
FEW = 2
ROLES = ("stranger", "player", "author", "organiser")
OPERATIONS = {f"{operation.method.upper()} {operation.path}": operation for operation in list_operations(SCHEMA)}


@pytest.fixture
def count(request: pytest.FixtureRequest) -> int:
    return MANY if request.config.getoption("--hypothesis-profile") == THOROUGH else FEW


@pytest.fixture(autouse=True)
def unthrottled(settings: Any) -> None:
    rates = dict.fromkeys(settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"])
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": rates}


def headers_of(role: str, world: World) -> dict[str, str]:
    users: dict[str, User] = {"player": world.person, "author": world.author, "organiser": world.organiser}
    if role not in users:
        return {}
    return {"Authorization": f"Bearer {create_token(user=users[role], name='fuzz', scopes=SCOPES)[1]}"}


def things_there(world: World, path: str) -> dict[str, Any]:
    """A value for every parameter of an address, so that it leads to something."""
    slugs = {"tournaments": world.tournament.slug, "bots": world.bot.player.slug, "players": world.bots[0].slug}
    match = Match.objects.order_by("id").first()
    entrant = world.tournament.entrants.order_by("id").first()
    assert match is not None and entrant is not None
    agents = {"new_agent": "version:2", "old_agent": "version:1"}
    trial = Trial.objects.create(player=world.bot.player, owner=world.author, ruleset="en3", effect=0.1, **agents)
    lobby = open_lobby(sitter=Sitter(user_id=world.person.pk), wish=TableWish("en3", "greedy"))
    rerun = Rerun.objects.create(tournament=world.tournament, reason="a fault")
    return {
        "slug": slugs.get(path.split("/")[3], "none"),
        "other": world.bots[1].slug,
        "match_id": match.pk,
        "entrant_id": entrant.pk,
        "trial_id": trial.pk,
        "rerun_id": rerun.pk,
        "failure_id": 1,
        "invitation": lobby.invitation,
        "stage": 1,
        "matchday": 1,
        "number": 1,
        "code": "en3",
        "pool": "bots-3",
    }


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_answers_keep_to_the_schema(world: World, name: str, count: int) -> None:
    report_sandbox(SandboxReport(is_safe=True, reason=""))
    operation = OPERATIONS[name]
    there = things_there(world, operation.path)
    for role in ROLES:
        tally = Tally()
        send_requests(operation, headers_of(role, world), count, tally, there=there)
        print(f"{name} as {role}: {tally.requests} requests, {dict(sorted(tally.statuses.items()))}")
        assert tally.requests
