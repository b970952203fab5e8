"""Behind proxies the client is counted from the right: what it writes itself names nobody."""

import asyncio
from typing import Any

import httpx
import pytest

from aurum_league.asgi import application
from aurum_league.web.requests import name_client

PEER = "10.0.0.1"


@pytest.mark.parametrize(
    ("trusted", "headers", "client"),
    [
        pytest.param(0, ["6.6.6.6"], PEER, id="nobody is trusted"),
        pytest.param(1, ["203.0.113.7"], "203.0.113.7", id="one proxy"),
        pytest.param(1, ["6.6.6.6, 203.0.113.7"], "203.0.113.7", id="the client wrote one before"),
        pytest.param(1, ["6.6.6.6", "203.0.113.7"], "203.0.113.7", id="in a header of its own"),
        pytest.param(2, ["6.6.6.6, 203.0.113.7, 198.51.100.1"], "203.0.113.7", id="two proxies"),
        pytest.param(2, ["6.6.6.6"], PEER, id="past one of two proxies"),
        pytest.param(1, [], PEER, id="past the proxy"),
        pytest.param(1, ["203.0.113.7:4711"], "203.0.113.7", id="with a port"),
        pytest.param(1, ["[2001:db8::7]:4711"], "2001:db8::7", id="IPv6 with a port"),
        pytest.param(1, ["2001:db8::7"], "2001:db8::7", id="IPv6"),
        pytest.param(1, ["<script>"], PEER, id="no address"),
    ],
)
def test_client(trusted: int, headers: list[str], client: str) -> None:
    scope = {"client": (PEER, 1), "headers": [(b"x-forwarded-for", value.encode()) for value in headers]}
    assert name_client(scope, trusted)["client"][0] == client


@pytest.mark.django_db(transaction=True)
def test_inventing_addresses_buys_no_requests(settings: Any) -> None:
    settings.TRUSTED_PROXIES = 1
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": {"anonymous": 3, "read": 3}}

    async def ask() -> list[int]:
        transport = httpx.ASGITransport(app=application, client=(PEER, 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as client:
            asked = [f"6.6.6.{n}, 203.0.113.7" for n in range(6)]
            return [
                (await client.get("/api/v1/tournaments", headers={"X-Forwarded-For": one})).status_code for one in asked
            ]

    assert asyncio.run(ask())[-1] == 429
