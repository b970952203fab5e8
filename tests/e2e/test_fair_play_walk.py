"""A case in real browsers, from the report on a phone, by keyboard over the desk, to the refund and the answers.

Each in a language of their own; nothing on a phone scrolls sideways.
"""

import re

from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect

from tests.e2e.play_site import AT_A_TABLE, DESK, PHONE, PlaySite, apart, meet_person, sign_in
from tests.e2e.play_turns import find_violations, press_to, say
from tests.services.tournaments.test_fair_play import Club
from tournaments.models import Case, Rating
from tournaments.services.rebuild import refresh_ratings

pytestmark = AT_A_TABLE


def test_from_report_to_refund(site: PlaySite, browser: Browser) -> None:
    club = apart(Club)
    matches = apart(lambda: [club.play("bob", "ann", "cyd") for _ in range(3)])
    complaints: list[str] = []

    def open_page(user: User, size: tuple[int, int], language: str, path: str) -> Page:
        context = meet_person(browser, complaints, size, language)
        sign_in(context, site, user)
        page = context.new_page()
        page.goto(f"{site.address}{path}")
        return page

    ann = open_page(club.people["ann"], PHONE, "fr", f"/matches/{matches[0].pk}/")
    ann.get_by_role("link", name=say("fr", "Report somebody at this table")).click()
    expect(ann.get_by_label(say("fr", "Who"), exact=True)).to_be_visible()
    assert find_violations(ann) == ([], 0)
    ann.get_by_label(say("fr", "Who"), exact=True).select_option("cyd")
    ann.get_by_label(say("fr", "Loses on purpose")).check()
    ann.get_by_label(say("fr", "What happened, in a sentence")).fill("Trois fois dernier, exprès.")
    ann.get_by_role("button", name=say("fr", "Send the report")).click()
    expect(ann.get_by_text(say("fr", "Waits for a moderator"))).to_be_visible()
    assert find_violations(ann) == ([], 0)
    case = apart(Case.objects.get)

    mod = open_page(club.mods["mod"], DESK, "de", "/moderation/")
    assert find_violations(mod) == ([], 0)
    press_to(mod, str(case.pk))
    expect(mod.get_by_label(say("de", "Reason"))).to_be_visible()
    assert find_violations(mod) == ([], 0)
    mod.get_by_label(say("de", "Reason")).fill("Drei Partien verschenkt.")
    for match in matches:
        mod.get_by_label(re.compile(rf"\b{match.pk}\b")).check()
    mod.get_by_label(say("de", "Reason")).focus()
    press_to(mod, say("de", "Preview void matches"))
    expect(mod.get_by_role("row", name=re.compile("bob"))).to_be_visible()
    assert find_violations(mod) == ([], 0)
    mod.locator("main h1").focus()
    press_to(mod, say("de", "Make them void"))
    expect(mod.get_by_text(say("de", "Done, and told to those concerned."))).to_be_visible()
    apart(refresh_ratings)
    assert apart(lambda: Rating.objects.count()) == 0

    cyd = open_page(club.people["cyd"], PHONE, "ru", "/account/fair-play/")
    expect(cyd.get_by_text("Drei Partien verschenkt.")).to_be_visible()
    assert find_violations(cyd) == ([], 0)
    cyd.get_by_label(say("ru", "Why you appeal")).fill("Карты были плохие.")
    cyd.get_by_role("button", name=say("ru", "Appeal")).click()
    expect(cyd.get_by_text(say("ru", "Another moderator will decide it."))).to_be_visible()

    other = open_page(club.mods["max"], PHONE, "en", "/moderation/")
    assert find_violations(other) == ([], 0)
    other.get_by_role("link", name=str(case.pk), exact=True).tap()
    expect(other.get_by_label("Answer")).to_be_visible()
    assert find_violations(other) == ([], 0)
    other.get_by_label("Answer").fill("The replays are plain.")
    other.get_by_role("button", name="Do not grant it").click()
    expect(other.get_by_text("The appeal is decided.")).to_be_visible()
    ann.goto(f"{site.address}/account/notices/")
    about = say("fr", "What came of your report about %(name)s") % {"name": "cyd"}
    expect(ann.get_by_text(about)).to_be_visible()
    assert find_violations(ann) == ([], 0) and complaints == []
