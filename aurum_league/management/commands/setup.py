"""Sets a public site up: asks five questions, writes .env, checks what can be checked, says what is left to do."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from aurum_league.common.errors import LeagueError
from aurum_league.operations.setup import (
    SIZES,
    Answers,
    check_answers,
    check_surroundings,
    make_variables,
    write_environment,
)
from aurum_league.settings.environment import CHECKOUT

QUESTIONS = {
    "address": ("The address people will type", "https://aurum.example.org"),
    "admin": ("The administrator's name", "admin"),
    "email": ("The administrator's e-mail", ""),
    "mail": ("The server that sends mail, as smtp+tls://user:password@host:587 (empty: none yet)", ""),
    "size": (f"The size of the machine: {', '.join(SIZES)}", "small"),
}


class Command(BaseCommand):
    help = "Set a public site up: five questions, .env with its keys, checks, and what is left to do."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        for name, (question, _) in QUESTIONS.items():
            parser.add_argument(f"--{name}", help=f"{question}; asked for if it is not given")
        parser.add_argument("--file", type=Path, default=CHECKOUT / ".env", help="where the variables go")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        answers = Answers(**{name: self._ask(name, options[name]) for name in QUESTIONS})
        check_answers(answers)
        try:
            kept = write_environment(file, CHECKOUT / ".env.example", make_variables(answers))
        except OSError as error:
            sentence, mend = "%(file)s cannot be written: %(error)s.", "Name a file in a folder that is there."
            raise LeagueError("no_file", sentence, mend, file=file, error=error.strerror) from None
        self.stdout.write(f"ok    {file} is written, for your eyes alone.")
        if kept:
            self.stdout.write(f"note  It was there already; these stay as they were: {', '.join(kept)}.")
        for check in check_surroundings(answers):
            mark = "ok   " if check.passed else "WRONG" if check.is_needed else "note "
            self.stdout.write(f"{mark} {check.sentence}")
        self.stdout.write(
            "\nWhat is left:\n"
            "  1. Put right what is marked WRONG, and run this again: nothing that stands is replaced.\n"
            "  2. deploy/pin-images   (asks for the digest of every image, so that the same bytes come again)\n"
            "  3. docker compose up -d   (ports 80 and 443 must reach this machine)\n"
            f"  4. {answers.email} gets a link to choose the administrator's password.\n"
            "  5. docker compose exec web python manage.py doctor\n"
            "  6. Keep a copy of .env: a backup of the database is of no use without its keys."
        )

    def _ask(self, name: str, given: str | None) -> str:
        if given is not None:
            return given.strip()
        question, default = QUESTIONS[name]
        try:
            return input(f"{question}{f' [{default}]' if default else ''}: ").strip() or default
        except EOFError:
            sentence, mend = "Nobody answers: %(question)s?", "Without a terminal give it as --%(name)s."
            raise LeagueError("no_answer", sentence, mend, question=question, name=name) from None
