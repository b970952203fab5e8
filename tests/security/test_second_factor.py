"""Accounts with a role and no second factor can do nothing on a public server, and nobody gets around it."""

import time
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from django.contrib.auth.models import Group, User
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.db import connection
from django.test import Client

from aurum_league.accounts.access import create_token
from aurum_league.common.errors import LeagueError
from tests.security.site import PASSWORD, Site
from tests.server_settings import use_server_settings

WORK = ("/", "/desk/", "/admin/", "/players/", "/account/tokens/", "/nowhere/", "/play/")
REAUTHENTICATE = "/accounts/reauthenticate/"


@pytest.fixture(autouse=True)
def public_server(settings: Any, monkeypatch: pytest.MonkeyPatch, db: None) -> None:
    use_server_settings(settings, monkeypatch)
    settings.ALLOWED_HOSTS = ["testserver"]
    cache.clear()


def make_browser() -> Client:
    return Client(headers={"x-forwarded-proto": "https"}, raise_request_exception=False)


def sign_in(client: Client, name: str, password: str = PASSWORD) -> Any:
    return client.post("/accounts/login/", {"login": name, "password": password}, secure=True)


def code_of(secret: str) -> str:
    """As an authenticator's app shows it; one used a moment ago is not taken again, so the cache forgets it here."""
    cache.clear()
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30))


def confirm(client: Client, **fields: str) -> Any:
    return client.post(REAUTHENTICATE, fields, secure=True)


@pytest.mark.parametrize("role", ["staff", "organiser", "superuser", "moderator"])
def test_a_role_without_a_factor_opens_nothing_but_its_setting_up(site: Site, role: str) -> None:
    name = role if role in site.users else "player"
    if role == "superuser":
        User.objects.filter(username=name).update(is_superuser=True)
    if role == "moderator":
        User.objects.get(username=name).groups.add(Group.objects.get_or_create(name="moderator")[0])
    client = make_browser()
    sign_in(client, name)
    for path in WORK:
        answer = client.get(path, secure=True)
        assert (answer.status_code, answer.headers.get("Location")) == (302, "/accounts/2fa/"), path
        assert client.post(path, {}, secure=True).status_code == 302
    answer = client.get("/api/v1/account", secure=True)
    assert (answer.status_code, answer.json()["code"]) == (403, "second_factor_needed")
    page = client.get("/accounts/2fa/", secure=True)
    assert page.status_code == 200 and "asks for a second factor" in page.content.decode()


def test_people_without_a_role_need_none(site: Site) -> None:
    client = make_browser()
    sign_in(client, "player")
    assert client.get("/accounts/profile/", secure=True).status_code == 200
    assert client.get("/players/", secure=True).status_code == 200


def test_a_role_that_is_given_bars_sessions_that_are_open(site: Site) -> None:
    client = make_browser()
    sign_in(client, "player")
    assert client.get("/players/", secure=True).status_code == 200
    User.objects.get(username="player").groups.add(Group.objects.get(name="organiser"))
    assert client.get("/players/", secure=True)["Location"] == "/accounts/2fa/"


def give_factor(name: str) -> str:
    secret = generate_totp_secret()
    TOTP.activate(User.objects.get(username=name), secret)
    return secret


def test_a_password_is_not_enough(site: Site) -> None:
    secret = give_factor("staff")
    client = make_browser()
    assert sign_in(client, "staff")["Location"] == "/accounts/2fa/authenticate/"
    assert client.get("/admin/", secure=True).status_code == 302
    assert client.get("/accounts/profile/", secure=True).status_code == 302, "not signed in at all"
    client.post("/accounts/2fa/authenticate/", {"code": code_of(secret)}, secure=True)
    assert client.get("/admin/", secure=True).status_code == 200


def test_codes_cannot_be_guessed(site: Site) -> None:
    give_factor("staff")
    client = make_browser()
    sign_in(client, "staff")
    answers = [client.post("/accounts/2fa/authenticate/", {"code": f"{number:06}"}, secure=True) for number in range(7)]
    assert "Too many failed login attempts" in answers[-1].content.decode()


def test_a_code_opens_one_session_only(site: Site) -> None:
    secret = give_factor("staff")
    first, second = make_browser(), make_browser()
    for client in (first, second):
        sign_in(client, "staff")
    code = code_of(secret)
    assert first.post("/accounts/2fa/authenticate/", {"code": code}, secure=True).status_code == 302
    assert second.post("/accounts/2fa/authenticate/", {"code": code}, secure=True).status_code == 200
    assert second.get("/admin/", secure=True).status_code == 302


def test_a_session_from_before_the_factor_has_to_prove_it(site: Site) -> None:
    client = make_browser()
    client.force_login(User.objects.get(username="staff"))
    secret = give_factor("staff")
    answer = client.get("/admin/", secure=True)
    assert answer["Location"] == "/accounts/2fa/reauthenticate/?next=%2Fadmin%2F"
    client.post(answer["Location"], {"code": code_of(secret)}, secure=True)
    assert client.get("/admin/", secure=True).status_code == 200


def test_a_password_does_not_take_the_factor_off(site: Site) -> None:
    """Somebody at another's open browser who knows the password: what asks again asks for the factor."""
    client = make_browser()
    client.force_login(User.objects.get(username="staff"))
    give_factor("staff")
    answer = confirm(client, password=PASSWORD)
    assert answer["Location"].startswith("/accounts/2fa/reauthenticate/")
    for path in ("/accounts/2fa/totp/deactivate/", "/accounts/2fa/webauthn/add/"):
        assert "reauthenticate" in client.get(path, secure=True)["Location"], path
        assert "reauthenticate" in client.post(path, {}, secure=True)["Location"], path
    assert Authenticator.objects.filter(user__username="staff").exists()


def test_the_last_factor_of_a_role_stays(site: Site) -> None:
    secret = give_factor("staff")
    client = make_browser()
    sign_in(client, "staff")
    client.post("/accounts/2fa/authenticate/", {"code": code_of(secret)}, secure=True)
    client.post("/accounts/2fa/reauthenticate/", {"code": code_of(secret)}, secure=True)
    page = client.post("/accounts/2fa/totp/deactivate/", {}, secure=True)
    assert page.status_code == 200 and Authenticator.objects.filter(user__username="staff").exists()


def test_a_new_password_by_mail_leads_to_the_factor(site: Site, mailoutbox: list[EmailMessage]) -> None:
    """Whoever reads another's mail has one factor, not two."""
    give_factor("staff")
    client = make_browser()
    client.post("/accounts/password/reset/", {"email": "staff@example.org"}, secure=True)
    (link,) = [word for word in str(mailoutbox[-1].body).split() if "/password/reset/key/" in word]
    form = client.get(link.partition("testserver")[2], secure=True, follow=True)
    new = {"password1": "another-metal-42", "password2": "another-metal-42"}
    client.post(form.redirect_chain[-1][0], new, secure=True)
    assert client.get("/accounts/profile/", secure=True).status_code == 302
    assert sign_in(client, "staff", "another-metal-42")["Location"] == "/accounts/2fa/authenticate/"


def test_tokens_of_a_role_need_the_factor(site: Site, settings: Any) -> None:
    user = User.objects.get(username="organiser")
    with pytest.raises(LeagueError) as refused:
        create_token(user=user, name="without", scopes=["organise"])
    assert refused.value.code == "second_factor_needed"
    settings.SECOND_FACTOR_REQUIRED = False
    _, token = create_token(user=user, name="from before", scopes=["organise", "read"])
    settings.SECOND_FACTOR_REQUIRED = True
    bearer = {"Authorization": f"Bearer {token}"}
    answer = make_browser().get("/api/v1/account", headers=bearer, secure=True)
    assert (answer.status_code, answer.json()["code"]) == (403, "second_factor_needed")
    give_factor("organiser")
    assert make_browser().get("/api/v1/account", headers=bearer, secure=True).status_code == 200


def test_the_database_holds_no_secret_that_makes_codes(site: Site) -> None:
    secret = give_factor("staff")
    with connection.cursor() as cursor:
        cursor.execute("SELECT data::text FROM mfa_authenticator")
        assert all(secret not in text for (text,) in cursor.fetchall())


def test_the_admin_shows_no_secrets_and_helps_those_who_lost_their_factor(site: Site) -> None:
    boss = User.objects.create_superuser("boss", "boss@example.org", PASSWORD)
    mine, theirs = give_factor("boss"), give_factor("staff")
    client = make_browser()
    sign_in(client, "boss")
    client.post("/accounts/2fa/authenticate/", {"code": code_of(mine)}, secure=True)
    for path in ("/admin/mfa/authenticator/", "/admin/socialaccount/socialapp/", "/admin/socialaccount/socialtoken/"):
        assert client.get(path, secure=True).status_code == 404
    everybody = {"action": "remove_factors", "_selected_action": [user.pk for user in User.objects.all()]}
    client.post("/admin/auth/user/", everybody, secure=True)
    assert list(Authenticator.objects.values_list("user__username", flat=True)) == [boss.username], theirs
