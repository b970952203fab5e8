"""Signing in: guesses are limited and lock nobody out, sessions can be seen and ended, Redis may be away."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.test import Client
from structlog.testing import capture_logs

from aurum_league.accounts.access import create_token
from aurum_league.accounts.sessions import name_device, name_network
from aurum_league.common import breaker as breaking
from aurum_league.common.breaker import breaker
from aurum_league.models import AccessToken, Session
from tests.security.site import PASSWORD, Site

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
LOGIN = "/accounts/login/"


@pytest.fixture(autouse=True)
def no_guesses_yet(db: None) -> None:
    cache.clear()


def guess(client: Client, login: str = "player", password: str = "wrong") -> Any:
    return client.post(LOGIN, {"login": login, "password": password})


def browser(address: str = "198.51.100.7", agent: str = FIREFOX) -> Client:
    return Client(REMOTE_ADDR=address, HTTP_USER_AGENT=agent)


def is_refused(answer: Any) -> bool:
    return "Too many failed login attempts" in answer.content.decode()


def test_guesses_lock_strangers_out_but_not_a_browser_that_is_known(site: Site) -> None:
    owner = browser()
    assert guess(owner, password=PASSWORD).status_code == 302
    owner.post("/accounts/logout/")
    for number in range(12):
        guess(browser(f"203.0.113.{number}"))
    assert is_refused(guess(browser("192.0.2.1"), password=PASSWORD)), "a stranger, wherever he comes from"
    assert guess(owner, password=PASSWORD).status_code == 302


def test_an_account_has_the_same_guesses_by_all_its_names(site: Site) -> None:
    logins = ("player", "PLAYER", "player@example.org", "Player@Example.org")
    answers = [guess(browser(), logins[number % 4]) for number in range(6)]
    assert [is_refused(answer) for answer in answers] == [False] * 5 + [True]


def test_a_known_browser_has_few_guesses_too(site: Site) -> None:
    owner = browser()
    guess(owner, password=PASSWORD)
    owner.post("/accounts/logout/")
    answers = [guess(owner) for _ in range(11)]
    assert [is_refused(answer) for answer in answers] == [False] * 10 + [True]


def test_a_browser_is_known_to_its_own_accounts_only(site: Site) -> None:
    thief = browser()
    guess(thief, "author", PASSWORD)
    thief.post("/accounts/logout/")
    assert [is_refused(guess(thief)) for _ in range(6)] == [False] * 5 + [True]


@pytest.mark.parametrize("forged", ["", "x", '["name", [1]]', "WyJuYW1lIixbMV1d:1abc:forged"])
def test_the_mark_of_a_known_browser_cannot_be_written(site: Site, forged: str) -> None:
    thief = browser()
    thief.cookies["device"] = forged
    assert [is_refused(guess(thief)) for _ in range(6)] == [False] * 5 + [True]


def test_one_address_cannot_try_many_accounts(site: Site) -> None:
    answers = [guess(browser(), f"nobody{number}") for number in range(31)]
    assert [is_refused(answer) for answer in answers[-2:]] == [False, True]


def test_signing_in_goes_on_without_redis_and_is_limited_all_the_same(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(breaking, "does_redis_answer", lambda: False)
    breaker.open()
    try:
        assert [is_refused(guess(browser())) for _ in range(6)] == [False] * 5 + [True]
        assert guess(browser("192.0.2.9"), "author", PASSWORD).status_code == 302
        for path in ("/accounts/signup/", "/accounts/password/reset/"):
            assert browser().post(path, {"email": "x@example.org"}).status_code in (200, 302)
    finally:
        breaker.close()


def test_signing_in_is_told_in_the_log_without_what_was_typed(site: Site) -> None:
    with capture_logs() as lines:
        guess(browser(), password="my other password")
        guess(browser(), login="my password by mistake")
        guess(browser(), password=PASSWORD)
    told = [line for line in lines if line["event"] in ("sign_in_failed", "signed_in")]
    account = User.objects.get(username="player").pk
    assert [(line["event"], line["account"]) for line in told] == [
        *(("sign_in_failed", account), ("sign_in_failed", None)),
        ("signed_in", account),
    ]
    assert {line["network"] for line in told} == {"198.51.100.0/24"} and "password" not in str(told)


@pytest.mark.parametrize("password", ["eleven-char", "123456789012", "qwertyytrewq"])
def test_weak_passwords_are_refused(site: Site, password: str) -> None:
    fields = {"username": "newcomer", "email": "new@example.org", "password1": password, "password2": password}
    assert browser().post("/accounts/signup/", fields).status_code == 200
    assert not User.objects.filter(username="newcomer").exists()


def test_people_see_where_they_are_signed_in(site: Site) -> None:
    here, there = browser(), browser("2001:db8:7:1::42", "Mozilla/5.0 (iPhone) Version/18 Mobile Safari/604.1")
    for client in (here, there):
        guess(client, password=PASSWORD)
    page = here.get("/account/sessions/").content.decode()
    assert "Firefox, Linux" in page and "Safari, iPhone" in page
    assert "198.51.100.0/24" in page and "2001:db8:7::/48" in page
    assert "198.51.100.7" not in page and "::42" not in page
    assert page.count("This browser") == 1
    other = Session.objects.get(user__username="player", address="2001:db8:7::/48")
    here.post("/account/sessions/end/", {"session": other.pk})
    assert there.get("/accounts/profile/").status_code == 302
    assert here.get("/accounts/profile/").status_code == 200


def test_nobody_ends_the_session_of_another(site: Site) -> None:
    victim, thief = browser(), browser()
    guess(victim, password=PASSWORD)
    guess(thief, "author", PASSWORD)
    thief.post("/account/sessions/end/", {"session": Session.objects.get(user__username="player", address__gt="").pk})
    assert victim.get("/accounts/profile/").status_code == 200


def test_signing_out_everywhere_ends_sessions_and_tokens(site: Site) -> None:
    here, there = browser(), browser()
    for client in (here, there):
        guess(client, password=PASSWORD)
    create_token(user=User.objects.get(username="player"), name="one", scopes=["read"])
    assert here.post("/account/sessions/end/")["Location"] == LOGIN
    for client in (here, there):
        assert client.get("/accounts/profile/").status_code == 302
    assert not AccessToken.objects.filter(user__username="player").exists()
    assert not Session.objects.filter(user__username="player").exists()
    assert Session.objects.filter(user__username="author").exists()


def test_a_password_set_by_any_way_ends_sessions_and_tokens(site: Site) -> None:
    """At the command line as well, where no page is asked."""
    user = User.objects.get(username="player")
    create_token(user=user, name="one", scopes=["read"])
    user.set_password("another-metal-42")
    user.save()
    assert not AccessToken.objects.filter(user=user).exists() and not Session.objects.filter(user=user).exists()


def test_saving_an_account_ends_nothing(site: Site) -> None:
    user = User.objects.get(username="player")
    user.save()
    assert user.check_password(PASSWORD) and Session.objects.filter(user=user).exists()


def test_when_a_session_was_seen_is_known_to_ten_minutes(site: Site, django_assert_max_num_queries: Any) -> None:
    client = browser()
    guess(client, password=PASSWORD)
    row = Session.objects.filter(user__username="player", address__gt="")
    before = row.get().seen_at
    client.get("/accounts/profile/")
    assert row.get().seen_at == before, "no write for every request"
    row.update(seen_at=before - timedelta(minutes=11))
    client.get("/accounts/profile/")
    assert row.get().seen_at > before


def test_whoever_makes_an_account_does_not_know_its_password(
    admin_client: Client, mailoutbox: list[EmailMessage]
) -> None:
    page = admin_client.get("/admin/auth/user/add/").content.decode()
    assert 'name="username"' in page and "password1" not in page
    sent = {
        "username": "newcomer",
        "email": "new@example.org",
        "password1": "mine-alone-9",
        "password2": "mine-alone-9",
    }
    assert admin_client.post("/admin/auth/user/add/", sent).status_code == 302
    assert not User.objects.get(username="newcomer").has_usable_password()
    assert [mail.to for mail in mailoutbox] == [["new@example.org"]] and "/password/reset/key/" in mailoutbox[0].body


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        pytest.param(FIREFOX, "Firefox, Linux", id="Firefox"),
        pytest.param("Mozilla/5.0 (Windows NT 10.0) Chrome/140 Safari/537 Edg/140", "Edge, Windows", id="Edge"),
        pytest.param("Mozilla/5.0 (Linux; Android 16) Chrome/140 Mobile Safari/537", "Chrome, Android", id="Android"),
        pytest.param("<svg onload=alert(1)>", "", id="markup"),
    ],
)
def test_devices_are_named_by_what_they_say(agent: str, name: str) -> None:
    assert name_device(agent) == name


def test_networks_are_kept_roughly() -> None:
    assert name_network("::ffff:198.51.100.7") == "198.51.100.0/24" and name_network("unix") == ""
