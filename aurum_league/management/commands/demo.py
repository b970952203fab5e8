"""Plays the demo league with real workers, shows its standings, stops everything and ends."""

from typing import Any

from django.core.management.base import BaseCommand
from rich.console import Console

from aurum_league.common.errors import LeagueError
from aurum_league.operations.demo import play_demo
from aurum_league.supervision.site import run_site


class Command(BaseCommand):
    help = "Play the demo league with real workers, show the standings and stop."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        console = Console()
        try:
            with run_site(("worker", "live", "patient", "beat"), say=console.print):
                play_demo(console)
                console.print("Stopping the workers and the servers.")
        except KeyboardInterrupt:
            raise LeagueError("interrupted", "The demo was stopped before its end.") from None
