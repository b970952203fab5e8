"""A newcomer brings a bot: registers it, uploads the starter's file, sees it qualify and then play."""

import time
from collections.abc import Iterator
from importlib.resources import files

import pytest
from playwright.sync_api import Browser, FilePayload, Locator, Page, expect

from tests.browser import needs_chromium, open_browser
from tests.e2e.league_site import SIZES, LeagueSite, find_overflow, meet_newcomer, sign_up

pytestmark = [
    needs_chromium("nobody brings a bot"),
    pytest.mark.xdist_group("league site"),
    pytest.mark.timeout(1200),
]
SECONDS_TO_CHECK = 120
STARTER = files("bots.starters") / "python" / "bot.py"


@pytest.fixture
def browser(league_site: LeagueSite) -> Iterator[Browser]:
    with open_browser() as chromium:
        yield chromium


@pytest.mark.parametrize("size", SIZES)
def test_a_bot_is_uploaded_qualifies_and_plays(league_site: LeagueSite, browser: Browser, size: str) -> None:
    complaints: list[str] = []
    page = meet_newcomer(browser, SIZES[size], complaints)
    register(page, f"Bot of {sign_up(page, league_site, size)}")
    upload(page)
    wait_by_reloading(page, page.get_by_text("plays now"))
    expect(page.locator("main")).to_contain_text("Qualified")
    ask_for_scrimmages(page)
    wait_by_reloading(page, page.locator("section[aria-labelledby=matches] td strong").first)
    assert find_overflow(page) == 0
    assert complaints == []


def register(page: Page, name: str) -> None:
    page.get_by_role("navigation").get_by_role("link", name="Bots").click()
    page.get_by_role("link", name="Bring a bot").click()
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_role("button", name="Register").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)


def upload(page: Page) -> None:
    file = FilePayload(name="my_bot.py", mimeType="text/x-python", buffer=STARTER.read_bytes())
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("button", name="Upload").click()
    expect(page.locator("#toasts")).to_contain_text("Version 1 is here")


def ask_for_scrimmages(page: Page) -> None:
    page.get_by_label("Matches", exact=True).fill("2")
    page.get_by_role("button", name="Ask for scrimmages").click()
    expect(page.locator("#toasts")).to_contain_text("on their way")


def wait_by_reloading(page: Page, wanted: Locator) -> None:
    ends_at = time.monotonic() + SECONDS_TO_CHECK
    while not wanted.is_visible() and time.monotonic() < ends_at:
        page.wait_for_timeout(500)
        page.reload()
    expect(wanted).to_be_visible()
