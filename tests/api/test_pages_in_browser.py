"""Swagger UI and ReDoc in a real browser: drawn whole, from our own files, under our own policy, on desk and phone."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser import needs_chromium, open_browser
from tests.server import run_server

pytestmark = [needs_chromium("nobody looked at the pages of the API"), pytest.mark.django_db]
OPERATIONS_AT_LEAST = 100
PAGES = {"docs/": ".opblock", "redoc/": "[id^='operation/']"}


@pytest.fixture
def site() -> Iterator[str]:
    with run_server() as address:
        yield address


@pytest.fixture
def browser(site: str) -> Iterator[Browser]:
    with open_browser() as chromium:
        yield chromium


def test_swagger_and_redoc_are_drawn(site: str, browser: Browser) -> None:
    said: list[str] = []
    asked: list[str] = []
    for address, operations in PAGES.items():
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{site}/api/v1/{address}")
        page.locator(operations).nth(OPERATIONS_AT_LEAST).wait_for(state="attached")
        assert page.get_by_role("heading", name="Aurum League").first.is_visible()
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.close()
    assert [url for url in asked if not url.startswith((site, "data:", "blob:"))] == []
    assert said == []
