"""The staff's rights: all of the league to look at and act on, accounts to help with, and no way to more rights."""

from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

from aurum_league.accounts.access import KEPT_BY_STAFF
from tests.pages.events import make_tournament, read_page
from tournaments.models import TournamentState

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(client: Client) -> User:
    user = User.objects.create_user("helper", is_staff=True)
    user.groups.add(Group.objects.get(name="staff"))
    client.force_login(user)
    return user


def change_account(client: Client, account: User, **changed: Any) -> int:
    address = reverse("admin:auth_user_change", args=[account.pk])
    kept = {"username": account.username, "is_active": "on", "date_joined_0": "2026-01-01", "date_joined_1": "12:00:00"}
    return client.post(address, kept | changed).status_code


def test_staff_see_the_league_and_act_through_the_services(client: Client, staff: User) -> None:
    tournament = make_tournament("playing")
    page = read_page(client, reverse("admin:index"))
    for name in ("tournaments_tournament", "games_match", "bots_bot", "bots_botversion", "auth_user"):
        assert reverse(f"admin:{name}_changelist") in page, name
    chosen = {"action": "pause_tournaments", "_selected_action": [tournament.pk], "confirmed": "yes", "reason": "rain"}
    client.post(reverse("admin:tournaments_tournament_changelist"), chosen)
    tournament.refresh_from_db()
    assert tournament.state == TournamentState.PAUSED


def test_staff_make_organisers_and_nothing_more(client: Client, staff: User) -> None:
    person = User.objects.create_user("maria")
    organiser, own_role = Group.objects.get(name="organiser"), Group.objects.get(name="staff")
    assert change_account(client, person, groups=[organiser.pk], is_staff="on", is_superuser="on") == 302
    person.refresh_from_db()
    assert list(person.groups.all()) == [organiser]
    assert (person.is_staff, person.is_superuser) == (False, False)
    assert change_account(client, person, groups=[own_role.pk]) == 200
    assert list(person.groups.all()) == [organiser]


@pytest.mark.parametrize("right", ["is_superuser", "is_staff"])
def test_staff_cannot_touch_accounts_with_rights(client: Client, staff: User, right: str) -> None:
    other = User.objects.create_user("warden", "old@example.org")
    User.objects.filter(pk=other.pk).update(**{right: True})
    assert change_account(client, other, email="mine@example.org") == 403
    password = reverse("admin:auth_user_password_change", args=[other.pk])
    sent = {"password1": "mine-alone-9", "password2": "mine-alone-9", "usable_password": "true"}
    assert client.post(password, sent).status_code == 403
    other.refresh_from_db()
    assert (other.email, other.has_usable_password()) == ("old@example.org", False)


def test_models_are_named_as_people_would() -> None:
    names = [
        str(model._meta.verbose_name_plural) for app in KEPT_BY_STAFF for model in apps.get_app_config(app).get_models()
    ]
    assert [name for name in names if name.endswith(("ss", "chs"))] == []
