"""Chance in a real browser: forms bring what it draws, and the fairness page computes everything again, or says not."""

import io
import json
import zipfile
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page

from games.models import Lobby, MatchState, RunnerNeed
from games.rules.deal import commitment, draw_lots
from games.rules.mixing import is_contribution
from games.selectors.matches import load_match, record_of
from games.services.answer import resign_seat
from games.services.play import play_ready_matches
from tests.browser import needs_chromium, open_browser
from tests.pages.events import make_players, make_tournament
from tests.pages.test_design_in_browser import DESK, open_pages
from tournaments.pages.downloads import stream_archive
from tournaments.rules.pairing import draw_lot, order_by_lots

pytestmark = [needs_chromium("nothing of chance is computed in a browser"), pytest.mark.django_db]
SITE = "http://localhost"
"""Browsers give pages their cryptography only at addresses they take for safe."""
FORM = {"players": "3", "strength": "random", "edition": "en", "clock": "calm", "start": "now"}
FAIR = "Everything that can be computed again agrees."


@pytest.fixture
def browser(pages: dict[str, str]) -> Iterator[Browser]:
    with open_browser() as chromium:
        yield chromium


@pytest.fixture
def table() -> dict[str, Any]:
    """The record of a casual table that was played."""
    client = Client()
    ticket = client.get("/play/").context["ticket"]
    client.post("/play/", FORM | {"ticket": ticket.text, "contribution": "1f" * 32})
    match_id = Lobby.objects.get().match_id
    assert match_id is not None
    resign_seat(match_id=match_id, seat=0)
    for _ in range(5):
        play_ready_matches(needs=RunnerNeed.HOUSE)
    match = load_match(match_id)
    assert match is not None and match.state == MatchState.FINISHED
    return record_of(match)


@pytest.fixture
def archive() -> list[str]:
    """A tournament's manifest, with the first of its matches and of its records."""
    tournament = make_tournament("finished", players=make_players(3))
    files = zipfile.ZipFile(io.BytesIO(b"".join(stream_archive(tournament))))
    read = {name.rpartition("/")[2]: files.read(name).decode().splitlines() for name in files.namelist()}
    drawn = [line for line in read["events.ndjson"] if json.loads(line)["kind"] == "drawn"]
    assert len(drawn) == 1
    return [read["manifest"][0], *read["matches.ndjson"][:3], *read["records.jsonl"][:2], *drawn]


@pytest.fixture
def pages(table: dict[str, Any]) -> dict[str, str]:
    """Everything is read before the browser starts."""
    paths = ("/rules/fairness/", "/play/")
    record = {f"/matches/{table['match']}/record.json": json.dumps(table)}
    return record | {path: Client().get(path).content.decode() for path in paths}


def compute(page: Page, *, asked: str = "", pasted: str = "") -> tuple[str | None, int, int]:
    """The verdict, how many checks hold, and how many do not."""
    page.goto(f"{SITE}/rules/fairness/")
    page.locator("[name=asked]").fill(asked)
    page.locator("[name=pasted]").fill(pasted)
    page.get_by_role("button", name="Compute it again").click()
    page.wait_for_function("() => document.querySelector('#check-form .verdict').textContent")
    marks = [page.locator(f"#check-form .badge-{kind}").count() for kind in ("success", "error")]
    return page.locator("#check-form .verdict").text_content(), marks[0], marks[1]


def test_a_record_is_computed_again(browser: Browser, pages: dict[str, str], table: dict[str, Any]) -> None:
    page = open_pages(browser, pages, DESK, "light")
    everything = 4 + len(table["rounds"])
    assert compute(page, asked=str(table["match"])) == (FAIR, everything, 0)
    assert compute(page, pasted=json.dumps(table)) == (FAIR, everything, 0)
    table["parts"]["contributions"][0][1] = "2e" * 32
    assert compute(page, pasted=json.dumps(table))[1:] == (everything - 1, 1)
    assert compute(page, asked="99999999")[1:] == (0, 0)
    assert compute(page, pasted="no JSON")[1:] == (0, 0)


def test_a_record_is_held_against_what_this_browser_gave(
    browser: Browser, pages: dict[str, str], table: dict[str, Any]
) -> None:
    page = open_pages(browser, pages, DESK, "light")
    page.goto(f"{SITE}/rules/fairness/")
    keep = "kept => localStorage.setItem('aurum-contributions', JSON.stringify(kept))"
    page.evaluate(keep, [[table["parts"]["commitment"], "1f" * 32]])
    everything = 5 + len(table["rounds"])
    assert compute(page, asked=str(table["match"])) == (FAIR, everything, 0)
    page.evaluate(keep, [[table["parts"]["commitment"], "2e" * 32]])
    assert compute(page, asked=str(table["match"]))[1:] == (everything - 1, 1)


def test_an_archive_is_followed_from_its_parts_to_the_cards(
    archive: list[str], browser: Browser, pages: dict[str, str]
) -> None:
    page = open_pages(browser, pages, DESK, "light")
    verdict, holding, failing = compute(page, pasted="\n".join(archive))
    assert (verdict, failing) == (FAIR, 0)
    assert holding >= 2 + 3 + 2 * (3 + 1) + 1
    manifest = json.loads(archive[0])
    manifest["seed"] = "00" * 32
    assert compute(page, pasted="\n".join([json.dumps(manifest), *archive[1:]]))[2] >= 1 + 3 + 2


def decide_by_lots(seed: bytes) -> list[dict[str, Any]]:
    """Rows of an archive in which lots decided a table, a place, and the seeds."""
    at, place = order_by_lots(seed, "table 2 1 1", (31, 32)), draw_lot(seed, "standings 1", 31)
    return [
        {"number": 4, "kind": "drawn", "detail": {"lots": [order_by_lots(seed, "seeding", range(31, 36)), [37]]}},
        {"stage": 2, "matchday": 1, "table": 1, "lots": {"for": "table 2 1 1", "drawn": [at]}},
        {"stage": 1, "entrant": 31, "values": {"lots": place}, "decided_by": {"metric": "lots"}},
    ]


def test_lots_are_drawn_again(browser: Browser, pages: dict[str, str]) -> None:
    page = open_pages(browser, pages, DESK, "light")
    manifest = {"format": "aurum-archive", "seed": "1f" * 32, "commitment": commitment(b"\x1f" * 32)}
    rows = decide_by_lots(b"\x1f" * 32)
    assert compute(page, pasted="\n".join(map(json.dumps, [manifest, *rows]))) == (FAIR, 4, 0)
    rows[0]["detail"]["lots"][0].reverse()
    rows[1]["table"] = 2
    rows[2]["values"]["lots"] += 1
    assert compute(page, pasted="\n".join(map(json.dumps, [manifest, *rows])))[1:] == (1, 3)


@pytest.fixture
def decided_by_lots(table: dict[str, Any]) -> dict[str, Any]:
    """The same deals with two sides level in everything: by play that happens once in many thousand matches."""
    record: dict[str, Any] = json.loads(json.dumps(table))
    for one in record["rounds"]:
        one["scores"] = [{"bid": 2, "tricks": 2, "total": 6}] * 2 + [{"bid": 1, "tricks": 2, "total": 1}]
    first, second = draw_lots(bytes.fromhex(record["seed"]), (0, 1))
    record["result"] = {"places": [[first], [second], [2]], "nuggets": [2, 2, 0], "totals": [18, 18, 3], "lots": True}
    return record


def test_lots_of_a_match_are_drawn_again(
    browser: Browser, pages: dict[str, str], decided_by_lots: dict[str, Any]
) -> None:
    page = open_pages(browser, pages, DESK, "light")
    everything = 4 + len(decided_by_lots["rounds"]) + 1
    assert compute(page, pasted=json.dumps(decided_by_lots)) == (FAIR, everything, 0)
    places = decided_by_lots["result"]["places"]
    places[0], places[1] = places[1], places[0]
    assert compute(page, pasted=json.dumps(decided_by_lots))[1:] == (everything - 1, 1)


def test_the_form_brings_a_contribution_and_the_browser_keeps_it(browser: Browser, pages: dict[str, str]) -> None:
    page = open_pages(browser, pages, DESK, "light")
    page.goto(f"{SITE}/play/")
    with page.expect_request(lambda request: request.method == "POST") as sent:
        page.get_by_role("button", name="Deal the cards").click()
    fields = dict(pair.split("=", 1) for pair in (sent.value.post_data or "").split("&"))
    assert is_contribution(fields["contribution"])
    kept = page.evaluate("() => JSON.parse(localStorage.getItem('aurum-contributions'))")
    assert kept == [[fields["ticket"].rpartition(".")[2], fields["contribution"]]]
