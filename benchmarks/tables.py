"""Measures tables with people: simulated clients that decide every second, talk, and say that they are there, on a
running site of this database."""

import asyncio
import json
import random
import socket
import statistics
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit
from uuid import uuid4

import django

from aurum_league.cli.main import CommandError
from aurum_league.settings.environment import use_default_settings
from benchmarks.report import Figure, Survey

CSRF = "a" * 32
MOST_SECONDS = 30.0
PHRASE_SECONDS = 10.0
"""How often everybody says something, in the mean: more often than people do, and no more than they may."""

PRESENCE_SECONDS = 15.0
"""How often an open page asks who is there and what was said; it asks too whenever somebody has spoken."""


@dataclass
class Client:
    """One person at one table: what they decided, what it took, and what went wrong."""

    match_id: int
    session: str
    decisions: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    asked: list[float] = field(default_factory=list)
    is_listening: bool = False
    heard: int = 0
    spoken: int = 0
    said: int = 0

    async def play(self, host: str, ends_at: float) -> None:
        """Decide once a second until the time is up."""
        chance = random.Random(self.match_id)
        await asyncio.sleep(chance.random())
        line = await Wire.open(host, self.session)
        state = await self._ask(line, "GET", f"/play/{self.match_id}/state/")
        while state is not None and state["table"]["state"] == "waiting" and time.monotonic() < ends_at:
            started = time.monotonic()
            action = choose_action(state, chance)
            body = urlencode({"counter": state["table"]["counter"], "action": action})
            state = await self._ask(line, "POST", f"/play/{self.match_id}/decide/", body)
            self.seconds.append(time.monotonic() - started)
            if state is not None:
                self.decisions.append(action)
            await asyncio.sleep(max(0.0, started + 1 - time.monotonic()))
        line.writer.close()

    async def keep_company(self, host: str, ends_at: float) -> None:
        """Say a phrase now and then, and ask who is there as a page does: by the clock, and once somebody spoke."""
        chance = random.Random(self.match_id)
        speaks_at = time.monotonic() + chance.random() * 2 * PHRASE_SECONDS
        looks_at = time.monotonic() + chance.random() * PRESENCE_SECONDS
        seen = 0
        while (now := time.monotonic()) < ends_at:
            if now >= speaks_at:
                speaks_at = now + chance.uniform(0.5, 1.5) * PHRASE_SECONDS
                body = urlencode({"phrase": "hello"})
                self.said += await self._ask_once(host, "POST", f"/play/{self.match_id}/say/", body) is not None
            if now >= looks_at or self.spoken > seen:
                looks_at, seen = now + PRESENCE_SECONDS, self.spoken
                asked_at = time.monotonic()
                await self._ask_once(host, "GET", f"/matches/{self.match_id}/company/?since=0")
                self.asked.append(time.monotonic() - asked_at)
            await asyncio.sleep(0.05)

    async def _ask_once(self, host: str, method: str, path: str, body: str = "") -> Any:
        """On a line of its own: the server closes one that was idle for some seconds."""
        line = await Wire.open(host, self.session)
        try:
            return await self._ask(line, method, path, body)
        finally:
            line.writer.close()

    async def _ask(self, line: "Wire", method: str, path: str, body: str = "") -> Any:
        line.send(method, path, body)
        try:
            async with asyncio.timeout(MOST_SECONDS):
                head = (await line.reader.readuntil(b"\r\n\r\n")).lower()
                length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
                text = await line.reader.readexactly(length)
        except (OSError, EOFError, TimeoutError) as error:
            self.troubles.append(type(error).__name__)
            return None
        if head.startswith(b"http/1.1 200"):
            return json.loads(text)
        self.troubles.append(f"{head[:12]!r} {text[:80]!r}")
        return None

    async def listen(self, host: str) -> None:
        """Keep the stream of the table open, as a page does."""
        line = await Wire.open(host, self.session)
        line.send("GET", f"/live/matches/{self.match_id}/")
        try:
            while text := await line.reader.readline():
                self.is_listening = True
                self.heard += b'"moved"' in text
                self.spoken += b'"talk"' in text
        finally:
            line.writer.close()


@dataclass
class Wire:
    """A connection that speaks as little HTTP as will do, so that clients cost next to nothing."""

    host: str
    session: str
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    @classmethod
    async def open(cls, host: str, session: str) -> "Wire":
        name, _, port = host.partition(":")
        return cls(host, session, *await asyncio.open_connection(name, int(port or 80)))

    def send(self, method: str, path: str, body: str = "") -> None:
        lines = [
            f"{method} {path} HTTP/1.1",
            f"Host: {self.host}",
            f"Cookie: sessionid={self.session}; csrftoken={CSRF}",
            f"X-CSRFToken: {CSRF}",
            "Content-Type: application/x-www-form-urlencoded",
            f"Content-Length: {len(body)}",
            "",
            body,
        ]
        self.writer.write("\r\n".join(lines).encode())


def choose_action(state: dict[str, Any], chance: random.Random) -> str:
    options = state["options"]
    if options["can_keep"]:
        return "keep"
    verb = "bid" if state["table"]["view"]["round"]["phase"] == "bid" else "play"
    choices = [f"{verb} {card}" for card in options["cards"]] + ["stop"] * options["can_stop"]
    return chance.choice(choices)


def deal_tables(count: int) -> list[Client]:
    """Guests at tables of four against three house bots, dealt and waiting."""
    from importlib import import_module

    from django.conf import settings

    from games.selectors.sitters import Sitter
    from games.services.lobby import TableWish, play_now

    store = import_module(settings.SESSION_ENGINE).SessionStore
    clients = []
    for _ in range(count):
        guest = uuid4()
        session = store()
        session["guest"] = str(guest)
        session.save()
        match_id = play_now(sitter=Sitter(guest=guest), wish=TableWish("en4", "counting"))
        clients.append(Client(match_id, session.session_key))
    return clients


def count_lost(clients: list[Client]) -> int:
    """Decisions that a client was told of and that are not, in that order, in the match's log."""
    from games.models import Match
    from games.rules.actions import parse_action
    from games.rules.match import unpack_log

    lost = 0
    for client in clients:
        match = Match.objects.select_related("result").get(pk=client.match_id)
        log = bytes(match.result.log if match.state == "finished" else match.log)
        stored = [entry >> 2 for entry in unpack_log(log) if entry & 3 == 0]
        told = [parse_action(action)[1] for action in client.decisions]
        lost += len(told) if stored[: len(told)] != told else 0
    return lost


async def play_all(clients: list[Client], host: str, seconds: float) -> "Load":
    """Everybody follows their table before the first decision is timed; what the machine did from then on."""
    streams = [asyncio.create_task(client.listen(host)) for client in clients]
    while not all(client.is_listening for client in clients):
        await asyncio.sleep(0.1)
    before = Load.read()
    ends_at = time.monotonic() + seconds
    played = (client.play(host, ends_at) for client in clients)
    await asyncio.gather(*played, *(client.keep_company(host, ends_at) for client in clients))
    for stream in streams:
        stream.cancel()
    return Load.read() - before


@dataclass(frozen=True)
class Load:
    """Seconds on the wall, seconds of this process's CPU, and clock ticks of all cores: at work, and all."""

    wall: float
    cpu: float
    busy: int
    ticks: int

    @classmethod
    def read(cls) -> "Load":
        ticks = [int(number) for number in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
        return cls(time.monotonic(), time.process_time(), sum(ticks) - ticks[3] - ticks[4], sum(ticks))

    def __sub__(self, other: "Load") -> "Load":
        return Load(self.wall - other.wall, self.cpu - other.cpu, self.busy - other.busy, self.ticks - other.ticks)


def measure_tables(*, address: str, tables: int, seconds: float) -> Survey:
    require_site(address)
    use_default_settings()
    django.setup()
    clients = deal_tables(tables)
    load = asyncio.run(play_all(clients, urlsplit(address).netloc, seconds))
    troubles = [trouble for client in clients for trouble in client.troubles]
    return Survey(f"{tables} tables of people for {load.wall:.0f} s", list_figures(clients, load), broken=troubles[:3])


def require_site(address: str) -> None:
    """Before tables are dealt that nobody could play."""
    site = urlsplit(address)
    try:
        socket.create_connection((site.hostname, site.port or 80), MOST_SECONDS).close()
    except OSError:
        raise CommandError(f"Nobody answers at {address}. Start the site: make run") from None


def list_figures(clients: list[Client], load: Load) -> list[Figure]:
    took = sorted(second for client in clients for second in client.seconds)
    asked = sorted(second for client in clients for second in client.asked)
    cuts = statistics.quantiles(took, n=100, method="inclusive")
    return [
        Figure("decisions", f"{len(took)} in {load.wall:.0f} s", len(took) / load.wall, "decisions/s"),
        Figure("decisions", "lost", count_lost(clients)),
        Figure("decisions", "refused or failed", sum(len(client.troubles) for client in clients)),
        Figure("from POST to the next state", "p50", cuts[49] * 1000, "ms"),
        Figure("from POST to the next state", "p99", cuts[98] * 1000, "ms"),
        Figure("from POST to the next state", "slowest", took[-1] * 1000, "ms"),
        Figure("company", "phrases said", sum(client.said for client in clients)),
        Figure("company", "who is there: asked", len(asked)),
        Figure("company", "who is there: p99", asked[int(0.99 * (len(asked) - 1))] * 1000 if asked else 0.0, "ms"),
        Figure("notes heard", "on all streams", sum(client.heard for client in clients)),
        Figure("all cores", "busy, with others' work", 100 * load.busy / load.ticks, "%"),
        Figure("these clients", "of one core", 100 * load.cpu / load.wall, "%"),
    ]
