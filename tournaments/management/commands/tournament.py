"""Runs a whole tournament from a file: creates it, enters its players, plays it to the end, prints the standings."""

import json
import sys
import tomllib
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from rich.console import Console

from aurum_league.common.errors import LeagueError
from games.models import Player
from tournaments.management.terminal import print_standings, watch_tournament
from tournaments.models import Tournament
from tournaments.selectors.progress import read_progress
from tournaments.selectors.standings import read_standings
from tournaments.services.draw import draw_tournament
from tournaments.services.entries import enter_players
from tournaments.services.field import ensure_house_organiser, ensure_house_players
from tournaments.services.leagues import create_tournament, spec_from_preset
from tournaments.services.lifecycle import open_tournament
from tournaments.services.release import start_tournament


class Command(BaseCommand):
    help = "Run a whole tournament from a TOML file and print its standings."

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        run = actions.add_parser("run", help="create it, play it to the end, print the standings")
        run.add_argument("spec", type=Path, help="a TOML file; docs/ORGANISING.md has examples")
        run.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
        run.add_argument("--here", action="store_true", help="play in this process instead of by workers")

    def handle(self, *args: Any, spec: Path, json: bool, here: bool, **options: Any) -> None:
        console = Console(file=sys.stderr if json else sys.stdout)
        tournament = start_from_file(spec)
        watch_tournament(tournament, console, plays_here=here)
        if json:
            self.stdout.write(describe_as_json(tournament))
            return
        for stage in tournament.stages.order_by("number"):
            print_standings(stage, console)


def start_from_file(path: Path) -> Tournament:
    """Create, fill, draw and start what the file describes."""
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise LeagueError("no_file", "%(path)s cannot be read: %(error)s.", path=path, error=error.strerror) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise LeagueError("bad_file", "%(path)s is not TOML: %(error)s.", path=path, error=error) from None
    players = [*ensure_house_players(given.pop("house", {})), *find_players(given.pop("players", []))]
    preset = given.pop("preset", None)
    spec = spec_from_preset(preset, **given) if preset else given
    tournament = create_tournament(spec=spec, organiser=ensure_house_organiser())
    open_tournament(tournament_id=tournament.id)
    enter_players(tournament_id=tournament.id, players=players)
    draw_tournament(tournament_id=tournament.id)
    return start_tournament(tournament_id=tournament.id)


def find_players(slugs: list[str]) -> list[Player]:
    found = {player.slug: player for player in Player.objects.filter(slug__in=slugs).select_related("team")}
    if missing := [slug for slug in slugs if slug not in found]:
        raise LeagueError("no_player", "There is no player %(name)s.", name=repr(missing[0]))
    return [found[slug] for slug in slugs]


def describe_as_json(tournament: Tournament) -> str:
    stages = [
        {"stage": stage.number, "name": stage.name, "standings": [asdict(line) for line in read_standings(stage).lines]}
        for stage in tournament.stages.order_by("number")
    ]
    described = {
        "tournament": tournament.slug,
        "state": tournament.state,
        "matches": read_progress(tournament).ended,
        "commitment": tournament.commitment,
        "stages": stages,
    }
    return json.dumps(described, indent=2)
