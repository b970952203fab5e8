"""Django's migrate, which misses no migration where only names and help texts have changed."""

from django.core.management.commands import migrate

from aurum_league.management.commands.makemigrations import NamelessAutodetector


class Command(migrate.Command):
    autodetector = NamelessAutodetector
