"""Who may do what: every address of the site asked by seven kinds of people, against a table."""

from pathlib import Path

import pytest
from django.db import transaction

from tests.security.addresses import Address, list_addresses, list_admin_addresses
from tests.security.site import ROLES, Site

Row = tuple[str, str, str, tuple[int, ...]]

BODIES = {
    "api-decisions": '{"seat": 0, "counter": 999, "action": "keep"}',
    "api-resignations": '{"seat": 0}',
    "api-entrants": '{"player": "person-one"}',
    "api-teams": '{"name": "Strangers", "members": ["house-greedy_2", "house-greedy_3"]}',
    "desk_new_league": "name=Autumn+League&description=open",
}
"""Where fields are read before rights are, because the rights depend on them."""

STREAMS = frozenset(
    {"live_home", "live_tournament", "live_tournament_now", "live_match", "live_trial"}
    | {"bot-stream", "api-event-stream"}
)
"""Answered by the async stack, and tested there: in tests/pages, tests/bots and tests/api."""

METHODS = ("GET", "POST", "DELETE")
HARMLESS = frozenset({200, 302, 404})


def read_table() -> list[Row]:
    lines = Path(__file__).with_name("permissions.txt").read_text().splitlines()
    rows = [line.split() for line in lines if not line.startswith("#")]
    return [(method, name, subject, tuple(map(int, told))) for method, name, subject, *told in rows]


TABLE = read_table()
ADDRESSES = list_addresses()


def ask(site: Site, role: str, method: str, address: Address, subject: str) -> int:
    """The status; what the request did is undone."""
    client, is_api = site.client_of(role), address.name.startswith("api")
    body = BODIES.get(address.name, "{}" if is_api else "") if method != "GET" else ""
    kind = "application/json" if is_api else "application/x-www-form-urlencoded"
    with transaction.atomic():
        answer = client.generic(method, address.fill_in(site, subject), body, content_type=kind)
        transaction.set_rollback(True)
    return answer.status_code


@pytest.mark.parametrize("row", TABLE, ids=lambda row: " ".join(row[:3]))
def test_table(site: Site, row: Row) -> None:
    """Where all are told the same, a stranger asks and the others take turns from row to row."""
    method, name, subject, told = row
    asking: tuple[str, ...] = ROLES
    if len(told) == 1:
        asking = ("anonymous", ROLES[1 + TABLE.index(row) % (len(ROLES) - 1)])
    expected = dict(zip(ROLES, told if len(told) > 1 else told * len(ROLES), strict=True))
    answers = {role: ask(site, role, method, ADDRESSES[name], subject) for role in asking}
    assert answers == {role: expected[role] for role in asking}


def test_every_address_is_in_the_table() -> None:
    named = {name for _method, name, *_ in TABLE} | STREAMS
    assert sorted(set(ADDRESSES) - named) == [], "say in permissions.txt who may do what there"
    assert sorted(named - set(ADDRESSES)) == [], "these addresses are gone"


def test_a_method_that_the_table_does_not_name_does_nothing(site: Site) -> None:
    """Asked by the staff: refused, or at most the page that GET shows."""
    named = {(method, name) for method, name, *_ in TABLE}
    wrong = []
    for name, address in ADDRESSES.items():
        subject = next((row[2] for row in TABLE if row[1] == name), "-")
        for method in METHODS:
            if (method, name) in named or name in STREAMS or name.startswith("account_"):
                continue
            status = ask(site, "staff", method, address, subject)
            if status not in (401, 405) and not (("GET", name) in named and status in HARMLESS):
                wrong.append((method, name, status))
    assert wrong == []


@pytest.mark.parametrize("role", ["anonymous", "author", "organiser"])
def test_admin_is_for_the_staff(site: Site, role: str) -> None:
    """Whatever is registered there: everybody else is sent to sign in, and learns nothing of what exists."""
    client = site.client_of(role)
    for name, address in list_admin_addresses().items():
        parameters: dict[str, object] = dict.fromkeys(address.parameters, "1")
        if "app_label" in parameters:
            parameters["app_label"] = "bots"
        site_of_one = Site(site.users, {}, parameters, {"-": {}})
        if name in ("admin:login", "admin:logout"):
            continue
        path = address.fill_in(site_of_one)
        for method in ("GET", "POST"):
            answer = client.generic(method, path)
            assert answer.status_code == 302 and answer.headers["Location"].startswith("/admin/login/"), (method, path)
