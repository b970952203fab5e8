"""Measures an evening of a large club: one event with a thousand people at real tables, every page of its day.

It is made as an organiser makes it, by lists of names and at the desk, in a database that is gone afterwards. Pages are
viewed at four times of the day, without the network; the first view of each finds nothing kept.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from aurum_league.cli.main import CommandError
from benchmarks.pages import view_page
from benchmarks.report import Figure, Survey, at_most, tell
from benchmarks.site import own_services

if TYPE_CHECKING:
    from tournaments.models import Tournament

LIMIT = 300
"""Milliseconds that a page may take with a thousand entrants."""
A_LIST = 500
MATCHDAYS = 5


@dataclass(frozen=True, slots=True)
class Page:
    """An address, who looks, and what is sent where it is a look at something typed."""

    address: str
    who: str
    sent: dict[str, str] | None = None


def measure_evening(*, entrants: int, views: int, only: str) -> Survey:
    figures: list[Figure] = []
    with own_services():
        evening = Evening(entrants)
        for title, deed, pages in evening.list_times():
            started = time.perf_counter()
            deed()
            figures.append(Figure(title, "until it is so", time.perf_counter() - started, "s"))
            tell(f"{title} …")
            shown = [page for page in pages() if only in page.address]
            figures += [figure for page in shown for figure in evening.measure(title, page, views)]
    return Survey(f"An evening with {entrants:,} entrants, without the network", figures)


class Evening:
    """The event, its organiser at the desk, one player with a telephone, and visitors."""

    def __init__(self, entrants: int) -> None:
        from django.contrib.auth.models import User
        from django.test import Client

        from games.services.players import ensure_person

        self.entrants = entrants
        self.people = {name: User.objects.create_user(name) for name in ("host", "player")}
        ensure_person(self.people["player"])
        self.clients = {"visitor": Client(HTTP_HOST="localhost")}
        for name, user in self.people.items():
            self.clients[name] = Client(HTTP_HOST="localhost")
            self.clients[name].force_login(user)
        self.tournament = self._make()

    def list_times(self) -> Iterator[tuple[str, Callable[[], object], Callable[[], list[Page]]]]:
        """What time of the day it is, what happens then, and which pages are looked at."""
        yield "entries", self._enter, self._entry_pages
        yield "draw", self._draw, self._draw_pages
        yield "tables", self._start, self._table_pages
        yield "results", self._report, self._result_pages

    def measure(self, title: str, page: Page, views: int) -> Iterator[Figure]:
        from django.core.cache import cache
        from django.db import connection
        from django.test.utils import CaptureQueriesContext

        client, name = self.clients[page.who], f"{title} {page.address}"
        self._view(client, page)
        cache.clear()
        worked = time.process_time()
        spent = sorted(self._view(client, page) for _ in range(views))
        worked = 1000 * (time.process_time() - worked) / views
        cache.clear()
        with CaptureQueriesContext(connection) as seen:
            self._view(client, page)
        yield Figure(name, "p50", _quantile(spent, 0.5), "ms", at_most(LIMIT))
        yield Figure(name, "p99", _quantile(spent, 0.99), "ms", at_most(LIMIT))
        yield Figure(name, "processor's time of the site, without the database", worked, "ms")
        yield Figure(name, "queries", len(seen))

    def _view(self, client: Any, page: Page) -> float:
        if page.sent is None:
            return view_page(client, page.address)[0]
        started = time.perf_counter()
        answer = client.post(page.address, page.sent)
        spent = 1000 * (time.perf_counter() - started)
        if answer.status_code != 200:
            raise CommandError(f"{page.address} answers {answer.status_code}.")
        return spent

    def _make(self) -> "Tournament":
        from tournaments.services.leagues import create_tournament
        from tournaments.services.lifecycle import open_tournament

        spec = {
            "name": "Evening",
            "entry_kind": "people",
            "is_rated": False,
            "needs_check_in": True,
            "clock": {"real_cards": 1},
            "stages": [{"format": "swiss", "options": {"matchdays": MATCHDAYS}}],
        }
        made = create_tournament(spec=spec, organiser=self.people["host"])
        return open_tournament(tournament_id=made.pk)

    def _names(self, first: int, last: int) -> str:
        return "\n".join(f"Guest {number}" for number in range(first, last))

    def _enter(self) -> None:
        from tournaments.services.field import check_in_many
        from tournaments.services.guests import enter_list

        host = self.people["host"]
        enter_list(tournament_id=self.tournament.pk, text="@player", actor=host)
        for first in range(1, self.entrants, A_LIST):
            text = self._names(first, min(first + A_LIST, self.entrants))
            enter_list(tournament_id=self.tournament.pk, text=text, actor=host)
        half = self.tournament.entrants.order_by("pk").values_list("pk", flat=True)[: self.entrants // 2]
        check_in_many(tournament_id=self.tournament.pk, entrant_ids=list(half), actor=host)

    def _draw(self) -> None:
        from tournaments.services.draw import draw_tournament
        from tournaments.services.field import check_in_many

        check_in_many(tournament_id=self.tournament.pk, entrant_ids=None, actor=self.people["host"])
        draw_tournament(tournament_id=self.tournament.pk, actor=self.people["host"])

    def _start(self) -> None:
        from tournaments.services.announcements import announce
        from tournaments.services.release import start_tournament

        start_tournament(tournament_id=self.tournament.pk, actor=self.people["host"])
        texts = {"en": {"title": "Welcome", "text": "Look for your table on the screen."}}
        announce(tournament_id=self.tournament.pk, texts=texts, audience="entrants", actor=self.people["host"])

    def _report(self) -> None:
        """Every result of the first matchday at the desk, and the next one drawn from them."""
        from games.models import Match, MatchState
        from tournaments.services.advance import advance_tournament
        from tournaments.services.sheets import Sheet, enter_sheet

        found = Match.objects.filter(fixture_match__stage__tournament=self.tournament, state=MatchState.OPEN)
        for match_id in found.values_list("pk", flat=True):
            sheet = Sheet(places=(1, 2, 3))
            enter_sheet(match_id=match_id, sheet=sheet, reason="by the paper", actor=self.people["host"])
        advance_tournament(tournament_id=self.tournament.pk)

    def _public(self, *parts: str) -> list[Page]:
        from django.urls import reverse

        return [Page(reverse(f"tournament{part}", args=["evening"]), "visitor") for part in parts]

    def _desk(self, *parts: str, **arguments: int) -> list[Page]:
        from django.urls import reverse

        about = {"slug": "evening", **arguments}
        return [Page(reverse(f"desk_{part}", kwargs=about), "host") for part in parts]

    def _entry_pages(self) -> list[Page]:
        (entries,) = self._desk("entries")
        (listed,) = self._desk("list")
        return [
            *self._public("", "_entrants", "_check_in", "_calendar", "_card", "_projector"),
            Page("/tournaments/evening/", "player"),
            Page("/play/", "player"),
            Page("/check-ins/", "player"),
            *self._desk("tournament", "now", "times", "tell", "helpers", "entry_rules", "edit", "forecast", "trail"),
            *self._desk("entries", "list"),
            Page(f"{entries.address}?page=7", "host"),
            Page(listed.address, "host", {"names": self._names(20_000, 20_000 + A_LIST)}),
            *self._desk("entrant", entrant_id=self.tournament.entrants.latest("pk").pk),
        ]

    def _draw_pages(self) -> list[Page]:
        return self._desk("tournament", "draw", "changes")

    def _table_pages(self) -> list[Page]:
        from games.models import Match

        matches = Match.objects.filter(fixture_match__stage__tournament=self.tournament)
        own = matches.get(seats__owner=self.people["player"]).pk
        (listed,) = self._desk("matches")
        (paper,) = self._desk("print")
        return [
            *self._public("", "_now", "_schedule", "_entrants", "_projector", "_embed", "_feed", "_card"),
            Page("/play/", "player"),
            Page(f"/matches/{own}/sheet/", "player"),
            Page(f"/matches/{own}/sheet/", "player", {"place0": "1", "place1": "2", "place2": "3"}),
            *self._desk("tournament", "now", "draw", "changes", "matches", "print", "tell", "trail", "entries"),
            Page(f"{listed.address}?state=all&who=Guest+77&table=7", "host"),
            Page(f"{paper.address}?table=7&only=sheets", "host"),
            *self._desk("match", "sheet", "postpone", match_id=own),
        ]

    def _result_pages(self) -> list[Page]:
        return [
            *self._public("", "_now", "_schedule", "_projector", "_crosstable", "_statistics", "_balance"),
            Page("/tournaments/evening/?page=7", "visitor"),
            *self._desk("tournament", "now", "draw", "matches", "print", "trail", "entries"),
        ]


def _quantile(ordered: list[float], part: float) -> float:
    """The nearest rank, of figures in order."""
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]
