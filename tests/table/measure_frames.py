"""How long tasks of the page take while cards move: `python -m tests.table.measure_frames`.

From Chromium's own trace, in processor time of the page's main thread, which other work on the machine does not make
longer; four times as much stands for a slow phone. Prints the longest tasks with what took most of each.
"""

import json
import os
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

SLOWED = 4
LONGEST_SHOWN = 5
NEWS_AT_ONCE = 6
PACE = 350
CATEGORIES = ["devtools.timeline", "toplevel", "blink", "blink.user_timing", "disabled-by-default-devtools.timeline"]
TASKS = {"RunTask", "ThreadControllerImpl::RunTask", "ThreadPool_RunTask"}
Event = Mapping[str, Any]


def find_main_thread(events: Sequence[Event]) -> tuple[int, int]:
    """Process and thread of the page: the renderer's main thread that laid out most."""
    names = {(one["pid"], one["tid"]): one["args"]["name"] for one in events if one["name"] == "thread_name"}
    mains = [key for key, name in names.items() if name == "CrRendererMain"]
    return max(mains, key=lambda key: sum((one["pid"], one["tid"]) == key for one in events))


def measure(code: str) -> None:
    """On a phone's screen: the bids turned over, the first and the last tricks of a round, its end, the next deal."""
    from tests.browser import open_browser
    from tests.table.stage import Scene, open_stage, render_page
    from tests.table.test_table_state import play_by_chance

    play = play_by_chance(code)
    last = len(play.rounds[0].log) + 1
    steps = [*range(play.players, play.players + 3 * NEWS_AT_ONCE, NEWS_AT_ONCE), last - NEWS_AT_ONCE, last]
    start = Scene(play, 0)
    table = start.look()
    html, told = render_page(start.tell(table), table), {"now": start.tell(table)}
    with open_browser() as browser:
        context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
        context.add_init_script(f"localStorage.setItem('play-pace', '{PACE}')")
        page = open_stage(context, html, {"state": lambda body: told["now"]})
        page.wait_for_selector(".hand [data-card]")
        page.wait_for_timeout(1500)
        browser.start_tracing(page=page, categories=CATEGORIES)
        lines = 0
        for before, step in pairwise([0, *steps]):
            told["now"] = Scene(play, step, since=before).tell()
            lines += len(told["now"]["said"])
            page.evaluate("dispatchEvent(new Event('online'))")
            if step != last:
                page.wait_for_function(f"() => document.querySelectorAll('#news li').length >= {lines}", timeout=30_000)
        page.locator("#go-on").tap(timeout=30_000)
        page.wait_for_function(f"() => document.querySelectorAll('#news li').length >= {lines}", timeout=30_000)
        page.wait_for_timeout(1500)
        events = json.loads(browser.stop_tracing())["traceEvents"]
    report(code, events)


def report(code: str, events: Sequence[Event]) -> None:
    pid, tid = find_main_thread(events)
    own = [one for one in events if one.get("ph") == "X" and (one["pid"], one["tid"]) == (pid, tid) and "tdur" in one]
    tasks = sorted((one for one in own if one["name"] in TASKS), key=lambda one: -one["tdur"])
    load = os.getloadavg()[0]
    slow = [SLOWED * task["tdur"] / 1000 for task in tasks]
    print(f"{code}: {len(tasks)} tasks, longest {slow[0]:.1f} ms of {SLOWED} x slowed processor; load {load:.1f}")
    for task in tasks[:LONGEST_SHOWN]:
        inside = [
            one
            for one in own
            if task["ts"] <= one["ts"] < task["ts"] + task["dur"] and one is not task and one["tdur"] > 300
        ]
        parts = sorted(inside, key=lambda one: -one["tdur"])[:9]
        words = ", ".join(f"{one['name']} {SLOWED * one['tdur'] / 1000:.1f}" for one in parts)
        print(f"  {SLOWED * task['tdur'] / 1000:6.1f} ms: {words}")


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "aurum_league.settings.test")
    import django

    django.setup()
    for code_ in ("en3", "de4"):
        measure(code_)
