"""People enter tournaments by themselves: with an account, agreeing where bots are rated beside them, and out again."""

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.test import Client

from aurum_league.common.errors import LeagueError
from tests.pages.events import read_page
from tests.people import verify_address
from tournaments.models import EntrantState, Tournament
from tournaments.services.leagues import create_tournament
from tournaments.services.lifecycle import open_tournament
from tournaments.services.self_entry import enter_oneself

pytestmark = pytest.mark.django_db
AGREEMENT = "I agree to be rated against them"


@pytest.fixture
def ada(client: Client) -> User:
    user = verify_address(User.objects.create_user("ada", "ada@example.org"))
    client.force_login(user)
    return user


def open_event(*, is_rated: bool = True, entry_kind: str = "mixed") -> Tournament:
    organiser = User.objects.create_user("organiser", is_staff=True)
    stage = {"format": "swiss", "options": {"matchdays": 2}, "block_deals": 0}
    spec = {"name": "Evening", "entry_kind": entry_kind, "is_rated": is_rated, "stages": [stage]}
    tournament = create_tournament(spec=spec, organiser=organiser)
    open_tournament(tournament_id=tournament.pk)
    tournament.refresh_from_db()
    return tournament


@pytest.mark.parametrize(
    ("is_rated", "entry_kind", "asks"),
    [
        pytest.param(True, "mixed", True, id="rated, among bots"),
        pytest.param(False, "mixed", False, id="unrated, among bots"),
        pytest.param(True, "people", False, id="rated, among people"),
    ],
)
def test_who_would_be_rated_against_bots_agrees_first(
    client: Client, ada: User, is_rated: bool, entry_kind: str, asks: bool
) -> None:
    tournament = open_event(is_rated=is_rated, entry_kind=entry_kind)
    address = f"/tournaments/{tournament.slug}/"
    page = read_page(client, f"{address}entrants/")
    assert "Enter this tournament" in page and (AGREEMENT in page) == asks
    said = client.post(f"{address}enter/", follow=True).content.decode()
    assert tournament.entrants.exists() != asks
    assert ("agree to be rated" in said) == asks
    client.post(f"{address}enter/", {"agrees": "on"})
    assert tournament.entrants.get().player.owner == ada
    assert "You take part" in read_page(client, f"{address}entrants/")
    client.post(f"{address}leave/")
    assert tournament.entrants.get().state == EntrantState.WITHDRAWN


def test_strangers_sign_in_first_and_bots_events_are_not_for_people(client: Client) -> None:
    tournament = open_event(entry_kind="bots")
    address = f"/tournaments/{tournament.slug}/entrants/"
    assert "Take part" not in read_page(client, address)
    Tournament.objects.filter(pk=tournament.pk).update(entry_kind="people")
    assert "People enter with an account." in read_page(client, address)
    assert "/accounts/login" in client.post(f"/tournaments/{tournament.slug}/enter/").headers["Location"]


def test_the_refusal_has_a_code(ada: User) -> None:
    with pytest.raises(LeagueError) as refused:
        enter_oneself(tournament=open_event(), user=ada)
    assert refused.value.code == "agreement_needed"


def test_a_rated_event_takes_people_whose_address_is_confirmed(ada: User) -> None:
    tournament = open_event(entry_kind="people")
    EmailAddress.objects.filter(user=ada).update(verified=False)
    with pytest.raises(LeagueError) as refused:
        enter_oneself(tournament=tournament, user=ada)
    assert refused.value.code == "address_unverified"
    EmailAddress.objects.filter(user=ada).update(verified=True)
    assert enter_oneself(tournament=tournament, user=ada).state == EntrantState.ENTERED
