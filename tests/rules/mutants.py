"""Mutation testing: every mutant meets the tests that run through it.

`python -m tests.rules.mutants formats` collects the tests of one target once, then forks for each mutant, lets it come
true and runs the tests that called the function, those first that killed others of its kind, until one fails. mutmut
itself starts pytest for each and takes hours. Verdicts are kept in a file; a second run asks again only for what is new
or lived.
"""

import argparse
import gc
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import _lru_cache_wrapper
from pathlib import Path
from random import Random
from types import CodeType, FrameType
from typing import cast

import pytest
from _pytest.runner import runtestprotocol
from django.db import connections
from hypothesis import HealthCheck, settings

from benchmarks.rules import source_only
from tests.rules.mutant_makers import ROOT, Mutant, find_mutants
from tests.rules.mutant_targets import TARGETS, Target

MEMORY_BYTES = 2 << 30
LONGEST_WAIT_SECONDS = 120
SAMPLE_SEED = 2026
OPTIONS = ("-q", "--assert=plain", "--tb=native", "-c/dev/null", "--rootdir=.", "--import-mode=importlib")
UNUSED_PLUGINS = ("cacheprovider", "playwright", "schemathesis", "timeout", "xdist")


@dataclass
class MutationRun:
    """A pytest plugin: runs the tests once to see what they call, and then again for each mutant."""

    target: Target
    verdicts: Path
    sample: int = 0
    named: str = ""
    calls: dict[CodeType, list[pytest.Item]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    kills: dict[tuple[frozenset[CodeType], str], int] = field(default_factory=dict)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        mutants = [mutant for mutant in find_mutants(self.target.files) if self.named in mutant.name]
        if self.sample:
            mutants = Random(SAMPLE_SEED).sample(mutants, min(self.sample, len(mutants)))
        self.watch_tests(session.items, {code for mutant in mutants for code in mutant.codes})
        known = read_verdicts(self.verdicts)
        gc.freeze()
        with self.verdicts.open("a", encoding="utf-8") as file:
            for number, mutant in enumerate(mutants, 1):
                if known.get((mutant.name, mutant.source), "lived") == "lived":
                    verdict, killer = self.judge(mutant)
                    row = {"name": mutant.name, "source": mutant.source, "verdict": verdict, "killer": killer}
                    file.write(json.dumps(row, ensure_ascii=False) + "\n")
                    file.flush()
                    print(f"{number}/{len(mutants)} {mutant.name} {verdict} {killer}", flush=True)
        summarise(mutants, read_verdicts(self.verdicts))
        return True

    def watch_tests(self, items: Iterable[pytest.Item], codes: set[CodeType]) -> None:
        """Run every test as it is: it must pass, and it is told which functions it calls."""
        for item in items:
            called: set[CodeType] = set()

            def note(frame: FrameType, event: str, argument: object, called: set[CodeType] = called) -> None:
                if frame.f_code in codes:
                    called.add(frame.f_code)

            start = time.process_time()
            sys.setprofile(note)
            failed = run_test(item)
            sys.setprofile(None)
            if failed:
                pytest.exit(f"{item.nodeid} fails without any mutant", 1)
            self.seconds[item.nodeid] = time.process_time() - start
            for code in called:
                self.calls.setdefault(code, []).append(item)

    def judge(self, mutant: Mutant) -> tuple[str, str]:
        """Whether the tests kill it, and which one did."""
        kills, codes = self.kills, mutant.codes
        items = {item.nodeid: item for code in codes for item in self.calls.get(code, [])}.values()
        order = sorted(items, key=lambda item: (-kills.get((codes, item.nodeid), 0), self.seconds[item.nodeid]))
        if self.target.uses_database:
            # No two processes may speak on one connection; the next to need one opens its own.
            connections.close_all()
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            longest = LONGEST_WAIT_SECONDS if self.target.uses_database else 0
            run_mutant(mutant, {item: 1 + 20 * self.seconds[item.nodeid] for item in order}, longest, writer)
        os.close(writer)
        with os.fdopen(reader) as pipe:
            killer = pipe.read()
        status = os.waitpid(child, 0)[1]
        if killer:
            kills[codes, killer] = kills.get((codes, killer), 0) + 1
            return "killed", killer
        return ("lived", "") if os.waitstatus_to_exitcode(status) == 0 else ("timeout", "")


def run_mutant(mutant: Mutant, limits: dict[pytest.Item, float], longest: int, writer: int) -> None:
    """In a process of its own, which ends here: become the mutant, and tell the first test that fails.

    The signal of a timer ends the process where a test takes far longer than it should: such a mutant never ends.
    One timer counts the time of computing; the other, where there is a database, also that of waiting for a lock.
    """
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    mutant.come_true()
    forget_results()
    for item, limit in limits.items():
        signal.setitimer(signal.ITIMER_VIRTUAL, limit)
        signal.alarm(longest)
        if run_test(item):
            os.write(writer, item.nodeid.encode())
            break
    os._exit(0)


def forget_results() -> None:
    """Empty every cache, so that nothing computed before the mutant came hides it."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("games.", "tournaments.", "tests.")):
            for value in vars(module).values():
                if isinstance(value, _lru_cache_wrapper):
                    value.cache_clear()


def run_test(item: pytest.Item) -> bool:
    """Run one test with its fixtures; whether it failed. Only what the whole session shares, a database, is kept."""
    following = cast(pytest.Item, item.session)
    return any(report.failed for report in runtestprotocol(item, log=False, nextitem=following))


def read_verdicts(path: Path) -> dict[tuple[str, str], str]:
    if not path.exists():
        return {}
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return {(row["name"], row["source"]): row["verdict"] for row in rows}


def summarise(mutants: list[Mutant], verdicts: dict[tuple[str, str], str]) -> None:
    told = {mutant.name: verdicts[mutant.name, mutant.source] for mutant in mutants}
    for name, verdict in told.items():
        if verdict == "lived":
            print(name)
    counts = {verdict: list(told.values()).count(verdict) for verdict in ("killed", "timeout", "lived")}
    score = 100 * (1 - counts["lived"] / max(1, len(told)))
    print(f"{len(told)} mutants: {counts}; {score:.1f} % killed, those that never end included")


def main() -> int:
    parser = argparse.ArgumentParser(description="Mutation testing.")
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--verdicts", type=Path, help="where they are kept; build/mutants-TARGET.jsonl, if not given")
    parser.add_argument("--sample", type=int, default=0, help="so many by chance, always the same; all, if not given")
    parser.add_argument("--named", default="", help="only those with this in their name")
    arguments = parser.parse_args()
    verdicts = arguments.verdicts or ROOT / "build" / f"mutants-{arguments.target}.jsonl"
    verdicts.parent.mkdir(parents=True, exist_ok=True)
    os.chdir(ROOT)
    target = TARGETS[arguments.target]
    if target.is_compiled:
        sys.path_hooks.insert(0, source_only)
        sys.path_importer_cache.clear()
    # Watched, or as a mutant, a test may be slow; and it must say the same of a mutant each time.
    settings.register_profile(
        "mutants", deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
    )
    settings.load_profile("mutants")
    run = MutationRun(target, verdicts, arguments.sample, arguments.named)
    return pytest.main([*OPTIONS, *(f"-pno:{name}" for name in UNUSED_PLUGINS), *target.list_options()], [run])


if __name__ == "__main__":
    raise SystemExit(main())
