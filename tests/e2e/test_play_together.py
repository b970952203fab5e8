"""People together in real browsers: partners and a watcher, every way to move a card, and a fixture of a tournament."""

import re
import time
from datetime import timedelta

from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Browser, Page, TimeoutError, expect

from aurum_league.common.broker import publish
from games.models import Match, Player, PlayerKind
from games.services.players import ensure_person
from tests.e2e.play_site import ASKS_ALWAYS, AT_A_TABLE, PHONE, PlaySite, apart, meet_person, sign_in, sit_down
from tests.e2e.play_turns import SECONDS_A_MATCH, click_on, find_violations, play_to_the_end
from tournaments.services.draw import draw_tournament
from tournaments.services.entries import enter_players
from tournaments.services.leagues import create_tournament
from tournaments.services.lifecycle import open_tournament
from tournaments.services.release import start_tournament

pytestmark = AT_A_TABLE
TRIES = 3
"""A page that is still laid out may move a card from under the mouse; what news swallow, they swallow every time."""


def wait_for_turn(page: Page, phase: str) -> None:
    expect(page.locator("#play")).to_have_attribute("data-turn", phase)


def is_bid_made(page: Page) -> bool:
    """Soon, that is: a press that the page did not take is made again."""
    try:
        page.wait_for_function("() => document.getElementById('play').dataset.turn !== 'bid'", timeout=10_000)
    except TimeoutError:
        return False
    return True


def test_a_card_is_dragged_a_bid_changed_and_gold_confirmed(site: PlaySite, browser: Browser) -> None:
    complaints: list[str] = []
    context = meet_person(browser, complaints)
    context.add_init_script(ASKS_ALWAYS)
    page = context.new_page()
    sit_down(page, site)
    wait_for_turn(page, "bid")
    card = page.locator(".hand [data-card]").first
    code = card.get_attribute("data-card") or ""
    for _ in range(TRIES):
        card.hover()
        page.mouse.down()
        page.locator(".trick").hover()
        hear_news(page)
        page.mouse.up()
        if is_bid_made(page):
            break
    wait_for_turn(page, "change")
    expect(page.locator(f".hand [data-card={code}]")).to_have_count(0)
    change_the_bid(page, code)
    see_why_not_and_think_twice(page)
    assert complaints == []


def hear_news(page: Page) -> None:
    """The table is asked for anew, as after anybody's decision; what a person holds must stay in the hand."""
    match_id = page.url.rstrip("/").split("/")[-1]
    with page.expect_response(lambda answer: "/state/" in answer.url):
        publish(f"match:{match_id}", {"version": 1000})
    page.wait_for_timeout(200)


def test_a_click_counts_though_news_come_between_press_and_release(site: PlaySite, browser: Browser) -> None:
    context = meet_person(browser, [])
    context.add_init_script(ASKS_ALWAYS)
    page = context.new_page()
    sit_down(page, site)
    wait_for_turn(page, "bid")
    for _ in range(TRIES):
        page.locator(".hand [data-card]").first.hover()
        page.mouse.down()
        hear_news(page)
        page.mouse.up()
        if is_bid_made(page):
            break
    wait_for_turn(page, "change")


def change_the_bid(page: Page, old: str) -> None:
    """The dialog says what the change would cost and do before it is made."""
    page.locator("#change").click()
    dialog = page.locator("#swap")
    choice = dialog.locator("[name=swap-card]").last
    new = choice.get_attribute("value") or ""
    choice.check()
    expect(dialog.locator("[data-part=effect]")).to_contain_text("The bid to reach is then")
    assert find_violations(page) == ([], 0)
    dialog.get_by_role("button", name="Change the bid").click()
    expect(page.locator(f".hand [data-card={old}]")).to_have_count(1)
    expect(page.locator(".seat[data-at=bottom] .seat-bid svg")).to_have_attribute(
        "aria-label", f"Bid: {page.evaluate(CARD_NAME, new)}"
    )
    expect(page.locator(".seat[data-at=bottom] .coin-button")).to_have_count(0)


CARD_NAME = """(code) => {
    const { metals } = JSON.parse(document.getElementById("table-words").textContent);
    return `${metals[code[0]]} ${code.slice(1)}`;
}"""


def see_why_not_and_think_twice(page: Page) -> None:
    """A card that cannot be played says why; gold is asked about, and No keeps it."""
    has_said_why = has_asked = False
    ends_at = time.monotonic() + SECONDS_A_MATCH
    while time.monotonic() < ends_at:
        if has_said_why and has_asked:
            return
        is_mine = page.locator("#play[data-turn=play]").count() and not page.locator("dialog[open]").count()
        illegal = page.locator(".hand [data-card][aria-disabled]")
        if is_mine and illegal.count() and not has_said_why:
            illegal.first.click(force=True)
            expect(page.locator("#refused")).to_contain_text("is in the trick already")
            has_said_why = True
        gold = page.locator(".coin-button:not([aria-disabled])")
        if is_mine and gold.count() and not has_asked:
            gold.first.click()
            expect(page.locator("#ask")).to_contain_text("It goes back to the supply")
            assert find_violations(page) == ([], 0)
            page.locator("#ask").get_by_role("button", name="No").click()
            has_asked = True
        if click_on(page) == "over":
            break
        page.wait_for_timeout(20)
    assert has_said_why


def test_partners_play_and_a_watcher_sees_each_decision_at_once(site: PlaySite, browser: Browser) -> None:
    complaints: list[str] = []
    host = meet_person(browser, complaints).new_page()
    partner = meet_person(browser, complaints, PHONE).new_page()
    watcher = meet_person(browser, complaints).new_page()
    sit_down(host, site, players=4, start="invite")
    partner.goto(host.get_by_label("Invite people with this link").input_value())
    partner.locator("button[name=do][value='2']").tap()
    expect(host.locator("#lobby-seats")).to_contain_text("Guest")
    assert find_violations(host) == ([], 0)
    host.get_by_role("button", name="Deal the cards").click()
    partner.wait_for_url("**/play/*/")
    for page in (host, partner):
        expect(page.locator(".seat[data-at=top]")).to_contain_text("Partner")
        expect(page.locator(".seat[data-at=top] .badge-person")).to_have_count(1)
        expect(page.locator(".seat[data-at=left] .badge-house")).to_have_count(1)
    watch_decisions(watcher, [host, partner])
    assert play_to_the_end([host, partner], click_on)
    expect(host.locator("#places li")).to_have_count(2)
    expect(host.locator("#places")).to_contain_text(re.compile(r"You & Guest \d+"))
    play_again(host, partner)
    assert complaints == []


def play_again(host: Page, partner: Page) -> None:
    """One click each: whoever asks first is seen by the other, and the cards are dealt when both have asked."""
    host.get_by_role("button", name="Play again").click()
    host.wait_for_url("**/play/invitations/*/")
    expect(partner.locator("#over-again")).to_contain_text("Would play again with you: Guest")
    partner.get_by_role("button", name="Play again").tap()
    for page in (partner, host):
        page.wait_for_url(re.compile(r"/play/\d+/$"))
        expect(page.locator(".seat[data-at=top]")).to_contain_text("Partner")
        expect(page.locator(".hand [data-card]").first).to_be_visible()


IS_TO_DECIDE = """() => {
    const table = document.getElementById("play");
    return Boolean(table.dataset.turn) && table.dataset.done !== table.dataset.turn + table.dataset.counter;
}"""


def test_a_card_comes_back_once_the_other_person_allows_it(site: PlaySite, browser: Browser) -> None:
    complaints: list[str] = []
    host = meet_person(browser, complaints).new_page()
    friend = meet_person(browser, complaints, PHONE).new_page()
    sit_down(host, site, start="invite")
    friend.goto(host.get_by_label("Invite people with this link").input_value())
    friend.get_by_role("button", name="Sit here").first.tap()
    expect(host.locator("#lobby-seats")).to_contain_text("Guest")
    host.get_by_role("button", name="Deal the cards").click()
    friend.wait_for_url("**/play/*/")
    take_bid_back(host, friend)
    back = host.locator("#ask-back")

    def wait_for_asking(page: Page) -> str:
        """The friend decides nothing more once the host can ask: a card on its way might be quicker than that."""
        return "" if page is friend and back.is_visible() else click_on(page)

    assert not play_to_the_end(
        [host, friend], wait_for_asking, lambda decisions: back.is_visible() and friend.evaluate(IS_TO_DECIDE)
    )
    cards = host.locator(".hand [data-card]").count()
    back.click()
    expect(host.locator("#prompt")).to_contain_text("waiting for Guest")
    # Sooner than either page asks by itself, which is every fifteen seconds.
    expect(friend.locator("#prompt")).to_contain_text("asks to take the last decision back", timeout=9_000)
    assert find_violations(friend) == ([], 0)
    friend.locator("#refuse-back").tap()
    expect(host.locator("#prompt")).not_to_contain_text("waiting for Guest")
    assert host.locator(".hand [data-card]").count() == cards
    expect(back).to_be_visible()
    host.keyboard.press("u")
    friend.locator("#allow-back").tap()
    expect(host.locator("#play")).to_have_attribute("data-turn", "play")
    expect(host.locator(".hand [data-card]")).to_have_count(cards + 1)
    expect(host.locator("#news")).to_contain_text("A decision was taken back.")
    # What plays here makes no decision twice: this one is to be made again.
    host.evaluate("delete document.getElementById('play').dataset.done")
    assert not play_to_the_end([host, friend], click_on, lambda decisions: decisions > 4)
    assert complaints == []


def take_bid_back(host: Page, friend: Page) -> None:
    """Each lays a bid and takes it back before the other has laid theirs: by key, and by thumb."""
    first = host.locator(".hand [data-card]:not([aria-disabled])").first
    first.click()
    expect(host.locator(".hand [data-card]")).to_have_count(11)
    host.keyboard.press("Escape")
    friend.locator(".hand [data-card]:not([aria-disabled])").first.tap()
    friend.locator("#chosen").tap()
    expect(friend.locator(".hand [data-card]")).to_have_count(11)
    friend.locator("#back").tap()
    for page in (host, friend):
        expect(page.locator(".hand [data-card]")).to_have_count(12)
        expect(page.locator("#play")).to_have_attribute("data-turn", "bid")


def watch_decisions(watcher: Page, players: list[Page]) -> None:
    """The quickest of some decisions takes less than a second, whatever else the machine does."""
    match_id = players[0].url.rstrip("/").split("/")[-1]
    with watcher.expect_response(lambda answer: "/live/matches/" in answer.url):
        watcher.goto(players[0].url.split("/play/")[0] + f"/matches/{match_id}/")
    took = []
    for _ in range(4):
        before = watcher.locator(".felt").inner_html()
        play_to_the_end(players, click_on, lambda decisions: decisions > 0)
        started = time.monotonic()
        expect(watcher.locator(".felt")).not_to_have_js_property("innerHTML", before, timeout=60_000)
        took.append(time.monotonic() - started)
    assert min(took) < 1.0
    assert watcher.locator("[data-card], .hand *, .seat-hand *").count() == 0
    assert find_violations(watcher) == ([], 0)


def open_fixture() -> tuple[Match, list[User]]:
    """A tournament of two people and a house bot on a live clock: one table, which they have an hour to meet at."""
    users = [User.objects.create_user(name, f"{name}@example.org") for name in ("ada", "berta")]
    bot = Player.objects.create(kind=PlayerKind.HOUSE, name="Greedy", slug="house-greedy")
    stage = {"format": "round_robin", "options": {"meetings": 1}, "block_deals": 0}
    clock = {"bank": 300, "increment": 5, "window": 3600}
    spec = {"name": "Evening", "entry_kind": "mixed", "clock": clock, "stages": [stage]}
    number = create_tournament(spec=spec, organiser=users[0]).pk
    open_tournament(tournament_id=number)
    enter_players(tournament_id=number, players=[*(ensure_person(user) for user in users), bot])
    draw_tournament(tournament_id=number)
    start_tournament(tournament_id=number)
    return Match.objects.get(), users


def test_people_meet_at_the_table_of_their_fixture(site: PlaySite, browser: Browser) -> None:
    complaints: list[str] = []
    _, (ada, berta) = apart(open_fixture)
    first, second = (meet_person(browser, complaints, size) for size in ((1280, 1000), PHONE))
    sign_in(first, site, ada)
    sign_in(second, site, berta)
    host, guest = come_to_table(first.new_page(), site), second.new_page()
    expect(host.locator("#prompt")).to_contain_text("Waiting for berta")
    expect(host.locator("h1")).to_contain_text("Evening")
    assert find_violations(host) == ([], 0)
    come_to_table(guest, site)
    wait_for_turn(host, "bid")
    wait_for_turn(guest, "bid")
    expect(host.locator(".seat[data-at=bottom] .seat-clock")).to_contain_text("left")
    assert not play_to_the_end([host, guest], click_on, lambda decisions: decisions > 4)
    guest.get_by_label("Table menu").click()
    guest.locator("#resign").click()
    guest.locator("#ask button[value=yes]").click()
    expect(host.locator("#felt")).to_contain_text("Forfeit: the house plays on")
    assert play_to_the_end([host], click_on)
    assert complaints == []


def test_who_does_not_come_to_a_fixture_forfeits_it(site: PlaySite, browser: Browser) -> None:
    complaints: list[str] = []
    match, (ada, _) = apart(open_fixture)
    context = meet_person(browser, complaints)
    sign_in(context, site, ada)
    host = come_to_table(context.new_page(), site)
    expect(host.locator("#prompt")).to_contain_text("Waiting for berta")
    ended = timezone.now() - timedelta(seconds=1)
    apart(lambda: Match.objects.filter(pk=match.pk).update(closes_at=ended))
    wait_for_turn(host, "bid")
    expect(host.locator("#felt")).to_contain_text("Forfeit: the house plays on")
    assert complaints == []


def come_to_table(page: Page, site: PlaySite) -> Page:
    """From the list of one's own matches to the table, where an organiser's entrants agree to sit with bots first."""
    page.goto(f"{site.address}/play/")
    own = page.locator(".own-tables li")
    expect(own).to_contain_text("To be played")
    assert find_violations(page) == ([], 0)
    own.get_by_role("link").first.click()
    agree = page.get_by_role("button", name="I agree to be rated against bots")
    expect(agree).to_be_visible()
    assert find_violations(page) == ([], 0)
    agree.click()
    return page
