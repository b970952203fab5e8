"""What keeps the site busy: matches that never run out, and readers who never tire."""

import threading
import uuid

from aurum_league.chaos.prober import Reading, read_page
from games.models import Match, MatchKind, MatchState
from games.rules.ruleset import Ruleset
from games.services.create import MatchPlan, SeatPlan, create_matches, new_seed
from tournaments.models import Tournament
from tournaments.services.advance import advance_tournament
from tournaments.services.draw import draw_tournament
from tournaments.services.entries import enter_players
from tournaments.services.field import ensure_house_organiser, ensure_house_players
from tournaments.services.leagues import create_tournament
from tournaments.services.lifecycle import open_tournament
from tournaments.services.release import start_tournament

FIELD = {"random": 4, "greedy": 5}
LEAST_READY = 400
SECONDS_BETWEEN_PAGES = 0.25


def start_tournament_of_house_bots() -> Tournament:
    """Twelve tables of a block each; another follows when it has ended."""
    stage = {"format": "round_robin", "options": {"meetings": 1}, "block_deals": 10}
    tournament = create_tournament(spec={"name": "Soak", "stages": [stage]}, organiser=ensure_house_organiser())
    open_tournament(tournament_id=tournament.pk)
    enter_players(tournament_id=tournament.pk, players=ensure_house_players(FIELD))
    draw_tournament(tournament_id=tournament.pk)
    return start_tournament(tournament_id=tournament.pk)


def refill(tournament: Tournament) -> Tournament:
    """Keep something to play; the tournament that plays now."""
    if Match.objects.filter(state=MatchState.READY).count() < LEAST_READY:
        players = ensure_house_players(FIELD)
        seats = tuple(SeatPlan(player, "house:greedy") for player in players[:3])
        plans = [MatchPlan(Ruleset(), seats, new_seed(), uuid.uuid4()) for _ in range(LEAST_READY)]
        create_matches(plans=plans, kind=MatchKind.CASUAL, is_rated=False)
    advance_tournament(tournament_id=tournament.pk)
    tournament.refresh_from_db()
    return start_tournament_of_house_bots() if tournament.state == "finished" else tournament


class Readers:
    """Used as a context; so many threads read these pages in turn, from the moment one was answered."""

    def __init__(self, site: str, paths: list[str], count: int) -> None:
        self.site, self.paths = site, paths
        self.readings: list[Reading] = []
        self._is_over = threading.Event()
        self._threads = [threading.Thread(target=self._read_on, args=(n,), daemon=True) for n in range(count)]

    def __enter__(self) -> "Readers":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *failure: object) -> None:
        self._is_over.set()
        for thread in self._threads:
            thread.join()

    def _read_on(self, number: int) -> None:
        while not self._is_over.wait(SECONDS_BETWEEN_PAGES):
            reading = read_page(self.site + self.paths[number % len(self.paths)])
            if self.readings or reading.status == 200:
                self.readings.append(reading)
            number += 1
