"""Measures the doors: pages while a thousand streams are open and hundreds send their requests a byte at a time.

And play: the pace of one owner's tournament while another's hundred bots let the referee wait, and that of any while
Redis does not answer. All run in a data folder of their own, on a real server and real workers.
"""

import asyncio
import hashlib
import os
import signal
import statistics
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from aurum_league.embedded.layout import list_processes, works_in
from aurum_league.settings.environment import CHECKOUT
from aurum_league.supervision.supervisor import make_command
from benchmarks.report import Figure, Survey, at_least, at_most, list_missed
from benchmarks.site import find_free_port, own_services, start_house_tournament, wait_for_server

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from games.services.create import SeatPlan

PAGES = ("/", "/rules/", "/tournaments/", "/players/", "/api/v1/tournaments", "/accounts/login/", "/healthz")
STREAMS = ("/live/home/", "/live/matches/{match}/")
MOST_MS = 300
READERS = 4
PAUSE_SECONDS = 0.2
OF_ADDRESS = 250
"""Streams and bodies come from as many addresses of this machine as their limit by address asks for."""

SERVE = """
from uvicorn import Server
from aurum_league.supervision.web import allow_many_streams, make_config
allow_many_streams()
config = make_config()
config.port = {port}
Server(config).run()
"""
HALF = (
    "POST /rules/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n"
    "Content-Type: application/x-www-form-urlencoded\r\n\r\n"
)


class Crowd:
    """What holds the doors open: streams that listen, and bodies that come a byte at a time, again and again."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.open = 0
        self.halves = 0
        self.work: list[asyncio.Task[None]] = []

    async def _connect(self, number: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        own = (f"127.0.1.{1 + number // OF_ADDRESS}", 0)
        return await asyncio.open_connection("127.0.0.1", self.port, local_addr=own)

    async def listen(self, number: int, path: str) -> None:
        reader, writer = await self._connect(number)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        if b" 200 " in await reader.readline():
            self.open += 1
        self.work.append(asyncio.create_task(self._read(reader)))

    async def _read(self, reader: asyncio.StreamReader) -> None:
        while await reader.read(65_536):
            pass

    async def trickle(self, number: int) -> None:
        while True:
            _reader, writer = await self._connect(number)
            self.halves += 1
            try:
                writer.write(HALF.encode())
                while not writer.is_closing():
                    writer.write(b"x")
                    await writer.drain()
                    await asyncio.sleep(0.5)
            except OSError:
                pass
            finally:
                self.halves -= 1
                writer.close()


async def read_pages(port: int, seconds: float) -> list[float]:
    """How long each answer took, in milliseconds; whatever is not answered well ends the measure."""
    import httpx

    async def read(turn: int) -> list[float]:
        waits = []
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60, follow_redirects=True) as client:
            ends_at = time.monotonic() + seconds
            while time.monotonic() < ends_at:
                started = time.monotonic()
                (await client.get(PAGES[turn % len(PAGES)])).raise_for_status()
                waits.append((time.monotonic() - started) * 1000)
                turn += 1
                await asyncio.sleep(PAUSE_SECONDS)
        return waits

    found = await asyncio.gather(*(read(turn) for turn in range(READERS)))
    return [wait for waits in found for wait in waits]


async def hold_doors(port: int, streams: int, bodies: int, seconds: float) -> list[Figure]:
    await asyncio.to_thread(wait_for_server, port)
    await read_pages(port, 3)
    alone = await read_pages(port, seconds)
    crowd = Crowd(port)
    paths = await asyncio.to_thread(list_streams)
    for number in range(streams):
        await crowd.listen(number, paths[number % len(paths)])
    crowd.work += [asyncio.create_task(crowd.trickle(number)) for number in range(bodies)]
    await asyncio.sleep(2)
    beside = await read_pages(port, seconds)
    figures = [
        Figure("held open", "streams", crowd.open, "", at_least(streams)),
        Figure("held open", "bodies at a byte each half second", crowd.halves, "", at_least(0.9 * bodies)),
        *_list_waits("pages, nobody else there", alone),
        *_list_waits("pages, while they are held", beside, at_most(MOST_MS)),
    ]
    for task in crowd.work:
        task.cancel()
    await asyncio.gather(*crowd.work, return_exceptions=True)
    return figures


def _list_waits(name: str, waits: list[float], goal: Any = None) -> list[Figure]:
    cuts = statistics.quantiles(waits, n=100, method="inclusive")
    return [
        Figure(name, f"p50 of {len(waits)}", cuts[49], "ms"),
        Figure(name, "p99", cuts[98], "ms", goal),
        Figure(name, "longest", max(waits), "ms"),
    ]


def list_streams() -> list[str]:
    from games.models import Match

    match = Match.objects.order_by("pk").values_list("pk", flat=True)[0]
    return [path.format(match=match) for path in STREAMS]


def measure_doors(*, streams: int, bodies: int, seconds: float) -> Survey:
    with own_services():
        stage = {"format": "round_robin", "options": {"meetings": 2}, "block_deals": 2}
        start_house_tournament("Watched", [stage], {"random": 9})
        port = find_free_port()
        server = subprocess.Popen([sys.executable, "-c", SERVE.format(port=port)], cwd=CHECKOUT)
        try:
            figures = asyncio.run(hold_doors(port, streams, bodies, seconds))
        finally:
            server.kill()
            server.wait()
    load = f"load of the machine at the end: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    return Survey(f"{streams} streams and {bodies} slow bodies", figures, (load,), list_missed(figures))


LEAST_PACE = 0.8
SLEEPER = b"""
import json, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "decide":
        time.sleep(NAP)
        print(json.dumps({"action": message["legal"][0]}), flush=True)
"""
QUICK = SLEEPER.replace(b"time.sleep(NAP)", b"pass")


@contextmanager
def run_workers() -> Iterator[None]:
    """As the supervisor starts them."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": CHECKOUT}
    programs = [
        subprocess.Popen(make_command(name), start_new_session=True, **quiet)  # type: ignore[call-overload]
        for name in ("worker", "live", "patient", "beat")
    ]
    try:
        yield
    finally:
        for program in programs:
            os.killpg(program.pid, signal.SIGTERM)
        for program in programs:
            program.wait()


def plan_laps(laps: int) -> dict[str, Any]:
    """Of nine entrants: eight matchdays a lap, of three tables of 120 matches."""
    return {"format": "round_robin", "options": {"laps": laps}, "block_deals": 40}


def measure_sleepers(*, bots: int, matches: int, seconds: float, nap: float, turns: int) -> Survey:
    """Beside them plays another's tournament in which uploads sit at three tables of four.

    Without them and beside them take turns, so that what else the machine does befalls both; each time others sleep.
    Medians are compared: while tables of house bots alone are left, ten times as many matches are played.
    """
    alone, beside, left = [], [], 0
    with own_services(), run_workers():
        start_mixed_tournament()
        wait_until_played(500)
        for turn in range(turns):
            alone.append(measure_pace(seconds))
            let_sleep(bots, matches, nap, turn)
            beside.append(measure_pace(seconds))
            left += wake_sleepers()
    name = f"another's tournament of uploads and house bots, {turns} times {seconds:.0f} s each"
    figures = [
        *(Figure(name, f"alone, {turn}", pace, "matches/s") for turn, pace in enumerate(alone, 1)),
        *(
            Figure(name, f"beside {bots} sleeping bots, {turn}", pace, "matches/s")
            for turn, pace in enumerate(beside, 1)
        ),
        Figure(
            name, "pace that is left", statistics.median(beside) / statistics.median(alone), "", at_least(LEAST_PACE)
        ),
        Figure("the sleepers", f"matches not played in time, of {turns * bots * matches}", left),
    ]
    load = f"load of the machine at the end: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    return Survey(f"{bots} sleeping bots of one owner, {nap:g} s a decision", figures, (load,), list_missed(figures))


LEAST_PACE_ALONE = 0.5


def measure_silence(*, seconds: float) -> Survey:
    """A Redis that takes every word and answers none, and then one that is gone."""
    from aurum_league.settings.connections import read_layout

    name = f"a tournament of house bots, {seconds:.0f} s each"
    with own_services(), run_workers():
        start_house_tournament("Theirs", [plan_laps(100)])
        wait_until_played(1_000)
        paces = {"with Redis": measure_pace(seconds)}
        (redis,) = (process.pid for process in list_processes() if works_in(process.pid, read_layout().valkey))
        os.kill(redis, signal.SIGSTOP)
        paces["from the moment it hangs"] = measure_pace(seconds)
        paces["while it hangs"] = measure_pace(seconds)
        os.kill(redis, signal.SIGCONT)
        paces["from the moment it answers again"] = measure_pace(seconds)
        os.kill(redis, signal.SIGKILL)
        paces["from the moment it is gone"] = measure_pace(seconds)
        paces["while it is gone"] = measure_pace(seconds)
    figures = [Figure(name, what, pace, "matches/s") for what, pace in paces.items()]
    # Of the better one, before and after: what else the machine does must not make it easy.
    whole = max(paces.pop("with Redis"), paces.pop("from the moment it answers again"))
    figures += [
        Figure("of the pace with Redis", what, pace / whole, "", at_least(LEAST_PACE_ALONE))
        for what, pace in paces.items()
    ]
    load = f"load of the machine at the end: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    return Survey("Play without Redis", figures, (load,), list_missed(figures))


def wait_until_played(number: int) -> None:
    """Workers take a while to start, and one of them to write all that there is to play: neither is measured."""
    from tournaments.models import Matchday, MatchdayState

    ends_at = time.monotonic() + 900
    while count_played() < number or Matchday.objects.filter(state=MatchdayState.DRAWN).exists():
        if time.monotonic() > ends_at:
            raise RuntimeError("the workers play nothing")
        time.sleep(0.5)


def measure_pace(seconds: float) -> float:
    before, started = count_played(), time.monotonic()
    time.sleep(seconds)
    return (count_played() - before) / (time.monotonic() - started)


def count_played() -> int:
    from games.models import MatchKind, MatchResult

    return MatchResult.objects.filter(match__kind=MatchKind.TOURNAMENT).count()


def make_bot(owner: "User", name: str, source: bytes) -> "SeatPlan":
    """An upload that passed its check, as one that behaves while it is checked would."""
    from bots.contract import CONTRACT, RULES_VERSION
    from bots.models import Bot, BotMode, BotState, BotVersion, VersionState
    from games.models import Player, PlayerKind
    from games.play.agents import AgentKind, AgentRef
    from games.services.create import SeatPlan

    player = Player.objects.create(kind=PlayerKind.BOT, name=name, slug=name.lower(), owner=owner)
    bot = Bot.objects.create(player=player, mode=BotMode.UPLOADED)
    version = BotVersion.objects.create(
        bot=bot,
        number=1,
        upload=source + f"# {name}\n".encode(),
        state=VersionState.QUALIFIED,
        content_hash=hashlib.sha256(name.encode()).hexdigest(),
        contract=CONTRACT,
        rules=RULES_VERSION,
    )
    Bot.objects.filter(pk=bot.pk).update(active_version=version, state=BotState.ACTIVE)
    return SeatPlan(player, AgentRef(AgentKind.VERSION, str(version.pk)))


def start_mixed_tournament() -> None:
    """Six house bots and three uploads of three owners."""
    from django.contrib.auth.models import User

    from tournaments.services.draw import draw_tournament
    from tournaments.services.entries import enter_players
    from tournaments.services.field import ensure_house_organiser, ensure_house_players
    from tournaments.services.leagues import create_tournament
    from tournaments.services.lifecycle import open_tournament
    from tournaments.services.release import start_tournament

    uploads = [make_bot(User.objects.create_user(f"author{n}"), f"Quick{n}", QUICK) for n in range(3)]
    spec = {"name": "Theirs", "stages": [plan_laps(20)]}
    tournament = create_tournament(spec=spec, organiser=ensure_house_organiser())
    open_tournament(tournament_id=tournament.pk)
    players = [*ensure_house_players({"random": 3, "greedy": 3}), *(upload.player for upload in uploads)]
    enter_players(tournament_id=tournament.pk, players=players)
    draw_tournament(tournament_id=tournament.pk)
    start_tournament(tournament_id=tournament.pk)


def let_sleep(bots: int, matches: int, nap: float, turn: int) -> None:
    """Bots of one owner and their matches against house bots."""
    from django.contrib.auth.models import User

    from games.models import MatchKind, Player, PlayerKind
    from games.play.agents import AgentRef
    from games.rules.ruleset import Ruleset
    from games.services.create import MatchPlan, SeatPlan, create_matches, new_seed

    owner = User.objects.create_user(f"sleeper{turn}")
    house = Player.objects.filter(kind=PlayerKind.HOUSE).order_by("pk")[:2]
    others = [SeatPlan(player, AgentRef.parse("house:random")) for player in house]
    source = SLEEPER.replace(b"NAP", repr(nap).encode())
    sleepers = [make_bot(owner, f"Sleeper{turn}-{number}", source) for number in range(bots)]
    plans = [
        MatchPlan(Ruleset(), (sleeper, *others), new_seed(), uuid.uuid4())
        for sleeper in sleepers
        for _ in range(matches)
    ]
    create_matches(plans=plans, kind=MatchKind.SCRIMMAGE, is_rated=False, account=owner.pk)


def wake_sleepers() -> int:
    """How many of their matches are left, and will not be begun."""
    from games.models import Match, MatchKind, MatchState
    from games.models.match import ENDED

    matches = Match.objects.filter(kind=MatchKind.SCRIMMAGE)
    left = matches.exclude(state__in=ENDED).count()
    matches.filter(state=MatchState.READY).update(state=MatchState.VOID)
    return left
