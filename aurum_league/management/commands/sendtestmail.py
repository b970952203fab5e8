"""Sends one mail by the site's own settings, and says whether the server took it."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand
from django.core.validators import validate_email

from aurum_league.common.errors import LeagueError
from aurum_league.operations.setup import send_test_mail


class Command(BaseCommand):
    help = "Send one mail by the site's settings, to see whether it arrives."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("address")

    def handle(self, *args: Any, address: str, **options: Any) -> None:
        try:
            validate_email(address)
            send_test_mail(address)
        except ValidationError:
            sentence, mend = "%(address)s is no e-mail address.", "One looks like me@example.org."
            raise LeagueError("bad_address", sentence, mend, address=address) from None
        except OSError as error:
            raise LeagueError(
                "mail_not_sent", "The mail server did not take it: %(error)s.", "Look at EMAIL_URL.", error=error
            ) from error
        if not settings.EMAIL_BACKEND.endswith("smtp.EmailBackend"):
            self.stdout.write("Without EMAIL_URL the mail is only printed here, and sent to nobody.")
            return
        self.stdout.write(f"The mail to {address} was handed over. See whether it arrives.")
