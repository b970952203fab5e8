"""Schemathesis over the whole schema, as everybody who may ask."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from aurum_league.common.api.scopes import SCOPES
from aurum_league.tokens import create_token
from tests.api.conftest import World
from tests.api.fuzzing import Tally, list_operations, send_requests
from tests.api.test_schema import SCHEMA

pytestmark = pytest.mark.django_db
REQUESTS = 2
ROLES = ("stranger", "player", "organiser")
OPERATIONS = {f"{operation.method.upper()} {operation.path}": operation for operation in list_operations(SCHEMA)}


@pytest.fixture(autouse=True)
def unthrottled(settings: Any) -> None:
    rates = dict.fromkeys(settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"])
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": rates}


def headers_of(role: str, world: World) -> dict[str, str]:
    users: dict[str, User] = {"player": world.person, "organiser": world.organiser}
    if role not in users:
        return {}
    return {"Authorization": f"Bearer {create_token(user=users[role], name='fuzz', scopes=SCOPES)[1]}"}


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_answers_keep_to_the_schema(world: World, name: str) -> None:
    tally = Tally()
    for role in ROLES:
        send_requests(OPERATIONS[name], headers_of(role, world), REQUESTS, tally)
    assert tally.requests >= len(ROLES)
