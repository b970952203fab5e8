"""Measures rating, rebuilding and fitting on the database with simulated matches; everything is rolled back."""

import random
import resource
import time
import uuid
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from typing import Any

from django.core.management.base import BaseCommand
from django.db import connection, transaction
from openskill.models import PlackettLuce

from games.models import Match, MatchKind, MatchState, Player, PlayerKind
from games.play.summary import Summary
from games.rules.ruleset import Ruleset
from games.services.create import MatchPlan, SeatPlan, create_matches, new_seed
from games.signals import SettledMatch, SettledSeat
from tournaments.models import RatingPool
from tournaments.rules.ratings.fit import fit_pool
from tournaments.selectors.pool_tables import read_pool_tables
from tournaments.services.ratings import record_ratings
from tournaments.services.rebuild import audit_pool

BATCH = 1000
_RESULTS = """
    COPY games_matchresult (match_id, places, nuggets, totals, exact_bids, bids, tricks, gold_points, forfeits, rounds,
                            ends, first_seat, lots, log, cpu_us, is_by_hand, settled_at)
    FROM STDIN
"""


class Command(BaseCommand):
    help = "Measure ratings on simulated matches, in one transaction that is rolled back. Not for a site in use."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--matches", type=int, default=20_000)
        parser.add_argument("--players", type=int, default=500)

    def handle(self, *args: Any, matches: int, players: int, **options: Any) -> None:
        with transaction.atomic():
            settled = simulate_matches(players, matches, random.Random(1))
            self._report("rating, a match", matches, lambda: self._rate(settled))
            pool = RatingPool.objects.order_by("-sequence")[0]
            pace = self._report("rebuild, a match", matches, lambda: self._require_clean(pool.id))
            bare = self._report("bare openskill, a match", len(settled[:20_000]), lambda: rate_bare(settled[:20_000]))
            self.stdout.write(f"rebuild runs at {bare[0] / pace[0]:.2f} x the pace of bare openskill, by CPU")
            self._report("reading a pool for the fit, a match", matches, lambda: read_pool_tables(pool, pool.sequence))
            tables = read_pool_tables(pool, pool.sequence).tables
            self._report("fit, a match", matches, lambda: fit_pool(tables))
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            self.stdout.write(f"peak memory {peak:.0f} MB")
            transaction.set_rollback(True)

    def _rate(self, settled: Sequence[SettledMatch]) -> None:
        """Foreign keys are checked within the measured time, as a commit would."""
        for start in range(0, len(settled), BATCH):
            record_ratings(matches=settled[start : start + BATCH])
            with connection.cursor() as cursor:
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
                cursor.execute("SET CONSTRAINTS ALL DEFERRED")

    def _require_clean(self, pool_id: int) -> None:
        assert audit_pool(pool_id=pool_id).is_clean

    def _report(self, what: str, matches: int, work: Any) -> tuple[float, float]:
        clock, cpu = time.perf_counter(), time.process_time()
        work()
        cpu_us = (time.process_time() - cpu) / matches * 1e6
        clock_us = (time.perf_counter() - clock) / matches * 1e6
        self.stdout.write(f"{what}: {clock_us:.1f} µs on the clock, {cpu_us:.1f} µs CPU of this process")
        return cpu_us, clock_us


def simulate_matches(players: int, matches: int, rng: random.Random) -> list[SettledMatch]:
    """Finished rated matches of house bots with random places, with their rows."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM games_player")
        first = cursor.fetchone()[0]
    made = Player.objects.bulk_create(
        Player(kind=PlayerKind.HOUSE, name=f"Bench {first + number}", slug=f"house-greedy_bench{first + number}")
        for number in range(players)
    )
    ruleset = Ruleset.from_code("en3")
    tables = [rng.sample(made, 3) for _ in range(matches)]
    plans = [
        MatchPlan(ruleset, tuple(SeatPlan(player, "house:greedy") for player in table), new_seed(), uuid.uuid4())
        for table in tables
    ]
    ids = create_matches(plans=plans, kind=MatchKind.CASUAL, is_rated=True)
    settled = [_settled(match_id, table, rng) for match_id, table in zip(ids, tables, strict=True)]
    with connection.cursor() as cursor:
        with cursor.copy(_RESULTS) as copy:
            for row in _result_rows(settled):
                copy.write_row(row)
        cursor.execute("SELECT now()")
        now = cursor.fetchone()[0]
    Match.objects.filter(id__gte=ids[0], id__lte=ids[-1]).update(state=MatchState.FINISHED, finished_at=now)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
        cursor.execute("ANALYZE games_match, games_matchresult, games_matchseat, games_player")
    return settled


def _settled(match_id: int, table: Sequence[Player], rng: random.Random) -> SettledMatch:
    places = [1, 2, 3]
    rng.shuffle(places)
    zeros = [0, 0, 0]
    summary = Summary(places, zeros, zeros, zeros, zeros, zeros, zeros, [], 3, [3, 0, 0], 0, False, b"")
    seats = tuple(
        SettledSeat(seat=seat, side=seat, player=player.pk, agent="house:greedy", is_person=False)
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
