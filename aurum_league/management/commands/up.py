"""Runs the site until Ctrl-C: embedded services, migrations, web, worker, live and beat under one supervisor."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from rich.console import Console

from aurum_league.operations.demo import make_demo_organiser, play_demo
from aurum_league.operations.setup import make_first_admin
from aurum_league.settings.connections import read_wanted
from aurum_league.settings.environment import read_number, read_text
from aurum_league.supervision.site import is_answering, run_site
from aurum_league.supervision.supervisor import NAMES


class Command(BaseCommand):
    help = "Run the site until Ctrl-C: services, migrations, web, worker, live and beat."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--only", choices=NAMES, help="run one of the programs instead of all")
        parser.add_argument("--demo", action="store_true", help="play the demo league first, if it is not there yet")
        parser.add_argument("--skip-migrations", action="store_true", help="leave the database as it is")

    def handle(self, *args: Any, only: str | None, demo: bool, skip_migrations: bool, **options: Any) -> None:
        console = Console()
        names = (only,) if only else NAMES
        try:
            with run_site(names, migrate=not skip_migrations, say=console.print) as supervisor:
                if (wanted := read_text("FIRST_ADMIN")) and "web" in names:
                    make_first_admin(wanted, settings.SITE_URL)
                if demo:
                    play_demo(console)
                    if read_wanted().postgres:
                        make_demo_organiser(console)
                if "web" in names:
                    host, port = read_text("HOST"), read_number("PORT", 1, 65535)
                    supervisor.wait(until=lambda: is_answering(host, port))
                    console.print(f"The site is on [bold]http://{host}:{port}[/bold]. Ctrl-C stops it.")
                supervisor.wait()
        except KeyboardInterrupt:
            console.print("Stopped.")
