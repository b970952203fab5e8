"""Entries at the desk: who is in, seeds, pairs kept apart, check-in, and what happens to one entrant."""

import re

import pytest
from django.test import Client

from tests.pages.desk import DESK, sign_in
from tests.pages.events import HOSTILE, make_players, make_tournament, read_page
from tournaments.models import Conflict, EntrantState, Tournament

pytestmark = pytest.mark.django_db


def test_players_are_found_and_entered(client: Client) -> None:
    players = make_players(6, HOSTILE)
    tournament = make_tournament("open", players=players[:3])
    sign_in(client, tournament)
    page = read_page(client, f"{DESK}entries/?find=BOT")
    assert re.findall(r'name="player" value="([^"]+)"', page) == [player.slug for player in players[3:]]
    assert "<b>Bot" not in page
    client.post(f"{DESK}entries/add/", {"player": [players[3].slug, players[4].slug, "nobody", "\x00"]})
    assert tournament.entrants.count() == 5


@pytest.mark.parametrize("words", ["", "\x00", "%", "x" * 5000, "'; --"])
def test_strange_words_find_nobody(client: Client, words: str) -> None:
    sign_in(client, make_tournament("open"))
    assert 'name="player"' not in client.get(f"{DESK}entries/", {"find": words}).content.decode()


def test_seeds_are_taken_in_their_order(client: Client) -> None:
    tournament = make_tournament("open")
    sign_in(client, tournament)
    ids = list(tournament.entrants.order_by("id").values_list("id", flat=True))
    sent = {f"seed-{ids[0]}": "7", f"seed-{ids[1]}": "2", f"seed-{ids[2]}": "minus one", f"seed-{ids[3]}": ""}
    client.post(f"{DESK}entries/seeds/", sent)
    seeds = dict(tournament.entrants.values_list("id", "seed_number"))
    assert [seeds[one] for one in ids] == [2, 1, None, None, None, None]


def test_a_pair_is_kept_apart_once(client: Client) -> None:
    tournament = make_tournament("open")
    sign_in(client, tournament)
    first, second = tournament.entrants.values_list("id", flat=True)[:2]
    for pair in ((first, second), (second, first), (first, first), (first, 10**12), ("x", "y")):
        client.post(f"{DESK}entries/apart/", {"first": pair[0], "second": pair[1], "reason": "siblings"})
    assert Conflict.objects.count() == 1
    assert "siblings" in read_page(client, f"{DESK}entries/")


@pytest.mark.parametrize(
    ("deed", "sent", "state"),
    [
        pytest.param("check-in", {}, EntrantState.CHECKED_IN, id="check in"),
        pytest.param("withdraw", {}, EntrantState.WITHDRAWN, id="withdraw"),
        pytest.param("disqualify", {"reason": "two accounts"}, EntrantState.DISQUALIFIED, id="disqualify"),
        pytest.param("disqualify", {}, EntrantState.ENTERED, id="disqualify without a reason"),
        pytest.param("replace", {"player": "nobody"}, EntrantState.ENTERED, id="replace by nobody"),
    ],
)
def test_what_can_happen_to_an_entrant(client: Client, deed: str, sent: dict[str, str], state: EntrantState) -> None:
    tournament = make_tournament("open")
    sign_in(client, tournament)
    entrant = tournament.entrants.earliest("id")
    read_page(client, f"{DESK}entries/{entrant.pk}/")
    client.post(f"{DESK}entries/{entrant.pk}/{deed}/", sent)
    entrant.refresh_from_db()
    assert entrant.state == state


def test_another_takes_over(client: Client) -> None:
    players = make_players(7)
    tournament = make_tournament("playing", players=players[:6])
    sign_in(client, tournament)
    entrant = tournament.entrants.earliest("id")
    client.post(f"{DESK}entries/{entrant.pk}/replace/", {"player": players[6].slug, "reason": "moved away"})
    entrant.refresh_from_db()
    assert entrant.player == players[6]


def test_who_comes_late_is_entered_late(client: Client) -> None:
    players = make_players(7)
    tournament = make_tournament(
        "playing", players=players[:6], stages=[{"format": "swiss", "options": {"matchdays": 3}}]
    )
    sign_in(client, tournament)
    assert "not released" in read_page(client, f"{DESK}entries/")
    client.post(f"{DESK}entries/add/", {"player": players[6].slug})
    assert tournament.entrants.get(player=players[6]).entered_on > 1


def test_a_pair_may_meet_again(client: Client) -> None:
    tournament = make_tournament("open")
    sign_in(client, tournament)
    first, second = tournament.entrants.values_list("id", flat=True)[:2]
    client.post(f"{DESK}entries/apart/", {"first": first, "second": second})
    address = f"{DESK}entries/apart/{Conflict.objects.get().pk}/"
    assert address in read_page(client, f"{DESK}entries/")
    page = client.post(address, follow=True).content.decode()
    assert "They may meet" in page
    assert not Conflict.objects.exists()
    assert client.post(address).status_code == 404


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        pytest.param("2030-05-01T18:30", "2030-05-01T18:30", id="a time"),
        pytest.param("", None, id="no time"),
        pytest.param("at tea-time", "2029-01-01T00:00", id="words"),
    ],
)
def test_the_end_of_check_in(client: Client, sent: str, kept: str | None) -> None:
    tournament = make_tournament("open", needs_check_in=True)
    sign_in(client, tournament)
    client.post(f"{DESK}entries/check-in/", {"ends_at": "2029-01-01T00:00"})
    client.post(f"{DESK}entries/check-in/", {"ends_at": sent})
    tournament.refresh_from_db()
    ends_at = tournament.check_in_ends_at
    assert (ends_at.strftime("%Y-%m-%dT%H:%M") if ends_at else None) == kept
    assert f'value="{kept or ""}' in read_page(client, f"{DESK}entries/")


def test_without_check_in_there_is_no_end_to_set(client: Client) -> None:
    tournament = make_tournament("open")
    sign_in(client, tournament)
    assert "check-in/" not in read_page(client, f"{DESK}entries/")
    page = client.post(f"{DESK}entries/check-in/", {"ends_at": "2030-05-01T18:30"}, follow=True).content.decode()
    assert "has no check-in" in page
    assert Tournament.objects.get().check_in_ends_at is None
