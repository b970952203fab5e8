"""A case in real browsers, from the report on a phone, by keyboard over the desk, to the refund and the answers."""

import re
from pathlib import Path

from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect

from tests.e2e.play_site import AT_A_TABLE, DESK, PHONE, PlaySite, apart, meet_person, sign_in
from tests.services.tournaments.test_fair_play import Club
from tournaments.models import Case, Rating
from tournaments.services.rebuild import refresh_ratings

pytestmark = AT_A_TABLE


def press_to(page: Page, name: str) -> None:
    """Walk to a button by Tab alone, and press it."""
    for _ in range(200):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent.trim()") == name:
            page.keyboard.press("Enter")
            return
    raise AssertionError(f"no key leads to {name}")


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))


def test_from_report_to_refund(site: PlaySite, browser: Browser, tmp_path: Path) -> None:
    club = apart(Club)
    matches = apart(lambda: [club.play("bob", "ann", "cyd") for _ in range(3)])
    complaints: list[str] = []

    def open_page(user: User, size: tuple[int, int], path: str) -> Page:
        context = meet_person(browser, complaints, size)
        sign_in(context, site, user)
        page = context.new_page()
        page.goto(f"{site.address}{path}")
        return page

    ann = open_page(club.people["ann"], PHONE, f"/matches/{matches[0].pk}/")
    ann.get_by_role("link", name="Report somebody at this table").click()
    assert fits(ann)
    ann.get_by_label("Who").select_option("cyd")
    ann.get_by_label("Loses on purpose").check()
    ann.get_by_label("What happened, in a sentence").fill("Came last three times on purpose.")
    ann.get_by_role("button", name="Send the report").click()
    expect(ann.get_by_text("Waits for a moderator")).to_be_visible()
    case = apart(Case.objects.get)

    mod = open_page(club.mods["mod"], DESK, "/moderation/")
    mod.get_by_role("link", name=str(case.pk), exact=True).click()
    mod.get_by_label("Reason").fill("Three matches thrown.")
    for match in matches:
        mod.get_by_label(re.compile(rf"Match {match.pk}\b")).check()
    mod.get_by_label("Reason").focus()
    press_to(mod, "Preview void matches")
    expect(mod.get_by_role("row", name=re.compile("bob"))).to_be_visible()
    mod.locator("main h1").focus()
    press_to(mod, "Make them void")
    expect(mod.get_by_text("Done, and told to those concerned.")).to_be_visible()
    apart(refresh_ratings)
    assert apart(lambda: Rating.objects.count()) == 0

    cyd = open_page(club.people["cyd"], PHONE, "/account/fair-play/")
    expect(cyd.get_by_text("Three matches thrown.")).to_be_visible()
    assert fits(cyd)
    cyd.get_by_label("Why you appeal").fill("The cards were bad.")
    cyd.get_by_role("button", name="Appeal").click()
    expect(cyd.get_by_text("Another moderator will decide it.")).to_be_visible()

    other = open_page(club.mods["max"], PHONE, f"/moderation/cases/{case.pk}/")
    assert fits(other)
    other.get_by_label("Answer").fill("The replays are plain.")
    other.get_by_role("button", name="Do not grant it").click()
    expect(other.get_by_text("The appeal is decided.")).to_be_visible()
    ann.goto(f"{site.address}/account/notices/")
    expect(ann.get_by_text("What came of your report about cyd")).to_be_visible()
    assert complaints == []
