"""A club evening by a program alone: every step of the desk and of the phones, from the draft to the archive."""

from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from aurum_league.cli.main import main
from games.services.players import ensure_person
from tests.api.conftest import World, client_of
from tests.people import verify_address
from tournaments.models import Tournament
from tournaments.services.advance import advance_tournament

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings("ignore:task_always_eager has no effect on send_task"),
]
EVENT = "/api/v1/tournaments/club-evening"
GUESTS = [f"Guest {letter}" for letter in "ABCDEFGHIJKL"]
SPEC = {
    "name": "Club evening",
    "entry_kind": "people",
    "is_rated": False,
    "needs_check_in": True,
    "clock": {"real_cards": 1},
    "stages": [{"format": "swiss", "options": {"matchdays": 3}}],
}
SHEET = [
    [
        {"bid": 4, "tricks": 4, "gold": [0, 1]},
        {"bid": 3, "tricks": 2, "gold": [0]},
        {"bid": 2, "tricks": 3, "gold": [2]},
    ]
] * 2


def call(client: APIClient, method: str, path: str, sent: Any = None, status: int = 200) -> Any:
    answer = getattr(client, method)(f"{EVENT}{path}", sent, format="json")
    assert answer.status_code == status, (path, answer.content)
    return answer.json()


def entrants_of(host: APIClient) -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in call(host, "get", "/entrants")["results"]}


def test_a_club_evening(world: World, tmp_path: Path) -> None:
    host = client_of(world.organiser)
    people = [verify_address(User.objects.create_user(name)) for name in ("ada", "bob")]
    for person in people:
        ensure_person(person)
    phones = [client_of(person) for person in people]
    make_and_fill(host)
    check_in(host, phones)
    draw_and_start(host)
    come_and_go(host)
    report(host, phones)
    postpone_and_tell(host)
    advance_tournament(tournament_id=Tournament.objects.get(slug="club-evening").pk)
    assert len(call(phones[0], "get", "/stages/1/standings")["lines"]) >= 13
    verify(tmp_path)


def make_and_fill(host: APIClient) -> None:
    unnamed = {name: value for name, value in SPEC.items() if name != "name"}
    told = host.post("/api/v1/previews", {"spec": unnamed, "entrants": 14}, format="json").json()
    assert (told["problem"], told["matchdays"], told["forecast"]["matches"]) == (None, 3, 12)
    assert host.post("/api/v1/tournaments", SPEC, format="json").status_code == 201
    start = (timezone.now() + timedelta(days=7)).isoformat()
    call(host, "put", "/timetable", {"time_zone": "Europe/Berlin", "starts_at": start})
    call(host, "put", "/entry-rules", {"code": "club", "questions": ["Do you bring cards?"]})
    call(host, "post", "/steps", {"step": "open"})
    names = {"names": "\n".join([*GUESTS, "@ada", "@bob"])}
    assert len(call(host, "post", "/lists/preview", names)) == 14
    assert len(call(host, "post", "/lists", names, 201)["entrants"]) == 14


def check_in(host: APIClient, phones: list[APIClient]) -> None:
    found = entrants_of(host)
    for phone, name in zip(phones, ("ada", "bob"), strict=True):
        call(phone, "post", f"/entrants/{found[name]['id']}/check-in")
    call(host, "post", "/check-ins", {"entrants": [found[name]["id"] for name in GUESTS[:-1]]})
    call(host, "post", "/check-ins/close")
    assert entrants_of(host)[GUESTS[-1]]["state"] == "absent"


def seats_of(host: APIClient) -> dict[str, list[str]]:
    tables = call(host, "get", "/stages/1/matchdays/1/fixtures")["results"]
    return {seat["name"]: [one["name"] for one in row["seats"]] for row in tables for seat in row["seats"]}


def draw_and_start(host: APIClient) -> None:
    """Ada and Bob are seated together; a table is pinned, and the draw made again keeps it."""
    call(host, "post", "/steps", {"step": "draw"})
    found, seats = entrants_of(host), seats_of(host)
    if "ada" not in seats:
        other = next(name for name in seats if name != "bob")
        swap(host, found, "ada", other)
        seats = seats_of(host)
    if "bob" not in seats["ada"]:
        swap(host, found, "bob", next(name for name in seats["ada"] if name != "ada"))
    table = next(
        row["table"]
        for row in call(host, "get", "/stages/1/matchdays/1/fixtures")["results"]
        if "ada" in [seat["name"] for seat in row["seats"]]
    )
    assert call(host, "post", "/changes", {"deed": "pin", "matchday": 1, "table": table}) == []
    call(host, "post", "/steps", {"step": "draw"})
    assert "bob" in seats_of(host)["ada"]
    call(host, "post", "/steps", {"step": "start"})


def swap(host: APIClient, found: dict[str, dict[str, Any]], first: str, second: str) -> None:
    pair = {"first": found[first]["id"], "second": found[second]["id"]}
    call(host, "post", "/stages/1/matchdays/1/swaps", {**pair, "reason": "they came together"})


def come_and_go(host: APIClient) -> None:
    found, seats = entrants_of(host), seats_of(host)
    leaver = next(name for name in GUESTS[:-1] if name in seats and "ada" not in seats[name])
    call(host, "post", f"/entrants/{found[leaver]['id']}/withdrawal", {"reason": "had to go"})
    late = {"player": found[GUESTS[-1]]["player"], "is_late": True}
    call(host, "post", "/entrants", late, 201)
    call(host, "post", "/lists", {"names": "Walk-in"}, 201)
    wish = {"deed": "rest", "entrant": found["ada"]["id"], "matchday": 2}
    call(host, "post", "/changes", {**wish, "look": True})
    call(host, "post", "/changes", wish)
    states = {name: row["state"] for name, row in entrants_of(host).items()}
    assert (states[leaver], states[GUESTS[-1]]) == ("withdrawn", "checked_in")


def report(host: APIClient, phones: list[APIClient]) -> None:
    matches = call(host, "get", "/matches")["results"]
    match = next(row for row in matches if "Ada" in str(row) or "ada" in [seat["name"] for seat in row["seats"]])["id"]
    sheet = call(phones[0], "post", "/sheets", {"match": match, "rounds": SHEET}, 201)
    disputed = call(phones[1], "post", f"/sheets/{sheet['id']}/answer", {"answer": "dispute", "note": "three tricks"})
    assert disputed["state"] == "disputed"
    call(host, "post", "/sheets", {"match": match, "rounds": SHEET, "reason": "as the cards lie"}, 201)
    late = call(phones[0], "post", "/sheets", {"match": match, "dispute": "I had four"}, 201)
    assert call(host, "post", f"/sheets/{late['id']}/answer", {"answer": "accept"})["state"] == "dropped"
    other = next(row["id"] for row in matches if row["id"] != match and row["state"] == "open")
    call(host, "post", "/sheets", {"match": other, "places": [1, 2, 3], "reason": "tapped in order"}, 201)


def postpone_and_tell(host: APIClient) -> None:
    waiting = next(row["id"] for row in call(host, "get", "/matches")["results"] if row["state"] == "open")
    until = (timezone.now() + timedelta(days=14)).isoformat()
    call(host, "post", "/postponements", {"match": waiting, "until": until})
    texts = {"en": {"title": "Break", "text": "We go on at eight."}, "de": {"title": "Pause", "text": "Um acht."}}
    call(host, "post", "/announcements", {"texts": texts}, 201)
    later = call(host, "post", "/announcements", {"texts": texts, "due_at": until}, 201)
    call(host, "delete", f"/announcements/{later['id']}")
    assert [row["id"] for row in call(host, "get", "/announcements")] == [later["id"] - 1]


def test_anybody_with_a_confirmed_address_makes_a_small_event_by_program(world: World) -> None:
    """As at the desk: by the limits of the operator, and no larger afterwards."""
    client = client_of(world.person)
    wishes = {**SPEC, "capacity": 12}
    for too_much in ({"capacity": None}, {"is_rated": True, "clock": None}, {"stages": [{"format": "ladder"}]}):
        refused = client.post("/api/v1/tournaments", {**wishes, **too_much}, format="json")
        assert (refused.status_code, refused.json()["code"]) == (403, "not_an_organiser")
    assert client.post("/api/v1/tournaments", wishes, format="json").status_code == 201
    assert client.put(EVENT, {**wishes, "capacity": 11}, format="json").status_code == 200
    larger = client.put(EVENT, {**wishes, "capacity": 500}, format="json")
    assert (larger.status_code, larger.json()["code"]) == (403, "not_an_organiser")
    assert Tournament.objects.get(slug="club-evening").capacity == 11


def verify(folder: Path) -> None:
    answer = Client().get("/tournaments/club-evening/downloads/archive.zip")
    path = folder / "archive.zip"
    path.write_bytes(b"".join(answer.streaming_content))  # type: ignore[attr-defined]
    assert ZipFile(BytesIO(path.read_bytes())).testzip() is None
    assert main(["verify", str(path)]) == 0
