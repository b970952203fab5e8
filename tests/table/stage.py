"""The play page without a server or a database: rendered with a made-up table, and its files answered from the disk."""

import json
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.contrib.auth.models import AnonymousUser
from django.template import RequestContext, Template
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, Route

from games.models import Match as StoredMatch
from games.pages.replay import Replay
from games.pages.table_words import make_played_table
from games.pages.words import describe_ruleset, table_words
from games.play.see_table import clear_at
from games.play.table_state import TableState, to_json
from games.rules.match import Match, pack_log
from games.rules.ruleset import Ruleset
from games.selectors.tables import HeldSeat, StoredTable, TableFacts, see_stored

SITE = "http://localhost"
STATIC = Path(__file__).parents[2] / "aurum_league/static"
LIKE_THE_SITE = {"Cache-Control": "max-age=315360000, public, immutable"}  # Files with their sum in the name.
KINDS = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
LONG_NAMES = (
    "Wolfgang Amadeus von Hohenheim-Paracelsus",
    "Maria Prophetissa die Ältere von Alexandria",
    "Ирина Константиновна Преображенская",
    "Aqua Regia Nitrohydrochloric",
)


@dataclass(frozen=True)
class Scene:
    """A moment of a match as one seat sees it, and what may lead there from an earlier one."""

    play: Match
    applied: int
    seat: int = 0
    since: int | None = None

    def look(self) -> TableState:
        at = clear_at(self.play, self.applied)
        sides = self.play.ruleset.sides
        kinds = ("person", "house", "bot", "house")
        held = tuple(
            HeldSeat(i % sides, LONG_NAMES[i], f"p{i}", kinds[i], "person:1" if i == 0 else "house:greedy", False)
            for i in range(self.play.players)
        )
        is_over = at.is_over
        result = at.result
        places = tuple(result.place_of(side) for side in range(sides)) if result else None
        facts = TableFacts(
            id=4711,
            ruleset=self.play.ruleset.code,
            commitment="0" * 64,
            is_rated=True,
            state="finished" if is_over else "waiting",
            awaited=() if is_over else at.awaiting(),
            deadline=None if is_over else timezone.now() + timedelta(minutes=9),
            closes_at=None,
            clock={"bank": 600.0},
            clocks={},
            places=places,
            forfeits=() if is_over else None,
            held=held,
        )
        assert self.play.seed is not None
        return see_stored(StoredTable(facts, self.play.seed, pack_log(at.log), has_cards=True), self.seat, self.since)

    def tell(self, table: TableState | None = None, *, is_guided: bool = False) -> dict[str, Any]:
        told = to_json(make_played_table(table or self.look(), self.seat, is_guided=is_guided))
        assert isinstance(told, dict)
        return told


def with_all_gold(table: TableState, seat: int) -> TableState:
    """The same table, and every gold of the game in one seat's collection."""
    assert table.view and table.view.round
    round_ = table.view.round
    everything = tuple(sorted([*round_.supply, *(card for cards in round_.gold for card in cards)]))
    gold = tuple(everything if other == seat else () for other in range(len(round_.gold)))
    return replace(table, view=replace(table.view, round=replace(round_, gold=gold, supply=())))


def render_page(told: dict[str, Any], table: TableState) -> str:
    request = RequestFactory().get("/play/4711/")
    request.user = AnonymousUser()
    context = {
        "match": table,
        "own_seat": told["seat"],
        "ruleset_name": describe_ruleset(Ruleset.from_code(table.ruleset)),
        "phrases": [("hello", "Hello!"), ("smile", "🙂")],
        "has_free_words": True,
        "has_hints": True,
        "can_play_again": True,
        "table_state": told,
        "words": table_words(),
    }
    return render_to_string("play/table.html", context, request=request)


def render_looked_at(state: Any, play: Match, *, replay: Replay | None) -> str:
    """The page of a match: a step of its replay, or the running table."""
    request = RequestFactory().get("/play/4711/")
    request.user = AnonymousUser()
    stored = StoredMatch(pk=4711, ruleset=play.ruleset.code, players=play.players, state="waiting")
    context = {
        "match": stored,
        "replay": replay,
        "crumbs": [("Autumn Cup of the Hohenheim-Paracelsus Foundation", "/"), ("Table 12 of matchday 34", "/")],
        "ruleset_name": describe_ruleset(play.ruleset),
        "table_state": to_json(state),
        "words": table_words(),
        "round_number": 1,
        "awaited": [LONG_NAMES[1]],
    }
    page = '{% extends "base.html" %}{% block htmx %}{% endblock %}'
    page += '{% block head %}{% include "matches/screen_sheets.html" %}{% endblock %}'
    page += '{% block body_class %}has-table{% endblock %}{% block main %}{% include "matches/screen.html" %}'
    page += '{{ table_state|json_script:"table-state" }}{{ words|json_script:"table-words" }}{% endblock %}'
    script = "replay" if replay else "watch"
    page += f'{{% block scripts %}}<script type="module" src="/static/js/{script}.js"></script>{{% endblock %}}'
    return Template(page).render(RequestContext(request, context))


def open_stage(context: BrowserContext, html: str, answers: dict[str, Any]) -> Page:
    """`answers` by the last part of an address (state, decide): what the server would say next."""
    page = context.new_page()
    page.asked = []  # type: ignore[attr-defined]

    def answer(route: Route) -> None:
        path = urlsplit(route.request.url).path
        if path.startswith("/static/"):
            file = STATIC / path.removeprefix("/static/")
            headers = {**LIKE_THE_SITE, "Content-Type": KINDS[file.suffix]}
            route.fulfill(body=file.read_bytes(), headers=headers)
        elif path.startswith("/live/"):
            route.fulfill(body=": quiet\n\n", content_type="text/event-stream")
        elif path == "/play/4711/":
            route.fulfill(body=html, content_type="text/html; charset=utf-8")
        elif name := next((name for name in answers if path.endswith(f"/{name}/")), None):
            page.asked.append((name, route.request.post_data))  # type: ignore[attr-defined]
            told = answers[name]
            told = told(route.request.post_data) if callable(told) else told
            route.fulfill(body=json.dumps(told), content_type="application/json")
        else:
            route.fulfill(status=404, body="")

    page.route("**/*", answer)
    page.goto(f"{SITE}/play/4711/")
    return page
