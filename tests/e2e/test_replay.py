"""Matches in a real browser on a real server: replay by keyboard, fairness check, and one followed live."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.db import connection
from playwright.sync_api import Browser, Page, expect

from games.models import Match
from games.selectors.tables import find_table
from games.services.answer import answer_decision
from tests.browser import needs_chromium, open_browser
from tests.pages.match_tables import play_block
from tests.server import run_server

PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 900}
PERSON = ["person:1", "house:greedy", "house:greedy"]
pytestmark = [
    needs_chromium("the replay is not tested in a browser"),
    # Naming the apps lets the flush cascade to tables of libraries whose models are swapped for ours.
    pytest.mark.django_db(transaction=True),
    pytest.mark.filterwarnings("ignore::celery.exceptions.AlwaysEagerIgnored"),
]


@dataclass(frozen=True)
class Site:
    """The site on the test database, with a finished block of two, and a match that waits for a person."""

    address: str
    finished: Match
    running: Match


@pytest.fixture
def site() -> Iterator[Site]:
    finished = play_block("fr4", seatings=2)[0]
    running = play_block("en3", agents=PERSON)[0]
    with run_server() as address:
        yield Site(address, finished, running)


@pytest.fixture
def browser(site: Site) -> Iterator[Browser]:
    with open_browser() as chromium:
        yield chromium


def open_page(browser: Browser, size: dict[str, int], complaints: list[str]) -> Page:
    page = browser.new_context(viewport={"width": size["width"], "height": size["height"]}).new_page()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    return page


def test_a_newcomer_steps_checks_and_watches(site: Site, browser: Browser) -> None:
    complaints: list[str] = []
    desk = open_page(browser, DESK, complaints)
    step_by_keyboard(desk, site)
    check_fairness(desk, site)
    watch_live(desk, site)
    print_longest_card(desk, site)
    phone = open_page(browser, PHONE, complaints)
    look_at_every_page(phone, site)
    assert complaints == []


def step_by_keyboard(page: Page, site: Site) -> None:
    page.goto(f"{site.address}/matches/{site.finished.pk}/?round=1&trick=2&step=1")
    table = page.locator(".felt .trick")
    expect(table.locator(".card")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    expect(table.locator(".card")).to_have_count(2)
    expect(page.locator("#said")).to_contain_text("plays")
    assert page.url.endswith("?round=1&trick=2&step=2")
    page.keyboard.press("2")
    expect(page.locator("#place")).to_contain_text("Round 2 of")
    page.keyboard.press("End")
    expect(page.locator("#said")).to_contain_text("The round is over")
    page.keyboard.press("Home")
    expect(page.locator("#said")).to_contain_text("The cards are dealt")
    page.keyboard.press("Space")
    expect(page.locator("#said")).to_contain_text("bids")
    page.keyboard.press("Space")
    page.get_by_role("link", name="Next step").click()
    expect(page.get_by_role("link", name="Next step")).to_be_focused()
    here = page.locator("#said").inner_text()
    page.reload()
    assert page.locator("#said").inner_text() == here


def check_fairness(page: Page, site: Site) -> None:
    page.get_by_role("button", name="Check in this browser").click()
    verdict = page.locator(".verdict")
    expect(verdict).to_contain_text("seed, commitment and record agree")
    page.evaluate("document.getElementById('fairness-check').dataset.commitment = '0'.repeat(64)")
    page.get_by_role("button", name="Check in this browser").click()
    expect(verdict).to_contain_text("does not agree")


def watch_live(page: Page, site: Site) -> None:
    with page.expect_response(lambda answer: "/live/matches/" in answer.url):
        page.goto(f"{site.address}/matches/{site.running.pk}/")
    expect(page.locator(".felt")).to_contain_text("0 / ?")
    # The browser's event loop keeps Django from using the database in this thread.
    with ThreadPoolExecutor(1) as other_thread:
        other_thread.submit(bid_first_card, site.running.pk).result()
    expect(page.locator(".felt")).not_to_contain_text("0 / ?")


def bid_first_card(match_id: int) -> None:
    try:
        table = find_table(match_id, 0)
        assert table.view is not None
        answer_decision(match_id=match_id, seat=0, counter=table.counter, text=table.view.legal[0])
    finally:
        connection.close()


def print_longest_card(page: Page, site: Site) -> None:
    page.goto(f"{site.address}/rules/card/de4-nozero-cumulative-golden/")
    assert page.pdf(format="A4").count(b"/Type /Page\n") == 1


def look_at_every_page(page: Page, site: Site) -> None:
    paths = [f"/matches/{site.finished.pk}/", f"/matches/{site.running.pk}/", "/rules/", "/rules/editions/"]
    for path in [*paths, "/rules/card/de4-nozero/", "/rules/fairness/"]:
        page.goto(site.address + path)
        found = [violation["id"] for violation in Axe().run(page).response["violations"]]
        overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert (path, found, overflow) == (path, [], 0)
