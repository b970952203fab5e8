"""JSON nested without end, or with text that cannot be stored, is refused with a sentence on every endpoint."""

import json

import pytest
from django.test import Client

from aurum_league.common.api.idempotency import MOST_DEPTH, is_too_deep
from tests.api.test_schema import SCHEMA
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


UNSTORABLE = {"half a pair": "\ud800", "the other half": "\udfff", "null": "a\0", "within": [{"type": "\0"}]}


def list_names(schema: object) -> set[str]:
    """Of every field that any endpoint takes."""
    if isinstance(schema, list):
        return set().union(*map(list_names, schema))
    if not isinstance(schema, dict):
        return set()
    own = schema.get("properties")
    return set(own if isinstance(own, dict) else ()).union(*map(list_names, schema.values()))


@pytest.mark.parametrize("value", UNSTORABLE.values(), ids=UNSTORABLE)
@pytest.mark.django_db
def test_text_that_cannot_be_stored_is_refused_everywhere(site: Site, value: object) -> None:
    body = json.dumps(dict.fromkeys(list_names(SCHEMA), value))
    for name, address in ADDRESSES.items():
        client = site.client_of("author" if "bot" in name else "organiser")
        for method in METHODS:
            answer = getattr(client, method)(address.fill_in(site), body, content_type="application/json")
            assert answer.status_code < 500, (name, method)
    told = site.client_of("author").post("/api/v1/bots", body, content_type="application/json")
    assert (told.status_code, told.json()["code"]) == (400, "malformed") and "cannot be stored" in told.json()[
        "message"
    ]


@pytest.mark.django_db
def test_escapes_of_whole_signs_are_taken(site: Site) -> None:
    body = '{"name": "\\ud83c\\udca1 \\\\u0000 \\\\ud800", "mode": "uploaded"}'
    told = site.client_of("author").post("/api/v1/bots", body, content_type="application/json").json()
    assert "cannot be stored" not in str(told)


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
