"""Signing up, in and out, a lost password, the profile and the roles."""

import re

import pytest
from django.contrib.auth.models import Group, User
from django.core.mail import EmailMessage
from django.test import Client

PASSWORD = "five-metals-and-gold"

pytestmark = pytest.mark.django_db


@pytest.fixture
def person() -> User:
    return User.objects.create_user("agnes", "agnes@example.org", PASSWORD)


def test_roles_exist() -> None:
    assert set(Group.objects.values_list("name", flat=True)) >= {"organiser", "staff"}


def test_sign_up(client: Client) -> None:
    fields = {"username": "berta", "email": "berta@example.org", "password1": PASSWORD, "password2": PASSWORD}
    response = client.post("/accounts/signup/", fields)
    assert response.status_code == 302
    assert User.objects.get(username="berta").email == "berta@example.org"


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        pytest.param({"username": "admin"}, "username", id="a name that would deceive"),
        pytest.param({"username": "a"}, "username", id="too short a name"),
        pytest.param({"username": "<script>"}, "username", id="a name with markup"),
        pytest.param({"email": "nowhere"}, "email", id="not an address"),
        pytest.param({"password1": "12345678", "password2": "12345678"}, "password1", id="too common a password"),
        pytest.param({"password2": "something else"}, "password2", id="two passwords"),
    ],
)
def test_sign_up_refuses(client: Client, changed: dict[str, str], field: str) -> None:
    fields = {"username": "berta", "email": "berta@example.org", "password1": PASSWORD, "password2": PASSWORD}
    response = client.post("/accounts/signup/", {**fields, **changed})
    assert response.status_code == 200
    assert field in response.context["form"].errors
    assert not User.objects.exists()


@pytest.mark.parametrize("login", ["agnes", "agnes@example.org"])
def test_sign_in_by_name_or_address_and_out(client: Client, person: User, login: str) -> None:
    response = client.post("/accounts/login/", {"login": login, "password": PASSWORD})
    assert (response.status_code, response["Location"]) == (302, "/accounts/profile/")
    assert client.get("/accounts/profile/").status_code == 200
    client.post("/accounts/logout/")
    assert client.get("/accounts/profile/").status_code == 302


def test_guessing_is_slowed_down(client: Client, person: User) -> None:
    answers = [client.post("/accounts/login/", {"login": "agnes", "password": "wrong"}) for _ in range(12)]
    assert all(answer.status_code in (200, 429) for answer in answers)
    response = client.post("/accounts/login/", {"login": "agnes", "password": PASSWORD})
    assert response.status_code in (200, 429), "the right password does not help any more"


def test_lost_password(client: Client, person: User, mailoutbox: list[EmailMessage]) -> None:
    client.post("/accounts/password/reset/", {"email": "agnes@example.org"})
    link = re.search(r"http://testserver(/accounts/password/reset/key/\S+)", str(mailoutbox[0].body))
    assert link
    page = client.get(link.group(1), follow=True)
    fields = {"password1": "another-metal-42", "password2": "another-metal-42"}
    client.post(page.redirect_chain[-1][0], fields)
    assert client.login(username="agnes", password="another-metal-42")


def test_lost_password_does_not_tell_who_has_an_account(client: Client, mailoutbox: list[EmailMessage]) -> None:
    response = client.post("/accounts/password/reset/", {"email": "nobody@example.org"})
    assert (response.status_code, response["Location"]) == (302, "/accounts/password/reset/done/")


def test_profile_changes_only_what_it_shows(client: Client, person: User) -> None:
    client.force_login(person)
    response = client.post("/accounts/profile/", {"first_name": "Agnes", "last_name": "B", "is_superuser": "on"})
    person.refresh_from_db()
    assert (response.status_code, person.first_name, person.is_superuser) == (302, "Agnes", False)
