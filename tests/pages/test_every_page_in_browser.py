"""Every page of the site on a phone in a real browser: accessible by axe, within the screen, without a complaint."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import Group
from django.test import Client
from playwright.sync_api import Browser

from bots.models import BotMode
from bots.services.registration import register_bot
from games.models import Match
from tests.browser import needs_chromium, open_browser
from tests.pages.events import make_league, make_players, make_tournament
from tests.pages.test_design_in_browser import PHONE, SITE, open_pages
from tournaments.models import Tournament

pytestmark = [needs_chromium("nobody has looked at every page"), pytest.mark.django_db]

PUBLIC = (
    *("/", "/leagues/", "/leagues/test-league/", "/tournaments/", "/search/?q=bot", "/players/"),
    *("/players/house-greedy_1/", "/players/house-greedy_1/against/house-counting_2/", "/bots/", "/bots/alchemist/"),
    *("/rules/", "/rules/editions/", "/rules/fairness/", "/rules/card/en3/"),
    *("/play/", "/api/", "/nothing/", "/tournaments/the-bracket/bracket/"),
)
OF_TOURNAMENT = ("", "schedule/", "entrants/", "crosstable/", "statistics/", "balance/", "downloads/", "tables/1/1/1/")
AXE = {"resultTypes": ["violations"]}
STEP = "/step/"
PARTS = (STEP, "/check-ins/")
"""Parts that their pages ask for, and no pages themselves."""

AT_DESK = ("", "entries/", "draw/", "matches/", "matches/{match}/", "trail/", "next-season/")
OWN = (
    *("/desk/", "/desk/leagues/new/", "/desk/leagues/test-league/edit/", "/desk/tournaments/new/"),
    *("/desk/tournaments/new/?preset=groups_then_knockout", "/desk/tournaments/the-draft/edit/"),
    "/desk/tournaments/the-draft/forecast/",
    *("/accounts/profile/", "/accounts/email/", "/accounts/password/change/", "/accounts/logout/", "/account/tokens/"),
    *("/teams/", "/bots/new/", "/bots/alchemist/dashboard/", "/bots/alchemist/trials/", "/bots/alchemist/failures/"),
    *("/bots/alchemist/matches/",),
)


@pytest.fixture
def tournament() -> Tournament:
    players = make_players(6)
    make_tournament("playing", players=players, name="The Bracket", stages=[{"format": "knockout", "block_deals": 1}])
    make_tournament("draft", players=players, name="The Draft")
    finished = make_tournament("finished", players=players, league=make_league())
    finished.organiser.groups.add(Group.objects.get(name="organiser"))
    register_bot(owner=finished.organiser, name="Alchemist", mode=BotMode.UPLOADED)
    return finished


@pytest.fixture
def pages(tournament: Tournament) -> dict[str, str]:
    """Address → page as its organiser sees it, all rendered before the browser asks."""
    match = Match.objects.filter(fixture_match__stage__tournament=tournament).order_by("pk")[0].pk
    client = Client()
    client.force_login(tournament.organiser)
    desk = [f"/desk/tournaments/{tournament.slug}/{part.format(match=match)}" for part in AT_DESK]
    shown = [f"/tournaments/{tournament.slug}/{part}" for part in OF_TOURNAMENT]
    matches = (f"/matches/{match}/", f"/matches/{match}{STEP}", "/check-ins/")
    answers = {path: client.get(path) for path in (*PUBLIC, *shown, *matches, *desk, *OWN)}
    assert {path for path, answer in answers.items() if answer.status_code != 200} == {"/nothing/"}
    return {path.partition("?")[0]: answer.content.decode() for path, answer in answers.items()}


@pytest.fixture
def browser(pages: dict[str, str]) -> Iterator[Browser]:
    with open_browser() as chromium:
        yield chromium


@pytest.mark.timeout(300)
def test_every_page_is_accessible_quiet_and_fits_a_phone(browser: Browser, pages: dict[str, str]) -> None:
    page = open_pages(browser, pages, PHONE, "light")
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    wrong = {}
    for path in (address for address in pages if not address.endswith(PARTS)):
        complaints.clear()
        page.goto(SITE + path)
        found = [violation["id"] for violation in Axe().run(page, options=AXE).response["violations"]]
        overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if found or overflow or complaints:
            wrong[path] = (found, overflow, list(complaints))
    page.context.close()
    assert wrong == {}
