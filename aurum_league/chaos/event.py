"""The event that is played under faults: a rated tournament of house bots, and matches that kill their workers."""

import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import DatabaseError, connection  # noqa: E402

from aurum_league.chaos import ledger  # noqa: E402
from aurum_league.chaos.poison import POISON_AGENT  # noqa: E402
from games.models import Match, MatchKind, MatchState  # noqa: E402
from games.rules.ruleset import Ruleset  # noqa: E402
from games.services.create import MatchPlan, SeatPlan, create_matches, new_seed  # noqa: E402
from tournaments.models import FixtureMatch, Tournament, TournamentState  # noqa: E402
from tournaments.services.draw import draw_tournament  # noqa: E402
from tournaments.services.entries import enter_players  # noqa: E402
from tournaments.services.house import ensure_house_organiser, ensure_house_players  # noqa: E402
from tournaments.services.leagues import create_tournament  # noqa: E402
from tournaments.services.lifecycle import open_tournament  # noqa: E402
from tournaments.services.release import start_tournament  # noqa: E402

FIELD = {"random": 4, "greedy": 5}
TABLES = 12
"""Nine entrants meet each other once in twelve tables; a table is a block of deals, each played three times."""


@dataclass(frozen=True)
class Event:
    tournament: Tournament
    matches: int
    poisonous: list[int]


def prepare(matches: int, poisonous: int) -> Event:
    """A migrated database, a tournament released in full, and the poison beside it."""
    call_command("migrate", verbosity=0, interactive=False)
    players = ensure_house_players(FIELD)
    deals = max(1, round(matches / (TABLES * 3)))
    stage = {"format": "round_robin", "options": {"meetings": 1}, "block_deals": deals}
    spec = {"name": "Chaos", "stages": [stage]}
    tournament = create_tournament(spec=spec, organiser=ensure_house_organiser())
    open_tournament(tournament_id=tournament.pk)
    enter_players(tournament_id=tournament.pk, players=players)
    draw_tournament(tournament_id=tournament.pk)
    tournament = start_tournament(tournament_id=tournament.pk)
    plans = [
        MatchPlan(Ruleset(), tuple(SeatPlan(player, POISON_AGENT) for player in players[:3]), new_seed(), uuid.uuid4())
        for _ in range(poisonous)
    ]
    ids = create_matches(plans=plans, kind=MatchKind.CASUAL, is_rated=False, priority=5)
    count = FixtureMatch.objects.filter(stage__tournament=tournament).count()
    return Event(tournament, count, ids)


def read_ended(event: Event) -> int:
    """How many matches have a result; 0 while the database does not answer. All, only once the tournament is over."""
    try:
        ended = Match.objects.filter(kind=MatchKind.TOURNAMENT, state=MatchState.FINISHED).count()
        event.tournament.refresh_from_db(fields=["state"])
        is_settled = not Match.objects.filter(pk__in=event.poisonous).exclude(state=MatchState.QUARANTINED).exists()
    except DatabaseError:
        connection.close()
        return 0
    is_over = event.tournament.state == TournamentState.FINISHED and is_settled
    return ended if is_over else min(ended, event.matches - 1)


def wait_for_database() -> None:
    for _ in range(100):
        try:
            connection.ensure_connection()
            return
        except DatabaseError:
            time.sleep(0.2)


def find_losses(event: Event) -> Iterator[str]:
    return ledger.find_losses(event.tournament, event.matches, event.poisonous)
