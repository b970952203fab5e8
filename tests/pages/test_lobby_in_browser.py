"""The lobby in a real browser: it looks for others every two seconds, and keeps the site's content policy."""

from collections.abc import Iterator

import pytest
from django.test import Client
from playwright.sync_api import Browser

from tests.browser import needs_chromium, open_browser
from tests.pages.test_design_in_browser import DESK, SITE, open_pages

pytestmark = [needs_chromium("nobody has waited in a lobby"), pytest.mark.django_db]


@pytest.fixture
def pages() -> dict[str, str]:
    """The lobby as its host sees it, and the part that it fetches."""
    client = Client()
    form = {"start": "invite", "players": "3", "strength": "greedy", "edition": "en", "clock": "calm"}
    opened = client.post("/play/", form)
    assert opened.status_code == 302, opened.content
    lobby = opened["Location"]
    return {lobby: client.get(lobby).content.decode(), f"{lobby}seats/": client.get(f"{lobby}seats/").content.decode()}


@pytest.fixture
def browser(pages: dict[str, str]) -> Iterator[Browser]:
    with open_browser() as chromium:
        yield chromium


def test_a_lobby_keeps_the_content_policy(browser: Browser, pages: dict[str, str]) -> None:
    page = open_pages(browser, pages, DESK, "light")
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    lobby, seats = pages
    with page.expect_response(lambda response: seats in response.url):
        page.goto(f"{SITE}{lobby}")
    page.wait_for_function("() => !document.querySelector('.htmx-request')")
    assert complaints == []
