"""Streams that stay open hold nothing that others need: no connection to Postgres, whoever listens, then or later."""

import asyncio
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from aurum_league.asgi import application
from tests.listener import Listener
from tests.pages.events import make_tournament
from tests.server_settings import use_server_settings

STREAMS = 12
LONGEST_SECONDS = 60
pytestmark = pytest.mark.filterwarnings("ignore::celery.exceptions.AlwaysEagerIgnored")
OVERLAYS = [pytest.param(False, id="the embedded settings"), pytest.param(True, id="the server's settings")]


def make_scope(path: str, cookie: str, address: str = "203.0.113.7") -> dict[str, Any]:
    headers = [(b"host", b"testserver"), (b"x-forwarded-proto", b"https"), (b"cookie", cookie.encode())]
    scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": headers}
    return {**scope, "http_version": "1.1", "scheme": "https", "client": (address, 40_000)}


def count_connections() -> int:
    """Of others than this test, to its database."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            " AND backend_type = 'client backend'"
        )
        return int(cursor.fetchone()[0])


async def open_streams(path: str, cookie: str) -> tuple[int, int]:
    """Connections to Postgres while the streams are open, and once all have gone."""
    listeners = [Listener() for _ in range(STREAMS)]
    stacks = [
        asyncio.create_task(application(make_scope(path, cookie), one.receive, one.sent.put)) for one in listeners
    ]
    async with asyncio.timeout(LONGEST_SECONDS):
        for one in listeners:
            assert (await one.sent.get())["status"] == 200
            assert b"data: " in (await one.sent.get())["body"]
        held = await asyncio.to_thread(count_alone)
        for one in listeners:
            one.has_gone.set()
        await asyncio.gather(*stacks, return_exceptions=True)
    return held, await asyncio.to_thread(count_alone)


def count_alone() -> int:
    try:
        return count_connections()
    finally:
        connection.close()


@pytest.mark.parametrize("is_server", OVERLAYS)
@pytest.mark.parametrize("form", ["{}; theme=dark", "theme=dark;{}", "theme=dark; {}"])
@pytest.mark.django_db(transaction=True)
def test_a_signed_in_stream_holds_no_database_connection(
    client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch, is_server: bool, form: str
) -> None:
    if is_server:
        use_server_settings(settings, monkeypatch)
        assert django_settings.SESSION_COOKIE_NAME == "__Host-session"
    client.force_login(User.objects.create_user("ann"))
    name = django_settings.SESSION_COOKIE_NAME
    cookie = form.format(f"{name}={client.cookies[name].value}")
    tournament = make_tournament("playing")
    mine = count_connections()
    held, left = asyncio.run(open_streams(f"/live/tournaments/{tournament.id}/", cookie))
    # The test's own connection is counted by the thread that looks.
    assert (held - 1, left - 1) == (mine, mine)
