"""The demo: what a first start shows in the terminal before the site opens."""

import secrets
from typing import Any

from django.contrib.auth.models import Group, User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from rich.console import Console

from aurum_league.common.errors import N_
from aurum_league.management.commands.tournament import print_standings, watch_tournament
from tournaments.models import EntryKind, League, Tournament, TournamentState
from tournaments.rules.spec import spec_from_preset
from tournaments.services.draw import draw_tournament
from tournaments.services.entries import enter_players
from tournaments.services.field import ensure_house_organiser, ensure_house_players
from tournaments.services.leagues import create_league, create_next_season, create_tournament
from tournaments.services.lifecycle import open_tournament
from tournaments.services.release import start_tournament
from tournaments.services.timetable import set_rhythm

DEMO_ORGANISER = "organiser"
DEMO_LEAGUE = "Demo League"
DEMO_WORDS = N_("House bots play each other, so that a new site has something to show.")
DEMO_FIELD = {"random": 2, "greedy": 2, "counting": 2, "search-1": 1}
"""Seven: everybody meets everybody exactly twice, once on either side."""
DEMO_DEALS = 4
"""Deals a table, each played from all three seats: some ten seconds for two workers."""
SEASON_MINUTES, LADDER_MINUTES = 10, 5
"""Between two matchdays of what is played slowly."""
DEMO_EVENTS: dict[str, dict[str, Any]] = {
    "Demo Cup": {
        "preset": "knockout_cup",
        "description": N_("Lose and you are out; house bots, on the same deals."),
        "field": {"greedy": 3, "counting": 3, "search-1": 1, "random": 2},
    },
    "Demo Evening": {
        "preset": "swiss_weekend",
        "description": N_("Anybody can join this one: enter, check in, and play beside house bots. Nothing is rated."),
        "is_rated": False,
        "capacity": 24,
        "field": {"greedy": 2, "counting": 2},
    },
    "Demo Ladder": {
        "preset": "ladder",
        "description": N_("It runs on: every few minutes those meet whose strength is least known."),
        "field": {"random": 2, "greedy": 2, "counting": 2, "search-1": 1},
        "minutes": LADDER_MINUTES,
    },
}
"""Beside the league, in the order in which they are made."""
SECONDS_TO_START_WORKERS = 180.0
"""They start at the same moment as the demo, on a busy machine with nothing compiled yet."""


def play_demo(console: Console) -> None:
    """Have the workers play the demo league's first season, once, and then what goes on beside it; a later start only
    shows its standings, and makes the next season where the last is over."""
    ensure_house_players()
    season = Tournament.objects.filter(league__name=DEMO_LEAGUE).order_by("season").first() or start_demo()
    console.print(f"{DEMO_LEAGUE}, season {season.season}: everybody meets everybody twice, on rotated deals.")
    watch_tournament(season, console, patience=SECONDS_TO_START_WORKERS)
    for stage in season.stages.order_by("number"):
        print_standings(stage, console)
    fill_demo()
    console.print(f"Beside it: {', '.join(Tournament.objects.exclude(pk=season.pk).values_list('name', flat=True))}.")


def fill_demo() -> None:
    """What makes a new site alive, each made once: a season played slowly, a cup, an evening that anybody can join, and
    a ladder that runs on. Once a season is over, the next one is made."""
    seasons = Tournament.objects.filter(league__name=DEMO_LEAGUE).order_by("season")
    latest = seasons.last()
    if latest is not None and latest.state == TournamentState.FINISHED:
        following = create_next_season(tournament_id=latest.pk, moves=0)
        _keep_pace(following, SEASON_MINUTES)
        _begin(following)
    made = set(Tournament.objects.filter(name__in=DEMO_EVENTS).values_list("name", flat=True))
    for name, spec in DEMO_EVENTS.items():
        if name not in made:
            _make_event(name, dict(spec))


@transaction.atomic
def _make_event(name: str, spec: dict[str, Any]) -> None:
    field, minutes = spec.pop("field"), spec.pop("minutes", 0)
    preset = spec_from_preset(spec.pop("preset"), name=name, **spec)
    event = create_tournament(spec=preset, organiser=ensure_house_organiser())
    open_tournament(tournament_id=event.pk)
    enter_players(tournament_id=event.pk, players=ensure_house_players(field))
    if minutes:
        _keep_pace(event, minutes)
    if not event.needs_check_in and event.entry_kind == EntryKind.BOTS:
        _begin(event)


def _keep_pace(event: Tournament, minutes: int) -> None:
    """A matchday every so many minutes, the first at once."""
    set_rhythm(stage_id=event.stages.get().pk, first_at=timezone.now(), every_minutes=minutes, is_timed=True)


def _begin(event: Tournament) -> None:
    draw_tournament(tournament_id=event.pk)
    start_tournament(tournament_id=event.pk)


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
    ours = Q(league__name=DEMO_LEAGUE) | Q(name__in=DEMO_EVENTS)
    Tournament.objects.filter(ours, organiser=ensure_house_organiser()).update(organiser=user)
    console.print(f"Demo organiser: name [bold]{DEMO_ORGANISER}[/bold], password [bold]{password}[/bold] (shown once)")
