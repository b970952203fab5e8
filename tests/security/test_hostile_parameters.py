"""Whatever an address or a form carries: an answer in place, never an error of ours, and no markup of a stranger's."""

import base64
import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from django.db import transaction
from django.forms import BaseForm
from django.urls import NoReverseMatch, reverse

from tests.security.addresses import Address, list_addresses
from tests.security.site import PASSWORD, Site
from tests.security.test_permissions import ADDRESSES, STREAMS, TABLE

CHECKOUT = Path(__file__).parents[2]
APPS = ("aurum_league", "games", "bots", "tournaments")
SCRIPT = "<script>alert(1)</script>"
HOSTILE = {
    "nothing": "",
    "zero": "0",
    "beyond every column": "9" * 30,
    "no plain digit": "\N{SUPERSCRIPT TWO}",
    "a float": "1e400",
    "a null byte": "1\x00",
    "half of a database's query": "1' OR 1=1 --",
    "markup": SCRIPT,
    "half of an address": "http://[",
    "signs of a terminal": "\x1b[2J\x0b\x07",
    "a half of a pair": "%ED%A0%80",
    "beyond the plane": "\N{PLAYING CARD ACE OF SPADES}" * 40,
    "very long": "x" * 4000,
}
READ = re.compile(r"""GET(?:\.get|\.getlist)?[(\[]\s*"(\w+)" """.strip())
PUBLIC = ("tournament", "tournament_schedule", "tournament_crosstable", "players", "player", "match", "search")
OPEN_TO_ALL = frozenset(name for _method, name, _subject, told in TABLE if len(told) == 1)
ALSO_READ = ("round", "trick", "step", "seat", "view", "next", "counted")
PATHS = ("0", "9" * 30, "nothing-of-that-name", "\N{SUPERSCRIPT TWO}", SCRIPT, "x" * 300, "%00", "..")


def list_parameters() -> list[str]:
    """Every name that a page reads from its address."""
    sources = [path for app in APPS for path in (CHECKOUT / app).rglob("*.py")]
    return sorted({name for path in sources for name in READ.findall(path.read_text())} | set(ALSO_READ))


def list_fields(form: type[BaseForm] = BaseForm) -> Iterator[str]:
    """Every name that a form of ours takes."""
    for one in form.__subclasses__():
        if one.__module__.split(".")[0] in (*APPS, "allauth"):
            yield from getattr(one, "base_fields", ())
        yield from list_fields(one)


def list_pages(method: str) -> list[tuple[Address, str]]:
    """Pages that take this method, each with something that it can be asked about; programs are fuzzed in tests/api."""
    rows = {name: subject for told, name, subject, _ in TABLE if told == method}
    return [(ADDRESSES[name], subject) for name, subject in rows.items() if not name.startswith("api")]


def ask(site: Site, role: str, method: str, path: str, body: dict[str, str] | None = None) -> str:
    """What went wrong; empty where it was answered. What the request did is undone."""
    try:
        with transaction.atomic():
            client = site.client_of(role)
            answer = client.post(path, body) if method == "POST" else client.get(path)
            content = b"" if answer.streaming else answer.content
            transaction.set_rollback(True)
    except Exception as error:
        return f"{path[:90]}: {error!r}"
    is_wrong = answer.status_code >= 500 or SCRIPT.encode() in content
    return f"{path[:90]}: {answer.status_code}" if is_wrong else ""


@pytest.mark.parametrize("value", HOSTILE.values(), ids=HOSTILE)
def test_pages_answer_whatever_their_address_asks_for(site: Site, value: str) -> None:
    query = "&".join(f"{name}={quote(value, safe='')}" for name in list_parameters())
    wrong = []
    for address, subject in list_pages("GET"):
        role = "anonymous" if address.name in OPEN_TO_ALL else "organiser"
        wrong.append(ask(site, role, "GET", f"{address.fill_in(site, subject)}?{query}"))
    assert list(filter(None, wrong)) == []


@pytest.mark.parametrize("name", list_parameters())
def test_pages_of_a_tournament_answer_each_parameter_by_itself(site: Site, name: str) -> None:
    paths = [address.fill_in(site, subject) for address, subject in list_pages("GET") if address.name in PUBLIC]
    worst = [HOSTILE[kind] for kind in ("zero", "no plain digit", "a null byte")]
    asked = [f"{path}?{name}={quote(value)}" for path in paths for value in worst]
    assert list(filter(None, (ask(site, "anonymous", "GET", path) for path in asked))) == []


@pytest.mark.parametrize("value", PATHS)
def test_ids_and_names_that_nobody_has_are_not_found(site: Site, value: str) -> None:
    wrong = []
    for address in list_addresses().values():
        if not address.parameters or address.name in STREAMS:
            continue
        try:
            path = reverse(address.name, kwargs=dict.fromkeys(address.parameters, value))
        except NoReverseMatch:
            continue
        wrong.append(ask(site, "organiser", "GET", path))
    assert list(filter(None, wrong)) == []


@pytest.mark.parametrize("value", HOSTILE.values(), ids=HOSTILE)
def test_forms_answer_whatever_is_typed(site: Site, value: str) -> None:
    body = dict.fromkeys(sorted(set(list_fields())), value)
    wrong = []
    for address, subject in list_pages("POST"):
        path = address.fill_in(site, subject)
        role = "author" if address.name.startswith(("bot", "trial")) else "organiser"
        wrong.append(ask(site, role, "POST", path, body))
    assert list(filter(None, wrong)) == []


def tell_credential(**response: object) -> str:
    return json.dumps({"id": "AA", "rawId": "AA", "type": "public-key", "response": response})


SAID = base64.urlsafe_b64encode(
    b'{"type": "webauthn.create", "challenge": "AA", "origin": "http://testserver"}'
).decode()
CREDENTIALS = {
    "deep": "[" * 100_000,
    "a list": "[]",
    "a number of 5,000 digits": "9" * 5000,
    "no text": '{"id": 1}',
    "no object within": '{"response": 1}',
    "half a pair of UTF-16": '{"id": "\\ud800"}',
    "other types": tell_credential(clientDataJSON=1, authenticatorData=[], signature={}, userHandle=None),
    "an account beyond every column": tell_credential(clientDataJSON="AA", userHandle="OTk5OTk5OTk5OTk5OTk5OTk5OTk5"),
    "no base64": tell_credential(clientDataJSON="!!!", authenticatorData="AA", signature="AA", userHandle="\0"),
    "no CBOR": tell_credential(clientDataJSON=SAID, attestationObject="oA"),
    "deep CBOR": tell_credential(clientDataJSON=SAID, attestationObject="gYGBgYGB" * 3000),
}


@pytest.mark.parametrize("credential", CREDENTIALS.values(), ids=CREDENTIALS)
def test_passkeys_put_together_by_hand_are_wrong_answers(site: Site, credential: str) -> None:
    """The library takes for granted what a browser sends, and shows the field again with what was in it."""
    doors = {"anonymous": "/accounts/2fa/webauthn/login/", "player": "/accounts/2fa/webauthn/add/"}
    for role, path in doors.items():
        cache.clear()
        client = site.client_of(role)
        client.post("/accounts/reauthenticate/", {"password": PASSWORD})
        assert client.get(path, headers={"x-requested-with": "XMLHttpRequest"}).status_code == 200
        answer = client.post(path, {"credential": credential, "passwordless": "on", "name": "key"})
        assert answer.status_code in (200, 302), path
        assert not Authenticator.objects.exists()
