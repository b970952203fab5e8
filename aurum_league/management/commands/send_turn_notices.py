"""Writes to everybody whose table gives them hours or days and waits for them."""

from typing import Any

from django.core.management.base import BaseCommand

from games.services.notices import send_turn_notices


class Command(BaseCommand):
    help = "Send an e-mail to people whose turn it is at slow tables; nobody is told twice about one decision."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{send_turn_notices()} notices sent.")
