"""Runs a whole tournament from a file: creates it, enters its players, plays it to the end, prints the standings."""

import json
import sys
import time
import tomllib
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from aurum_league.cli.draw import take_field
from aurum_league.common.errors import LeagueError
from aurum_league.common.presence import read_worker_count
from games.models import Player, RunnerNeed
from games.play.agents import can_run_sandbox
from games.services.play import play_ready_matches
from tournaments.models import Stage, Tournament, TournamentState
from tournaments.selectors.progress import read_progress
from tournaments.selectors.standings import StandingsLine, read_standings
from tournaments.services.advance import advance_tournament
from tournaments.services.draw import draw_tournament
from tournaments.services.entries import enter_players
from tournaments.services.field import ensure_house_organiser, ensure_house_players
from tournaments.services.leagues import create_tournament, spec_from_preset
from tournaments.services.lifecycle import open_tournament
from tournaments.services.ratings import fit_due_pools
from tournaments.services.release import start_tournament

POLL_SECONDS = 0.2
SECONDS_WITHOUT_WORKER = 20.0
MOST_LINES = 40


def watch_tournament(
    tournament: Tournament, console: Console, *, plays_here: bool = False, patience: float = SECONDS_WITHOUT_WORKER
) -> Tournament:
    """Show progress until the tournament plays no longer; with `plays_here` this process does the playing.

    Without a worker for `patience` seconds it gives up.
    """
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    last_worker = time.monotonic()
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task(tournament.name, total=None)
        while tournament.state == TournamentState.PLAYING:
            if plays_here:
                play_ready_matches(needs=RunnerNeed.SANDBOX if can_run_sandbox() else RunnerNeed.HOUSE, seconds=1)
                advance_tournament(tournament_id=tournament.id)
            elif read_worker_count():
                last_worker = time.monotonic()
            elif time.monotonic() - last_worker > patience:
                raise LeagueError("no_worker", "No worker is running.", "Start one, or play here with --here.")
            progress = read_progress(tournament)
            bar.update(task, completed=progress.ended, total=progress.total)
            tournament.refresh_from_db()
            _require_no_trouble(tournament, progress.quarantined)
            if not plays_here:
                time.sleep(POLL_SECONDS)
    # A worker does this as well, but maybe after the standings are shown.
    fit_due_pools()
    return tournament


def _require_no_trouble(tournament: Tournament, quarantined: int) -> None:
    if tournament.state == TournamentState.PAUSED:
        reason = tournament.events.filter(kind="paused").order_by("-number").values_list("reason", flat=True).first()
        sentence = "%(name)s is paused. %(reason)s" if reason else "%(name)s is paused."
        raise LeagueError("paused", sentence, "Resume it on its page.", name=tournament.name, reason=reason)
    if quarantined:
        raise LeagueError(
            "quarantined",
            "%(number)s matches of %(name)s could not be played.",
            "Decide on its page: again, void or forfeit.",
            number=quarantined,
            name=tournament.name,
        )


def print_standings(stage: Stage, console: Console) -> None:
    """The table of a stage, division by division; a rating only where somebody has one."""
    lines = read_standings(stage).lines
    for division in dict.fromkeys(line.division for line in lines):
        mine = [line for line in lines if line.division == division]
        has_ratings = any(line.mu is not None for line in mine)
        table = Table(title=f"{stage.name} {division}".strip(), title_justify="left")
        for heading in ("Place", "Player", "Points", "Matches", "Wins", "Score a match"):
            table.add_column(heading, justify="left" if heading == "Player" else "right")
        if has_ratings:
            table.add_column("Rating", justify="right")
        for line in mine[:MOST_LINES]:
            table.add_row(*_cells(line), *([_rating(line)] if has_ratings else []))
        console.print(table)


def _cells(line: StandingsLine) -> list[str]:
    played = line.tally["played"]
    return [
        str(line.place),
        line.name,
        f"{line.points:.2f}",
        str(played),
        f"{line.wins:.1f}",
        f"{line.tally['total_score'] / max(played, 1):.2f}",
    ]


def _rating(line: StandingsLine) -> str:
    if line.official is not None and line.official_low is not None and line.official_high is not None:
        return f"{line.official:.0f} ({line.official_low:.0f} to {line.official_high:.0f})"
    return f"{line.mu:.1f} ± {line.sigma:.1f}" if line.mu is not None else ""


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
    house, named = take_field(given)
    players = [*ensure_house_players(house), *find_players(named)]
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
