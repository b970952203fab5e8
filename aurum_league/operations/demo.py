"""The demo: what a first start shows in the terminal before the site opens."""

import secrets

from django.contrib.auth.models import Group, User
from django.db import transaction
from rich.console import Console

from aurum_league.common.errors import N_
from aurum_league.management.commands.tournament import print_standings, watch_tournament
from tournaments.models import League, Tournament
from tournaments.services.draw import draw_tournament
from tournaments.services.entries import enter_players
from tournaments.services.field import ensure_house_organiser, ensure_house_players
from tournaments.services.leagues import create_league, create_tournament
from tournaments.services.lifecycle import open_tournament
from tournaments.services.release import start_tournament

DEMO_ORGANISER = "organiser"
DEMO_LEAGUE = "Demo League"
DEMO_WORDS = N_("House bots play each other, so that a new site has something to show.")
DEMO_FIELD = {"random": 2, "greedy": 2, "counting": 2, "search-1": 1}
"""Seven: everybody meets everybody exactly twice, once on either side."""
DEMO_DEALS = 4
"""Deals a table, each played from all three seats: some ten seconds for two workers."""
SECONDS_TO_START_WORKERS = 180.0
"""They start at the same moment as the demo, on a busy machine with nothing compiled yet."""


def play_demo(console: Console) -> None:
    """Have the workers play the demo league's first season, once; a later start only shows its standings."""
    ensure_house_players()
    season = Tournament.objects.filter(league__name=DEMO_LEAGUE).order_by("season").first() or start_demo()
    console.print(f"{DEMO_LEAGUE}, season {season.season}: everybody meets everybody twice, on rotated deals.")
    watch_tournament(season, console, patience=SECONDS_TO_START_WORKERS)
    for stage in season.stages.order_by("number"):
        print_standings(stage, console)


@transaction.atomic
def start_demo() -> Tournament:
    """Create the demo league and start its first season."""
    league = create_league(
        name=DEMO_LEAGUE,
        organiser=ensure_house_organiser(),
        description=DEMO_WORDS,
    )
    stage = {"format": "round_robin", "options": {"meetings": 2}, "block_deals": DEMO_DEALS}
    spec = {"name": f"{DEMO_LEAGUE} 1", "stages": [stage]}
    season = create_tournament(spec=spec, organiser=league.organiser, league=league)
    open_tournament(tournament_id=season.id)
    enter_players(tournament_id=season.id, players=ensure_house_players(DEMO_FIELD))
    draw_tournament(tournament_id=season.id)
    return start_tournament(tournament_id=season.id)


def make_demo_organiser(console: Console) -> None:
    """Prints the name and password at the one start that makes the account; the password is stored hashed only."""
    if User.objects.filter(username=DEMO_ORGANISER).exists():
        return
    password = secrets.token_urlsafe(12)
    user = User.objects.create_user(DEMO_ORGANISER, password=password, is_staff=True, is_superuser=True)
    user.groups.set(Group.objects.filter(name__in=("organiser", "staff")))
    League.objects.filter(name=DEMO_LEAGUE).update(organiser=user)
    Tournament.objects.filter(league__name=DEMO_LEAGUE).update(organiser=user)
    console.print(f"Demo organiser: name [bold]{DEMO_ORGANISER}[/bold], password [bold]{password}[/bold] (shown once)")
