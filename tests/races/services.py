"""The services that write, found by looking, and running two of them at the same moment."""

import importlib
import inspect
import pkgutil
import sys
import threading
from collections.abc import Callable
from functools import partial
from types import CodeType, FrameType
from typing import Any

from django.db import connection

from aurum_league.common.errors import LeagueError

APPS = ("games", "bots", "tournaments")
READS_ONLY = frozenset(
    {
        "bots.opinion.form_opinion",
        "bots.opinion.give_hint",
        "bots.opinion.read_judgement",
        "bots.proof.ask_proof",
        "bots.proof.form_proof",
        "bots.proof.read_proof",
        "bots.versions.find_sandbox_refusal",
        "bots.versions.require_sandbox",
        "games.create.new_seed",
        "games.create.offer_ticket",
        "tournaments.audit.audit_ratings",
        "tournaments.leagues.plan_next_season",
        "tournaments.rebuild.audit_pool",
        "tournaments.rebuild.preview_without",
    }
)
"""Called like services, yet they write nothing, or only what is kept to be quick."""

OF_THE_MACHINE = frozenset({"bots.qualify.check_versions", "bots.qualify.qualify_waiting_versions"})
"""They run sandboxed processes for seconds (tests/bots claims by two)."""

Job = Callable[[], object]


def call(service: Callable[..., object], **given: object) -> Job:
    return partial(service, **given)


def list_services() -> dict[str, CodeType]:
    """Public functions that take nothing by position: by the house's rule, each is one thing that happens."""
    found = {}
    for app in APPS:
        package = importlib.import_module(f"{app}.services")
        for entry in pkgutil.iter_modules(package.__path__):
            module = importlib.import_module(f"{app}.services.{entry.name}")
            for name, function in inspect.getmembers(module, inspect.isfunction):
                if function.__module__ == module.__name__ and not name.startswith("_") and _is_service(function):
                    found[f"{app}.{entry.name}.{name}"] = inspect.unwrap(function).__code__
    return {name: code for name, code in found.items() if name not in READS_ONLY | OF_THE_MACHINE}


def _is_service(function: Callable[..., Any]) -> bool:
    kinds = {parameter.kind for parameter in inspect.signature(function).parameters.values()}
    return kinds <= {inspect.Parameter.KEYWORD_ONLY}


class Racers:
    """Runs jobs at the same moment, each on a connection of its own; keeps which functions were entered."""

    def __init__(self, watched: frozenset[CodeType] = frozenset()) -> None:
        self.watched = watched
        self.entered: set[CodeType] = set()

    def run(self, *jobs: Job) -> list[str]:
        """The codes of those that were refused; whatever else one of them raises is raised."""
        refused: list[str] = []
        broken: list[BaseException] = []
        ready = threading.Barrier(len(jobs))

        def work(job: Job) -> None:
            if self.watched:
                sys.setprofile(self._note)
            try:
                ready.wait()
                job()
            except LeagueError as error:
                refused.append(error.code)
            except Exception as error:
                broken.append(error)
            finally:
                sys.setprofile(None)
                connection.close()

        threads = [threading.Thread(target=work, args=(job,)) for job in jobs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if broken:
            raise broken[0]
        return refused

    def _note(self, frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code in self.watched:
            self.entered.add(frame.f_code)


def run_at_once(*jobs: Job) -> list[str]:
    return Racers().run(*jobs)
