"""The page's own dealer in a real browser: every card of every published vector."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route

from tests.browser import needs_chromium, open_browser

pytestmark = needs_chromium("nothing is dealt in a browser")

# Browsers give pages their cryptography only at addresses they take for safe, as this one is.
SITE = "http://localhost"
DEALER = Path(__file__).parents[2] / "aurum_league/static/js/deal.js"
VECTORS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "deal_vectors.json").read_text())
SCRIPT = """
async (vectors) => {
  const { commitment, dealRound, drawFirstSeat, drawLots } = await import("/deal.js");
  return Promise.all(vectors.map(async ({ seed, players, round, lots }) => {
    const { hands, set_aside } = await dealRound(seed, players, round);
    return {
      seed, players, round, hands: hands.map((hand) => hand.join(" ")), set_aside: set_aside.join(" "),
      commitment: await commitment(seed), first_seat: await drawFirstSeat(seed, players),
      lots: await drawLots(seed, lots),
    };
  }));
}
"""


@pytest.fixture
def page() -> Iterator[Page]:
    """An empty page that has the dealer beside it; no server is needed."""

    def answer(route: Route) -> None:
        if route.request.url == f"{SITE}/deal.js":
            return route.fulfill(body=DEALER.read_text(encoding="utf-8"), content_type="text/javascript")
        return route.fulfill(body="<!doctype html>", content_type="text/html")

    with open_browser() as browser:
        page = browser.new_page()
        page.route("**/*", answer)
        page.goto(SITE)
        yield page


def test_a_browser_deals_the_same_vectors(page: Page) -> None:
    known = [{key: vector[key] for key in ("seed", "players", "round", "lots")} for vector in VECTORS]
    assert len(known) == 100
    assert page.evaluate(SCRIPT, known) == VECTORS
