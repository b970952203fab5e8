"""The one door of the web server: pages go through WSGI, live paths through the async stack."""

import asyncio

import httpx
import pytest

from aurum_league.asgi import application


async def ask(path: str) -> httpx.Response:
    transport = httpx.ASGITransport(app=application)
    async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as client:
        return await client.get(path)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        pytest.param("/healthz", 200, id="a probe"),
        pytest.param("/static/nothing.css", 404, id="a page, by WSGI"),
        pytest.param("/live/healthz", 404, id="a live path, by async"),
    ],
)
@pytest.mark.django_db(transaction=True)
def test_paths(path: str, status: int) -> None:
    assert asyncio.run(ask(path)).status_code == status
