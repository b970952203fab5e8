"""Passkeys in a real browser under the public server's settings, with an authenticator of Chromium's own."""

import re
from collections.abc import Iterator

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group, User
from playwright.sync_api import Browser, BrowserContext, Page

from aurum_league.accounts.access import create_token
from aurum_league.models import AccessToken, Session
from tests.browser import needs_chromium, open_browser
from tests.security.site import PASSWORD
from tests.server import WebServer

pytestmark = [
    needs_chromium("nobody has signed in with a passkey"),
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(600),
]

AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def address(transactional_db: None) -> Iterator[str]:
    server = WebServer(DJANGO_SETTINGS_MODULE="tests.public_settings", WITHOUT_TLS="yes")
    try:
        server.start()
        yield server.address.replace("127.0.0.1", "localhost")
    finally:
        server.kill()


@pytest.fixture
def organiser(transactional_db: None) -> User:
    user = User.objects.create_user("agnes", "agnes@example.org", PASSWORD)
    user.groups.add(Group.objects.get_or_create(name="organiser")[0])
    create_token(user=user, name="made with a stolen password", scopes=["read"])
    return user


def open_context(browser: Browser, address: str) -> tuple[BrowserContext, list[str]]:
    """With every complaint of the browser about what the pages do."""
    context = browser.new_context(base_url=address, locale="en")
    complaints: list[str] = []
    context.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    return context, complaints


def sign_in(page: Page) -> None:
    page.goto("/accounts/login/")
    page.fill("#id_login", "agnes")
    page.fill("#id_password", PASSWORD)
    page.click("form:has(#id_password) button[type=submit]")


def add_authenticator(page: Page) -> None:
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    session.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})


def test_an_organiser_sets_up_a_passkey_and_signs_in_with_it(organiser: User, address: str) -> None:
    with open_browser() as browser:
        complaints = walk_through(browser, address)
    assert complaints == []
    assert not AccessToken.objects.exists()
    (kind,) = Authenticator.objects.exclude(type="recovery_codes").values_list("type", flat=True)
    assert kind == "webauthn" and Session.objects.filter(user=organiser).count() == 1


def walk_through(browser: Browser, address: str) -> list[str]:
    """From a password alone to a passkey alone; what the browser complained of."""
    thief, _ = open_context(browser, address)
    stolen = thief.new_page()
    sign_in(stolen)
    stolen.wait_for_url("**/accounts/profile/")
    context, complaints = open_context(browser, address)
    page = context.new_page()
    add_authenticator(page)
    sign_in(page)
    page.wait_for_url("**/accounts/profile/")
    page.goto("/desk/")
    assert page.url.endswith("/accounts/2fa/"), "nothing else opens"
    page.click("a[href='/accounts/2fa/webauthn/add/']")
    page.fill("#id_password", PASSWORD)
    page.click("form:has(#id_password) button[type=submit]")
    page.check("#id_passwordless")
    page.click("#mfa_webauthn_add")
    page.wait_for_url("**/recovery-codes/")
    assert len(re.findall(r"\b\d{8}\b", page.input_value("#recovery_codes"))) == 10
    page.goto("/desk/")
    assert page.url.endswith("/desk/")
    stolen.goto("/accounts/profile/")
    assert "/accounts/login/" in stolen.url, "what was opened without the factor has ended"
    page.goto("/accounts/logout/")
    page.click("main button[type=submit]")
    page.wait_for_url(f"{address}/")
    page.goto("/accounts/login/")
    page.click("#passkey_login")
    page.wait_for_url("**/accounts/profile/")
    page.goto("/desk/")
    assert page.url.endswith("/desk/"), "a passkey is both factors"
    return complaints
