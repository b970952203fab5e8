"""Computes results, fixtures, standings, ratings and the chain again, and names every difference in a sentence."""

from argparse import ArgumentParser
from collections.abc import Sequence
from itertools import chain
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.selectors.exports import read_site_head
from tournaments.services.audit import audit_all, find_lost_heads


class Command(BaseCommand):
    help = "Compute everything that counts again from seeds and logs, and name what differs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--newest", type=int, metavar="N", help="look at the newest N matches only")

        told = "a digest that was kept: of the fairness page, an archive or an event"
        parser.add_argument("--head", action="append", default=[], metavar="DIGEST", help=told)

    def handle(self, *args: Any, newest: int | None = None, head: Sequence[str] = (), **options: Any) -> None:
        if newest is not None and newest < 1:
            raise CommandError("--newest is a number from 1.")
        differences = 0
        for sentence in chain(audit_all(newest), find_lost_heads(head)):
            differences += 1
            self.stdout.write(sentence)
        self.stdout.write(f"Head of the chain: {read_site_head()}")
        if differences:
            raise CommandError(f"{differences} differences: what is stored is not what was played.")
        self.stdout.write("Everything is as it was played.")
