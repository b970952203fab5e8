"""People at tables in a real browser: by mouse, keys and thumb, through restarts, and every page checked by axe."""

import time
from collections.abc import Callable, Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.e2e.play_site import CHROMIUM, PHONE, PlaySite, meet_person, open_browser, run_site, sit_down

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine: nobody plays in a browser"),
    pytest.mark.django_db(transaction=True),
    pytest.mark.filterwarnings("ignore::celery.exceptions.AlwaysEagerIgnored"),
    pytest.mark.timeout(300),
]
SECONDS_A_MATCH = 150
CLICK = """() => {
    const table = document.getElementById("play");
    if (!document.getElementById("over").hidden) return "over";
    const sure = document.querySelector("dialog[open] button[value=yes]");
    if (sure) { sure.click(); return "sure"; }
    if (!table.dataset.turn) return "";
    const here = table.dataset.turn + table.dataset.counter;
    if (table.dataset.done === here) return "";
    const choice = table.dataset.turn === "change" ? document.getElementById("keep")
        : table.querySelector(".hand [data-card]:not([aria-disabled])") ?? document.getElementById("stop");
    if (choice.id !== "stop") table.dataset.done = here;
    choice.click();
    return here;
}"""
Act = Callable[[Page], str]


@pytest.fixture
def site() -> Iterator[PlaySite]:
    with run_site() as running:
        yield running


@pytest.fixture
def browser(site: PlaySite) -> Iterator[Browser]:
    with open_browser() as chromium:
        yield chromium


def click_on(page: Page) -> str:
    return str(page.evaluate(CLICK))


def press_on(page: Page) -> str:
    """The next decision by keys alone."""
    seen = page.evaluate(
        """() => [document.getElementById("over").hidden ? "" : "over", document.getElementById("play").dataset.turn,
        Boolean(document.querySelector("dialog[open]")), document.getElementById("stop").hidden]"""
    )
    is_over, turn, is_asked, has_no_stop = seen
    if is_over:
        return "over"
    if is_asked:
        page.keyboard.press("Enter")
    elif turn == "change":
        page.keyboard.press("k")
    elif turn and not has_no_stop:
        page.keyboard.press("e")
    elif turn:
        _walk_to_legal_card(page)
        page.keyboard.press("Enter")
    return str(turn)


def _walk_to_legal_card(page: Page) -> None:
    is_legal = "() => document.activeElement.matches('.hand [data-card]:not([aria-disabled])')"
    for _ in range(30):
        if page.evaluate(is_legal):
            return
        page.keyboard.press("ArrowRight")


def tap_on(page: Page) -> str:
    """The next decision by thumb: a tap lifts a card, the button under it plays."""
    if page.locator("#over").is_visible():
        return "over"
    if page.locator("dialog[open]").count():
        page.locator("dialog[open] button[value=yes]").tap()
        return "sure"
    turn = page.get_attribute("#play", "data-turn")
    if turn == "change":
        page.locator("#keep").tap()
    elif turn:
        card = page.locator(".hand [data-card]:not([aria-disabled])")
        if card.count():
            card.first.tap(position={"x": 9, "y": 20})
            page.locator("#chosen").tap()
        else:
            page.locator("#stop").tap()
    return str(turn)


def play_to_the_end(pages: list[Page], act: Act, until: Callable[[int], bool] = lambda decisions: False) -> bool:
    """Let everybody decide in turn; True once the match is over for all, False where `until` stopped it before."""
    ends_at = time.monotonic() + SECONDS_A_MATCH
    decisions = 0
    while time.monotonic() < ends_at:
        did = [act(page) for page in pages]
        decisions += sum(bool(done) for done in did)
        if all(done == "over" for done in did):
            return True
        if until(decisions):
            return False
        if not any(did):
            pages[0].wait_for_timeout(20)
    raise AssertionError("the match does not end")


def find_violations(page: Page) -> tuple[list[str], int]:
    found = [violation["id"] for violation in Axe().run(page).response["violations"]]
    return found, int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


def test_two_people_and_a_bot_through_every_break(site: PlaySite, browser: Browser) -> None:
    """A lobby, a whole match, a reload, a second tab, a killed worker, a restarted server, a stale click."""
    complaints: list[str] = []
    host = meet_person(browser, complaints).new_page()
    friend = meet_person(browser, complaints).new_page()
    sit_down(host, site, start="invite", strength="search-1")
    friend.goto(host.get_by_label("Invite people with this link").input_value())
    assert find_violations(friend) == ([], 0)
    friend.get_by_role("button", name="Sit here").first.click()
    expect(host.locator(".lobby-seats")).to_contain_text("Guest", timeout=10_000)
    host.get_by_role("button", name="Deal the cards").click()
    friend.wait_for_url("**/play/*/", timeout=10_000)
    assert not play_to_the_end([host, friend], click_on, lambda decisions: decisions > 12)

    friend.reload()
    second_tab = host.context.new_page()
    second_tab.goto(host.url)
    assert not play_to_the_end([second_tab, friend], click_on, lambda decisions: decisions > 8)
    expect(host.locator("#play")).to_have_attribute("data-counter", _counter_of(second_tab), timeout=5000)
    refuse_stale_and_forged(host, friend)

    site.kill(site.worker, site.web)
    site.start_web()
    site.start_worker()
    assert play_to_the_end([host, friend], click_on)
    expect(host.locator("#places li")).to_have_count(3)
    assert complaints == []


def _counter_of(page: Page) -> str:
    page.wait_for_timeout(700)
    return page.get_attribute("#play", "data-counter") or ""


def refuse_stale_and_forged(host: Page, friend: Page) -> None:
    send = """async ([counter, token]) => {
        const table = document.getElementById("play");
        const body = new URLSearchParams({ counter, action: "play B7" });
        const headers = { "X-CSRFToken": token ?? table.dataset.token };
        return (await fetch(table.dataset.decideUrl, { method: "POST", body, headers })).status;
    }"""
    assert host.evaluate(send, ["0", None]) == 409
    assert host.evaluate(send, ["0", "forged"]) == 403
    assert friend.context.request.post(host.url + "decide/", form={"counter": "0", "action": "keep"}).status == 403


def test_four_seats_by_keyboard_alone(site: PlaySite, browser: Browser) -> None:
    complaints: list[str] = []
    page = meet_person(browser, complaints).new_page()
    sit_down(page, site, players=4)
    expect(page.locator(".seat[data-at=top]")).to_contain_text("Partner", timeout=10_000)
    assert find_violations(page) == ([], 0)
    assert play_to_the_end([page], press_on)
    expect(page.locator("#over")).to_be_focused()
    expect(page.locator("#places li")).to_have_count(2)
    assert page.locator("#news li").count() > 50
    assert complaints == []


def test_a_guided_match_on_a_phone(site: PlaySite, browser: Browser) -> None:
    complaints: list[str] = []
    page = meet_person(browser, complaints, PHONE).new_page()
    page.goto(f"{site.address}/play/")
    assert find_violations(page) == ([], 0)
    page.get_by_role("button", name="Start the guided match").tap()
    expect(page.locator("#hint")).to_contain_text("Your bid", timeout=10_000)
    assert find_violations(page) == ([], 0)
    page.locator("#hint button").tap()
    assert play_to_the_end([page], tap_on)
    assert find_violations(page) == ([], 0)
    page.get_by_role("link", name="What would the bot have played?").tap()
    expect(page.get_by_role("heading", level=1)).to_contain_text("What would the bot have played?")
    assert find_violations(page) == ([], 0)
    assert complaints == []
