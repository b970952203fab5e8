"""Puts finished tournaments away: signed Parquet files that are checked whole, then their logs out of the database."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from aurum_league.cli.archive_check import check_archive
from aurum_league.common.errors import LeagueError
from aurum_league.operations.database import as_owner
from tournaments.services.archive import list_due_tournaments, put_away

DAYS = 90


class Command(BaseCommand):
    help = "Write finished tournaments into signed Parquet files, check these, and free the records in the database."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--days", type=int, default=DAYS, metavar="N", help="ended at least N days ago (90)")
        parser.add_argument("--tournament", metavar="ADDRESS", help="this one only, as its page is named")
        parser.add_argument("--dry-run", action="store_true", help="only say which ones")

    def handle(
        self, *args: Any, days: int = DAYS, tournament: str | None = None, dry_run: bool = False, **options: Any
    ) -> None:
        if days < 0:
            raise LeagueError("bad_days", "--days is a number from 0.")
        with as_owner():
            due = list_due_tournaments(days)
            chosen = list(due.filter(slug=tournament) if tournament else due)
            for one in chosen:
                if dry_run:
                    self.stdout.write(f"{one.slug}: ended {one.finished_at:%Y-%m-%d}.")
                else:
                    freed = put_away(one, check_archive)
                    self.stdout.write(f"{one.slug}: {freed:,} records are in {settings.ARCHIVE_ROOT} alone.")
        if tournament and not chosen:
            raise LeagueError(
                "not_due",
                "%(name)s is no tournament that ended at least %(days)s days ago and can be archived now.",
                "Its address is the last part of its page's; --days 0 takes what has ended today.",
                name=tournament,
                days=days,
            )
        if not chosen:
            self.stdout.write("Nothing is due.")
