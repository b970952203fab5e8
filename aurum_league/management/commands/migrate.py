"""Django's migrate as the owner of the tables, which misses no migration where only names and help texts changed."""

from typing import Any

from django.core.management.commands import migrate
from django.db import transaction

from aurum_league.management.commands.makemigrations import NamelessAutodetector
from aurum_league.operations.database import as_owner, grant_site_role


class Command(migrate.Command):
    autodetector = NamelessAutodetector

    def handle(self, *args: Any, **options: Any) -> None:
        with as_owner():
            super().handle(*args, **options)
            with transaction.atomic():
                grant_site_role()
