"""Account pages in our frame, for people signed in and not."""

import re

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.fixture
def member(client: Client) -> User:
    user = User.objects.create_user("maria", "maria@example.org", "a long enough secret")
    client.force_login(user)
    return user


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("/accounts/profile/", id="profile"),
        pytest.param("/accounts/email/", id="e-mail"),
        pytest.param("/accounts/password/change/", id="password"),
        pytest.param("/accounts/logout/", id="sign out"),
    ],
)
def test_a_member_sees_which_page_of_the_account_is_open(client: Client, member: User, path: str) -> None:
    page = client.get(path).content.decode()
    assert re.findall(r'<a href="([^"]+)" aria-current="page">', page) == [path]
    assert "Account: maria" in page


@pytest.mark.parametrize(
    "path", ["/accounts/login/", "/accounts/signup/", "/accounts/password/reset/", "/accounts/password/reset/done/"]
)
def test_a_visitor_gets_the_entrance(client: Client, path: str) -> None:
    page = client.get(path).content.decode()
    assert "panel-narrow" in page
    assert 'aria-label="Sign in"' in page


def test_the_profile_shows_roles_and_keeps_a_name(client: Client, member: User) -> None:
    member.groups.add(Group.objects.get_or_create(name="organiser")[0])
    page = client.post("/accounts/profile/", {"first_name": "Maria"}, follow=True).content.decode()
    assert 'value="Maria"' in page
    assert "organiser" in page
    assert "callout toast callout-success" in page


def test_a_wrong_password_is_said_on_the_page(client: Client, member: User) -> None:
    client.logout()
    page = client.post("/accounts/login/", {"login": "maria", "password": "wrong"}).content.decode()
    assert "callout-error" in page


def test_a_name_is_escaped_in_the_header(client: Client) -> None:
    client.force_login(User.objects.create_user("<b>maria</b>"))
    page = client.get("/accounts/profile/").content.decode()
    assert "<b>maria" not in page
    assert "&lt;b&gt;maria" in page


def test_a_forged_form_gets_a_page_that_helps() -> None:
    answer = Client(enforce_csrf_checks=True).post("/accounts/login/", {})
    assert answer.status_code == 403
    assert "This form has expired" in answer.content.decode()


def test_the_language_switch_turns_the_page(client: Client) -> None:
    client.post("/i18n/setlang/", {"language": "de", "next": "/accounts/login/"})
    assert '<html lang="de">' in client.get("/accounts/login/").content.decode()
