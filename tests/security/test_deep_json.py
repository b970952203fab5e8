"""JSON nested without end is refused with a sentence, on every endpoint that takes any, and so is what is too large."""

import json

import pytest
from django.test import Client

from aurum_league.common.api.idempotency import MOST_DEPTH, is_too_deep
from tests.security.addresses import list_addresses
from tests.security.site import Site

DEEP = 100_000
ADDRESSES = {name: address for name, address in list_addresses().items() if name.startswith("api-")}
METHODS = ("post", "put", "patch", "delete")
BODIES = {
    "lists": "[" * DEEP + "]" * DEEP,
    "objects": '{"a":' * DEEP + "1" + "}" * DEEP,
    "without an end": "[" * DEEP,
    "after a string": '{"a": "\\"]]]", "b": ' + "[" * DEEP,
}


@pytest.mark.parametrize("name", sorted(ADDRESSES))
@pytest.mark.django_db
def test_no_endpoint_falls(site: Site, name: str) -> None:
    address = ADDRESSES[name].fill_in(site)
    client: Client = site.client_of("staff")
    for method in METHODS:
        for body in BODIES.values():
            answer = getattr(client, method)(address, body, content_type="application/json")
            assert answer.status_code < 500, (method, answer.content)


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
@pytest.mark.django_db
def test_it_is_told_what_is_wrong(site: Site, body: str) -> None:
    answer = site.client_of("author").post("/api/v1/bots", body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert str(MOST_DEPTH) in answer.json()["message"]


@pytest.mark.parametrize(
    ("value", "is_refused"),
    [
        pytest.param([[]] * 1000, False, id="wide"),
        pytest.param(["[" * 1000, '"{' * 50, "\\"], False, id="brackets in strings"),
        pytest.param(json.loads("[" * MOST_DEPTH + "]" * MOST_DEPTH), False, id="as deep as may be"),
        pytest.param(json.loads("[" * (MOST_DEPTH + 1) + "]" * (MOST_DEPTH + 1)), True, id="one deeper"),
    ],
)
def test_depth(value: object, is_refused: bool) -> None:
    assert is_too_deep(json.dumps(value).encode()) is is_refused
