"""Events of the site: rights, accounts, leagues, pools, keys and the daily heads, each once and in the chain."""

from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.utils import timezone

from aurum_league.common.proofs import read_public_key
from aurum_league.common.site_events import find_site_breaks
from aurum_league.models import SiteEvent
from tests.services.tournaments.conftest import Make, play_on
from tournaments.services.leagues import create_league
from tournaments.services.lifecycle import note_signing_key, publish_heads

pytestmark = pytest.mark.django_db


def told(kind: str) -> list[dict[str, Any]]:
    return list(SiteEvent.objects.filter(kind=kind).order_by("number").values_list("detail", flat=True))


def test_rights_and_accounts_are_told_with_who_did_it(client: Client) -> None:
    boss = User.objects.create_superuser("boss", "boss@example.org", "x")
    person = User.objects.create_user("person", "person@example.org")
    assert told("right_given") == [{"user": boss.pk, "right": right} for right in ("staff", "superuser")]
    client.force_login(boss)
    organiser = Group.objects.get(name="organiser")
    form = {"username": "person", "email": "person@example.org", "groups": [organiser.pk], "is_active": ""}
    times = {"date_joined_0": "2026-11-01", "date_joined_1": "10:00:00", "last_login_0": "", "last_login_1": ""}
    answer = client.post(f"/admin/auth/user/{person.pk}/change/", {**form, **times})
    assert answer.status_code == 302, answer.content
    given = SiteEvent.objects.get(kind="right_given", detail__right="organiser")
    closed = SiteEvent.objects.get(kind="account_closed")
    assert (given.actor, given.detail["user"]) == (boss, person.pk)
    assert (closed.actor, closed.detail) == (boss, {"user": person.pk})
    organiser.user_set.clear()
    person.refresh_from_db()
    person.is_active = True
    person.save()
    assert told("right_taken") == [{"user": person.pk, "right": "organiser"}]
    assert told("account_opened") == [{"user": person.pk}]
    assert find_site_breaks() == []


def test_what_changes_no_right_is_not_told() -> None:
    person = User.objects.create_user("person", "person@example.org")
    person.last_login = timezone.now()
    person.save(update_fields=["last_login"])
    person.first_name = "Ada"
    person.save()
    assert not SiteEvent.objects.exists()


def test_leagues_and_pools_are_told(make_tournament: Make) -> None:
    league = create_league(name="Sundays", organiser=User.objects.create_user("organiser-of-sundays"))
    play_on(make_tournament({"format": "round_robin", "options": {"meetings": 1}}, 3))
    assert told("league_made") == [{"league": league.pk, "name": "Sundays"}]
    assert told("pool_made") == [{"pool": "bots-3"}]


def test_heads_are_published_once_a_day(client: Client) -> None:
    first = publish_heads()
    assert first is not None and publish_heads() is None
    assert [event["key"] for event in told("signing_key")] == [read_public_key()]
    assert first in client.get("/rules/fairness/").content.decode()


def test_a_new_key_is_noted_and_old_ones_stay_listed(client: Client, settings: Any) -> None:
    note_signing_key()
    before = read_public_key()
    settings.SECRET_KEY = "another secret"
    assert note_signing_key() and not note_signing_key()
    keys = client.get("/.well-known/aurum-signing-keys").json()
    assert keys["current"] == read_public_key() != before
    assert [key["key"] for key in keys["keys"]] == [before, keys["current"]]
