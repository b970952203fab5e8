"""A club evening in real browsers: made, entered by list, checked in by phone and by list, drawn, played, ranked."""

import os
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from aurum_league.cli.main import main
from games.models import MatchResult
from games.services.players import ensure_person
from tests.browser import needs_chromium, open_browser
from tests.e2e.play_site import apart
from tests.people import verify_address
from tests.server import run_server
from tournaments.models import EntrantState, FixtureMatch, FixtureSeat, Tournament
from tournaments.services.advance import advance_tournament

pytestmark = [
    needs_chromium("nobody has walked a club evening"),
    pytest.mark.django_db(transaction=True),
    pytest.mark.filterwarnings("ignore::celery.exceptions.AlwaysEagerIgnored"),
]
SECONDS_TO_MAKE = 120
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 800}
GUESTS = [f"Guest {letter}" for letter in "ABCDEFGHIJKL"]
EVENT = "/tournaments/club-evening/"
SHOTS = os.environ.get("AURUM_SHOTS", "")
"""A folder for pictures of the walk, for whoever wants to look at them."""


@pytest.fixture
def people() -> dict[str, User]:
    made = {name: User.objects.create_user(name) for name in ("host", "ada", "bob")}
    verify_address(made["host"])
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
    started = time.monotonic()
    make_event(host, site)
    assert time.monotonic() - started < SECONDS_TO_MAKE
    enter_by_list(host, site)
    phones = [open_as(browser, site, people[name], PHONE) for name in ("ada", "bob")]
    for page in phones:
        check_in_by_phone(page, site)
    check_in_by_list(host, site)
    draw_and_start(host, site)
    print_the_matchday(host, site)
    one_comes_late_and_one_leaves(host, site)
    report_by_phone(phones, site)
    decide_the_dispute(host, site)
    dispute_what_counts(phones[1], host, site)
    enter_one_result(host, site)
    postpone_one_table(host, site)
    announce_the_break(host, site)
    # No worker runs here: what one would do at once is done by hand.
    apart(lambda: advance_tournament(tournament_id=Tournament.objects.get().pk))
    phones[0].goto(f"{site}{EVENT}")
    expect(phones[0].locator("#now")).to_contain_text("Guest")
    expect(phones[0].get_by_role("heading", name="Short break")).to_be_visible()
    keep_picture(phones[0], "standings-phone")
    assert phones[0].evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    show_on_the_projector(host, site)
    verify_the_archive(host, site)


def make_event(host: Page, site: str) -> None:
    host.goto(f"{site}/desk/tournaments/new/")
    host.get_by_role("link", name="Swiss weekend").click()
    expect(host.locator("#preview")).to_contain_text("matchdays")
    host.get_by_label("Name", exact=True).first.fill("Club evening")
    host.get_by_label("Description").fill("**Bring** snacks, we play with *real cards*.")
    host.get_by_label("Matchdays").fill("3")
    host.get_by_label("Played with real cards").check()
    keep_picture(host, "form")
    expect(host.locator("#preview")).to_contain_text("3 matchdays")
    host.get_by_role("button", name="Look it over").click()
    expect(host.get_by_role("heading", name="With 12 entrants it will be")).to_be_visible()
    keep_picture(host, "look")
    host.get_by_role("button", name="Make it and open the entries").click()
    expect(host.get_by_role("heading", name="Entrants")).to_be_visible()
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
    seat_together(host)
    keep_picture(host, "draw")
    host.get_by_role("button", name="Release and start").click()
    expect(host.locator(".toast")).to_contain_text("Release and start")
    states = apart(lambda: list(Tournament.objects.get().entrants.values_list("state", flat=True)))
    assert sorted(states) == ["absent", *["checked_in"] * 13]


def seat_together(host: Page) -> None:
    """The organiser seats ada beside bob, as friends who came together wish, and neither with whoever leaves early.

    One of thirteen rests, which by chance may be one of them.
    """
    leaver = GUESTS[0]
    if (table := read_table("ada")) == {"ada"}:
        swap(host, "ada", next(name for name in GUESTS[:-1] if read_table(name) != {name}))
        table = read_table("ada")
    if "bob" not in table:
        swap(host, "bob", leaver if leaver in table else next(name for name in table if name != "ada"))
    if leaver in (table := read_table("ada")):
        swap(host, leaver, next(name for name in GUESTS[:-1] if name not in table and read_table(name) != {name}))


def read_table(name: str) -> set[str]:
    """Everybody at somebody's table; nobody else where they rest."""
    seats = apart(lambda: list(FixtureSeat.objects.values_list("fixture", "entrant__player__name")))
    tables = [fixture for fixture, sitter in seats if sitter == name]
    return {name, *(sitter for fixture, sitter in seats if fixture in tables)}


def swap(host: Page, first: str, second: str) -> None:
    entrants = apart(lambda: dict(Tournament.objects.get().entrants.values_list("player__name", "pk")))
    host.get_by_text("Change it by hand").click()
    host.locator("[name=first]").select_option(str(entrants[first]))
    host.locator("[name=second]").select_option(str(entrants[second]))
    host.get_by_label("Reason").last.fill("they came together")
    with host.expect_navigation():
        host.get_by_role("button", name="Swap").click()
    expect(host.get_by_text("changed by the organiser").first).to_be_visible()


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
    host.goto(f"{site}/desk{EVENT}entries/")
    host.get_by_role("link", name="Enter a list").click()
    host.get_by_label("Names").fill("Walk-in")
    host.get_by_role("button", name="Look at it").click()
    host.get_by_role("button", name="Enter 1 player").click()
    expect(host.get_by_role("link", name="Walk-in")).to_be_visible()


def print_the_matchday(host: Page, site: str) -> None:
    """Where everybody sits and a sheet for each table, a page each."""
    host.goto(f"{site}/desk{EVENT}print/")
    expect(host.locator(".paper-sheet")).to_have_count(4)
    expect(host.locator(".paper-code svg")).to_have_count(4)
    host.get_by_label("Table", exact=True).select_option("2")
    host.get_by_role("button", name="Show").click()
    expect(host.locator(".paper-sheet")).to_have_count(1)
    host.get_by_label("Table", exact=True).select_option("")
    host.get_by_role("button", name="Show").click()
    keep_picture(host, "print")
    assert host.pdf()[:4] == b"%PDF"


def find_table_of(name: str) -> int:
    """The match of somebody's table; both phones shall sit at one, as two who came together do."""
    links = FixtureMatch.objects.filter(match__seats__player__owner__username=name)
    return int(apart(lambda: links.values_list("match_id", flat=True)[0]))


def report_by_phone(phones: list[Page], site: str) -> None:
    """One writes the sheet, which is refused until it can be so; the other says that it was not so."""
    writer, other = phones
    match_id = find_table_of("ada")
    assert match_id == find_table_of("bob"), "the walk seats them together"
    writer.goto(f"{site}/play/")
    writer.get_by_role("link", name=f"Match {match_id}").click()
    fill_sheet(writer, [("4", "4", "01"), ("3", "2", "0"), ("2", "3", "44")])
    writer.get_by_role("button", name="Reckon").click()
    expect(writer.get_by_text("there are 1 cards Gold 4")).to_be_visible()
    fill_sheet(writer, [("4", "4", "01"), ("3", "2", "0"), ("2", "3", "4")])
    writer.get_by_role("button", name="Reckon").click()
    expect(writer.get_by_text("Nugget", exact=True).first).to_be_visible()
    keep_picture(writer, "sheet-phone")
    assert writer.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    writer.get_by_role("button", name="Report the result").click()
    expect(writer.get_by_role("button", name="Take it back")).to_be_visible()
    other.goto(f"{site}/matches/{match_id}/sheet/")
    keep_picture(other, "confirm-phone")
    other.get_by_label("What was otherwise").fill("I had three tricks in the second round")
    other.get_by_role("button", name="No, ask the organiser").click()
    expect(other.get_by_text("Disputed: the organiser decides")).to_be_visible()


def fill_sheet(page: Page, lines: list[tuple[str, str, str]]) -> None:
    """Two rounds alike."""
    for number in (1, 2):
        for side, figures in enumerate(lines):
            for part, figure in zip(("bid", "tricks", "gold"), figures, strict=True):
                page.locator(f"[name=round{number}_side{side}_{part}]").fill(figure)


def decide_the_dispute(host: Page, site: str) -> None:
    host.goto(f"{site}/desk{EVENT}matches/")
    expect(host.get_by_text("I had three tricks in the second round")).to_be_visible()
    keep_picture(host, "matches")
    match_id = find_table_of("ada")
    host.goto(f"{site}/desk{EVENT}matches/{match_id}/sheet/")
    fill_sheet(host, [("4", "4", "01"), ("3", "3", "0"), ("2", "3", "4")])
    host.get_by_role("button", name="Reckon").click()
    host.get_by_role("button", name="Enter the result").click()
    expect(host.locator(".toast")).to_contain_text("The result stands")
    versions = apart(lambda: list(MatchResult.objects.filter(match=match_id).values_list("nuggets", "totals")))
    assert versions == [([2, 0, 0], [18, 12, 8])]


def dispute_what_counts(phone: Page, host: Page, site: str) -> None:
    """From the other telephone, after the organiser has decided: it goes to the desk, and the result stands."""
    match_id = find_table_of("bob")
    phone.goto(f"{site}/matches/{match_id}/")
    phone.get_by_role("link", name="Result of your table").click()
    phone.get_by_text("It was otherwise").click()
    phone.get_by_label("What was otherwise").fill("It was I who had four")
    keep_picture(phone, "late-dispute-phone")
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    phone.get_by_role("button", name="Ask the organiser").click()
    expect(phone.get_by_text("Disputed: the organiser decides")).to_be_visible()
    host.goto(f"{site}/desk{EVENT}matches/")
    expect(host.get_by_text("It was I who had four")).to_be_visible()
    host.goto(f"{site}/desk{EVENT}matches/{match_id}/")
    keep_picture(host, "late-dispute")
    host.get_by_role("button", name="It stays as it is").click()
    expect(host.locator(".toast")).to_contain_text("The result stands")
    assert apart(lambda: MatchResult.objects.filter(match=match_id).count()) == 1


def postpone_one_table(host: Page, site: str) -> None:
    found = FixtureMatch.objects.filter(fixture__state="pending").order_by("pk")
    match_id = apart(lambda: found.values_list("match_id", flat=True)[0])
    host.goto(f"{site}/desk{EVENT}matches/{match_id}/postpone/")
    host.get_by_label("New time").fill("2030-05-10T19:00")
    host.get_by_role("button", name="Look at it").click()
    expect(host.get_by_role("heading", name="What changes")).to_be_visible()
    host.get_by_role("button", name="Postpone it").click()
    expect(host.get_by_text("postponed to")).to_be_visible()


def announce_the_break(host: Page, site: str) -> None:
    host.goto(f"{site}/desk{EVENT}tell/")
    host.get_by_label("Title").first.fill("Short break")
    host.get_by_label("Text").first.fill("We go on at **half past eight**.")
    host.get_by_role("button", name="Announce").click()
    expect(host.get_by_text("told to 2 people")).to_be_visible()
    keep_picture(host, "tell")


def show_on_the_projector(host: Page, site: str) -> None:
    host.goto(f"{site}{EVENT}projector/")
    expect(host.locator(".board table")).to_have_count(2)
    expect(host.locator(".board")).to_contain_text("ada")
    keep_picture(host, "projector")


def verify_the_archive(host: Page, site: str) -> None:
    """What anybody can download holds, without us."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "archive.zip"
        with urllib.request.urlopen(f"{site}{EVENT}downloads/archive.zip") as answer:
            path.write_bytes(answer.read())
        assert main(["verify", str(path)]) == 0


def enter_one_result(host: Page, site: str) -> None:
    found = FixtureMatch.objects.filter(fixture__state="pending", match__seats__player__kind="guest")
    match_id = apart(lambda: found.order_by("pk").values_list("match_id", flat=True)[0])
    host.goto(f"{site}/desk{EVENT}matches/{match_id}/")
    host.get_by_label("Places").fill("1, 2, 3")
    host.locator("form[action$='/result/']").get_by_label("Reason").fill("played with cards")
    host.locator("form[action$='/result/'] button").click()
    expect(host.locator(".toast")).to_contain_text("Decided")
    keep_picture(host, "match")
