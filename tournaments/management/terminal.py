"""A tournament in the terminal: a progress bar while it plays, and its standings."""

import time

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from aurum_league.common.errors import LeagueError
from aurum_league.common.presence import read_worker_count
from games.models import RunnerNeed
from games.play.agents import can_run_sandbox
from games.services.play import play_ready_matches
from tournaments.models import Stage, Tournament, TournamentState
from tournaments.selectors.progress import read_progress
from tournaments.selectors.standings import StandingsLine, read_standings
from tournaments.services.advance import advance_tournament
from tournaments.services.ratings import fit_due_pools

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
