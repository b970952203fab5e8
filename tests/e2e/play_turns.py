"""What people do at a table in a browser: each decision by mouse, by keys or by thumb, until the match is over."""

import time
from collections.abc import Callable

from axe_playwright_python.sync_playwright import Axe
from django.utils.translation import gettext, override
from playwright.sync_api import Locator, Page, TimeoutError

SECONDS_A_MATCH = 280
CLICK = """() => {
    const table = document.getElementById("play");
    if (!document.getElementById("over").hidden) return "over";
    const sure = document.querySelector("dialog[open] button[value=yes]");
    if (sure) { sure.click(); return "sure"; }
    if (!table.dataset.turn) return "";
    const here = table.dataset.turn + table.dataset.counter;
    const isRefused = !document.getElementById("refused").hidden;
    if (table.dataset.done === here && !isRefused) return "";
    const choice = table.dataset.turn === "change" ? document.getElementById("keep")
        : table.querySelector(".hand [data-card]:not([aria-disabled])") ?? document.getElementById("stop");
    if (choice.id !== "stop") table.dataset.done = here;
    choice.click();
    return here;
}"""
Act = Callable[[Page], str]
MILLISECONDS_A_TAP = 5_000


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
        return "sure" if _tap(page.locator("dialog[open] button[value=yes]")) else ""
    turn = page.get_attribute("#play", "data-turn")
    if not turn:
        return ""
    if turn == "change":
        return turn if _tap(page.locator("#keep")) else ""
    card = page.locator(".hand [data-card]:not([aria-disabled])")
    if card.count():
        return turn if _tap(card.first, x=9, y=20) and _tap(page.locator("#chosen")) else ""
    return turn if _tap(page.locator("#stop")) else ""


def _tap(target: Locator, x: int | None = None, y: int | None = None) -> bool:
    """False where the page has moved on since it was asked: what it shows now is for the next look."""
    try:
        target.tap(timeout=MILLISECONDS_A_TAP, position={"x": x, "y": y} if x is not None and y is not None else None)
    except TimeoutError:
        return False
    return True


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


def press_to(page: Page, name: str) -> None:
    """Walk to a button or link by Tab alone, and press it."""
    for _ in range(200):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent.trim()") == name:
            page.keyboard.press("Enter")
            return
    raise AssertionError(f"no key leads to {name}")


def say(language: str, text: str) -> str:
    """What stands on a page in this language."""
    with override(language):
        return gettext(text)


def find_violations(page: Page) -> tuple[list[str], int]:
    """What keeps somebody from using a page, and by how many pixels it scrolls sideways."""
    found = [violation["id"] for violation in Axe().run(page).response["violations"]]
    return found, int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))
