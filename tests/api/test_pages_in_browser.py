"""Swagger UI and ReDoc in a real browser: drawn whole, from our own files, under our own policy, on desk and phone."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser import needs_chromium, open_browser
from tests.server import run_server

pytestmark = [needs_chromium("nobody looked at the pages of the API"), pytest.mark.django_db]
OPERATIONS_AT_LEAST = 100
MOST_MILLISECONDS = 180_000
STEP, PAUSE_MILLISECONDS = 300, 100
MOST_STOPS = 300
"""So often in turn nothing new was drawn: then nothing more comes, however busy the machine is."""

PAGES = {"docs/": ".opblock", "redoc/": "[id^='operation/']"}


@pytest.fixture
def site() -> Iterator[str]:
    with run_server() as address:
        yield address


@pytest.fixture
def browser(site: str) -> Iterator[Browser]:
    with open_browser() as chromium:
        yield chromium


def walk_down(page: Page, operations: str) -> set[str]:
    """The operations drawn on the way to the page's end: of a long list Swagger UI draws only what is in sight."""
    page.locator(operations).first.wait_for(state="attached", timeout=MOST_MILLISECONDS)
    seen: set[str] = set()
    stops = 0
    while len(seen) <= OPERATIONS_AT_LEAST and stops < MOST_STOPS:
        before = len(seen)
        seen.update(page.locator(operations).evaluate_all("all => all.map(one => one.id)"))
        stops = 0 if len(seen) > before else stops + 1
        page.mouse.wheel(0, STEP)
        page.wait_for_timeout(PAUSE_MILLISECONDS)
    return seen


def test_swagger_and_redoc_are_drawn(site: str, browser: Browser) -> None:
    said: list[str] = []
    asked: list[str] = []
    for address, operations in PAGES.items():
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{site}/api/v1/{address}")
        assert len(walk_down(page, operations)) > OPERATIONS_AT_LEAST
        assert page.get_by_role("heading", name="Aurum League").first.is_visible()
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.close()
    assert [url for url in asked if not url.startswith((site, "data:", "blob:"))] == []
    assert said == []
