"""Streams that stay open hold nothing that others need: no connection to Postgres, and of Redis one in all."""

import asyncio
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from redis import Redis

from aurum_league.asgi import application
from aurum_league.web import limits
from games.models import Match
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


INVENTED = 40
PATHS = ("/live/matches/{}/", "/live/tournaments/{}/", "/live/tournaments/{}/x/")


def count_redis_clients() -> int:
    """Those that listen to something."""
    with Redis.from_url(django_settings.LIVE_URL) as client:
        return sum(int(one["sub"]) + int(one["psub"]) > 0 for one in client.client_list())


async def ask_status(path: str, address: str = "203.0.113.7") -> tuple[Listener, asyncio.Task[None], int]:
    listener = Listener()
    stack = asyncio.create_task(application(make_scope(path, "", address), listener.receive, listener.sent.put))
    async with asyncio.timeout(LONGEST_SECONDS):
        return listener, stack, (await listener.sent.get())["status"]


@pytest.mark.django_db(transaction=True)
def test_an_invented_number_is_not_found_and_opens_nothing() -> None:
    async def ask_all() -> tuple[set[int], int]:
        before = await asyncio.to_thread(count_redis_clients)
        asked = [await ask_status(path.format(900_000 + n)) for n in range(INVENTED // 4) for path in PATHS]
        asked.append(await ask_status(f"/live/tournaments/{2**70}/"))
        more = await asyncio.to_thread(count_redis_clients) - before
        await asyncio.gather(*(stack for _, stack, _ in asked))
        return {status for _, _, status in asked}, more

    assert asyncio.run(ask_all()) == ({404}, 0)


@pytest.mark.django_db(transaction=True)
def test_all_streams_of_a_process_share_one_connection_to_redis() -> None:
    tournament = make_tournament("playing")
    numbers = list(Match.objects.order_by("pk").values_list("pk", flat=True)[:STREAMS])

    async def open_all() -> int:
        before = await asyncio.to_thread(count_redis_clients)
        paths = [f"/live/matches/{number}/" for number in numbers]
        asked = [await ask_status(path) for path in (*paths, f"/live/tournaments/{tournament.id}/", "/live/home/")]
        for listener, _, status in asked:
            assert status == 200
            assert b"data: " in (await listener.sent.get())["body"]
        more = await asyncio.to_thread(count_redis_clients) - before
        for listener, _, _ in asked:
            listener.has_gone.set()
        await asyncio.gather(*(stack for _, stack, _ in asked), return_exceptions=True)
        return more

    assert len(numbers) > 3
    assert asyncio.run(open_all()) == 1


@pytest.mark.parametrize(
    ("addresses", "statuses"),
    [
        pytest.param(["203.0.113.7"] * 4, [200, 200, 429, 429], id="one address"),
        pytest.param(["2001:db8::1", "2001:db8::2", "2001:db8::3"], [200, 200, 429], id="one network of IPv6"),
        pytest.param(["::ffff:203.0.113.1", "::ffff:203.0.113.2", "203.0.113.2"], [200] * 3, id="IPv4 within IPv6"),
        pytest.param([f"203.0.113.{n}" for n in range(5)], [200, 200, 200, 503, 503], id="in all"),
    ],
)
@pytest.mark.django_db(transaction=True)
def test_streams_are_counted(monkeypatch: pytest.MonkeyPatch, addresses: list[str], statuses: list[int]) -> None:
    monkeypatch.setattr(limits, "MOST_OF_ADDRESS", 2)
    monkeypatch.setattr(limits, "MOST_IN_ALL", 3)

    async def open_all() -> list[int]:
        asked = [await ask_status("/live/home/", address) for address in addresses]
        for listener, _, _ in asked:
            listener.has_gone.set()
        await asyncio.gather(*(stack for _, stack, _ in asked), return_exceptions=True)
        again = await ask_status("/live/home/", addresses[0])
        again[0].has_gone.set()
        await asyncio.gather(again[1], return_exceptions=True)
        assert again[2] == 200
        return [status for _, _, status in asked]

    assert asyncio.run(open_all()) == statuses
