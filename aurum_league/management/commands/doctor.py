"""Checks an installation and says in sentences what is well and what is not."""

import importlib.util
import os
import shutil
import sys
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand

from aurum_league.common.errors import LeagueError
from aurum_league.embedded.binaries import find_postgres, find_valkey
from aurum_league.embedded.postgres import read_major
from aurum_league.operations.checks import READINESS, Check, examine_installation
from aurum_league.settings.connections import read_layout, read_wanted
from aurum_league.settings.environment import read_choice, read_data_folder


class Command(BaseCommand):
    help = "Check this installation and say what is well and what is not."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        failed = 0
        for check in [*_check_machine(), *(check() for check in READINESS.values()), *examine_installation()]:
            mark = "ok   " if check.passed else "WRONG" if check.is_needed else "note "
            failed += not check.passed and check.is_needed
            self.stdout.write(f"{mark} {check.sentence}")
        if failed:
            raise LeagueError("unhealthy", "%(number)s of the checks failed.", number=failed)


def _check_machine() -> Iterator[Check]:
    version = ".".join(map(str, sys.version_info[:3]))
    yield Check(sys.version_info >= (3, 11), f"Python is {version}; 3.11 or newer is needed.")
    folder = read_data_folder()
    is_writable = folder.is_dir() and os.access(folder, os.W_OK)
    yield Check(is_writable, f"The data folder {folder} {'can' if is_writable else 'cannot'} be written to.")
    yield from _check_programs()
    spec = importlib.util.find_spec("games.rules.round")
    is_compiled = bool(spec and spec.origin and not spec.origin.endswith(".py"))
    yield Check(is_compiled, f"The rules are {'compiled' if is_compiled else 'not compiled: slower'}.", is_needed=False)
    browser = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    yield Check(bool(browser), f"Chromium for the browser tests {'is' if browser else 'is not'} here.", is_needed=False)


def _check_programs() -> Iterator[Check]:
    layout, wanted, prefer = read_layout(), read_wanted(), read_choice("AURUM_EMBEDDED", "wheels", "system")
    try:
        if wanted.postgres:
            programs = find_postgres(layout, prefer, read_major(layout))
            yield Check(True, f"The embedded Postgres is version {programs.major}, from {programs.folder}.")
        if wanted.valkey:
            yield Check(True, f"The embedded Valkey is {find_valkey(layout, prefer)}.")
    except LeagueError as error:
        yield Check(False, str(error))
