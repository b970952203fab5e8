"""Play now: strangers meet in two clicks each, open tables are shown, a player's page challenges and blocks."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from games.models import Match
from games.services.players import ensure_person
from tests.people import verify_address
from tournaments.models import Block, Seeker

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings("ignore:task_always_eager has no effect on send_task"),
]
FORM = {"do": "seek", "players": "3", "clock": "live", "edition": "en", "bots_after": "30"}


def sign_in(name: str) -> Client:
    client = Client()
    client.force_login(verify_address(User.objects.create_user(name)))
    return client


def test_strangers_meet_by_the_lobby() -> None:
    ada, bob, cyd = map(sign_in, ("ada", "bob", "cyd"))
    assert "Play now, rated" in ada.get("/play/").content.decode()
    assert ada.post("/play/now/", FORM).headers["Location"] == "/play/now/"
    shown = bob.get("/play/now/").content.decode()
    assert "ada" in shown and "Sit down" in shown
    seat = {"do": "sit", "ruleset": "en3", "clock": "live", "is_rated": "1"}
    assert bob.post("/play/now/", seat).headers["Location"] == "/play/now/"
    dealt = cyd.post("/play/now/", FORM)
    match = Match.objects.get()
    assert dealt.headers["Location"] == f"/play/{match.pk}/" and match.is_rated
    for client in (ada, bob):
        moved = client.get("/play/now/waiting/", {"waits": "1"})
        assert moved.headers["HX-Redirect"] == f"/play/{match.pk}/"
        assert client.get(f"/play/{match.pk}/").status_code == 200


def test_the_page_says_who_counts_less_before_one_sits_down() -> None:
    ada, bob, cyd = map(sign_in, ("ada", "bob", "cyd"))
    for address in ("/play/now/", "/play/"):
        page = ada.get(address).content.decode()
        assert "Repeats fade" in page and "You met within a day" not in page
    for expected in ("50", "25", "12.5", "0"):
        for client in (ada, bob, cyd):
            client.post("/play/now/", FORM)
        for address in ("/play/now/", "/play/"):
            page = " ".join(ada.get(address).content.decode().split())
            assert f"bob (counts {expected} %), cyd (counts {expected} %)" in page
            assert "ada (counts" not in page
    assert "Repeats fade" not in Client().get("/play/now/").content.decode(), "guests are not rated"


def test_a_page_that_shows_what_is_so_is_left_alone() -> None:
    ada = sign_in("ada")
    ada.post("/play/now/", FORM)
    drawn = ada.get("/play/now/waiting/", {"waits": "1", "seen": ""})
    assert "You are waiting for a table" in drawn.content.decode()
    seen = ada.get("/play/now/").context["seen"]
    assert ada.get("/play/now/waiting/", {"waits": "1", "seen": seen}).status_code == 204
    ada.post("/play/now/", {"do": "leave"})
    assert not Seeker.objects.exists()


def test_a_page_is_as_short_where_a_thousand_wait() -> None:
    """It is asked for every two seconds, and sends back what it has seen in its address."""
    ada, now = sign_in("ada"), timezone.now()
    users = User.objects.bulk_create(User(username=f"waits-{number}") for number in range(1000))
    about = {"ruleset": "en3", "players": 3, "clock": "live", "is_rated": True, "low": 9000, "bots_after": 30}
    Seeker.objects.bulk_create(Seeker(user=user, since=now, seen_at=now, **about) for user in users)
    page = ada.get("/play/now/waiting/")
    text = " ".join(page.content.decode().split())
    assert "waits-0 (1500), waits-1 (1500)" in text and "waits-5 (1500) and 994 more" in text
    assert len(page.content) < 3000
    seen = ada.get("/play/now/").context["seen"]
    assert len(seen) == 16
    assert ada.get("/play/now/waiting/", {"seen": seen}).status_code == 204
    Seeker.objects.filter(user=users[0]).delete()
    assert "994 more" not in ada.get("/play/now/waiting/", {"seen": seen}).content.decode()


def test_guests_wait_unrated_and_the_unverified_are_told() -> None:
    guest = Client()
    assert guest.post("/play/now/", FORM).status_code == 302
    assert not Seeker.objects.get().is_rated
    bob = Client()
    bob.force_login(User.objects.create_user("bob", "bob@example.org"))
    assert "needs an e-mail address that is confirmed" in bob.post("/play/now/", FORM).content.decode()


def test_a_players_page_challenges_and_blocks() -> None:
    ada = sign_in("ada")
    bob = ensure_person(verify_address(User.objects.create_user("bob")))
    assert "Challenge" in ada.get(f"/players/{bob.slug}/").content.decode()
    assert "Challenge" not in Client().get(f"/players/{bob.slug}/").content.decode()
    assert "/play/invitations/" in ada.post(f"/players/{bob.slug}/challenge/").headers["Location"]
    ada.post(f"/players/{bob.slug}/block/", {"do": "block"})
    assert Block.objects.get().player == bob and "Unblock" in ada.get(f"/players/{bob.slug}/").content.decode()
    ada.post(f"/players/{bob.slug}/block/", {"do": "unblock"})
    assert not Block.objects.exists()
