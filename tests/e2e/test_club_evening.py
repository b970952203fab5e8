"""A club evening in real browsers: made, entered by list, checked in by phone and by list, drawn, played, ranked."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from games.services.players import ensure_person
from tests.browser import needs_chromium, open_browser
from tests.e2e.play_site import apart
from tests.server import run_server
from tournaments.models import EntrantState, FixtureMatch, Tournament

pytestmark = [
    needs_chromium("nobody has walked a club evening"),
    pytest.mark.django_db(transaction=True),
    pytest.mark.filterwarnings("ignore::celery.exceptions.AlwaysEagerIgnored"),
]
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 800}
GUESTS = [f"Guest {letter}" for letter in "ABCDEFGHIJKL"]
EVENT = "/tournaments/club-evening/"
SHOTS = os.environ.get("AURUM_SHOTS", "")
"""A folder for pictures of the walk, for whoever wants to look at them."""


@pytest.fixture
def people() -> dict[str, User]:
    made = {name: User.objects.create_user(name) for name in ("host", "ada", "bob")}
    for name in ("ada", "bob"):
        ensure_person(made[name])
    return made


@pytest.fixture
def site(people: dict[str, User]) -> Iterator[str]:
    with run_server() as address:
        yield address


@pytest.fixture
def browser(site: str) -> Iterator[Browser]:
    with open_browser() as chromium:
        yield chromium


def open_as(browser: Browser, site: str, user: User, size: dict[str, int]) -> Page:
    client = Client()
    apart(lambda: client.force_login(user))
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    context = browser.new_context(viewport=size)  # type: ignore[arg-type]
    context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": site}])
    page = context.new_page()
    page.set_default_timeout(60_000)
    return page


def keep_picture(page: Page, name: str) -> None:
    if SHOTS:
        page.screenshot(path=str(Path(SHOTS) / f"{name}.png"), full_page=True)


def test_a_club_evening(site: str, browser: Browser, people: dict[str, User]) -> None:
    host = open_as(browser, site, people["host"], DESK)
    make_event(host, site)
    enter_by_list(host, site)
    phones = [open_as(browser, site, people[name], PHONE) for name in ("ada", "bob")]
    for page in phones:
        check_in_by_phone(page, site)
    check_in_by_list(host, site)
    draw_and_start(host, site)
    one_comes_late_and_one_leaves(host, site)
    enter_one_result(host, site)
    phones[0].goto(f"{site}{EVENT}")
    expect(phones[0].locator("#now")).to_contain_text("Guest")
    keep_picture(phones[0], "standings-phone")
    assert phones[0].evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def make_event(host: Page, site: str) -> None:
    host.goto(f"{site}/desk/tournaments/new/")
    host.get_by_role("link", name="Swiss weekend").click()
    host.get_by_label("Name", exact=True).first.fill("Club evening")
    host.get_by_label("Description").fill("**Bring** snacks, we play with *real cards*.")
    host.get_by_label("Matchdays").fill("3")
    keep_picture(host, "form")
    host.get_by_role("button", name="Make the draft").click()
    host.get_by_role("button", name="Open the entries").click()
    expect(host.locator(".toast")).to_contain_text("Open the entries")
    host.goto(f"{site}/desk{EVENT}times/")
    host.get_by_label("Time zone of the event").select_option("Europe/Berlin")
    host.get_by_label("Start").fill("2030-05-03T19:00")
    host.get_by_role("button", name="Save the times").click()
    expect(host.locator(".times")).to_contain_text("19:00")
    keep_picture(host, "times")


def enter_by_list(host: Page, site: str) -> None:
    host.goto(f"{site}/desk{EVENT}entries/")
    host.get_by_role("link", name="Enter a list").click()
    host.get_by_label("Names").fill("\n".join([*GUESTS, "@ada", "@bob"]))
    host.get_by_role("button", name="Look at it").click()
    expect(host.get_by_text("enters as a guest")).to_have_count(12)
    keep_picture(host, "list")
    host.get_by_role("button", name="Enter 14 players").click()
    expect(host.get_by_role("button", name="Undo the last list (14 entrants)")).to_be_visible()


def check_in_by_phone(page: Page, site: str) -> None:
    page.goto(f"{site}/play/")
    expect(page.get_by_role("heading", name="Check in")).to_be_visible()
    page.goto(f"{site}{EVENT}")
    keep_picture(page, "event-phone")
    page.get_by_role("button", name="Check in: I am here").first.click()
    expect(page.get_by_text("You are checked in.").first).to_be_visible()


def check_in_by_list(host: Page, site: str) -> None:
    """All but the last guest; who is missing is set aside by the draw."""
    host.goto(f"{site}/desk{EVENT}entries/")
    expect(host.get_by_text("2 of 14 checked in")).to_be_visible()
    for name in GUESTS[:-1]:
        host.get_by_label(f"{name} is there").check()
    keep_picture(host, "entries")
    host.get_by_role("button", name="Check in those ticked").click()
    expect(host.get_by_text("13 of 14 checked in")).to_be_visible()


def draw_and_start(host: Page, site: str) -> None:
    host.goto(f"{site}/desk{EVENT}draw/")
    host.get_by_role("button", name="Draw", exact=True).click()
    expect(host.get_by_text("This is a preview that only you see.")).to_be_visible()
    keep_picture(host, "draw")
    host.get_by_role("button", name="Release and start").click()
    expect(host.locator(".toast")).to_contain_text("Release and start")
    states = apart(lambda: list(Tournament.objects.get().entrants.values_list("state", flat=True)))
    assert sorted(states) == ["absent", *["checked_in"] * 13]


def one_comes_late_and_one_leaves(host: Page, site: str) -> None:
    ids = apart(lambda: dict(Tournament.objects.get().entrants.values_list("player__name", "pk")))
    host.goto(f"{site}/desk{EVENT}entries/{ids[GUESTS[0]]}/")
    host.get_by_label("Reason").first.fill("had to go")
    host.get_by_role("button", name="Withdraw").click()
    expect(host.get_by_text("Withdrawn").first).to_be_visible()
    host.goto(f"{site}/desk{EVENT}entries/{ids[GUESTS[-1]]}/")
    host.get_by_role("button", name="Let them in late").click()
    expect(host.locator(".toast")).to_contain_text("Done")
    back = apart(lambda: Tournament.objects.get().entrants.get(pk=ids[GUESTS[-1]]).state)
    assert back == EntrantState.CHECKED_IN


def enter_one_result(host: Page, site: str) -> None:
    found = FixtureMatch.objects.filter(fixture__state="pending", match__seats__player__kind="guest")
    match_id = apart(lambda: found.order_by("pk").values_list("match_id", flat=True)[0])
    host.goto(f"{site}/desk{EVENT}matches/{match_id}/")
    host.get_by_label("Places").fill("1, 2, 3")
    host.locator("form[action$='/result/']").get_by_label("Reason").fill("played with cards")
    host.locator("form[action$='/result/'] button").click()
    expect(host.locator(".toast")).to_contain_text("Decided")
    keep_picture(host, "match")
