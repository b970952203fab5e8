"""Headers, bad requests and the refusal to start a public server half configured."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client

from aurum_league.common.errors import LeagueError
from aurum_league.settings.connections import Mail, parse_mail_url
from tests.server_settings import COMPLETE

CHECKOUT = Path(__file__).resolve().parents[2]


def manage(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], "AURUM_DATA": os.environ["AURUM_DATA"], **variables}
    command = [sys.executable, str(CHECKOUT / "manage.py"), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def manage_server(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return manage(*arguments, DJANGO_SETTINGS_MODULE="aurum_league.settings.server", **variables)


@pytest.mark.django_db
def test_pages_forbid_inline_script_and_strangers(client: Client) -> None:
    response = client.get("/accounts/login/")
    policy = response["Content-Security-Policy"]
    assert "script-src 'self'" in policy and "style-src 'self'" in policy and "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert response["X-Frame-Options"] == "DENY"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Referrer-Policy"] == "same-origin"
    assert "camera=(), " in response["Permissions-Policy"]
    assert response["X-Request-ID"]


@pytest.mark.django_db
def test_admin_may_style_inline_but_not_script(admin_client: Client) -> None:
    policy = admin_client.get("/admin/")["Content-Security-Policy"]
    named = {part for part in policy.split("; ") if part.startswith(("script-src", "style-src"))}
    assert named == {"script-src 'self' 'unsafe-eval'", "style-src 'self' 'unsafe-inline'"}


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        pytest.param("/accounts/login/", {"host": "evil.example"}, 400, id="a host name that is not ours"),
        pytest.param("/nothing/here/", {}, 404, id="no such page"),
        pytest.param("/%00", {}, 404, id="a zero byte"),
        pytest.param("/" + "a" * 5000, {}, 404, id="a very long path"),
    ],
)
@pytest.mark.django_db
def test_bad_request(client: Client, path: str, headers: dict[str, str], status: int) -> None:
    client.raise_request_exception = False
    assert client.get(path, headers=headers).status_code == status


@pytest.mark.parametrize("name", sorted(COMPLETE))
def test_server_names_the_missing_variable(name: str) -> None:
    rest = {key: value for key, value in COMPLETE.items() if key != name}
    done = manage_server("check", **rest)
    assert done.returncode == 1
    assert done.stderr.startswith(f"aurum: The environment variable {name} is missing")
    assert len(done.stderr.splitlines()) == 1


def test_server_passes_the_deployment_checks() -> None:
    done = manage_server("check", "--deploy", "--fail-level", "WARNING", **COMPLETE)
    assert done.returncode == 0, done.stderr


def test_server_settings_are_safe() -> None:
    names = ["SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_SSL_REDIRECT", "SECURE_HSTS_SECONDS", "DEBUG"]
    names += ["CELERY_ACCEPT_CONTENT", "CELERY_TASK_SERIALIZER", "CELERY_TASK_ACKS_LATE", "CELERY_TASK_IGNORE_RESULT"]
    code = f"import json; from django.conf import settings; print(json.dumps([getattr(settings, n) for n in {names}]))"
    done = manage_server("shell", "--no-imports", "-c", code, **COMPLETE)
    assert json.loads(done.stdout) == [True, True, True, 31_536_000, False, ["json"], "json", False, True], done.stderr


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        pytest.param({"DATABASE_URL": "mysql://x/y"}, "DATABASE_URL is not an address", id="another database"),
        pytest.param({"DATABASE_URL": "postgres://h:notaport/db"}, "DATABASE_URL is not an address", id="a bad port"),
        pytest.param({"REDIS_URL": "http://x"}, "REDIS_URL is not an address", id="not Redis"),
        pytest.param({"PORT": "eighty"}, "PORT is 'eighty'. Set it to a whole number", id="a port in words"),
        pytest.param({"PORT": "70000"}, "PORT is '70000'", id="a port too high"),
        pytest.param({"LOG_FORMAT": "xml"}, "LOG_FORMAT is 'xml'. Set it to one of: console, json", id="a bad choice"),
        pytest.param({"EMAIL_URL": "carrier:pigeon"}, "EMAIL_URL is not an address", id="bad e-mail"),
        pytest.param({"AURUM_DATA": "/proc/aurum"}, "The folder /proc/aurum cannot be used", id="unwritable"),
    ],
)
def test_bad_variable_is_one_sentence(variables: dict[str, str], sentence: str) -> None:
    done = manage("check", **variables)
    assert done.returncode == 1
    assert done.stderr.startswith(f"aurum: {sentence}"), done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("url", "mail"),
    [
        pytest.param("", Mail(), id="to the console"),
        pytest.param(
            "smtp+tls://me:p%40ss@mail.example.org",
            Mail("django.core.mail.backends.smtp.EmailBackend", "mail.example.org", 587, "me", "p@ss", use_tls=True),
            id="with STARTTLS",
        ),
        pytest.param(
            "smtp+ssl://mail.example.org:4650",
            Mail("django.core.mail.backends.smtp.EmailBackend", "mail.example.org", 4650, use_ssl=True),
            id="with TLS from the start",
        ),
    ],
)
def test_mail_address(url: str, mail: Mail) -> None:
    assert parse_mail_url(url) == mail


def test_error_carries_what_a_caller_needs() -> None:
    error = LeagueError("too_late", "It has begun.", "Wait for the next one.", status=409)
    assert (error.code, error.status, str(error)) == ("too_late", 409, "It has begun. Wait for the next one.")
