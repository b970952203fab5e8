"""Signing in with an account elsewhere, against a small GitHub of our own: nobody gets into another's account by it."""

import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import User
from django.test import Client

from aurum_league.settings.connections import list_provider_origins, make_providers, read_sign_in_keys
from tests.security.site import PASSWORD
from tests.server import WebServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(600)]


class Elsewhere(BaseHTTPRequestHandler):
    person: ClassVar[dict[str, Any]] = {"id": 7, "login": "agnes", "email": None}
    emails: ClassVar[list[dict[str, Any]]] = []

    def do_GET(self) -> None:
        self._say(self.emails if self.path.endswith("/emails") else self.person)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self._say({"access_token": "token", "token_type": "bearer", "scope": "user:email"})

    def _say(self, told: object) -> None:
        body = json.dumps(told).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *parts: object) -> None:
        pass


@pytest.fixture
def address(transactional_db: None) -> Iterator[str]:
    elsewhere = ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    threading.Thread(target=elsewhere.serve_forever, daemon=True).start()
    keys = {"GITHUB_KEYS": "id:secret", "GITHUB_URL": f"http://127.0.0.1:{elsewhere.server_port}"}
    server = WebServer(**keys)
    try:
        server.start()
        yield server.address
    finally:
        server.kill()
        elsewhere.shutdown()
        elsewhere.server_close()


def token_of(page: httpx.Response) -> dict[str, str]:
    (token,) = set(re.findall(r'csrfmiddlewaretoken" value="(\w+)"', page.text))
    return {"csrfmiddlewaretoken": token}


def come_from_elsewhere(client: httpx.Client, verified: bool, email: str) -> httpx.Response:
    """Through the button on our page, there, and back again."""
    Elsewhere.emails[:] = [{"email": email, "primary": True, "verified": verified}]
    assert "/accounts/github/login/" in client.get("/accounts/login/").text
    sent = client.post("/accounts/github/login/", data=token_of(client.get("/accounts/github/login/")))
    there = urlsplit(sent.headers["Location"])
    assert there.path == "/login/oauth/authorize"
    state = parse_qs(there.query)["state"][0]
    return client.get("/accounts/github/login/callback/", params={"code": "code", "state": state})


def test_an_address_in_common_opens_nobodys_account(address: str) -> None:
    victim = User.objects.create_user("victim", "victim@example.org", PASSWORD)
    EmailAddress.objects.create(user=victim, email="victim@example.org", verified=True, primary=True)
    with httpx.Client(base_url=address, timeout=60) as client:
        answer = come_from_elsewhere(client, True, "victim@example.org")
        assert answer.headers["Location"] == "/accounts/3rdparty/signup/", "a name is asked for; nobody is signed in"
        assert client.get("/accounts/profile/").status_code == 302
        fields = {**token_of(client.get("/accounts/3rdparty/signup/")), "username": "thief"}
        client.post("/accounts/3rdparty/signup/", data={**fields, "email": "victim@example.org"})
        profile = client.get("/accounts/profile/")
    assert "<h1>thief</h1>" in profile.text, "an account of its own, whose address nobody has confirmed"
    assert not SocialAccount.objects.filter(user=victim).exists()
    assert not EmailAddress.objects.filter(verified=True).exclude(user=victim).exists()


@pytest.mark.parametrize("verified", [True, False])
def test_an_address_counts_as_confirmed_where_the_provider_says_so(address: str, verified: bool) -> None:
    with httpx.Client(base_url=address, timeout=60) as client:
        come_from_elsewhere(client, verified, "agnes@example.org")
        fields = {**token_of(client.get("/accounts/3rdparty/signup/")), "username": "agnes"}
        client.post("/accounts/3rdparty/signup/", data={**fields, "email": "agnes@example.org"})
        assert client.get("/accounts/profile/").status_code == 200
    assert EmailAddress.objects.get().verified is verified
    assert SocialAccount.objects.get().user.username == "agnes" and not User.objects.get().has_usable_password()


def test_without_keys_there_is_no_button_and_no_address() -> None:
    assert "3rdparty" not in Client().get("/accounts/login/").content.decode()
    assert Client().get("/accounts/github/login/").status_code == 404


def test_keys_make_providers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_KEYS", "an-id:a:secret")
    keys = read_sign_in_keys()
    assert keys == {"google": ("an-id", "a:secret")}
    assert make_providers(keys, "")["google"]["APPS"][0]["secret"] == "a:secret"
    assert list_provider_origins(keys, "") == ["https://accounts.google.com"]
