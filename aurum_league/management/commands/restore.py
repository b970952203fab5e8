"""Fills an empty database from a backup."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.db import connection

from aurum_league.operations.database import as_owner, grant_site_role, restore_backup


class Command(BaseCommand):
    help = "Fill an empty database from a file that backup wrote."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        with as_owner():
            restore_backup(connection.settings_dict, file)
            grant_site_role()
        self.stdout.write("The database is as it was. Apply newer migrations, if any: manage.py migrate")
