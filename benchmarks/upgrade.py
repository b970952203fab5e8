"""Rehearses an upgrade: a database of the first release is migrated while that release claims, settles and reads."""

import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from aurum_league.operations.database import as_owner
from aurum_league.settings.connections import database_url
from benchmarks.report import Figure, Survey, at_most
from benchmarks.site import own_services

APPS = ("aurum_league", "games", "bots", "tournaments")
FIRST_RELEASE = "0001_initial"
LONGEST_WAIT = 1.0
BATCH = 20
PAUSE = 0.005

FILLERS = {
    "smallint": "0",
    "integer": "0",
    "bigint": "0",
    "double precision": "0",
    "boolean": "false",
    "jsonb": "'{}'",
    "uuid": "gen_random_uuid()",
    "bytea": "''",
    "ARRAY": "'{}'",
    "timestamp with time zone": "now()",
}
"""What a column that no row can be without gets where nothing else was said of it; texts are empty."""

_COLUMNS = """
    SELECT column_name, data_type FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name = %s AND is_nullable = 'NO' AND column_default IS NULL
      AND is_identity = 'NO'
"""
PLAYERS = 300

# What the first release asked, as its services had it.
_CLAIM = f"""
    UPDATE games_match SET state = 'playing', attempt = attempt + 1, lease_token = %s,
        lease_until = now() + interval '30 seconds', started_at = COALESCE(started_at, now()), claimed_with = {BATCH}
    WHERE id IN (SELECT id FROM games_match WHERE state = 'ready' AND needs = 0 ORDER BY priority DESC, id
                 LIMIT {BATCH} FOR UPDATE SKIP LOCKED)
    RETURNING id
"""
_FENCE = """
    UPDATE games_match SET state = 'finished', finished_at = now(), lease_token = NULL, lease_until = NULL, log = '',
        awaited = '{}', deadline = NULL, trouble = ''
    WHERE id = ANY(%s) AND lease_token = %s AND state = 'playing' RETURNING id
"""
_RESULT = """
    INSERT INTO games_matchresult (match_id, places, nuggets, totals, exact_bids, bids, tricks, gold_points, forfeits,
                                   rounds, ends, first_seat, lots, log, cpu_us, is_by_hand, settled_at)
    SELECT id, '{1,2,3}', '{9,5,1}', '{40,30,20}', '{3,2,1}', '{9,9,9}', '{12,12,12}', '{5,0,0}', '{}', 3, '{0,0,0}', 0,
           false, '\\x00', 0, false, now() FROM unnest(%s::bigint[]) AS id
"""
_CHANGE = """
    INSERT INTO tournaments_ratingchange (pool_id, match_id, player_id, sequence, mu_before, sigma_before, mu_after,
                                          sigma_after, place, is_forfeit)
    SELECT 1, match_id, player_id, match_id, 25, 8, 25, 8, 1, false FROM games_matchseat WHERE match_id = ANY(%s)
"""
_COUNT = "UPDATE tournaments_stage SET results_version = results_version + 1 WHERE id = 1"
_READY_AGAIN = """
    INSERT INTO games_match (kind, ruleset, players, is_rated, state, priority, needs, seed, commitment, deals, log,
                             clocks, awaited, attempt, claimed_with, is_suspect, trouble, created_at)
    SELECT 'casual', 'en3', 3, true, 'ready', 0, 0, '', '', gen_random_uuid(), '', '{}', '{}', 0, 1, false, '', now()
    FROM generate_series(1, %s) RETURNING id
"""
_SEATS_AGAIN = f"""
    INSERT INTO games_matchseat (match_id, seat, side, player_id, agent)
    SELECT id, seat, seat, 1 + (id * 7 + seat) %% {PLAYERS}, 'house:random'
    FROM unnest(%s::bigint[]) AS id, generate_series(0, 2) AS seat
"""
READS = {
    "the latest matches": "SELECT id FROM games_match WHERE state = 'finished' ORDER BY finished_at DESC LIMIT 20",
    "a player's matches": """
        SELECT m.id, r.places FROM games_matchseat AS s JOIN games_match AS m ON m.id = s.match_id
        JOIN games_matchresult AS r ON r.match_id = m.id WHERE s.player_id = 7 ORDER BY m.id DESC LIMIT 50
    """,
    "a stage": "SELECT id, results_version, points FROM tournaments_stage WHERE id = 1",
}


def measure_upgrade(*, matches: int) -> Survey:
    """How long each statement of the old version waited at most, and whether one failed."""
    with own_services(), as_owner():
        _go_back()
        _fill(matches)
        waits, faults = dict[str, float](), list[str]()
        with _served(_play, waits, faults), _served(_read, waits, faults):
            time.sleep(1)
            before = dict(waits)
            started = time.monotonic()
            call_command("migrate", verbosity=0, interactive=False)
            seconds = time.monotonic() - started
            time.sleep(1)
        missing = _count_unsettled()
    rows = [Figure("migrate", f"{matches} matches", seconds, "s")]
    for what in sorted(waits):
        rows.append(Figure(what, "longest wait before", before.get(what, 0.0), "s"))
        rows.append(Figure(what, "longest wait meanwhile", waits[what], "s", at_most(LONGEST_WAIT)))
    rows.append(Figure("the old version", "statements that failed", len(faults), "", at_most(0)))
    rows.append(Figure("the old version", "finished matches without a result", missing, "", at_most(0)))
    return Survey("An upgrade while the first release plays and serves", rows, notes=tuple(faults[:5]))


def _go_back() -> None:
    """Empty tables as the first release had them; those of others stay."""
    with connection.cursor() as cursor:
        cursor.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO PUBLIC")
    executor = MigrationExecutor(connection)
    others = [node for node in executor.loader.graph.leaf_nodes() if node[0] not in APPS]
    executor.migrate([*others, *((app, FIRST_RELEASE) for app in APPS)])
    with connection.cursor() as cursor:
        # Rights of the site's role, as its own migrate command gave them.
        for what in ("TABLES", "SEQUENCES"):
            cursor.execute(f"GRANT ALL ON ALL {what} IN SCHEMA public TO PUBLIC")


def _fill(matches: int) -> None:
    ready = max(matches // 10, 1_000)
    with connection.cursor() as cursor:

        def fill(table: str, rows: str, **given: str) -> None:
            cursor.execute(_COLUMNS, [table])
            told = {name: FILLERS.get(kind, "''") for name, kind in cursor.fetchall() if name != "id"} | given
            cursor.execute(f"INSERT INTO {table} ({', '.join(told)}) SELECT {', '.join(told.values())} FROM {rows}")

        series = "generate_series(1, {}) AS n".format
        fill("auth_user", series(1), username="'operator'")
        fill("games_player", series(PLAYERS), kind="'house'", name="'Bot ' || n", slug="'bot-' || n", is_active="true")
        fill("games_match", series(matches), kind="'tournament'", ruleset="'en3'", players="3", is_rated="true",
             state="'finished'", finished_at="now()", claimed_with="1", seed="sha256(n::text::bytea)")  # fmt: skip
        fill("games_match", series(ready), kind="'casual'", ruleset="'en3'", players="3", is_rated="true",
             state="'ready'", claimed_with="1")  # fmt: skip
        seats = "games_match AS m, generate_series(0, 2) AS seat"
        player = f"1 + (m.id * 7 + seat) % {PLAYERS}"
        fill("games_matchseat", seats, match_id="m.id", seat="seat", side="seat", player_id=player,
             agent="'house:random'")  # fmt: skip
        finished = "games_match AS m WHERE state = 'finished'"
        lists = dict.fromkeys(("nuggets", "totals", "exact_bids", "bids", "tricks", "gold_points"), "'{3,2,1}'")
        fill("games_matchresult", finished, match_id="m.id", places="'{1,2,3}'", log="decode(repeat('ab', 360), 'hex')",
             rounds="3", **lists)  # fmt: skip
        owned = {"name": "'Rehearsal'", "slug": "'rehearsal'", "organiser_id": "(SELECT min(id) FROM auth_user)"}
        fill("tournaments_league", series(1), **owned)
        fill("tournaments_tournament", series(1), **owned, league_id="(SELECT min(id) FROM tournaments_league)",
             season="1", ruleset="'en3'", table_kind="'solo3'", state="'playing'")  # fmt: skip
        fill("tournaments_stage", series(1), tournament_id="(SELECT min(id) FROM tournaments_tournament)", number="1",
             format="'round_robin'", id="1")  # fmt: skip
        fill("tournaments_ratingpool", series(1), id="1", players="3", entry_kind="'bots'")
        fill("tournaments_ratingchange", f"{seats} WHERE m.state = 'finished'", pool_id="1", match_id="m.id",
             player_id=player, sequence="m.id", mu_before="25", mu_after="25")  # fmt: skip
        cursor.execute("ANALYZE")


@contextmanager
def _served(serve: Callable[..., None], waits: dict[str, float], faults: list[str]) -> Iterator[None]:
    """By a thread with a connection of its own, until the caller is done."""
    stopped = threading.Event()

    def ask(link: Any, what: str, *statements: tuple[str, list[Any]]) -> list[Any]:
        started, rows = time.monotonic(), list[Any]()
        try:
            with link.transaction(), link.cursor() as cursor:
                for sql, params in statements:
                    cursor.execute(sql, params)
                    rows = cursor.fetchall() if cursor.description else rows
        except psycopg.Error as error:
            faults.append(f"{what}: {error.diag.message_primary or error} {error.diag.message_detail or ''}")
        waits[what] = max(waits.get(what, 0.0), time.monotonic() - started)
        return rows

    def run() -> None:
        with psycopg.connect(database_url(), autocommit=True) as link:
            while not stopped.wait(PAUSE):
                serve(lambda what, *statements: ask(link, what, *statements))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join(30)


def _play(ask: Callable[..., list[Any]]) -> None:
    token = uuid.uuid4()
    ids = [row[0] for row in ask("claim", (_CLAIM, [token]))]
    if not ids:
        made = [row[0] for row in ask("create", (_READY_AGAIN, [BATCH]))]
        ask("create", (_SEATS_AGAIN, [made]))
        return
    ask("settle", (_FENCE, [ids, token]), (_RESULT, [ids]), (_COUNT, []), (_CHANGE, [ids]))


def _read(ask: Callable[..., list[Any]]) -> None:
    for what, sql in READS.items():
        ask(f"read {what}", (sql, []))


def _count_unsettled() -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT count(*) FROM games_match AS m LEFT JOIN games_matchresult AS r ON r.match_id = m.id
            WHERE (m.state = 'finished') <> (r.match_id IS NOT NULL)
            """
        )
        return int(cursor.fetchone()[0])
