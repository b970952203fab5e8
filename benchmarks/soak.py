"""Soak: the site plays and is read for half an hour, and everything that could grow is watched."""

import shutil
import tempfile
import time
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import django
import redis

from aurum_league.cli.main import CommandError
from aurum_league.embedded.layout import PROC, list_processes, works_in
from aurum_league.settings.connections import CELERY_DATABASE, redis_url
from aurum_league.settings.environment import enter_own_folder
from benchmarks.report import Figure, Survey, at_most
from benchmarks.site import FIELD, Arena, Readers, start_house_tournament

if TYPE_CHECKING:
    from tournaments.models import Tournament

MEGABYTE = 1_000_000
LEAST_READY = 400
SECONDS_BETWEEN_PAGES = 0.25
LEAST_SAMPLES = 8
TOLERANCES = {"memory in MB": (10.0, 0.10), "open files": (6.0, 0.10), "connections": (3.0, 0.10)}
USUAL_TOLERANCE = (5.0, 0.25)
"""How much more is no growth: so many units, or this part of what there was, whichever is larger."""

Sample = dict[str, float]


def measure_soak(*, minutes: float, every: float) -> Survey:
    if every <= 0:
        raise CommandError("--every is more than 0 seconds.")
    folder = Path(tempfile.mkdtemp(prefix="aurum-soak-"))
    enter_own_folder(folder)
    django.setup()
    try:
        return soak(folder, minutes * 60, every)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def soak(folder: Path, seconds: float, every: float) -> Survey:
    from django.core.management import call_command

    from games.models import MatchResult

    samples: list[Sample] = []
    with Arena(folder / "programs.log") as arena:
        call_command("migrate", verbosity=0, interactive=False)
        tournament = start_tournament()
        paths = ["/", f"/tournaments/{tournament.slug}/", "/players/", "/api/v1/matches", "/readyz"]
        with Readers(f"http://127.0.0.1:{arena.port}", paths, 2, SECONDS_BETWEEN_PAGES) as readers:
            started = time.monotonic()
            while time.monotonic() - started < seconds or len(samples) < LEAST_SAMPLES:
                arena.tend()
                tournament = refill(tournament)
                samples.append(take_sample(arena))
                time.sleep(every)
        played, pids = MatchResult.objects.count(), {name: one.pid for name, one in arena.programs.items()}
    failed = sum(reading.status not in (200, 503) for reading in readers.readings)
    note = f"{played} matches, {len(readers.readings)} pages ({failed} failed), {len(samples)} samples, {pids}"
    growths = [judge_growth(name, [sample.get(name, 0) for sample in samples]) for name in samples[-1]]
    broken = [f"{growth.name} grows" for growth in growths if growth.is_growing]
    return Survey("What could grow, last quarter", [growth.to_figure() for growth in growths], [note], broken)


@dataclass(frozen=True)
class Growth:
    name: str
    before: float
    after: float
    limit: float

    @property
    def is_growing(self) -> bool:
        return self.after > self.limit

    def to_figure(self) -> Figure:
        """The goal is what is no growth yet."""
        ratio = self.after / self.before if self.before else None
        return Figure(self.name, "beside the second quarter", self.after, "", at_most(self.limit), ratio)


def judge_growth(name: str, series: Sequence[float]) -> Growth:
    """Raises ValueError where there are too few samples to say."""
    if len(series) < LEAST_SAMPLES:
        raise ValueError(f"{len(series)} samples of {name} are too few to judge")
    quarter = len(series) // 4
    before, after = median(series[quarter : 2 * quarter]), median(series[-quarter:])
    units, part = TOLERANCES.get(name.rpartition(": ")[2], USUAL_TOLERANCE)
    return Growth(name, before, after, before + max(units, part * before))


def start_tournament() -> "Tournament":
    """Twelve tables of a block each; another follows when it has ended."""
    stage = {"format": "round_robin", "options": {"meetings": 1}, "block_deals": 10}
    return start_house_tournament("Soak", [stage])


def refill(tournament: "Tournament") -> "Tournament":
    """Keep something to play; the tournament that plays now."""
    from games.models import Match, MatchKind, MatchState
    from games.play.agents import AgentRef
    from games.rules.ruleset import Ruleset
    from games.services.create import MatchPlan, SeatPlan, create_matches, new_seed
    from tournaments.services.advance import advance_tournament
    from tournaments.services.field import ensure_house_players

    if Match.objects.filter(state=MatchState.READY).count() < LEAST_READY:
        players = ensure_house_players(FIELD)
        seats = tuple(SeatPlan(player, AgentRef.parse("house:greedy")) for player in players[:3])
        plans = [MatchPlan(Ruleset(), seats, new_seed(), uuid.uuid4()) for _ in range(LEAST_READY)]
        create_matches(plans=plans, kind=MatchKind.CASUAL, is_rated=False)
    advance_tournament(tournament_id=tournament.pk)
    tournament.refresh_from_db()
    return start_tournament() if tournament.state == "finished" else tournament


def take_sample(arena: Arena) -> Sample:
    """A number for each thing that is watched, by its name: memory and files of each program, connections, leases."""
    from django.utils import timezone

    from games.models import Match, MatchState

    sample: Sample = {}
    for name, program in arena.programs.items():
        pids = [program.pid, *arena.list_children(name)]
        sample[f"{name}: memory in MB"] = sum(map(_read_memory, pids)) / MEGABYTE
        sample[f"{name}: open files"] = sum(map(_count_files, pids))
    sample["postgres: connections"] = _count_connections()
    sample["redis: memory in MB"], sample["redis: clients"], sample["redis: messages waiting"] = _read_redis()
    valkey = [process.pid for process in list_processes() if works_in(process.pid, arena.layout.valkey)]
    sample["redis: open files"] = sum(map(_count_files, valkey))
    sample["leases held"] = Match.objects.filter(state=MatchState.PLAYING).count()
    sample["leases run out"] = Match.objects.filter(state=MatchState.PLAYING, lease_until__lt=timezone.now()).count()
    return sample


def _read_memory(pid: int) -> float:
    """What the process has for itself, in bytes; what it shares with its parent is counted there."""
    for line in _read_lines(PROC / str(pid) / "status"):
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) * 1024
    return 0


def _count_files(pid: int) -> int:
    try:
        return sum(1 for _ in (PROC / str(pid) / "fd").iterdir())
    except OSError:
        return 0


def _read_lines(path: Path) -> Iterable[str]:
    try:
        return path.read_text().splitlines()
    except OSError:
        return ()


def _count_connections() -> int:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
        return int(cursor.fetchone()[0])


def _read_redis() -> tuple[float, int, int]:
    with redis.Redis.from_url(redis_url(CELERY_DATABASE), socket_timeout=5) as client:
        waiting = sum(int(client.llen(queue)) for queue in ("play", "live", "celery"))
        memory = int(client.info("memory")["used_memory"]) / MEGABYTE
        return memory, int(client.info("clients")["connected_clients"]), waiting
