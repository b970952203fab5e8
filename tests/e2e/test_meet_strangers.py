"""Strangers meet by the lobby in real browsers: two clicks each, then cards at a rated table."""

from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect

from games.models import Match
from tests.e2e.play_site import AT_A_TABLE, DESK, PHONE, PlaySite, apart, meet_person, sign_in
from tests.people import verify_address

pytestmark = AT_A_TABLE
DEALT = 30_000


def test_strangers_meet_in_two_clicks_each(site: PlaySite, browser: Browser) -> None:
    complaints: list[str] = []
    pages: list[Page] = []
    for name, size in (("ada", DESK), ("bob", PHONE), ("cyd", DESK)):
        user = apart(lambda name=name: verify_address(User.objects.create_user(name)))  # type: ignore[misc]
        context = meet_person(browser, complaints, size)
        sign_in(context, site, user)
        page = context.new_page()
        page.goto(f"{site.address}/play/")
        page.get_by_role("link", name="Play now, rated").click()
        if name == "bob":
            page.get_by_role("button", name="Sit down").click()
        else:
            page.get_by_role("button", name="Find a table").click()
        pages.append(page)
    for page in pages:
        expect(page.locator("#play")).to_have_attribute("data-turn", "bid", timeout=DEALT)
    match = apart(Match.objects.get)
    assert match.is_rated and {page.url for page in pages} == {f"{site.address}/play/{match.pk}/"}
    assert complaints == []
