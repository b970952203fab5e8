"""One trial: an event in the arena, played under faults and let recover, then checked against what is promised."""

import time
import uuid
from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random

from django.core.management import call_command
from django.db import DatabaseError, InterfaceError, connection

from aurum_league.cli.main import CommandError
from aurum_league.operations.database import as_owner, grant_site_role
from benchmarks.chaos.faults import KILLS, POISON_AGENT, FaultSchedule, Strike, list_faults
from benchmarks.chaos.ledger import Finding, MatchChange, check_ledger, install_history, read_history
from benchmarks.lag import far_servers
from benchmarks.report import Figure, Survey, at_most, tell
from benchmarks.site import FIELD, SEATINGS, TABLES, Arena, Readers, Reading, start_house_tournament
from games.models import Match, MatchKind, MatchState
from games.rules.ruleset import Ruleset
from games.services.create import MatchPlan, SeatPlan, create_matches, new_seed
from tournaments.models import Tournament, TournamentState
from tournaments.rules.pairing import count_block_matches
from tournaments.services.field import ensure_house_players

AWAY = ("redis killed", "redis hung", "postgres killed")
SECONDS_PAST_LEASE = 10
SECONDS_TO_RESUME = 15
SECONDS_TO_RECONNECT = 3
"""After Postgres is back, a page may still meet a connection that broke with it."""


@dataclass(frozen=True, slots=True)
class Rescue:
    """A match that its worker did not end: the last that was heard of it, and when it was played again."""

    match_id: int
    last_heard: float
    played_again: float


def check_promises(
    history: dict[int, list[MatchChange]],
    diary: Sequence[Strike],
    readings: Sequence[Reading],
    lease: float,
    slack: float = 0,
) -> list[Finding]:
    """`slack` is what a machine that is busy with something else may take longer."""
    return [
        check_rescues(history, diary, lease, slack),
        check_resumes(history, diary, slack),
        check_readings(readings, diary),
    ]


def check_rescues(
    history: dict[int, list[MatchChange]], diary: Sequence[Strike], lease: float, slack: float = 0
) -> Finding:
    """From the first blow after the worker was last heard of to the next claim."""
    limit = lease + SECONDS_PAST_LEASE + slack
    blows = sorted(strike.at for strike in diary if strike.fault in KILLS)
    took = {
        rescue: count_served(diary, _find_blow(rescue, blows, lease), rescue.played_again)
        for rescue in find_rescues(history, lease)
    }
    late = [f"match {rescue.match_id} was played again after {s:.1f} s" for rescue, s in took.items() if s > limit]
    measured = f"{len(took)} times, the slowest after {max(took.values(), default=0):.1f} s"
    return Finding(f"a match whose worker died is played again within {limit:.0f} s", measured, tuple(late))


def _find_blow(rescue: Rescue, blows: Sequence[float], lease: float) -> float:
    """Where no blow fits, the match itself killed its worker, right after it was claimed."""
    fitting = [blow for blow in blows if rescue.last_heard <= blow <= rescue.last_heard + lease]
    return fitting[0] if fitting else rescue.last_heard


def check_resumes(history: dict[int, list[MatchChange]], diary: Sequence[Strike], slack: float = 0) -> Finding:
    """From each return of Redis to the next claim, where anything was there to be played."""
    limit = SECONDS_TO_RESUME + slack
    claims = sorted(change.at for changes in history.values() for change in changes if change.state == "playing")
    slowest, counted, late = 0.0, 0, []
    for strike in diary:
        returned = strike.until
        if strike.fault not in ("redis killed", "redis hung") or returned is None:
            continue
        if not any(was_ready(changes, returned) for changes in history.values()):
            continue
        resumed = next((claim for claim in claims if claim >= returned), None)
        took = float("inf") if resumed is None else count_served(diary, returned, resumed)
        counted += 1
        slowest = max(slowest, took)
        if took > limit:
            late.append(f"after Redis came back, nothing was claimed for {took:.1f} s")
    promise = f"play resumes within {limit:.0f} s after Redis returns"
    return Finding(promise, f"{counted} times with matches waiting, the slowest after {slowest:.1f} s", tuple(late))


def count_served(diary: Sequence[Strike], start: float, end: float) -> float:
    """Seconds of that time in which both servers were there."""
    counted, reached = end - start, start
    for strike in sorted((strike for strike in diary if strike.fault in AWAY), key=lambda strike: strike.at):
        until = end if strike.until is None else min(end, strike.until)
        counted -= max(0.0, until - max(reached, strike.at))
        reached = max(reached, until)
    return counted


def check_readings(readings: Sequence[Reading], diary: Sequence[Strike]) -> Finding:
    """Every page, but while Postgres is away: there is nothing to show then."""
    failed = [reading for reading in readings if reading.status != 200 and not _was_away(reading, diary, "postgres")]
    without_redis = [reading for reading in readings if _was_away(reading, diary, "redis", 0)]
    slowest = max((reading.ended - reading.began for reading in readings), default=0.0)
    measured = f"{len(readings)} readings, {len(without_redis)} of them without Redis, the slowest {slowest:.1f} s"
    breaches = [f"a page was answered with {reading.status or 'silence'}" for reading in failed]
    if not readings:
        breaches.append("the site never answered")
    return Finding("the site stays readable while Redis is away", measured, tuple(breaches))


def _was_away(reading: Reading, diary: Sequence[Strike], name: str, grace: float = SECONDS_TO_RECONNECT) -> bool:
    return any(
        strike.fault in (f"{name} killed", f"{name} hung", f"{name} cut")
        and strike.at <= reading.ended
        and reading.began <= (strike.until if strike.until is not None else float("inf")) + grace
        for strike in diary
    )


def find_rescues(history: dict[int, list[MatchChange]], lease: float) -> list[Rescue]:
    """Leases that ran out, in all of the history; a match given back in time is none."""
    found = []
    for match_id, changes in history.items():
        for freed, again in pairwise(changes):
            is_stale = freed.state == "ready" and freed.leased_until is not None and freed.leased_until < freed.at
            if is_stale and again.state == "playing" and freed.leased_until is not None:
                found.append(Rescue(match_id, freed.leased_until - lease, again.at))
    return found


def was_ready(changes: Sequence[MatchChange], moment: float) -> bool:
    """Whether a match was there to be played at that moment."""
    before = [change.state for change in changes if change.at <= moment]
    return bool(before) and before[-1] == "ready"


TABLE = (1, 2, 3)
"""A second stage for the best three, which can be drawn only from the first one's results."""

POISONOUS = 3
SECONDS_TO_START = 120
SECONDS_BETWEEN_LINES = 10


@dataclass(frozen=True)
class ChaosTrial:
    """`seconds` is how long faults strike, `patience` how long the rest may take afterwards."""

    matches: int
    seconds: float
    patience: float
    lease: int
    slack: float
    seed: int
    workers: int = 2
    milliseconds: float = 0.0


@dataclass(frozen=True)
class ChaosEvent:
    tournament: Tournament
    matches: int
    poisonous: list[int]


def prepare_event(matches: int, poisonous: int) -> ChaosEvent:
    """In a database that is still empty: tables, the history of what is to come, and the event."""
    call_command("migrate", verbosity=0, interactive=False)
    with as_owner():
        install_history()
        grant_site_role()
    return start_event(matches, poisonous)


def start_event(matches: int, poisonous: int) -> ChaosEvent:
    """A tournament that has started, and the poison beside it."""
    deals = max(1, round(matches / (TABLES * SEATINGS)))
    stages = [
        {"format": "round_robin", "options": {"meetings": 1}, "block_deals": deals, "cut": 3},
        {"format": "round_robin", "options": {"meetings": 1}, "block_deals": 1},
    ]
    tournament = start_house_tournament("Chaos", stages)
    players = ensure_house_players(FIELD)
    plans = [
        MatchPlan(Ruleset(), tuple(SeatPlan(player, POISON_AGENT) for player in players[:3]), new_seed(), uuid.uuid4())
        for _ in range(poisonous)
    ]
    ids = create_matches(plans=plans, kind=MatchKind.CASUAL, is_rated=False, priority=5)
    return ChaosEvent(tournament, TABLES * count_block_matches(TABLE, deals) + count_block_matches(TABLE, 1), ids)


@dataclass(frozen=True)
class ChaosProgress:
    ended: int
    is_over: bool


def read_progress(event: ChaosEvent) -> ChaosProgress | None:
    """How far it is; None while the database does not answer."""
    try:
        ended = Match.objects.filter(kind=MatchKind.TOURNAMENT, state=MatchState.FINISHED).count()
        state = Tournament.objects.values_list("state", flat=True).get(pk=event.tournament.pk)
        open_poison = Match.objects.filter(pk__in=event.poisonous).exclude(state=MatchState.QUARANTINED).exists()
    except (DatabaseError, InterfaceError):
        connection.close()
        return None
    return ChaosProgress(ended, state == TournamentState.FINISHED and not open_poison)


def wait_for_database(seconds: float = 20) -> None:
    until = time.monotonic() + seconds
    while True:
        try:
            connection.ensure_connection()
            return
        except DatabaseError:
            if time.monotonic() > until:
                raise
            time.sleep(0.2)


def run_trial(trial: ChaosTrial, folder: Path) -> Survey:
    started = time.monotonic()
    far = far_servers(trial.milliseconds) if trial.milliseconds else nullcontext()
    with Arena(folder / "programs.log", trial.workers) as arena, far:
        event = prepare_event(trial.matches, POISONOUS)
        tell(f"{event.matches} matches and {POISONOUS} poisonous ones; the site is on port {arena.port}.")
        with Readers(f"http://127.0.0.1:{arena.port}", [f"/tournaments/{event.tournament.slug}/"]) as readers:
            _wait_until_it_runs(arena, event, readers)
            faults = FaultSchedule(arena, Random(trial.seed), list_faults(trial.lease))
            _play(trial, arena, event, faults)
        wait_for_database()
        tell(f"{time.monotonic() - started:.0f} s  checking")
        history = read_history()
        findings = [
            *check_ledger(event.tournament, event.matches, event.poisonous, history),
            *check_promises(history, faults.diary, readers.readings, trial.lease, trial.slack),
        ]
    title = f"{event.matches + POISONOUS} matches in {time.monotonic() - started:.0f} s, seed {trial.seed}"
    return make_report(title, findings, Counter(strike.fault for strike in faults.diary))


def make_report(title: str, findings: list[Finding], struck: Counter[str]) -> Survey:
    """A figure for each promise: where it was broken how often."""
    figures = [
        Figure(finding.promise, finding.measured, len(finding.breaches), "breaches", at_most(0)) for finding in findings
    ]
    broken = [line for finding in findings for line in finding.list_lines()]
    faults = "Faults: " + ", ".join(f"{name} {count} times" for name, count in struck.items()) + ", two beats."
    return Survey(title, figures, [faults, "Promises were broken." if broken else "Nothing lost."], broken)


def _wait_until_it_runs(arena: Arena, event: ChaosEvent, readers: Readers) -> None:
    """Faults that strike before anything runs would prove nothing."""
    until = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < until:
        arena.tend()
        progress = read_progress(event)
        if readers.readings and progress and progress.ended:
            return
        time.sleep(0.2)
    raise CommandError(f"Nothing was played within {SECONDS_TO_START} s. Read {arena.log}.")


def _play(trial: ChaosTrial, arena: Arena, event: ChaosEvent, faults: FaultSchedule) -> None:
    """Until everything has ended and the time for faults is over, or patience is."""
    started, told = time.monotonic(), 0.0
    while (passed := time.monotonic() - started) < trial.seconds + trial.patience:
        arena.tend()
        is_striking = passed < trial.seconds or not faults.has_struck_all
        if is_striking:
            faults.strike()
        faults.mend(everything=not is_striking)
        progress = read_progress(event)
        if progress and time.monotonic() - told > SECONDS_BETWEEN_LINES:
            told = time.monotonic()
            phase = "under faults" if is_striking else "recovering"
            tell(f"{passed:.0f} s  {phase}: {progress.ended} of {event.matches} ended")
        if progress and progress.is_over and not is_striking:
            return
        time.sleep(0.2)
