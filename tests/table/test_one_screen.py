"""The table on every screen: nothing scrolls, nothing overlaps, every card can be hit; and only news move anything."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from games.models import MatchSeat, Player
from games.pages.replay import Asked, make_replay
from games.pages.table_words import make_watched_table
from games.play.see_table import clear_at
from games.play.table_state import RoundState, to_json
from games.rules.actions import BID, CHANGE, NOBODY
from games.rules.match import Match
from tests.browser import needs_chromium, open_browser
from tests.table import gallery
from tests.table.stage import LONG_NAMES, Scene, open_stage, render_looked_at, render_page, with_all_gold
from tests.table.test_table_state import play_by_chance

pytestmark = [needs_chromium("no table is looked at in a browser"), pytest.mark.timeout(600)]
SIZES = (
    *((360, 640), (390, 844), (412, 915), (600, 960)),
    *((640, 360), (844, 390), (915, 412), (1024, 600)),
    *((1024, 768), (1280, 800), (1920, 1080), (2560, 1440)),
)
LEAST = 44
LAY_OUT = """() => {
    const box = (element) => element.getBoundingClientRect();
    const inside = ({ left, top, right, bottom }) =>
        left > -1 && top > -1 && right < innerWidth + 1 && bottom < innerHeight + 1;
    const isShown = (element) => box(element).width > 0 && box(element).height > 0;
    const all = (query) => [...document.querySelectorAll(query)].filter(isShown);
    const parts = all("#felt > .seat, #felt > .supply, #felt > .play-bar, #felt > .hand, #felt > .trick");
    const faults = [];
    for (const [order, one] of parts.entries()) {
        for (const other of parts.slice(order + 1)) {
            const width = Math.min(box(one).right, box(other).right) - Math.max(box(one).left, box(other).left);
            const height = Math.min(box(one).bottom, box(other).bottom) - Math.max(box(one).top, box(other).top);
            if (width > 4 && height > 4) faults.push(`${one.className} over ${other.className}`);
        }
    }
    for (const part of all("#felt .card, #felt .coin, #felt .button, #felt .seat h3"))
        if (!inside(box(part))) faults.push(`out of sight: ${part.outerHTML.slice(0, 80)}`);
    const cards = all(".hand .card-button").map(box);
    const targets = cards.map((card, order) => {
        const next = cards[order + 1];
        const below = cards.find((other) => other.top > card.top + 20 && Math.abs(other.left - card.left) < 30);
        const isBeside = next && Math.abs(next.top - card.top) < 10;
        const wide = isBeside ? Math.min(card.width, next.left - card.left) : card.width;
        return Math.min(wide, below ? below.top - card.top : card.height);
    });
    const page = document.documentElement;
    return {
        faults, least: Math.min(...targets, 999),
        scrolls: [page.scrollWidth - innerWidth, page.scrollHeight - innerHeight],
    };
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as chromium:
        yield chromium


def find_moments(play: Match) -> dict[str, int]:
    """After how many actions the person in seat 0 is asked for a bid, a change, a card, or waits for somebody."""
    found: dict[str, int] = {}
    for applied in range(len(play.log)):
        at = clear_at(play, applied)
        is_own = 0 in at.awaiting()
        if at.round.phase == BID and is_own:
            found.setdefault("bid", applied)
        elif at.round.phase == CHANGE and is_own:
            found.setdefault("change", applied)
        elif is_own and at.round.trick_length:
            found.setdefault("play", applied)
        elif not is_own and at.round.trick_number > 4:
            found.setdefault("wait", applied)
    return found


def open_scene(context: BrowserContext, scene: Scene, answers: dict[str, Any] | None = None) -> Page:
    table = scene.look()
    told = scene.tell(table)
    page = open_stage(context, render_page(told, table), answers or {"state": told})
    expect(page.locator(".hand [data-card]").first).to_be_visible()
    return page


@pytest.mark.parametrize("code", ["en3", "de4"])
def test_nothing_scrolls_or_overlaps_on_any_screen(browser: Browser, code: str) -> None:
    """The longest names; of each moment also with all the gold of the game in one's own collection."""
    play = play_by_chance(code)
    faults = {}
    for name, applied in find_moments(play).items():
        scene = Scene(play, applied)
        for has_all in (False, True):
            table = with_all_gold(scene.look(), 0) if has_all else scene.look()
            told = scene.tell(table)
            context = browser.new_context()
            page = open_stage(context, render_page(told, table), {"state": told})
            expect(page.locator(".hand [data-card]").first).to_be_visible()
            page.evaluate("document.getElementById('said').textContent = 'Somebody leads Phosphorus 10. '.repeat(9)")
            for width, height in SIZES:
                page.set_viewport_size({"width": width, "height": height})
                seen = page.evaluate(LAY_OUT)
                if seen["faults"] or seen["least"] < LEAST or seen["scrolls"] != [0, 0]:
                    faults[code, name, has_all, width, height] = seen
            context.close()
    assert faults == {}


def look_at_all_sizes(page: Page) -> dict[tuple[int, int], Any]:
    """Faults by size; the table is seen whole, and only what lies under it scrolls."""
    faults = {}
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        seen = page.evaluate(LAY_OUT)
        bottom = page.evaluate("document.querySelector('.table-screen').getBoundingClientRect().bottom - innerHeight")
        if seen["faults"] or seen["scrolls"][0] != 0 or bottom > 1:
            faults[width, height] = (seen["faults"], seen["scrolls"], bottom)
    return faults


def with_all_gold_in(round_: RoundState, seat: int) -> RoundState:
    everything = tuple(sorted([*round_.supply, *(card for cards in round_.gold for card in cards)]))
    gold = tuple(everything if other == seat else () for other in range(len(round_.gold)))
    return replace(round_, gold=gold, supply=())


@pytest.mark.parametrize("code", ["en3", "de4"])
def test_a_replay_is_seen_whole_on_every_screen(browser: Browser, code: str) -> None:
    """Every card open, the longest names, and once with all the gold of the game in one collection."""
    play = play_by_chance(code)
    held = [
        MatchSeat(seat=seat, side=seat % play.ruleset.sides, player=Player(name=name, slug=f"p{seat}", kind="bot"))
        for seat, name in enumerate(LONG_NAMES[: play.players])
    ]
    faults = {}
    for asked in (Asked(1, 0, 0, None, True), Asked(1, 3, 2, None, True), Asked(1, 99, 0, 1, True)):
        step = make_replay(play, held, asked)
        for gold_of in (None, 0, 1):
            told = step
            if gold_of is not None:
                happening = replace(step.happening, round=with_all_gold_in(step.happening.round, gold_of))
                told = replace(step, happening=happening)
            context = browser.new_context()
            page = open_stage(context, render_looked_at(told, play, replay=told), {})
            expect(page.locator(".seat").first).to_be_visible()
            found = look_at_all_sizes(page)
            if found:
                faults[asked.trick, gold_of] = found
            context.close()
    assert faults == {}


@pytest.mark.parametrize("code", ["en3", "de4"])
def test_a_watched_table_is_seen_whole_on_every_screen(browser: Browser, code: str) -> None:
    play = play_by_chance(code)
    faults = {}
    for name, applied in find_moments(play).items():
        table = Scene(play, applied, seat=NOBODY).look()
        for has_all in (False, True):
            told = make_watched_table(with_all_gold(table, 1) if has_all else table)
            context = browser.new_context()
            page = open_stage(context, render_looked_at(told, play, replay=None), {"table": to_json(told)})
            expect(page.locator(".seat").first).to_be_visible()
            if found := look_at_all_sizes(page):
                faults[name, has_all] = found
            context.close()
    assert faults == {}


UNDER_HINT = """() => {
    const hint = document.getElementById("hint").getBoundingClientRect();
    return [...document.querySelectorAll("#felt > :is(.seat, .supply, .hand, .play-bar)")].filter((part) => {
        const box = part.getBoundingClientRect();
        const width = Math.min(box.right, hint.right) - Math.max(box.left, hint.left);
        return width > 4 && Math.min(box.bottom, hint.bottom) - Math.max(box.top, hint.top) > 4;
    }).map((part) => part.className);
}"""


@pytest.mark.parametrize("code", ["en3", "de4"])
def test_a_hint_covers_neither_seats_nor_what_is_asked(browser: Browser, code: str) -> None:
    play = play_by_chance(code)
    covered = {}
    for name, applied in find_moments(play).items():
        scene = Scene(play, applied)
        table = scene.look()
        told = scene.tell(table, is_guided=True)
        if not told["hints"]:
            continue
        context = browser.new_context()
        page = open_stage(context, render_page(told, table), {"state": told})
        expect(page.locator("#hint")).to_be_visible()
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            if found := page.evaluate(UNDER_HINT):
                covered[name, width, height] = found
        context.close()
    assert covered == {}


COUNT_MOVES = """() => {
    window.moves = 0;
    window.changes = 0;
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...given) { window.moves += 1; return animate.apply(this, given); };
    const isClock = ({ target }) => target.closest?.("[data-clock]");
    new MutationObserver((all) => (window.changes += all.filter((change) => !isClock(change)).length)).observe(
        document.getElementById("felt"), { childList: true, subtree: true });
}"""


def test_a_redraw_without_news_moves_nothing(browser: Browser) -> None:
    play = play_by_chance("en3")
    scene = Scene(play, find_moments(play)["play"])
    page = open_scene(browser.new_context(), scene)
    page.evaluate(COUNT_MOVES)
    page.locator("#order").evaluate("(choice) => choice.dispatchEvent(new Event('change'))")
    page.locator("#order").evaluate("(choice) => choice.dispatchEvent(new Event('change'))")
    page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))")
    assert page.evaluate("[window.moves, window.changes]") == [0, 0]
    page.locator("#order").evaluate("(choice) => { choice.value = 'rank'; choice.dispatchEvent(new Event('change')) }")
    page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))")
    assert page.evaluate("window.moves") > 0, "a hand sorted anew does move"


DEALT = """() => {
    window.dealt = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, ...given) {
        if (this.closest(".hand")) window.dealt.push([this.dataset.flip, frames[0].transform ?? ""]);
        return animate.call(this, frames, ...given);
    };
}"""


def test_dealt_cards_come_once_and_at_their_size(browser: Browser) -> None:
    """Also those that lay elsewhere on the table in the round before."""
    play = play_by_chance("en3")
    scene = next(found for found in gallery.find_scenes(play) if found[0] == "round-end")
    page = gallery.open_scene(browser, "en3", (1280, 800), *scene)
    page.evaluate(DEALT)
    page.locator("#go-on").click()
    cards = page.locator(".hand [data-card]")
    expect(cards).to_have_count(12)
    page.wait_for_function("() => window.dealt.length >= 12")
    page.wait_for_timeout(300)
    dealt = page.evaluate("window.dealt")
    hand = [f"card {code}" for code in cards.evaluate_all("all => all.map((card) => card.dataset.card)")]
    assert [card for card, _ in dealt] == hand
    assert [start for _, start in dealt if "scale" in start] == []
    page.context.close()


def test_a_card_played_keeps_the_bids(browser: Browser) -> None:
    """One click on a card: the bids are kept, and the card is played as soon as it may be."""
    play = play_by_chance("en3")
    applied = next(
        applied
        for applied in range(len(play.log))
        if (at := clear_at(play, applied)).round.phase == CHANGE and at.awaiting() == (0,) and at.round.leader == 0
    )
    scene = Scene(play, applied)
    after = clear_at(play, applied)
    after.apply_text(0, "keep")
    while after.round.phase == CHANGE:
        after.apply_text(after.awaiting()[0], "keep")
    sent: list[str] = []

    def decide(body: str | None) -> dict[str, Any]:
        sent.append(str(body))
        return Scene(after, len(after.log), since=applied).tell()

    page = open_scene(browser.new_context(), scene, {"state": scene.tell(), "decide": decide})
    card = page.locator(".hand [data-card]").first
    code = card.get_attribute("data-card")
    card.click()
    page.wait_for_function("() => !document.getElementById('play').dataset.turn.startsWith('change')")
    expect.set_options(timeout=20_000)
    for _ in range(400):
        if len(sent) > 1:
            break
        page.wait_for_timeout(50)
    assert [body.partition("action=")[2] for body in sent][:2] == ["keep", f"play+{code}"]


def test_what_was_decided_ahead_ends_with_its_round(browser: Browser) -> None:
    """A card chosen in one round is never laid as a bid in the next."""
    play = play_by_chance("en3")
    last = len(play.rounds[0].log)
    early = next(
        applied
        for applied in range(last - 1, 0, -1)
        if (at := clear_at(play, applied)).awaiting() != (0,) and at.round.hands[0] and at.round.phase != BID
    )
    scene, later = Scene(play, early), Scene(play, last, since=early)
    table = scene.look()
    code = table.view.round.hand[0] if table.view and table.view.round else ""
    seen = later.tell()
    seen["table"]["view"]["round"]["hand"][0] = code
    seen["options"]["cards"] = [*seen["options"]["cards"], code]
    answers: dict[str, Any] = {"state": scene.tell(), "decide": lambda body: seen}
    context = browser.new_context()
    context.add_init_script("localStorage.setItem('play-pace', '0')")
    page = open_scene(context, scene, answers)
    page.locator(f".hand [data-card={code}]").click()
    expect(page.locator(f".hand [data-card={code}]")).to_have_attribute("data-ahead", "true")
    answers["state"] = seen
    expect(page.locator("#play")).to_have_attribute("data-turn", "bid", timeout=60_000)
    page.wait_for_timeout(300)
    assert [name for name, _ in page.asked if name == "decide"] == []  # type: ignore[attr-defined]


def test_the_first_load_is_light(browser: Browser) -> None:
    play = play_by_chance("de4")
    scene = Scene(play, find_moments(play)["play"])
    page = open_scene(browser.new_context(), scene)
    # What people say to one another is asked for a second later, which a busy machine may reach first.
    weights = page.evaluate("() => performance.getEntries().map((one) => [one.name, one.decodedBodySize ?? 0])")
    assert 60_000 < sum(size for name, size in weights if "play_company" not in name) < 150_000


WHAT_OPENS = """() => {
    const faults = [];
    const inside = ({ left, top, right, bottom }) =>
        left > -1 && top > -1 && right < innerWidth + 1 && bottom < innerHeight + 1;
    const open = [...document.querySelectorAll("dialog[open], .table-end:not([hidden]), details.menu[open] > div")];
    for (const panel of open) {
        if (!inside(panel.getBoundingClientRect())) faults.push(`beyond the screen: ${panel.id}`);
        if (panel.scrollWidth > panel.clientWidth + 1) faults.push(`scrolls across: ${panel.id}`);
        for (const button of panel.querySelectorAll(".button-primary, #go-on"))
            if (button.getClientRects().length && !inside(button.getBoundingClientRect()))
                faults.push(`out of sight: ${button.textContent.trim()}`);
    }
    const page = document.documentElement;
    if (page.scrollWidth > innerWidth || page.scrollHeight > innerHeight) faults.push("the page scrolls");
    return { count: open.length, faults };
}"""


@pytest.mark.parametrize("code", ["en3", "de4"])
def test_what_opens_over_the_table_fits_every_screen(browser: Browser, code: str) -> None:
    """The ends of a round and of the match, a bid change, the last trick and the menu: their buttons are in sight."""
    faults = {}
    scenes = {scene[0]: scene for scene in gallery.find_scenes(play_by_chance(code))}
    for name in ("swap", "menu", "last", "round-end", "match-end"):
        page = gallery.open_scene(browser, code, (1280, 800), *scenes[name])
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            seen = page.evaluate(WHAT_OPENS)
            if seen != {"count": 1, "faults": []}:
                faults[name, width, height] = seen
        page.context.close()
    assert faults == {}
