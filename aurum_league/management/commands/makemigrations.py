"""Django's makemigrations, which makes none for names and help texts."""

from django.core.management.commands import makemigrations

from aurum_league.operations.migrations import NamelessAutodetector


class Command(makemigrations.Command):
    autodetector = NamelessAutodetector
