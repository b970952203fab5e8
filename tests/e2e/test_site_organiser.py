"""A newcomer runs a tournament: six house bots, the preview of the draw, the release, the end, the standings."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import needs_chromium, open_browser
from tests.e2e.league_site import SIZES, LeagueSite, confirm_address, find_overflow, meet_newcomer, sign_up

pytestmark = [
    needs_chromium("nobody organises"),
    pytest.mark.xdist_group("league site"),
    pytest.mark.timeout(1200),
]
SECONDS_TO_PLAY = 120
HOUSE_BOTS = {"Random": 2, "Greedy": 3, "Counting": 1}


@pytest.fixture
def browser(league_site: LeagueSite) -> Iterator[Browser]:
    with open_browser() as chromium:
        yield chromium


@pytest.mark.parametrize("size", SIZES)
def test_a_tournament_from_the_form_to_the_standings(league_site: LeagueSite, browser: Browser, size: str) -> None:
    complaints: list[str] = []
    page = meet_newcomer(browser, SIZES[size], complaints)
    person = sign_up(page, league_site, size)
    confirm_address(page, league_site, person)
    name = f"Cup of {person}"
    make_draft(page, name)
    enter_house_bots(page)
    preview_and_release(page)
    read_standings(page, name)
    assert complaints == []


def make_draft(page: Page, name: str) -> None:
    page.get_by_label("Account:").click()
    page.get_by_role("link", name="Organiser's desk").click()
    page.get_by_role("link", name="New tournament").click()
    page.get_by_role("link", name="Bot league, three players").click()
    page.get_by_label("Name", exact=True).first.fill(name)
    assert find_overflow(page) == 0
    page.get_by_role("button", name="Make the draft").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(name)


def enter_house_bots(page: Page) -> None:
    page.get_by_role("button", name="Open the entries").click()
    page.get_by_role("link", name="Entries", exact=True).click()
    entered = 0
    for brain, count in HOUSE_BOTS.items():
        page.get_by_label("House bot", exact=True).select_option(label=brain)
        page.get_by_label("How many in all").fill(str(count))
        page.get_by_role("button", name="Enter", exact=True).click()
        entered += count
        expect(page.locator("tbody tr")).to_have_count(entered)
    assert find_overflow(page) == 0


def preview_and_release(page: Page) -> None:
    page.get_by_role("link", name="Overview").click()
    page.get_by_role("button", name="Draw").click()
    expect(page.locator("main")).to_contain_text("This is a preview that only you see")
    expect(page.locator("main")).to_contain_text("As even as can be")
    assert find_overflow(page) == 0
    page.get_by_role("button", name="Release").first.click()


def read_standings(page: Page, name: str) -> None:
    """The public page shows it playing and then, without a reload, everybody's place and what decided it."""
    page.get_by_role("link", name="Public page").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    page.evaluate("window.samePage = true")
    expect(page.locator("#state")).to_contain_text("Finished", timeout=SECONDS_TO_PLAY * 1000)
    rows = page.locator("table.standings tbody tr")
    expect(rows).to_have_count(sum(HOUSE_BOTS.values()))
    expect(rows.first).to_contain_text("points")
    expect(rows.last).to_contain_text("Random")
    assert page.evaluate("window.samePage")
    assert find_overflow(page) == 0
