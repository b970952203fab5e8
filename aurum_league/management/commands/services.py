"""Starts, stops and shows the embedded Postgres and Valkey by themselves."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from aurum_league.embedded.services import keep_services, read_status, start_services, stop_services
from aurum_league.settings.connections import read_layout, read_wanted
from aurum_league.settings.environment import read_choice


class Command(BaseCommand):
    help = "Start, stop or show the embedded Postgres and Valkey."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=("start", "stop", "status"))

    def handle(self, *args: Any, action: str, **options: Any) -> None:
        layout, wanted = read_layout(), read_wanted()
        prefer = read_choice("AURUM_EMBEDDED", "wheels", "system")
        if action == "start":
            start_services(layout, wanted, prefer)
            if wanted.postgres or wanted.valkey:
                keep_services(layout)
        elif action == "stop":
            stop_services(layout, prefer)
        ours = {"Postgres": wanted.postgres, "Valkey": wanted.valkey}
        for name, is_running in read_status(layout).items():
            state = "runs" if is_running else "is stopped"
            place = f"in {layout.services}" if ours[name] else "; its address is set, so it is not ours to run"
            self.stdout.write(f"{name} {state} {place}".replace(" ;", ";"))
