"""The lobby in a real browser: it looks for others every two seconds, and keeps the site's content policy."""

import pytest
from django.test import Client
from playwright.sync_api import Page

from tests.browser import needs_chromium, open_browser
from tests.pages.test_design_in_browser import DESK, SITE, open_pages

pytestmark = [needs_chromium("nobody has waited in a lobby"), pytest.mark.django_db]

STATES = ("stranger", "host alone", "guest", "host of a full table", "host of four", "refused")


def open_lobby(host: Client, players: int) -> str:
    form = {"start": "invite", "players": str(players), "strength": "greedy", "edition": "en", "clock": "calm"}
    opened = host.post("/play/", form)
    assert opened.status_code == 302, opened.content
    return opened["Location"]


def read_lobby(client: Client, lobby: str) -> dict[str, str]:
    """The page, and the part that it fetches."""
    return {path: client.get(path).content.decode() for path in (lobby, f"{lobby}seats/")}


def list_pages() -> dict[str, dict[str, str]]:
    """The lobby in each of its states, as one of those who see it."""
    host, guest, third, host_of_four = (Client() for _ in range(4))
    lobby, of_four = open_lobby(host, 3), open_lobby(host_of_four, 4)
    found = {
        "stranger": read_lobby(guest, lobby),
        "host alone": read_lobby(host, lobby),
        "host of four": read_lobby(host_of_four, of_four),
    }
    guest.post(f"{lobby}change/", {"do": "1"})
    found["guest"] = read_lobby(guest, lobby)
    third.post(f"{lobby}change/", {"do": "1"})
    found["refused"] = read_lobby(third, lobby)
    assert "Somebody sits there" in found["refused"][lobby]
    third.post(f"{lobby}change/", {"do": "2"})
    found["host of a full table"] = read_lobby(host, lobby)
    return found


def test_a_lobby_keeps_the_content_policy() -> None:
    """In all its states, once it has fetched its seats anew; all wait for that at the same time."""
    states = list_pages()
    assert set(states) == set(STATES)
    complaints: list[tuple[str, str]] = []
    fetched: set[str] = set()

    def watch(page: Page, state: str) -> None:
        page.on("console", lambda said: complaints.append((state, said.text)))
        page.on("requestfinished", lambda done: fetched.add(state) if "seats/" in done.url else None)

    with open_browser() as browser:
        for state, pages in states.items():
            page = open_pages(browser, pages, DESK, "light")
            watch(page, state)
            page.goto(SITE + next(iter(pages)))
        for _ in range(300):
            if fetched == set(STATES):
                break
            page.wait_for_timeout(100)
        page.wait_for_function("() => !document.querySelector('.htmx-request')")
    assert (fetched, complaints) == (set(STATES), [])
