"""Attacks by the web: forged forms, framed pages, names that are markup, redirects to elsewhere, guessed accounts."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.mail import EmailMessage
from django.test import Client

from aurum_league.accounts.access import create_token
from tests.security.addresses import list_addresses
from tests.security.site import HOSTILE, PASSWORD, ROLES, Site
from tests.security.test_permissions import STREAMS, TABLE

ADDRESSES = list_addresses()
EVIL = "https://evil.example"
NEW = "another-metal-42"
STYLED_INLINE = ("/api/v1/docs/", "/api/v1/redoc/")
"""The pages of other people's making that show the schema; they may style inline, never script."""

FRAMED = re.compile(r"^/tournaments/[\w-]+/embed/$")
"""The one page that other sites may frame: nothing in it can be pressed to effect, so no click can be stolen."""

MARKUP = HOSTILE.encode()
LEAVES_THE_SITE = re.compile(rb"<script(?![^>]*\bsrc=|[^>]*type=\"application/json\")|\son\w+=\"|javascript:", re.I)


def list_shown(site: Site, role: str) -> Iterator[tuple[str, Any]]:
    """Every page this role is shown; to those who signed in, only what strangers do not get."""
    client = site.client_of(role)
    for method, name, subject, told in TABLE:
        expected = told[0] if len(told) == 1 else told[ROLES.index(role)]
        is_repeated = role != "anonymous" and len(told) == 1
        if method == "GET" and expected in (200, 403) and name not in STREAMS and not is_repeated:
            path = ADDRESSES[name].fill_in(site, subject)
            yield path, client.get(path)


@pytest.mark.parametrize("role", ["anonymous", "author", "organiser"])
def test_pages_are_closed_to_strangers_code(site: Site, role: str) -> None:
    """On each: a policy without inline code, no frame, no guessing of types, and no name that becomes an element."""
    wrong = []
    for path, answer in list_shown(site, role):
        policy = answer.headers.get("Content-Security-Policy", "")
        framed = FRAMED.search(path) is not None
        denied = answer.headers.get("X-Frame-Options") == "DENY" and "frame-ancestors 'none'" in policy
        guarded = {
            "policy": "default-src 'none'" in policy and "script-src 'self';" in f"{policy};",
            "styles": "unsafe" not in policy or path in STYLED_INLINE,
            "frames": denied or (framed and "form-action 'none'" in policy and b"<form" not in answer.content),
            "types": answer.headers.get("X-Content-Type-Options") == "nosniff",
        }
        if answer.headers["Content-Type"].startswith("text/html"):
            guarded["markup"] = MARKUP not in answer.content
            guarded["inline"] = not LEAVES_THE_SITE.search(answer.content)
        wrong += [(path, name) for name, holds in guarded.items() if not holds]
    assert wrong == []


def test_hostile_names_are_shown_where_people_chose_them(site: Site) -> None:
    """So that the test above sees them at all."""
    pages = [answer.content for _, answer in list_shown(site, "organiser") if not answer.streaming]
    assert sum(b"&lt;svg onload=alert(1)&gt;" in page for page in pages) > 8


def test_no_form_is_taken_without_its_token(site: Site) -> None:
    """Everything that writes, as whoever may: without a CSRF token nothing happens. Bots bring no cookies."""
    wrong = []
    for method, name, subject, told in TABLE:
        role = next((role for role, one in zip(ROLES, told, strict=False) if one not in (302, 401, 403, 404)), "player")
        if method == "GET" or name == "api-bot-decisions":
            continue
        role = role if role != "anonymous" or not name.startswith("api") else "player"
        client = site.client_of(role, enforce_csrf_checks=True)
        answer = client.generic(method, ADDRESSES[name].fill_in(site, subject), "{}", content_type="application/json")
        if answer.status_code != 403:
            wrong.append((method, name, role, answer.status_code))
    assert wrong == []


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(f"/accounts/login/?next={EVIL}/", id="sign in"),
        pytest.param("/accounts/login/?next=//evil.example/", id="sign in, without a scheme"),
        pytest.param("/accounts/login/?next=/%5Cevil.example/", id="sign in, by a backslash"),
        pytest.param(f"/accounts/logout/?next={EVIL}/", id="sign out"),
        pytest.param(f"/i18n/setlang/?next={EVIL}/", id="language"),
        pytest.param(f"/admin/login/?next={EVIL}/", id="admin"),
    ],
)
def test_no_redirect_leads_elsewhere(site: Site, path: str) -> None:
    for role in ("anonymous", "staff"):
        client = site.client_of(role)
        fields = {"login": "player", "username": "player", "password": PASSWORD, "language": "de"}
        for answer in (client.get(path), client.post(path, fields, headers={"referer": f"{EVIL}/"})):
            assert "evil.example" not in answer.headers.get("Location", "")


def test_a_lost_password_leads_to_this_site(site: Site, mailoutbox: list[EmailMessage]) -> None:
    """Whatever a caller says the host is: one that is not ours is refused, and the header of proxies is not read."""
    fields = {"email": "player@example.org"}
    refused = site.client_of("anonymous").post("/accounts/password/reset/", fields, headers={"host": "evil.example"})
    assert refused.status_code == 400 and not mailoutbox
    site.client_of("anonymous").post("/accounts/password/reset/", fields, headers={"x-forwarded-host": "evil.example"})
    assert len(mailoutbox) == 1 and "evil.example" not in str(mailoutbox[0].body)


def test_names_in_a_bracket_are_text(site: Site) -> None:
    page = site.client_of("anonymous").get(ADDRESSES["tournament_bracket"].fill_in(site, "bracket")).content.decode()
    (drawing,) = re.findall(r"<svg[^>]*bracket.*?</svg>", page, re.S) or [page]
    assert drawing.count("&lt;svg onload=alert(1") >= 6 and HOSTILE not in page


@pytest.mark.parametrize("line", ["\r\nSet-Cookie: stolen=1", "\nBcc: evil@evil.example"])
def test_a_line_break_adds_no_header(site: Site, mailoutbox: list[EmailMessage], line: str) -> None:
    """Neither to an answer that names what was asked for nor to a mail that is sent on a form."""
    client = site.client_of("anonymous")
    for path in ("/search/", "/accounts/login/", "/i18n/setlang/"):
        for answer in (client.get(path, {"q": line, "next": f"/{line}"}), client.post(path, {"next": f"/{line}"})):
            assert "stolen" not in answer.cookies and "\n" not in "".join(answer.headers.values())
    client.post("/accounts/password/reset/", {"email": f"player@example.org{line}"})
    assert mailoutbox == []


def test_a_session_key_that_somebody_chose_is_not_taken(site: Site) -> None:
    client = Client()
    client.cookies["sessionid"] = "chosen0by0the0attacker0000000000"
    client.post("/accounts/login/", {"login": "player", "password": PASSWORD})
    assert client.cookies["sessionid"].value != "chosen0by0the0attacker0000000000"


def test_a_session_does_not_outlive_signing_in_or_out(site: Site) -> None:
    client = Client()
    client.get("/play/")
    client.post("/play/", {"start": "guided"})
    before = client.cookies["sessionid"].value
    client.post("/accounts/login/", {"login": "player", "password": PASSWORD})
    inside = client.cookies["sessionid"].value
    assert before != inside
    client.post("/accounts/logout/")
    thief = Client()
    thief.cookies["sessionid"] = inside
    assert thief.get("/accounts/profile/").status_code == 302, "a stolen cookie is worth nothing once its owner left"


def test_a_new_password_ends_other_sessions(site: Site) -> None:
    client, thief = site.client_of("player"), site.client_of("player")
    fields = {"oldpassword": PASSWORD, "password1": "another-metal-42", "password2": "another-metal-42"}
    assert client.post("/accounts/password/change/", fields).status_code == 302
    assert thief.get("/accounts/profile/").status_code == 302


def test_a_new_password_ends_tokens(site: Site) -> None:
    client, user = site.client_of("player"), User.objects.get(username="player")
    _, token = create_token(user=user, name="lost", scopes=["read"])
    bearer = {"Authorization": f"Bearer {token}"}
    assert site.client_of("anonymous").get("/api/v1/account", headers=bearer).status_code == 200
    assert client.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})
    assert site.client_of("anonymous").get("/api/v1/account", headers=bearer).status_code == 401


def test_the_admin_has_no_login_of_its_own(site: Site) -> None:
    """It took any number of guesses."""
    client = site.client_of("anonymous")
    client.handler.enforce_csrf_checks = False
    sent = {"username": "staff", "password": PASSWORD, "this_is_the_login_form": "1", "next": "/admin/"}
    for answer in (client.get("/admin/login/?next=/admin/"), client.post("/admin/login/?next=/admin/", sent)):
        assert (answer.status_code, answer["Location"]) == (302, "/accounts/login/?next=/admin/")
    assert client.get("/admin/").status_code == 302


def test_nobody_sets_the_password_of_another(site: Site, admin_client: Client, mailoutbox: list[EmailMessage]) -> None:
    player = User.objects.get(username="player")
    before = player.password
    sent = {"password1": "mine-alone-9", "password2": "mine-alone-9", "usable_password": "true"}
    assert admin_client.post(f"/admin/auth/user/{player.pk}/password/", sent).status_code == 403
    page = admin_client.get(f"/admin/auth/user/{player.pk}/change/").content.decode()
    assert "../password/" not in page
    chosen = {"action": "send_reset", "_selected_action": [player.pk]}
    assert admin_client.post("/admin/auth/user/", chosen).status_code == 302
    assert [mail.to for mail in mailoutbox] == [[player.email]]
    player.refresh_from_db()
    assert player.password == before


def test_guessing_passwords_is_limited_and_told(site: Site) -> None:
    client = site.client_of("anonymous")
    answers = [client.post("/accounts/login/", {"login": "player", "password": f"guess {n}"}) for n in range(12)]
    assert "Too many failed login attempts" in answers[-1].content.decode()
    assert client.post("/accounts/login/", {"login": "player", "password": PASSWORD}).status_code == 200


@pytest.mark.parametrize(
    ("path", "known", "unknown"),
    [
        pytest.param(
            "/accounts/password/reset/",
            {"email": "player@example.org"},
            {"email": "nobody@example.org"},
            id="lost password",
        ),
        pytest.param(
            "/accounts/login/",
            {"login": "player", "password": "wrong"},
            {"login": "nobody", "password": "wrong"},
            id="sign in",
        ),
        pytest.param(
            "/accounts/signup/",
            {"username": "newcomer", "email": "player@example.org", "password1": NEW, "password2": NEW},
            {"username": "beginner", "email": "nobody@example.org", "password1": NEW, "password2": NEW},
            id="sign up",
        ),
    ],
)
def test_forms_do_not_tell_who_has_an_account(
    site: Site, path: str, known: dict[str, str], unknown: dict[str, str]
) -> None:
    answers = [site.client_of("anonymous").post(path, fields) for fields in (known, unknown)]
    assert answers[0].status_code == answers[1].status_code
    assert answers[0].headers.get("Location") == answers[1].headers.get("Location")
    bodies = [re.sub(rb'value="[^"]*"|[A-Za-z0-9]{32,}', b"", answer.content) for answer in answers]
    assert bodies[0] == bodies[1]


def test_asking_sign_up_for_addresses_is_limited(site: Site) -> None:
    """Names are public, addresses are not told; still it answers one caller only so often."""
    client = site.client_of("anonymous")
    statuses = [client.post("/accounts/signup/", {"email": f"somebody{n}@example.org"}).status_code for n in range(25)]
    assert statuses[0] == 200 and statuses[-1] == 429


@pytest.mark.parametrize("name", ["match_record", "match_transcript", "tournament_archive", "tournament_rows"])
def test_file_names_cannot_add_headers(site: Site, name: str) -> None:
    answer = site.client_of("anonymous").get(ADDRESSES[name].fill_in(site))
    assert re.fullmatch(r'attachment; filename="[\w.-]+"', answer.headers["Content-Disposition"])
    if answer.streaming:
        assert b"".join(answer)
