"""Sends one mail by the site's own settings, and says whether the server took it."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from aurum_league.common.errors import LeagueError
from aurum_league.operations.setup import send_test_mail


class Command(BaseCommand):
    help = "Send one mail by the site's settings, to see whether it arrives."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("address")

    def handle(self, *args: Any, address: str, **options: Any) -> None:
        try:
            send_test_mail(address)
        except OSError as error:
            raise LeagueError(
                "mail_not_sent", "The mail server did not take it: %(error)s.", "Look at EMAIL_URL.", error=error
            ) from error
        self.stdout.write(f"The mail to {address} was handed over. See whether it arrives.")
