"""Chance as pages and the API show it: commitments before, contributions at once, secrets at the end."""

import hashlib
import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from games.models import Lobby
from games.rules.deal import commitment
from tests.pages.events import make_tournament, read_page
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
OPEN_TO_ALL: dict[str, Any] = {"entry_kind": "mixed", "is_rated": False, "stages": [{"format": "round_robin"}]}
FORM = {"players": "3", "strength": "greedy", "edition": "en", "clock": "calm"}


def hexed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.fixture
def ada(client: Client) -> User:
    user = User.objects.create_user("ada")
    client.force_login(user)
    return user


def test_the_commitment_is_shown_from_the_opening_on(client: Client) -> None:
    draft = make_tournament("draft", **OPEN_TO_ALL)
    assert client.get(f"/api/v1/tournaments/{draft.slug}/chance").status_code == 404
    tournament = make_tournament("open", **OPEN_TO_ALL | {"name": "Open Cup"})
    for part in ("", "entrants/", "balance/"):
        assert tournament.commitment in read_page(client, f"/tournaments/{tournament.slug}/{part}")
    told = client.get(f"/api/v1/tournaments/{tournament.slug}").json()
    assert (told["commitment"], told["seed"]) == (tournament.commitment, None)


def test_a_contribution_is_shown_back_and_public(client: Client, ada: User) -> None:
    tournament = make_tournament("open", **OPEN_TO_ALL)
    address = f"/tournaments/{tournament.slug}/"
    page = read_page(client, f"{address}entrants/")
    assert 'name="contribution"' in page
    client.post(f"{address}enter/", {"contribution": hexed("ada")})
    assert hexed("ada") in read_page(client, f"{address}entrants/")
    assert hexed("ada") not in read_page(Client(), f"{address}entrants/")
    told = Client().get(f"/api/v1/tournaments/{tournament.slug}/chance").json()
    entrant = tournament.entrants.get(player__owner=ada)
    assert told["contributions"] == [{"entrant": entrant.pk, "contribution": hexed("ada")}]
    assert told["secret"] is None and told["seed"] is None
    bad = client.post(f"{address}enter/", {"contribution": "luck"}, follow=True)
    assert "64 hexadecimal digits" in bad.content.decode()


def test_secret_and_seed_are_told_at_the_end(client: Client) -> None:
    tournament = make_tournament("finished")
    told = client.get(f"/api/v1/tournaments/{tournament.slug}/chance").json()
    assert commitment(bytes.fromhex(told["secret"])) == told["commitment"] == tournament.commitment
    page = read_page(client, f"/tournaments/{tournament.slug}/balance/")
    assert told["secret"] in page and told["seed"] in page


def test_a_table_is_committed_to_before_the_click(client: Client) -> None:
    page = client.get("/play/")
    ticket = page.context["ticket"]
    shown = page.content.decode()
    assert f"<code>{ticket.commitment}</code>" in shown and ticket.text in shown
    sent = FORM | {"start": "invite", "ticket": ticket.text, "contribution": hexed("me")}
    lobby = client.post("/play/", sent)["Location"]
    assert ticket.commitment in client.get(lobby).content.decode()
    stored = Lobby.objects.get()
    assert (stored.commitment, stored.seats.get().contribution) == (ticket.commitment, hexed("me"))
    Client().post(f"{lobby}change/", {"do": "1", "contribution": hexed("guest")})
    told = Client().get(f"/api/v1/lobbies/{stored.invitation}").json()
    assert told["commitment"] == ticket.commitment
    assert [seat["contribution"] for seat in told["seats"]] == [hexed("me"), hexed("guest")]


def test_no_page_or_answer_tells_a_secret(client: Client) -> None:
    sent = FORM | {"start": "now", "ticket": client.get("/play/").context["ticket"].text}
    table = client.post("/play/", sent)["Location"]
    lobby = Lobby.objects.get()
    assert lobby.secret is not None
    secret = bytes(lobby.secret).hex()
    for address in (table, f"/matches/{lobby.match_id}/", f"/api/v1/matches/{lobby.match_id}"):
        assert secret not in client.get(address).content.decode()


def test_a_program_gets_its_ticket(client: Client, ada: User) -> None:
    ticket = client.get("/api/v1/tables/ticket").json()
    wish = {"ruleset": "en3", "ticket": ticket["ticket"], "contribution": hexed("ada")}
    made = client.post("/api/v1/tables", json.dumps(wish), content_type="application/json")
    assert made.status_code == 201, made.content
    assert Lobby.objects.get(match_id=made.json()["match"]).commitment == ticket["commitment"]


def test_the_desk_names_a_round_and_drops_it(client: Client, settings: Any, tmp_path: Path) -> None:
    settings.BEACON = str(tmp_path / "rounds")
    tournament = make_tournament("open", **OPEN_TO_ALL)
    client.force_login(tournament.organiser)
    desk = f"/desk/tournaments/{tournament.slug}/"
    assert "Name the round" in read_page(client, desk)
    at = (timezone.now() + timedelta(days=1)).strftime("%Y-%m-%dT%H:%M")
    client.post(f"{desk}beacon/", {"at": at})
    number = Tournament.objects.get(pk=tournament.pk).beacon_round
    assert number is not None
    assert str(number) in read_page(client, desk)
    assert f"drand, round {number}" in read_page(client, f"/tournaments/{tournament.slug}/")
    client.post(f"{desk}beacon/", {"reason": "no network"})
    assert Tournament.objects.get(pk=tournament.pk).beacon_round is None
    assert tournament.events.filter(kind="beacon_dropped", reason="no network").exists()
