"""Measures rating, rebuilding and fitting on the database with simulated matches; everything is rolled back."""

import gc
import random
import re
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from django.db import connection, transaction
from openskill.models import PlackettLuce

from benchmarks.report import Figure
from games.models import MatchKind, Player, PlayerKind
from games.play.agents import AgentRef
from games.play.table import Summary
from games.rules.ruleset import Ruleset
from games.services.create import MatchPlan, SeatPlan, create_matches, new_seed
from games.signals import SettledMatch, SettledSeat
from tournaments.models import RatingPool
from tournaments.rules.ratings.fit import fit_pool
from tournaments.selectors.rated_matches import read_pool_tables
from tournaments.services.ratings import find_rated_tables, record_ratings
from tournaments.services.rebuild import audit_pool

BATCH = 1000
CHUNK = 10_000
SAMPLE = 20_000
_FINISH = "UPDATE games_match SET state = 'finished', finished_at = now() WHERE id = ANY(%s)"
_RESULTS = """
    COPY games_matchresult (match_id, places, nuggets, totals, exact_bids, bids, tricks, gold_points, forfeits, rounds,
                            ends, first_seat, lots, log, cpu_us, is_by_hand, settled_at)
    FROM STDIN
"""


def list_rebuild_figures(matches: int, players: int) -> list[Figure]:
    """In one transaction that is rolled back."""
    gc.freeze()
    with transaction.atomic():
        sample, spent = fill_pool(players, matches)
        pool = RatingPool.objects.order_by("-sequence")[0]
        bare = measure_work(lambda: rate_bare(sample), len(sample))
        reset_peak()
        held = read_peak()
        pace = measure_work(lambda: require_clean(pool.id), matches)
        peak = read_peak()
        again = measure_work(lambda: rate_bare(sample), len(sample))
        yardstick = Spent((bare.clock + again.clock) / 2, (bare.cpu + again.cpu) / 2)
        figures = [
            *spent.list_figures("rating, a match"),
            *bare.list_figures("bare openskill, a match"),
            *again.list_figures("bare openskill again, a match"),
            *pace.list_figures("rebuild, a match, paces beside bare openskill", yardstick),
            Figure("rebuild", f"peak memory, {held:.0f} MB of it before it began", peak, "MB"),
            *list_fit_figures(pool, matches),
        ]
        transaction.set_rollback(True)
    return figures


class Spent(NamedTuple):
    """Time on the clock and CPU of this process, in µs a match."""

    clock: float
    cpu: float

    def list_figures(self, name: str, yardstick: "Spent | None" = None) -> list[Figure]:
        """Where there is a yardstick, the ratio is how many times as quick this is."""
        clock, cpu = (yardstick.clock / self.clock, yardstick.cpu / self.cpu) if yardstick else (None, None)
        return [
            Figure(name, "on the clock", self.clock, "µs", ratio=clock),
            Figure(name, "CPU of this process", self.cpu, "µs", ratio=cpu),
        ]


def measure_work(work: Callable[[], object], matches: int) -> Spent:
    clock, cpu = time.perf_counter(), time.process_time()
    work()
    spent_cpu = time.process_time() - cpu
    return Spent((time.perf_counter() - clock) / matches * 1e6, spent_cpu / matches * 1e6)


def fill_pool(players: int, matches: int) -> tuple[list[SettledMatch], Spent]:
    """Settle and rate so many matches, in bounded memory; the first of them, and what rating took."""
    made, rng = make_players(players), random.Random(1)
    sample: list[SettledMatch] = []
    clock = cpu = 0.0
    for start in range(0, matches, CHUNK):
        settled = simulate_matches(made, min(CHUNK, matches - start), rng)
        spent = measure_work(partial(rate_in_batches, settled), matches)
        clock, cpu = clock + spent.clock, cpu + spent.cpu
        sample += settled if start < SAMPLE else []
    with connection.cursor() as cursor:
        cursor.execute(
            "ANALYZE games_match, games_matchresult, games_matchseat, games_player, tournaments_ratingchange"
        )
    return sample[:SAMPLE], Spent(clock, cpu)


def list_fit_figures(pool: RatingPool, matches: int) -> list[Figure]:
    reset_peak()
    reading = measure_work(lambda: read_pool_tables(pool, pool.sequence), matches)
    tables = read_pool_tables(pool, pool.sequence).tables
    fitting = measure_work(lambda: fit_pool(tables), matches)
    return [
        *reading.list_figures("reading a pool for the fit, a match"),
        *fitting.list_figures("fit, a match"),
        Figure("fit", "peak memory", read_peak(), "MB"),
    ]


def rate_in_batches(settled: Sequence[SettledMatch]) -> None:
    """Foreign keys are checked within the measured time, as a commit would."""
    for start in range(0, len(settled), BATCH):
        record_ratings(tables=find_rated_tables(settled[start : start + BATCH]))
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def require_clean(pool_id: int) -> None:
    assert audit_pool(pool_id=pool_id).is_clean


def reset_peak() -> None:
    """Begin to measure the peak of memory anew (proc(5), clear_refs)."""
    Path("/proc/self/clear_refs").write_text("5")


def read_peak() -> float:
    """The most memory that was resident at once since the last reset, in MB."""
    status = Path("/proc/self/status").read_text()
    return int(re.findall(r"VmHWM:\s+(\d+) kB", status)[0]) / 1024


def make_players(count: int) -> list[Player]:
    first = Player.objects.count()
    return Player.objects.bulk_create(
        Player(kind=PlayerKind.HOUSE, name=f"Bench {first + number}", slug=f"house-greedy_bench{first + number}")
        for number in range(count)
    )


def simulate_matches(players: Sequence[Player], matches: int, rng: random.Random) -> list[SettledMatch]:
    """Finished rated matches of house bots with random places, with their rows."""
    ruleset = Ruleset.from_code("en3")
    tables = [rng.sample(players, 3) for _ in range(matches)]
    plans = [
        MatchPlan(
            ruleset,
            tuple(SeatPlan(player, AgentRef.parse("house:greedy")) for player in table),
            new_seed(),
            uuid.uuid4(),
        )
        for table in tables
    ]
    ids = create_matches(plans=plans, kind=MatchKind.CASUAL, is_rated=True)
    settled = [_settled(match_id, table, rng) for match_id, table in zip(ids, tables, strict=True)]
    with connection.cursor() as cursor:
        with cursor.copy(_RESULTS) as copy:
            for row in _result_rows(settled):
                copy.write_row(row)
        cursor.execute(_FINISH, [ids])
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    return settled


def _settled(match_id: int, table: Sequence[Player], rng: random.Random) -> SettledMatch:
    places = [1, 2, 3]
    rng.shuffle(places)
    zeros = [0, 0, 0]
    summary = Summary(places, zeros, zeros, zeros, zeros, zeros, zeros, [], 3, [3, 0, 0], 0, False, b"")
    seats = tuple(
        SettledSeat(seat=seat, side=seat, player=player.pk, agent=AgentRef.parse("house:greedy"), is_person=False)
        for seat, player in enumerate(table)
    )
    return SettledMatch(match_id, "casual", "en3", 3, True, "", seats, summary)


def _result_rows(settled: Sequence[SettledMatch]) -> Iterator[tuple[object, ...]]:
    for match in settled:
        zeros = [0, 0, 0]
        places = match.summary.places
        yield (match.id, places, *([zeros] * 6), [], 3, [3, 0, 0], 0, False, b"", 0, False, "now")


def rate_bare(settled: Sequence[SettledMatch]) -> None:
    """The same matches by the library alone, with nothing read or written."""
    model = PlackettLuce(tau=0.0)
    ratings = {seat.player: model.rating() for match in settled for seat in match.seats}
    for match in settled:
        players = [seat.player for seat in match.seats]
        rated = model.rate([[ratings[player]] for player in players], ranks=list(map(float, match.summary.places)))
        for player, (rating,) in zip(players, rated, strict=True):
            ratings[player] = rating
