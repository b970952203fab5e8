"""People at tables in a real browser: by mouse, keys and thumb, through restarts, and every page checked by axe."""

import time

from playwright.sync_api import Browser, Page, expect

from bots.services.opinion import form_opinion
from games.selectors.matches import load_match, replay_match
from tests.e2e.play_site import AT_A_TABLE, PHONE, PlaySite, apart, meet_person, sit_down
from tests.e2e.play_turns import click_on, find_violations, play_to_the_end, press_on, tap_on

pytestmark = AT_A_TABLE
SECONDS_TO_AGREE = 30


def test_two_people_and_a_bot_through_every_break(site: PlaySite, browser: Browser) -> None:
    """A lobby, a whole match, a reload, a second tab, a killed worker, a restarted server, a stale click."""
    complaints: list[str] = []
    host = meet_person(browser, complaints).new_page()
    friend = meet_person(browser, complaints).new_page()
    sit_down(host, site, start="invite", strength="search-1")
    friend.goto(host.get_by_label("Invite people with this link").input_value())
    assert find_violations(friend) == ([], 0)
    friend.get_by_role("button", name="Sit here").first.click()
    expect(host.locator("#lobby-seats")).to_contain_text("Guest")
    host.get_by_role("button", name="Deal the cards").click()
    friend.wait_for_url("**/play/*/")
    assert not play_to_the_end([host, friend], click_on, lambda decisions: decisions > 12)

    friend.reload()
    second_tab = host.context.new_page()
    second_tab.goto(host.url)
    assert not play_to_the_end([second_tab, friend], click_on, lambda decisions: decisions > 8)
    wait_until_same(host, second_tab)
    refuse_stale_and_forged(host, friend)

    site.kill()
    site.web.start()
    site.start_worker()
    assert play_to_the_end([host, friend], click_on)
    expect(host.locator("#places li")).to_have_count(3)
    assert complaints == []


def wait_until_same(first: Page, second: Page) -> None:
    """Both come to show the same table, however long a bot still thinks: nobody decides meanwhile."""
    ends_at = time.monotonic() + SECONDS_TO_AGREE
    counters = ["", "-"]
    while counters[0] != counters[1] and time.monotonic() < ends_at:
        first.wait_for_timeout(100)
        counters = [page.get_attribute("#play", "data-counter") or "" for page in (first, second)]
    assert counters[0] == counters[1]


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


def test_four_seats_by_keyboard_alone_in_the_german_edition(site: PlaySite, browser: Browser) -> None:
    complaints: list[str] = []
    page = meet_person(browser, complaints).new_page()
    sit_down(page, site, players=4, edition="de")
    expect(page.locator(".table-bar")).to_contain_text("German edition")
    expect(page.locator(".seat[data-at=top]")).to_contain_text("Partner")
    assert find_violations(page) == ([], 0)
    assert play_to_the_end([page], press_on)
    expect(page.locator("#over")).to_be_focused()
    expect(page.locator("#places li")).to_have_count(2)
    assert page.locator("#news li").count() > 20
    assert complaints == []


def form_opinions(match_id: int) -> None:
    match = load_match(match_id)
    assert match is not None
    for number in range(1, len(replay_match(match).rounds) + 1):
        form_opinion(match_id=match_id, seat=0, number=number)


def test_a_guided_match_on_a_phone(site: PlaySite, browser: Browser) -> None:
    complaints: list[str] = []
    page = meet_person(browser, complaints, PHONE).new_page()
    page.goto(f"{site.address}/play/")
    assert find_violations(page) == ([], 0)
    page.get_by_role("button", name="Start the guided match").tap()
    expect(page.locator("#hint")).to_contain_text("Your bid")
    assert find_violations(page) == ([], 0)
    page.locator("#hint button").tap()
    assert play_to_the_end([page], tap_on)
    assert find_violations(page) == ([], 0)
    page.get_by_role("link", name="What would the bot have played?").tap()
    expect(page.get_by_role("heading", level=1)).to_contain_text("What would the bot have played?")
    expect(page.locator("#opinions")).to_contain_text("This takes some seconds")
    assert find_violations(page) == ([], 0)
    match_id = int(page.url.split("/matches/")[1].split("/")[0])
    apart(lambda: form_opinions(match_id))
    expect(page.locator("#opinions")).to_contain_text("as good as")
    assert find_violations(page) == ([], 0)
    assert complaints == []
