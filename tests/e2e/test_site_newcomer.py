"""A newcomer looks around: signs up, switches language and theme, watches the demo end, replays and checks a match."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import needs_chromium, open_browser
from tests.e2e.league_site import DESK, PHONE, SIZES, LeagueSite, find_overflow, meet_newcomer, sign_up

pytestmark = [
    needs_chromium("nobody looks at the site"),
    pytest.mark.xdist_group("league site"),
    pytest.mark.timeout(1200),
]
SECONDS_TO_PLAY = 180
SAME_PAGE = "window.samePage = true"


@pytest.fixture
def browser(league_site: LeagueSite) -> Iterator[Browser]:
    with open_browser() as chromium:
        yield chromium


@pytest.mark.parametrize("size", SIZES)
def test_signs_up_and_chooses_language_and_theme(league_site: LeagueSite, browser: Browser, size: str) -> None:
    complaints: list[str] = []
    page = meet_newcomer(browser, SIZES[size], complaints)
    sign_up(page, league_site, size)
    assert find_overflow(page) == 0
    switch_language(page)
    switch_theme(page)
    assert complaints == []


def switch_language(page: Page) -> None:
    """The page stays where it is, in the other language, and the next one comes in it too."""
    here = page.url
    page.get_by_label("Language: English").click()
    page.get_by_role("button", name="Deutsch").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    assert page.url == here
    page.get_by_role("navigation").get_by_role("link", name="Regeln").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Aurum")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.get_by_label("Sprache: Deutsch").click()
    page.get_by_role("button", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")


def switch_theme(page: Page) -> None:
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_role("button", name="Theme: as the device").click()
    page.get_by_role("button", name="Theme: light").click()
    dark = page.evaluate(ground)
    page.reload()
    assert page.evaluate(ground) == dark != light
    page.get_by_role("button", name="Theme: dark").click()


def test_watches_the_demo_end_then_replays_and_checks_a_match(league_site: LeagueSite, browser: Browser) -> None:
    complaints: list[str] = []
    desk, phone = (meet_newcomer(browser, size, complaints) for size in (DESK, PHONE))
    path = league_site.start_demo()
    for page in (desk, phone):
        page.goto(league_site.address)
        expect(page.locator("#live")).to_contain_text("Demo League 1")
        page.goto(league_site.address + path)
        page.evaluate(SAME_PAGE)
    for page in (desk, phone):
        see_it_end(page)
    for page in (desk, phone):
        open_first_match(page)
        step_to_a_trick(page)
        check_fairness(page)
        assert find_overflow(page) == 0
    assert complaints == []


def see_it_end(page: Page) -> None:
    """Progress, then the champion and everybody's place, without a reload."""
    expect(page.locator("#state")).to_contain_text("Finished", timeout=SECONDS_TO_PLAY * 1000)
    expect(page.locator("#now")).to_contain_text("Champion")
    expect(page.locator("table.standings tbody tr")).to_have_count(7)
    assert page.evaluate("window.samePage")
    assert find_overflow(page) == 0


def open_first_match(page: Page) -> None:
    page.get_by_role("link", name="Schedule").click()
    page.get_by_role("link", name="Played").first.click()
    page.get_by_role("link", name=re.compile(r"^Match \d+$")).first.click()
    expect(page.get_by_role("heading", name="Replay")).to_be_visible()


def press_until(page: Page, key: str, words: str) -> None:
    """Again and again at first: a key that is pressed before the replay listens is not heard."""
    said = page.locator("#said")
    for _ in range(20):
        page.keyboard.press(key)
        page.wait_for_timeout(500)
        if words in said.inner_text():
            break
    expect(said).to_contain_text(words)


def step_to_a_trick(page: Page) -> None:
    """By keys alone: to the end and the start of the round, on by steps into the first trick, and by address."""
    said = page.locator("#said")
    press_until(page, "End", "The round is over")
    page.keyboard.press("Home")
    expect(said).to_contain_text("The cards are dealt")
    for _ in range(40):
        before = said.inner_text()
        page.keyboard.press("ArrowRight")
        expect(said).not_to_have_text(before)
        if "trick=2" in page.url:
            break
    expect(page.locator("#place")).to_contain_text("trick 2")
    told = said.inner_text()
    page.reload()
    assert said.inner_text() == told


def check_fairness(page: Page) -> None:
    page.get_by_role("button", name="Check in this browser").click()
    expect(page.locator(".verdict")).to_contain_text("seed, commitment and record agree")
