"""One trial: an event in the arena, played under faults and let recover, then checked."""

import time
import uuid
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random

from django.core.management import call_command
from django.db import DatabaseError, InterfaceError, connection

from aurum_league.cli.main import CommandError
from aurum_league.operations.database import as_owner, grant_site_role
from benchmarks.chaos.faults import POISON_AGENT, FaultSchedule, list_faults
from benchmarks.chaos.ledger import Finding, check_ledger, install_history, read_history
from benchmarks.chaos.promises import check_promises
from benchmarks.report import Figure, Report, at_most, tell
from benchmarks.site import FIELD, SEATINGS, TABLES, Arena, Readers, start_house_tournament
from games.models import Match, MatchKind, MatchState
from games.rules.ruleset import Ruleset
from games.services.create import MatchPlan, SeatPlan, create_matches, new_seed
from tournaments.models import Tournament, TournamentState
from tournaments.rules.pairing import count_block_matches
from tournaments.services.field import ensure_house_players

TABLE = (1, 2, 3)
"""A second stage for the best three, which can be drawn only from the first one's results."""

POISONOUS = 3
SECONDS_TO_START = 120
SECONDS_BETWEEN_LINES = 10


@dataclass(frozen=True)
class Trial:
    """`seconds` is how long faults strike, `patience` how long the rest may take afterwards."""

    matches: int
    seconds: float
    patience: float
    lease: int
    slack: float
    seed: int


@dataclass(frozen=True)
class Event:
    tournament: Tournament
    matches: int
    poisonous: list[int]


def prepare_event(matches: int, poisonous: int) -> Event:
    """In a database that is still empty: tables, the history of what is to come, and the event."""
    call_command("migrate", verbosity=0, interactive=False)
    with as_owner():
        install_history()
        grant_site_role()
    return start_event(matches, poisonous)


def start_event(matches: int, poisonous: int) -> Event:
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
    return Event(tournament, TABLES * count_block_matches(TABLE, deals) + count_block_matches(TABLE, 1), ids)


@dataclass(frozen=True)
class Progress:
    ended: int
    is_over: bool


def read_progress(event: Event) -> Progress | None:
    """How far it is; None while the database does not answer."""
    try:
        ended = Match.objects.filter(kind=MatchKind.TOURNAMENT, state=MatchState.FINISHED).count()
        state = Tournament.objects.values_list("state", flat=True).get(pk=event.tournament.pk)
        open_poison = Match.objects.filter(pk__in=event.poisonous).exclude(state=MatchState.QUARANTINED).exists()
    except (DatabaseError, InterfaceError):
        connection.close()
        return None
    return Progress(ended, state == TournamentState.FINISHED and not open_poison)


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


def run_trial(trial: Trial, folder: Path) -> Report:
    started = time.monotonic()
    with Arena(folder / "programs.log") as arena:
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


def make_report(title: str, findings: list[Finding], struck: Counter[str]) -> Report:
    """A figure for each promise: where it was broken how often."""
    figures = [
        Figure(finding.promise, finding.measured, len(finding.breaches), "breaches", at_most(0)) for finding in findings
    ]
    broken = [line for finding in findings for line in finding.list_lines()]
    faults = "Faults: " + ", ".join(f"{name} {count} times" for name, count in struck.items()) + ", two beats."
    return Report(title, figures, [faults, "Promises were broken." if broken else "Nothing lost."], broken)


def _wait_until_it_runs(arena: Arena, event: Event, readers: Readers) -> None:
    """Faults that strike before anything runs would prove nothing."""
    until = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < until:
        arena.tend()
        progress = read_progress(event)
        if readers.readings and progress and progress.ended:
            return
        time.sleep(0.2)
    raise CommandError(f"Nothing was played within {SECONDS_TO_START} s. Read {arena.log}.")


def _play(trial: Trial, arena: Arena, event: Event, faults: FaultSchedule) -> None:
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
