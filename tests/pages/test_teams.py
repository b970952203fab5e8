"""The pages of teams: an invitation, a yes, and entering where sides are fixed."""

import re

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests.people import verify_address
from tournaments.models import Entrant, Team, Tournament
from tournaments.services.leagues import create_tournament
from tournaments.services.lifecycle import open_tournament
from tournaments.services.self_entry import invite_partner

pytestmark = pytest.mark.django_db
SPEC = {
    "name": "Pairs",
    "ruleset": "en4",
    "table_kind": "teams4",
    "entry_kind": "people",
    "stages": [{"format": "round_robin"}],
}


def sign_in(name: str, *groups: str) -> Client:
    user = verify_address(User.objects.create_user(name))
    user.groups.set(Group.objects.filter(name__in=groups))
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def organiser() -> Client:
    return sign_in("organiser", "organiser")


@pytest.fixture
def pairs(organiser: Client) -> Tournament:
    made = create_tournament(spec=SPEC, organiser=User.objects.get(username="organiser"))
    return open_tournament(tournament_id=made.id)


def read(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def test_from_an_invitation_to_an_entry(pairs: Tournament) -> None:
    agnes, bruno = sign_in("agnes"), sign_in("bruno")
    entrants = reverse("tournament_entrants", args=[pairs.slug])
    assert reverse("teams") in read(agnes, entrants), "who has no team is told where to make one"
    page = agnes.post(reverse("teams"), {"name": "Base Metals"}).content.decode()
    found = re.search(r'href="http://testserver(/teams/join/[^"]+)"', page)
    assert found is not None
    assert '<form method="post"' not in read(agnes, found[1]).partition("<main")[2], "nobody is their own partner"
    assert "agnes" in read(bruno, found[1])
    joined = bruno.post(found[1])
    assert joined.headers["Location"] == reverse("player", args=["team-base-metals"])
    assert '<option value="team-base-metals">' in read(bruno, entrants)
    bruno.post(reverse("tournament_enter", args=[pairs.slug]), {"team": "team-base-metals"})
    assert Entrant.objects.get().player.name == "Base Metals"
    assert "Withdraw" in read(agnes, entrants)


def test_a_link_that_is_used_says_so_in_place(pairs: Tournament) -> None:
    sign_in("agnes")
    link = reverse("team_join", args=[invite_partner(name="Metals", user=User.objects.get(username="agnes"))])
    sign_in("bruno").post(link)
    late = sign_in("late")
    assert "The name Metals is taken" in late.post(link, follow=True).content.decode()
    assert Team.objects.count() == 1
    assert late.get(reverse("team_join", args=["no-such"])).status_code == 404


@pytest.mark.parametrize("name", ["", "x", "admin", "a\x00b", "\u202eevil", "n" * 41])
def test_a_name_that_cannot_be_one_is_refused_in_place(name: str) -> None:
    page = sign_in("agnes").post(reverse("teams"), {"name": name})
    assert page.status_code == 200 and "/teams/join/" not in page.content.decode()


def test_an_organiser_makes_and_enters_a_team(pairs: Tournament, organiser: Client) -> None:
    for name in ("agnes", "bruno"):
        invite_partner(name=f"of {name}", user=User.objects.create_user(name))
    desk = reverse("desk_entries", args=[pairs.slug])
    assert reverse("desk_add_team", args=[pairs.slug]) in read(organiser, desk)
    sent = {"name": "Metals", "first": "agnes", "second": "nobody"}
    refused = organiser.post(reverse("desk_add_team", args=[pairs.slug]), sent, follow=True)
    assert "There is no player nobody" in refused.content.decode()
    organiser.post(reverse("desk_add_team", args=[pairs.slug]), {**sent, "second": "bruno"})
    assert "Metals" in read(organiser, desk)


def test_one_query_lists_teams(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    client = sign_in("agnes")
    with django_assert_num_queries(5):  # session, account, teams, and in the header what waits and what is new
        client.get(reverse("teams"))
