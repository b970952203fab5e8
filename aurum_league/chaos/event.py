"""The event that is played under faults: a rated tournament of house bots, and matches that kill their workers."""

import time
import uuid
from dataclasses import dataclass

from django.core.management import call_command
from django.db import DatabaseError, InterfaceError, connection

from aurum_league.chaos.history import install_history
from aurum_league.chaos.poison import POISON_AGENT
from games.models import Match, MatchKind, MatchState
from games.rules.ruleset import Ruleset
from games.services.create import MatchPlan, SeatPlan, create_matches, new_seed
from tournaments.models import Tournament, TournamentState
from tournaments.services.draw import draw_tournament
from tournaments.services.entries import enter_players
from tournaments.services.field import ensure_house_organiser, ensure_house_players
from tournaments.services.leagues import create_tournament
from tournaments.services.lifecycle import open_tournament
from tournaments.services.release import start_tournament

FIELD = {"random": 4, "greedy": 5}
TABLES = 12
"""Nine entrants meet each other once in twelve tables on four matchdays."""

SEATINGS = 3
"""Each deal of a table is played once in every seating."""

FINAL_MATCHES = 3
"""A second stage for the best three, which can be drawn only from the first one's results."""


@dataclass(frozen=True)
class Event:
    tournament: Tournament
    matches: int
    poisonous: list[int]


def prepare_event(matches: int, poisonous: int) -> Event:
    """In a database that is still empty: tables, the history of what is to come, and the event."""
    call_command("migrate", verbosity=0, interactive=False)
    install_history()
    return start_event(matches, poisonous)


def start_event(matches: int, poisonous: int) -> Event:
    """A tournament that has started, and the poison beside it."""
    players = ensure_house_players(FIELD)
    deals = max(1, round(matches / (TABLES * SEATINGS)))
    stages = [
        {"format": "round_robin", "options": {"meetings": 1}, "block_deals": deals, "cut": 3},
        {"format": "round_robin", "options": {"meetings": 1}, "block_deals": 1},
    ]
    tournament = create_tournament(spec={"name": "Chaos", "stages": stages}, organiser=ensure_house_organiser())
    open_tournament(tournament_id=tournament.pk)
    enter_players(tournament_id=tournament.pk, players=players)
    draw_tournament(tournament_id=tournament.pk)
    tournament = start_tournament(tournament_id=tournament.pk)
    plans = [
        MatchPlan(Ruleset(), tuple(SeatPlan(player, POISON_AGENT) for player in players[:3]), new_seed(), uuid.uuid4())
        for _ in range(poisonous)
    ]
    ids = create_matches(plans=plans, kind=MatchKind.CASUAL, is_rated=False, priority=5)
    return Event(tournament, TABLES * SEATINGS * deals + FINAL_MATCHES, ids)


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
