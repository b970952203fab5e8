"""Computes results, fixtures, standings, ratings and the chain again, and names every difference in a sentence."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.selectors.exports import read_site_head
from tournaments.services.audit import audit_all


class Command(BaseCommand):
    help = "Compute everything that counts again from seeds and logs, and name what differs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--newest", type=int, metavar="N", help="look at the newest N matches only")

    def handle(self, *args: Any, newest: int | None = None, **options: Any) -> None:
        differences = 0
        for sentence in audit_all(newest):
            differences += 1
            self.stdout.write(sentence)
        self.stdout.write(f"Head of the chain: {read_site_head()}")
        if differences:
            raise CommandError(f"{differences} differences: what is stored is not what was played.")
        self.stdout.write("Everything is as it was played.")
