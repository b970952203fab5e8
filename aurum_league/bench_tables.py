"""Measures tables with people: simulated clients that decide every second, on a running site of this database.

Start the site, then: python -m aurum_league.bench_tables --tables 100 --seconds 30
"""

import argparse
import http.client
import json
import os
import random
import statistics
import sys
import threading
import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit
from uuid import uuid4

import django

CSRF = "a" * 32
FORM_TYPE = "application/x-www-form-urlencoded"


@dataclass
class Client:
    """One person at one table: what they decided, what it took, and what went wrong."""

    match_id: int
    session: str
    decisions: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)

    def play(self, host: str, ends_at: float) -> None:
        """Decide once a second until the time is up; tables that end are left as they are."""
        chance = random.Random(self.match_id)
        connection = http.client.HTTPConnection(host, timeout=30)
        time.sleep(chance.random())
        state = self._ask(connection, "GET", "state/")
        while state is not None and state["state"] == "waiting" and time.monotonic() < ends_at:
            started = time.monotonic()
            action = choose_action(state, chance)
            state = self._ask(connection, "POST", "decide/", {"counter": state["counter"], "action": action})
            self.seconds.append(time.monotonic() - started)
            if state is not None:
                self.decisions.append(action)
            time.sleep(max(0.0, started + 1 - time.monotonic()))
        connection.close()

    def _ask(self, connection: http.client.HTTPConnection, method: str, path: str, fields: Any = None) -> Any:
        headers = {"Cookie": f"sessionid={self.session}; csrftoken={CSRF}", "X-CSRFToken": CSRF}
        body = urlencode(fields) if fields else None
        if body:
            headers["Content-Type"] = FORM_TYPE
        try:
            connection.request(method, f"/play/{self.match_id}/{path}", body, headers)
            answer = connection.getresponse()
            text = answer.read()
        except OSError as error:
            self.troubles.append(type(error).__name__)
            return None
        if answer.status == 200:
            return json.loads(text)
        self.troubles.append(f"{answer.status} {text[:80]!r}")
        return None


def choose_action(state: dict[str, Any], chance: random.Random) -> str:
    options = state["options"]
    if options["can_keep"]:
        return "keep"
    verb = "bid" if state["round"]["phase"] == "bid" else "play"
    choices = [f"{verb} {card}" for card in options["cards"]] + ["stop"] * options["can_stop"]
    return chance.choice(choices)


def deal_tables(count: int) -> list[Client]:
    """Guests at tables of four against three house bots, dealt and waiting."""
    from importlib import import_module

    from django.conf import settings

    from games.models import RunnerNeed
    from games.selectors.sitters import Sitter
    from games.services.lobby import TableWish, play_now
    from games.services.play import play_ready_matches

    store = import_module(settings.SESSION_ENGINE).SessionStore
    clients = []
    for _ in range(count):
        guest = uuid4()
        session = store()
        session["guest"] = str(guest)
        session.save()
        match_id = play_now(sitter=Sitter(guest=guest), wish=TableWish("en4", "counting"))
        clients.append(Client(match_id, session.session_key))
    play_ready_matches(needs=RunnerNeed.HOUSE, is_live=True, seconds=60)
    return clients


def count_lost(clients: list[Client]) -> int:
    """Decisions that a client was told of and that are not, in that order, in the match's log."""
    from games.models import Match
    from games.rules.match import unpack_log
    from games.rules.notation import parse_action

    lost = 0
    for client in clients:
        match = Match.objects.select_related("result").get(pk=client.match_id)
        log = bytes(match.result.log if match.state == "finished" else match.log)
        stored = [entry >> 2 for entry in unpack_log(log) if entry & 3 == 0]
        told = [parse_action(action)[1] for action in client.decisions]
        lost += len(told) if stored[: len(told)] != told else 0
    return lost


def measure(clients: list[Client], host: str, seconds: float) -> None:
    ends_at = time.monotonic() + seconds
    threads = [threading.Thread(target=client.play, args=(host, ends_at)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def report(clients: list[Client], seconds: float) -> None:
    took = sorted(second for client in clients for second in client.seconds)
    troubles = [trouble for client in clients for trouble in client.troubles]
    cuts = statistics.quantiles(took, n=100, method="inclusive")
    print(f"tables {len(clients)}, decisions {len(took)} ({len(took) / seconds:.0f}/s), load {os.getloadavg()[0]:.1f}")
    print(f"from POST to the next state: p50 {cuts[49] * 1000:.0f} ms, p99 {cuts[98] * 1000:.0f} ms")
    print(f"lost {count_lost(clients)}, refused or failed {len(troubles)} {troubles[:3]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--address", default="http://127.0.0.1:8000")
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=30.0)
    chosen = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "aurum_league.settings.embedded")
    django.setup()
    clients = deal_tables(chosen.tables)
    measure(clients, urlsplit(chosen.address).netloc, chosen.seconds)
    report(clients, chosen.seconds)
    sys.exit(any(client.troubles for client in clients))


if __name__ == "__main__":
    main()
