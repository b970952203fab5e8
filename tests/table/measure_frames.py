"""How long frames take while cards move, with the processor slowed four times: `python -m tests.table.measure_frames`.

Prints the longest and the 95th of the times between frames while the last tricks of a round are shown, and long tasks.
"""

import json
import os

COUNT = """() => {
    window.frames_ = [];
    window.long = [];
    new PerformanceObserver((all) => window.long.push(...all.getEntries().map((one) => one.duration)))
        .observe({ type: "longtask" });
    let before = performance.now();
    const step = (now) => { window.frames_.push(now - before); before = now; requestAnimationFrame(step); };
    requestAnimationFrame(step);
}"""
SLOWED = 4


def measure(code: str = "en3", events: int = 8) -> None:
    from tests.browser import open_browser
    from tests.table.stage import Scene, open_stage, render_page
    from tests.table.test_table_state import play_by_chance

    play = play_by_chance(code)
    first = play.players + 3
    early, late = Scene(play, first), Scene(play, first + 2 * events, since=first)
    table = early.look()
    html, told = render_page(early.tell(table), table), late.tell()
    with open_browser() as browser:
        context = browser.new_context(viewport={"width": 390, "height": 844})
        page = open_stage(context, html, {"state": early.tell(table), "sit": told})
        page.wait_for_selector(".hand [data-card]")
        session = context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
        page.evaluate(COUNT)
        page.unroute("**/*")
        page.route("**/state/**", lambda route: route.fulfill(body=json.dumps(told), content_type="application/json"))
        are_told = f"() => document.querySelectorAll('#news li').length >= {min(events, 6)}"
        page.wait_for_function(are_told, timeout=120_000)
        frames = sorted(page.evaluate("window.frames_"))
        long = page.evaluate("window.long")
    print(f"{code}: {len(frames)} frames, 95th {frames[int(len(frames) * 0.95)]:.1f} ms, longest {frames[-1]:.1f} ms")
    print(f"{code}: tasks over 50 ms: {[round(task) for task in long]}")


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "aurum_league.settings.test")
    import django

    django.setup()
    measure()
