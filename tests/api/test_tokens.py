"""Tokens: made once, shown once, hashed, scoped, expiring and revocable."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from aurum_league.accounts.access import MOST_TOKENS, create_token
from aurum_league.models import AccessToken
from tests.api.conftest import client_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def person() -> User:
    return User.objects.create_user("agnes", "agnes@example.org", "five-metals-and-gold")


@pytest.fixture
def browser(client: Client, person: User) -> Client:
    client.force_login(person)
    return client


def ask(token: str) -> int:
    return APIClient().get("/api/v1/rulesets", HTTP_AUTHORIZATION=f"Bearer {token}").status_code


def test_page_shows_a_token_once_and_the_database_holds_its_hash(browser: Client, person: User) -> None:
    page = browser.post("/account/tokens/", {"name": "laptop", "scopes": ["read", "play"], "lifetime": "7"})
    found = re.search(r"data-token>(aur_[0-9a-f]{64})<", page.content.decode())
    assert found
    text = found.group(1)
    token = AccessToken.objects.get(user=person)
    assert text not in (token.digest, token.token_key)
    assert token.scopes == ["read", "play"]
    assert token.expiry is not None and token.expiry > timezone.now() + timedelta(days=6)
    assert ask(text) == 200
    assert text not in browser.get("/account/tokens/").content.decode()


def test_last_use_is_shown(browser: Client, person: User) -> None:
    token, text = create_token(user=person, name="laptop", scopes=["read"])
    assert token.last_used_at is None
    ask(text)
    token.refresh_from_db()
    assert token.last_used_at is not None
    assert "laptop" in browser.get("/account/tokens/").content.decode()


def test_revoked_token_opens_nothing(browser: Client, person: User) -> None:
    token, text = create_token(user=person, name="laptop", scopes=["read"])
    browser.post(f"/account/tokens/{token.handle}/revoke/")
    assert ask(text) == 401


def test_somebody_elses_token_cannot_be_revoked(browser: Client) -> None:
    token, text = create_token(user=User.objects.create_user("berta"), name="laptop", scopes=["read"])
    browser.post(f"/account/tokens/{token.handle}/revoke/")
    assert ask(text) == 200


def test_page_is_for_people_who_are_signed_in(client: Client) -> None:
    assert client.get("/account/tokens/").status_code == 302


def test_no_more_than_the_most(browser: Client, person: User) -> None:
    for number in range(MOST_TOKENS):
        create_token(user=person, name=str(number), scopes=["read"])
    browser.post("/account/tokens/", {"name": "one more", "scopes": ["read"]})
    assert AccessToken.objects.filter(user=person).count() == MOST_TOKENS


@pytest.mark.parametrize(
    "token",
    [
        pytest.param("aur_" + "0" * 64, id="unknown"),
        pytest.param("aurbot_something", id="a bot's token"),
        pytest.param("\u00ff\u00fe", id="not ASCII"),
        pytest.param("a b", id="with a space"),
        pytest.param("", id="empty"),
        pytest.param("a" * 7000, id="very long"),
    ],
)
def test_bad_token(token: str) -> None:
    answer = APIClient().get("/api/v1/rulesets", HTTP_AUTHORIZATION=f"Bearer {token}")
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == "Bearer"
    assert answer.json()["code"] == "bad_token"


def test_expired_token() -> None:
    _, text = create_token(
        user=User.objects.create_user("berta"), name="old", scopes=["read"], lifetime=timedelta(seconds=-1)
    )
    assert ask(text) == 401


def test_token_of_somebody_who_left(person: User) -> None:
    _, text = create_token(user=person, name="laptop", scopes=["read"])
    User.objects.filter(pk=person.pk).update(is_active=False)
    assert ask(text) == 401


@pytest.mark.parametrize(
    ("scopes", "method", "address", "code"),
    [
        pytest.param(["play"], "get", "/api/v1/rulesets", "missing_scope", id="reading takes read"),
        pytest.param(["read"], "post", "/api/v1/leagues", "missing_scope", id="a league takes organise"),
        pytest.param(["read"], "post", "/api/v1/matches/1/decisions", "missing_scope", id="deciding takes play"),
        pytest.param(["organise"], "post", "/api/v1/leagues", "not_an_organiser", id="a scope is not yet a role"),
    ],
)
def test_scope(person: User, scopes: list[str], method: str, address: str, code: str) -> None:
    answer = getattr(client_of(person, *scopes), method)(address, {"name": "League"}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (403, code)
