"""The draw at a glance in a real browser: two change places by drag and by keys, with what it comes to seen before."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import needs_chromium, open_browser
from tests.e2e.play_site import apart
from tests.e2e.test_club_evening import DESK, PHONE, keep_picture, open_as
from tests.pages.events import make_players, make_tournament
from tests.server import run_server
from tournaments.models import FixtureSeat, Tournament

pytestmark = [
    needs_chromium("nobody has seated two others on the board"),
    pytest.mark.django_db(transaction=True),
    pytest.mark.filterwarnings("ignore::celery.exceptions.AlwaysEagerIgnored"),
]
STAGE = {"format": "round_robin", "options": {"meetings": 1}, "block_deals": 1}


@pytest.fixture
def tournament() -> Tournament:
    made = make_tournament("drawn", players=make_players(10), stages=[STAGE])
    assert made.organiser  # Read here: the browser's thread may not.
    return made


@pytest.fixture
def site(tournament: Tournament) -> Iterator[str]:
    with run_server() as address:
        yield address


@pytest.fixture
def browser(site: str) -> Iterator[Browser]:
    with open_browser() as chromium:
        yield chromium


def read_table(day: int, table: int) -> list[str]:
    seats = FixtureSeat.objects.filter(fixture__matchday__number=day, fixture__table=table).order_by("position")
    return apart(lambda: list(seats.values_list("entrant__player__name", flat=True)))


def seat_of(day: int, name: str) -> str:
    return f"#day-{day} button.draw-seat:text-is('{name}')"


def test_two_change_places_by_drag_and_by_keys(site: str, browser: Browser, tournament: Tournament) -> None:
    page = open_as(browser, site, tournament.organiser, DESK)
    page.goto(f"{site}/desk/tournaments/test-cup/draw/")
    keep_picture(page, "board")
    drag_one(page)
    swap_by_keys(page)
    refuse_at_a_pinned_table(page)
    show_on_a_phone(browser, site, tournament)


def drag_one(page: Page) -> None:
    first, second = read_table(1, 1), read_table(1, 2)
    source, target = page.locator(seat_of(1, first[0])), page.locator(seat_of(1, second[0]))
    source.hover()
    page.mouse.down()
    target.hover()
    target.hover()
    expect(page.locator("#swap")).to_contain_text("table 1 → table 2")
    expect(page.locator("#swap .is-worse").first).to_be_visible()
    keep_picture(page, "board-dragging")
    with page.expect_navigation():
        page.mouse.up()
    assert read_table(1, 1) == [second[0], *first[1:]]
    expect(page.locator("#day-1 .is-edited")).to_have_count(2)


def swap_by_keys(page: Page) -> None:
    first, second = read_table(2, 1), read_table(2, 3)
    page.locator(seat_of(2, first[1])).press("Enter")
    other = page.locator(seat_of(2, second[1]))
    other.focus()
    expect(page.locator("#swap")).to_contain_text("table 1 → table 3")
    page.keyboard.press("Enter")
    expect(page.locator("#swap form button")).to_be_focused()
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert read_table(2, 1) == [first[0], second[1], first[2]]


def refuse_at_a_pinned_table(page: Page) -> None:
    kept, other = read_table(3, 1), read_table(3, 2)
    with page.expect_navigation():
        page.locator("#day-3").get_by_role("button", name="Pin table 1").click()
    expect(page.locator("#day-3 .is-pinned")).to_have_count(1)
    expect(page.locator(seat_of(3, kept[0]))).to_have_count(0)
    page.locator(seat_of(3, other[0])).click()
    page.keyboard.press("Escape")
    expect(page.locator("[aria-pressed=true].draw-seat")).to_have_count(0)


def show_on_a_phone(browser: Browser, site: str, tournament: Tournament) -> None:
    """Two taps and the button; nothing is wider than the screen."""
    page = open_as(browser, site, tournament.organiser, PHONE)
    page.emulate_media(color_scheme="dark")
    page.goto(f"{site}/desk/tournaments/test-cup/draw/")
    first, second = read_table(1, 2), read_table(1, 3)
    page.locator(seat_of(1, first[2])).click()
    page.locator(seat_of(1, second[2])).click()
    keep_picture(page, "board-phone")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    with page.expect_navigation():
        page.locator("#swap").get_by_role("button", name="Swap").click()
    assert read_table(1, 2) == [*first[:2], second[2]]
