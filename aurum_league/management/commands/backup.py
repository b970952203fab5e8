"""Writes the database into one file, while the site runs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.db import connection

from aurum_league.operations.database import as_owner, make_backup


class Command(BaseCommand):
    help = "Write the database into a new file; sessions are left out."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        with as_owner():
            make_backup(connection.settings_dict, file)
        self.stdout.write(f"The database is in {file}, {file.stat().st_size:,} bytes.")
