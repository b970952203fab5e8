"""The look in a real browser: phone and desk, light and dark, keyboard and theme switch."""

import mimetypes
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Literal
from urllib.parse import urlparse

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.contrib.staticfiles import finders
from django.db import connection
from django.test import Client
from playwright.sync_api import Browser, Page, Route
from pytest_django.plugin import DjangoDbBlocker

from tests.browser import needs_chromium, open_browser
from tests.pages.design_pages import PAGES, render_page

pytestmark = needs_chromium("the look is not tested in a browser")

SITE = "http://testserver"
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 900}
SMALLEST_TARGET = 24
ACCOUNT_PAGES = ("/accounts/login/", "/accounts/signup/", "/accounts/password/reset/")
POLICY = "; ".join(
    f"{directive} {' '.join(sources)}" for directive, sources in settings.CONTENT_SECURITY_POLICY["DIRECTIVES"].items()
)
Scheme = Literal["light", "dark"]


@pytest.fixture(scope="module")
def pages(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> dict[str, str]:
    """Address → page, all rendered before there is a browser, beside whose loop no database can be asked."""
    with django_db_blocker.unblock():
        accounts = {path: Client().get(path).content.decode() for path in ACCOUNT_PAGES}
    connection.close()
    return accounts | {f"/{name}": render_page(name) for name in PAGES}


@pytest.fixture(scope="module")
def browser(pages: dict[str, str]) -> Iterator[Browser]:
    with open_browser() as chromium:
        yield chromium


def open_pages(browser: Browser, pages: dict[str, str], size: dict[str, int], scheme: Scheme) -> Page:
    def answer(route: Route) -> None:
        path = urlparse(route.request.url).path
        if route.request.method != "GET":
            return route.fulfill(status=204)
        if path in pages:
            headers = {"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": POLICY}
            return route.fulfill(body=pages[path], headers=headers)
        if path.startswith("/live/"):
            return route.fulfill(body="retry: 60000\n\n", content_type="text/event-stream")
        file = finders.find(path.removeprefix("/static/")) if path.startswith("/static/") else None
        if file is None:
            return route.fulfill(status=404)
        return route.fulfill(body=Path(str(file)).read_bytes(), content_type=mimetypes.guess_type(path)[0])

    context = browser.new_context(viewport={"width": size["width"], "height": size["height"]}, color_scheme=scheme)
    page = context.new_page()
    page.route("**/*", answer)
    return page


@pytest.fixture
def phone(browser: Browser, pages: dict[str, str]) -> Iterator[Page]:
    page = open_pages(browser, pages, PHONE, "light")
    yield page
    page.context.close()


@pytest.mark.parametrize(
    ("size", "scheme"), [pytest.param(PHONE, "light", id="light phone"), pytest.param(DESK, "dark", id="dark desk")]
)
def test_pages_are_accessible_quiet_and_fit(
    browser: Browser, pages: dict[str, str], size: dict[str, int], scheme: Scheme
) -> None:
    page = open_pages(browser, pages, size, scheme)
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    for path in pages:
        page.goto(SITE + path)
        found = [violation["id"] for violation in Axe().run(page).response["violations"]]
        overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert (path, found, overflow, complaints) == (path, [], 0, [])
    page.context.close()


def test_a_hand_of_twelve_can_be_tapped_on_a_phone(phone: Page) -> None:
    phone.goto(f"{SITE}/styleguide.html")
    lefts = phone.evaluate(
        "[...document.querySelectorAll('form .hand .card-button')].map(c => c.getBoundingClientRect().left)"
    )
    assert len(lefts) == 12
    assert min(right - left for left, right in pairwise(lefts)) >= SMALLEST_TARGET
    assert lefts[-1] + SMALLEST_TARGET <= PHONE["width"]


def test_cards_are_really_drawn(phone: Page) -> None:
    phone.goto(f"{SITE}/styleguide.html")
    card = phone.locator('.card[aria-label="Bismuth 1"]').first
    plain = phone.locator('.card[aria-label="No card"]').first
    assert card.screenshot() != plain.screenshot()
    assert phone.locator('.card[aria-label="Copper 2"]').first.screenshot() != card.screenshot()


def test_the_theme_switch_is_remembered(phone: Page) -> None:
    phone.goto(f"{SITE}/home.html")
    switch = phone.locator("[data-theme-switch]")
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    light = phone.evaluate(ground)
    switch.click()
    switch.click()
    assert switch.get_attribute("aria-label") == "Theme: dark"
    phone.reload()
    assert phone.evaluate(ground) != light
    switch.click()
    assert switch.get_attribute("aria-label") == "Theme: as the device"
    assert phone.evaluate(ground) == light


def test_the_language_menu_works_by_keyboard(phone: Page) -> None:
    phone.goto(f"{SITE}/home.html")
    phone.locator("summary", has_text="EN").focus()
    phone.keyboard.press("Enter")
    assert phone.get_by_role("button", name="Русский").is_visible()
    phone.keyboard.press("Escape")
    assert not phone.get_by_role("button", name="Русский").is_visible()


def test_the_first_key_skips_to_the_content(phone: Page) -> None:
    phone.goto(f"{SITE}/home.html")
    phone.keyboard.press("Tab")
    phone.keyboard.press("Enter")
    assert phone.evaluate("document.activeElement.id") == "content"
