"""Strangers meet by the lobby in real browsers: two clicks each, then they play at a rated table.

Each in a language of their own: one by keys alone, one by thumb on a phone, one by mouse.
"""

from collections.abc import Callable

from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect

from games.models import Match
from games.rules.match import unpack_log
from tests.e2e.play_site import AT_A_TABLE, DESK, PHONE, PlaySite, apart, meet_person, sign_in
from tests.e2e.play_turns import click_on, find_violations, play_to_the_end, press_on, press_to, say, tap_on
from tests.people import verify_address

pytestmark = AT_A_TABLE
DEALT = 30_000
DECISIONS = 15


def test_strangers_meet_in_two_clicks_each_and_play(site: PlaySite, browser: Browser) -> None:
    complaints: list[str] = []
    acts: dict[Page, Callable[[Page], str]] = {}
    for name, language, size in (("ada", "de", DESK), ("bob", "fr", PHONE), ("cyd", "ru", DESK)):
        user = apart(lambda name=name: verify_address(User.objects.create_user(name)))  # type: ignore[misc]
        context = meet_person(browser, complaints, size, language)
        sign_in(context, site, user)
        page = context.new_page()
        page.goto(f"{site.address}/play/")
        now, sit, find = (say(language, text) for text in ("Play now, rated", "Sit down", "Find a table"))
        if name == "ada":
            press_to(page, now)
            expect(page.locator("#seek-tables")).to_be_visible()
            press_to(page, find)
            expect(page.get_by_text(say(language, "You are waiting for a table"))).to_be_visible()
        elif name == "bob":
            page.get_by_role("link", name=now).tap()
            expect(page.get_by_role("button", name=sit)).to_be_visible()
            assert find_violations(page) == ([], 0)
            page.get_by_role("button", name=sit).tap()
            expect(page.get_by_text(say(language, "You are waiting for a table"))).to_be_visible()
            assert find_violations(page) == ([], 0)
        else:
            page.evaluate("document.querySelectorAll('main details').forEach(one => { one.open = true; })")
            assert find_violations(page) == ([], 0)
            page.get_by_role("link", name=now).click()
            expect(page.get_by_role("button", name=sit)).to_be_visible()
            assert find_violations(page) == ([], 0)
            page.get_by_role("button", name=find).click()
        acts[page] = {"ada": press_on, "bob": tap_on, "cyd": click_on}[name]
    for page in acts:
        expect(page.locator("#play")).to_have_attribute("data-turn", "bid", timeout=DEALT)
    match = apart(Match.objects.get)
    assert match.is_rated and {page.url for page in acts} == {f"{site.address}/play/{match.pk}/"}
    play_to_the_end(list(acts), lambda page: acts[page](page), until=lambda decisions: decisions >= DECISIONS)
    log = apart(lambda: unpack_log(bytes(Match.objects.get().log)))
    assert {entry & 3 for entry in log} == {0, 1, 2} and len(log) >= DECISIONS, "all three decide"
    assert complaints == []
