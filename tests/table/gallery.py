"""Pictures of every phase to look at by eye: `python -m tests.table.gallery FOLDER [NAME…]`, a sheet a size and theme.

Three and four players, at a desk, on a phone upright and across, light and dark; sheets show all phases side by side.
"""

import base64
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from games.rules.match import Match

SIZES = {"desk": (1280, 800), "phone": (390, 844), "across": (844, 390)}
A_ROW = {"desk": 2, "phone": 5, "across": 2}
THEMES = ("light", "dark")
SETTLED_MS = 700
AFTER = {
    "rating": {"name": "Three players", "before": 1512, "after": 1538, "low": 1450, "high": 1620},
    "moments": [
        {"round": 1, "trick": 3, "percent": 11, "url": "#", "played": "Zinc 3", "best": "Copper 9"},
        {"round": 2, "trick": 0, "percent": 7, "url": "#", "played": "Silver 6", "best": "Silver 3"},
    ],
    "is_judged": True,
    "next": {"name": "Autumn Cup, table 5", "url": "#", "closes_at": None},
    "again": ["Maria Prophetissa"],
}


def open_menu(page: "Page") -> None:
    page.locator(".table-menu > summary").last.click()


def open_swap(page: "Page") -> None:
    page.locator("#change").click()
    page.locator("#swap").wait_for(state="visible")


def decide_ahead(page: "Page") -> None:
    page.locator(".hand [data-card]").nth(2).click()
    chosen = page.locator("#chosen")
    if chosen.is_visible():
        chosen.click()


def look_at_last(page: "Page") -> None:
    page.locator("#last").click()
    page.locator("#look").wait_for(state="visible")


def let_end(page: "Page") -> None:
    page.locator("#round-end").wait_for(state="visible", timeout=60_000)


def stand_still(page: "Page") -> None:
    page.locator(".trick .is-winner").wait_for(state="visible", timeout=60_000)


def find_scenes(play: "Match") -> Iterator[tuple[str, int, int | None, Callable[["Page"], None] | None]]:
    """A name, after how many actions, since when news are told, and what somebody does there."""
    from games.rules.match import Match
    from tests.table.stage import Scene
    from tests.table.test_one_screen import find_moments

    found = find_moments(play)
    yield "bid", found["bid"], None, None
    yield "change", found["change"], None, None
    if found["change"] and Scene(play, found["change"]).tell()["options"]["swap_gold"]:
        yield "swap", found["change"], None, open_swap
    yield "play", found["play"], None, None
    yield "wait", found["wait"], None, None
    yield "ahead", found["wait"], None, decide_ahead
    yield "menu", found["play"], None, open_menu
    later = next((at for at in range(found["wait"], len(play.log)) if _ends_a_trick(play, at)), None)
    if later:
        yield "decided", later, later - 1, stand_still
        yield "last", later, None, look_at_last
    first = len(play.rounds[0].log)
    assert isinstance(play, Match)
    yield "round-end", first, first - 1, let_end
    yield "match-end", len(play.log), None, None


def _ends_a_trick(play: "Match", applied: int) -> bool:
    from games.play.see_table import clear_at

    before, after = clear_at(play, applied - 1), clear_at(play, applied)
    return after.round.closed > before.round.closed and len(after.rounds) == len(before.rounds)


def take(browser: "Browser", folder: Path, wanted: list[str]) -> None:
    for code in ("en3", "de4"):
        for size in SIZES:
            for theme in THEMES:
                name = f"{code}-{size}-{theme}"
                if not wanted or any(part in name for part in wanted):
                    _take_sheet(browser, folder, name, list(_take_all(browser, code, size, theme)))


def _take_all(browser: "Browser", code: str, size: str, theme: str) -> Iterator[tuple[str, bytes]]:
    from tests.table.test_table_state import play_by_chance

    for name, applied, since, deed in find_scenes(play_by_chance(code)):
        page = open_scene(browser, code, SIZES[size], name, applied, since, deed, is_touched=size != "desk")
        page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
        page.wait_for_timeout(SETTLED_MS)
        yield name, page.screenshot()
        page.context.close()


def open_scene(
    browser: "Browser", code: str, window: tuple[int, int], name: str, applied: int, since: int | None,
    deed: Callable[["Page"], None] | None, *, is_touched: bool = False,
) -> "Page":  # fmt: skip
    """The page of one scene, after what somebody does there."""
    from tests.table.stage import Scene, open_stage, render_page
    from tests.table.test_table_state import play_by_chance

    play = play_by_chance(code)
    begin = Scene(play, since if since is not None else applied)
    table = replace(begin.look(), happenings=())
    told = begin.tell(table)
    news = Scene(play, applied, since=since).tell() if since is not None else told
    width, height = window
    context = browser.new_context(
        viewport={"width": width, "height": height}, has_touch=is_touched, is_mobile=is_touched
    )
    pace = 1600 if name in ("decided", "round-end") else 0
    context.add_init_script(f"localStorage.setItem('play-pace', '{pace}')")
    page = open_stage(context, render_page(told, table), {"state": news, "after": AFTER})
    if since is not None:
        page.evaluate("dispatchEvent(new Event('online'))")
    if deed:
        deed(page)
    if name == "match-end":
        page.locator("#over-again").wait_for(state="visible")
    return page


def _take_sheet(browser: "Browser", folder: Path, name: str, pictures: list[tuple[str, bytes]]) -> None:
    size = name.split("-")[1]
    width = SIZES[size][0]
    figures = "".join(
        f'<figure><img width="{width}" src="data:image/png;base64,{base64.b64encode(data).decode()}">'
        f"<figcaption>{title}</figcaption></figure>"
        for title, data in pictures
    )
    columns = f"repeat({A_ROW[size]},{width}px)"
    style = f"body{{margin:8px;display:grid;gap:8px;background:#888;grid-template-columns:{columns}}}"
    page = browser.new_page(viewport={"width": A_ROW[size] * (width + 8) + 16, "height": 600})
    page.set_content(f"<style>{style}figure{{margin:0;font:600 20px sans-serif}}</style>{figures}")
    page.screenshot(path=folder / f"{name}.png", full_page=True)
    page.close()
    print(folder / f"{name}.png")


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "aurum_league.settings.test")
    import django

    django.setup()
    from tests.browser import open_browser

    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    with open_browser() as chromium:
        take(chromium, target, sys.argv[2:])
