"""Measures what the database is asked for a match, by any number of light workers: they claim, wait and settle.

Nothing is played: every match is settled with one stored result. Workers are threads of a few programs, each with a
connection of its own, so that a thousand of them fit on one machine beside the Postgres that is measured.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from aurum_league.cli.main import CommandError
from aurum_league.embedded.layout import DATABASE, POSTGRES_PORT, SITE_ROLE
from aurum_league.embedded.services import stop_services
from aurum_league.settings.connections import read_layout
from aurum_league.settings.environment import CHECKOUT, use_default_settings
from benchmarks.queue import read_cpu
from benchmarks.report import Figure, Goal, Survey, at_most, at_most_times, tell
from benchmarks.site import FIELD, SEATINGS, TABLES, own_services, start_house_tournament

THREADS_A_PROGRAM = 250
SECONDS_AT_MOST = 400.0
POSTGRES_MS, SHARED_MS, BYTES, WAL_BYTES, GROWTH = 0.4, 0.08, 1500, 2560, 1.15
SHARED_LOCK = "FOR NO KEY UPDATE"
"""What the first statement says by which a settling waits for the settlings of others."""


@dataclass(frozen=True, slots=True)
class CrowdLoad:
    """So many workers at once, matches claimed together, and seconds for which each plays nothing."""

    workers: int
    batch: int
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class CrowdCost:
    """What one load took: of Postgres' processor, of locks, of disk; `waits` counts samples of what it waited for."""

    load: CrowdLoad
    matches: int
    seconds: float
    postgres_ms: float
    shared_ms: float
    wal_bytes: float
    bytes: float
    record_bytes: float
    hot_share: float
    waits: dict[str, int]


def measure_crowd(*, matches: int, workers: str, batch: int, seconds: float, bouncer: bool) -> Survey:
    loads = [CrowdLoad(int(count), batch, seconds) for count in workers.split(",")]
    with own_services(), _room_for(0 if bouncer else max(load.workers for load in loads)), ExitStack() as stack:
        far = stack.enter_context(_pgbouncer()) if bouncer else {}
        rows = [measure_load(load, matches, far) for load in loads]
        notes = list_sizes(sum(row.matches for row in rows))
    figures = [one for row in rows for one in list_figures(row, rows[0])]
    return Survey("What the database is asked for a match", figures, notes)


_SIZES = """
    SELECT relname, pg_relation_size(oid) FROM pg_class
    WHERE relkind IN ('r', 'i') AND pg_relation_size(oid) > %s
      AND NOT EXISTS (SELECT FROM pg_namespace WHERE oid = relnamespace AND nspname LIKE 'pg%%')
    ORDER BY 2 DESC
"""
_UNREAD = """
    SELECT indexrelname FROM pg_stat_user_indexes JOIN pg_index USING (indexrelid)
    WHERE idx_scan = 0 AND NOT indisunique AND schemaname = 'public' AND relname = ANY(%s) ORDER BY 1
"""


def list_sizes(matches: int) -> list[str]:
    """What every table and index that grows with matches takes for each; and which index nothing here has read."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(_SIZES, [8 * matches])
        sizes = ", ".join(f"{name} {size / matches:.0f}" for name, size in cursor.fetchall())
        cursor.execute(_UNREAD, [list(STORED_TABLES)])
        unread = ", ".join(row[0] for row in cursor.fetchall())
    return [f"Bytes a match: {sizes}.", f"Not read by workers: {unread or 'none'}."]


def list_figures(row: CrowdCost, first: CrowdCost) -> Iterator[Figure]:
    name = f"{row.load.workers} workers, batches of {row.load.batch}"

    def figure(what: str, value: float, unit: str, goal: Goal | None = None, ratio: float | None = None) -> Figure:
        return Figure(name, what, value, unit, goal, ratio)

    yield figure(f"{row.matches} matches in {row.seconds:.1f} s", row.matches / row.seconds, "matches/s")
    yield figure("CPU of Postgres a match", row.postgres_ms, "ms", at_most(POSTGRES_MS))
    if row is not first:
        growth = row.postgres_ms / first.postgres_ms
        yield figure("the same, beside the first", row.postgres_ms, "ms", at_most_times(GROWTH), growth)
    yield figure("under locks shared by workers, a match", row.shared_ms, "ms", at_most(SHARED_MS))
    yield figure("WAL a match", row.wal_bytes, "bytes", at_most(WAL_BYTES))
    yield figure("a match with its seats and its record", row.record_bytes, "bytes", at_most(BYTES))
    yield figure("all that is stored of a match, with its ratings", row.bytes, "bytes")
    yield figure("updates of games_match within their page", 100 * row.hot_share, "%")
    for what, count in Counter(row.waits).most_common(4):
        yield figure(f"waits: {what}", count, "samples")


@contextmanager
def _room_for(workers: int) -> Iterator[None]:
    """A server with connections enough."""
    from django.db import connection

    from aurum_league.embedded.layout import Wanted
    from aurum_league.embedded.services import start_services
    from aurum_league.operations.database import as_owner

    if workers > 150:
        with as_owner(), connection.cursor() as cursor:
            cursor.execute(f"ALTER SYSTEM SET max_connections = {workers + 60}")
        connection.close()
        stop_services(read_layout())
        start_services(read_layout(), Wanted())
    yield


BOUNCER = """
[databases]
{database} = host={run} port={port} user={role}
[pgbouncer]
listen_addr =
listen_port = {port}
unix_socket_dir = {folder}
auth_type = any
pool_mode = transaction
default_pool_size = {pool}
max_client_conn = 3000
ignore_startup_parameters = options, extra_float_digits
"""
CONNECTIONS_BEHIND = 16


@contextmanager
def _pgbouncer() -> Iterator[dict[str, str]]:
    """Within it programs that are given these variables share a few connections, one a transaction."""
    if not shutil.which("pgbouncer"):
        raise CommandError("pgbouncer is not installed here.")
    with tempfile.TemporaryDirectory(prefix="aurum-bouncer-") as folder:
        Path(folder).chmod(0o777)
        layout, file = read_layout(), Path(folder, "pgbouncer.ini")
        about = {"run": layout.run, "port": POSTGRES_PORT, "folder": folder, "database": DATABASE, "role": SITE_ROLE}
        file.write_text(BOUNCER.format(pool=CONNECTIONS_BEHIND, **about))
        drop: Any = layout.drop
        program = subprocess.Popen(["pgbouncer", "--quiet", str(file)], **drop)
        try:
            yield {"DATABASE_URL": f"postgres://{SITE_ROLE}@{quote(folder, safe='')}:{POSTGRES_PORT}/{DATABASE}"}
        finally:
            program.terminate()
            program.wait()


def measure_load(load: CrowdLoad, matches: int, far: Mapping[str, str]) -> CrowdCost:
    from django.db import connection

    from tournaments.models import Tournament, TournamentState
    from tournaments.services.advance import advance_tournament

    tell(f"{load.workers} workers …")
    deals = max(1, round(matches / (TABLES * SEATINGS)))
    stage = {"format": "round_robin", "options": {"meetings": 1}, "block_deals": deals}
    before, started = _read_database(), time.monotonic()
    cpu = read_cpu(0)["Postgres"]
    tournament = start_house_tournament(f"Crowd {uuid.uuid4().hex[:8]}", [stage], FIELD)
    waits: Counter[str] = Counter()
    is_over = threading.Event()
    watcher = threading.Thread(target=_watch_waits, args=(waits, is_over), daemon=True)
    programs = [_start_program(load, part, far) for part in _part(load.workers)]
    begun = time.monotonic()
    watcher.start()
    try:
        while True:
            advance_tournament(tournament_id=tournament.pk)
            if Tournament.objects.filter(pk=tournament.pk, state=TournamentState.FINISHED).exists():
                break
            if time.monotonic() > begun + SECONDS_AT_MOST:
                raise CommandError("The crowd did not end in time.")
            time.sleep(0.1)
        seconds = time.monotonic() - started
    finally:
        for program in programs:
            assert program.stdin
            program.stdin.close()
        told = [json.loads(program.stdout.read() or "[]") for program in programs if program.stdout]
        for program in programs:
            program.wait()
        is_over.set()
        watcher.join()
    spent = read_cpu(0)["Postgres"] - cpu
    connection.close()
    after = _read_database()
    done = sum(one[0] for one in told)
    difference = {key: after[key] - before[key] for key in after}
    return CrowdCost(
        load,
        done,
        seconds,
        1000 * spent / done,
        1000 * sum(one[1] for one in told) / done,
        difference["wal"] / done,
        difference["bytes"] / done,
        difference["record"] / done,
        difference["hot"] / max(1.0, difference["updates"]),
        dict(waits),
    )


def _part(workers: int) -> list[int]:
    programs = min(2, workers) if workers <= 2 * THREADS_A_PROGRAM else -(-workers // THREADS_A_PROGRAM)
    return [workers // programs + (number < workers % programs) for number in range(programs)]


RECORD_TABLES = ("games_match", "games_matchseat", "games_matchresult")
STORED_TABLES = (*RECORD_TABLES, "tournaments_fixturematch", "tournaments_ratingchange")
_DATABASE = """
    SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn,
           (SELECT sum(pg_total_relation_size(name::regclass)) FROM unnest(%s::text[]) AS name),
           (SELECT sum(pg_total_relation_size(name::regclass)) FROM unnest(%s::text[]) AS name),
           n_tup_upd, n_tup_hot_upd
    FROM pg_stat_user_tables WHERE relname = 'games_match'
"""


def _read_database() -> dict[str, float]:
    from django.db import connection

    time.sleep(1.5)  # what Postgres counts it tells after a second
    with connection.cursor() as cursor:
        cursor.execute(_DATABASE, [list(STORED_TABLES), list(RECORD_TABLES)])
        return dict(zip(("wal", "bytes", "record", "updates", "hot"), map(float, cursor.fetchone()), strict=True))


_WAITS = """
    SELECT wait_event_type || ' ' || wait_event, count(*) FROM pg_stat_activity
    WHERE state = 'active' AND wait_event IS NOT NULL AND pid <> pg_backend_pid() GROUP BY 1
"""


def _watch_waits(waits: Counter[str], is_over: threading.Event) -> None:
    from django.db import connection

    while not is_over.wait(0.1):
        with connection.cursor() as cursor:
            cursor.execute(_WAITS)
            waits.update(dict(cursor.fetchall()))
    connection.close()


def _start_program(load: CrowdLoad, workers: int, far: Mapping[str, str]) -> subprocess.Popen[str]:
    about = json.dumps(asdict(CrowdLoad(workers, load.batch, load.seconds)))
    return subprocess.Popen(
        [sys.executable, "-m", "benchmarks.crowd", about],
        cwd=CHECKOUT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, **far},
    )  # fmt: skip


def work(about: Mapping[str, Any]) -> None:
    """The program: so many threads claim and settle until nobody reads on; it says how many matches, and how long."""
    use_default_settings()
    import django

    django.setup()
    load, is_over = CrowdLoad(**about), threading.Event()
    told: list[tuple[int, float]] = []
    threads = [threading.Thread(target=_work_on, args=(load, is_over, told), daemon=True) for _ in range(load.workers)]
    for thread in threads:
        thread.start()
    sys.stdin.read()
    is_over.set()
    for thread in threads:
        thread.join()
    print(json.dumps([sum(one[0] for one in told), sum(one[1] for one in told)]), flush=True)


def _work_on(load: CrowdLoad, is_over: threading.Event, told: list[tuple[int, float]]) -> None:
    from django.db import connection

    from games.models import RunnerNeed
    from games.services.lease import claim_matches
    from games.services.settle import PlayedMatch, settle_matches

    clock, matches = SharedClock(), 0
    with connection.execute_wrapper(clock):
        while not is_over.is_set():
            token = uuid.uuid4()
            claimed = claim_matches(token=token, limit=load.batch, needs=RunnerNeed.HOUSE)
            if not claimed:
                is_over.wait(0.05)
                continue
            is_over.wait(load.seconds)
            played = [PlayedMatch(one, _stored_summary(one.ruleset, bytes(one.seed)), ()) for one in claimed]
            matches += len(settle_matches(played=played, token=token))
    told.append((matches, clock.seconds))
    connection.close()


class SharedClock:
    """Adds up the time from the first lock that settlings share until its transaction has committed."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._began: float | None = None

    def __call__(self, execute: Any, statement: str, values: Any, many: bool, context: Any) -> Any:
        from django.db import transaction

        answer = execute(statement, values, many, context)
        if self._began is None and SHARED_LOCK in str(statement):
            self._began = time.monotonic()
            transaction.on_commit(self._end)
        return answer

    def _end(self) -> None:
        assert self._began is not None
        self.seconds += time.monotonic() - self._began
        self._began = None


_summaries: dict[tuple[str, int], Any] = {}
STORED_RESULTS = 64


def _stored_summary(ruleset: str, seed: bytes) -> Any:
    """One of a few matches of these rules, played once by each program."""
    from games.play.table import play_match, summarise
    from games.rules.match import Match
    from games.rules.ruleset import Ruleset

    number = seed[0] % STORED_RESULTS
    if (ruleset, number) not in _summaries:
        from bots.brains import make_brain

        match = Match(Ruleset.from_code(ruleset), seed[:1] * 32)
        play_match(match, [make_brain("greedy", seat) for seat in range(match.players)])
        _summaries[ruleset, number] = summarise(match)
    return _summaries[ruleset, number]


def main(arguments: Sequence[str]) -> None:
    work(json.loads(arguments[0]))


if __name__ == "__main__":
    main(sys.argv[1:])
