"""Mutation testing of the rules: every mutant that mutmut makes meets the tests that run through it.

`python -m tests.rules.mutants` collects the tests once, then forks for each mutant, gives the function its mutated code
and runs the tests that called it, those first that killed others of its kind, until one fails. mutmut itself starts
pytest for each and takes hours. Verdicts are kept in a file; a second run asks again only for what is new or lived.
"""

import argparse
import gc
import hashlib
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import _lru_cache_wrapper
from importlib import import_module
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol
from mutmut.mutation.file_mutation import mutate_file_contents

from games.plain_rules import source_only

ROOT = Path(__file__).parents[2]
RULES = ROOT / "games" / "rules"
MEMORY_BYTES = 2 << 30
OPTIONS = (
    "-q",
    "--assert=plain",
    "--tb=native",
    "-c/dev/null",
    "--rootdir=.",
    "--import-mode=importlib",
    "--noconftest",
)
UNUSED_PLUGINS = ("cacheprovider", "django", "playwright", "schemathesis", "timeout", "xdist")
# Random examples and statistics over many deals are slow, so that a mutant must die without them; the others see more
# than the plain rules of one process.
LEFT_OUT = (
    "--ignore=tests/rules/test_properties.py",
    "--deselect=tests/rules/test_adjudicate.py::test_any_other_value_anywhere_is_found",
    "--deselect=tests/rules/test_deal.py::test_a_million_cards_fall_everywhere_alike",
    "--ignore=tests/rules/test_deal_in_browser.py",
    "--ignore=tests/rules/test_plain_and_compiled.py",
    "--ignore=tests/rules/test_build.py",
)


@dataclass(frozen=True, slots=True)
class Mutant:
    """Other code for one function of the rules; `source` tells whether a verdict is still about the same."""

    name: str
    function: FunctionType
    mutated: FunctionType
    source: str


def find_mutants(module_names: str) -> Iterator[Mutant]:
    """Every mutant of the modules that this pattern names."""
    for path in sorted(RULES.glob(f"{module_names}.py")):
        module = import_module(f"games.rules.{path.stem}")
        made = mutate_file_contents(str(path.relative_to(ROOT)), path.read_text())
        lines = made.code.splitlines()
        namespace = _execute(made.code, module)
        for name in made.mutant_names:
            span = made.line_span_by_function_name[name]
            source = "\n".join(lines[span.start - 1 : span.end])
            digest = hashlib.sha256(source.encode()).hexdigest()[:16]
            yield Mutant(f"{path.stem}.{name}", *_find_functions(name, module, namespace), digest)


def _execute(code: str, module: ModuleType) -> dict[str, Any]:
    """Run a mutated module beside the true one, for its functions only."""
    beside = ModuleType(f"{module.__name__}_mutated")
    sys.modules[beside.__name__] = beside
    exec(compile(code, str(module.__file__), "exec"), beside.__dict__)
    return beside.__dict__


def _find_functions(name: str, module: ModuleType, namespace: dict[str, Any]) -> tuple[FunctionType, FunctionType]:
    """The function of the rules and its mutant; mutmut names it x_function__mutmut_1 or xǁClassǁmethod__mutmut_1."""
    original = name.rpartition("__mutmut_")[0]
    if "ǁ" not in original:
        return getattr(module, original.removeprefix("x_")), namespace[name]
    _, owner, method = original.split("ǁ")
    found = vars(getattr(module, owner))[method], vars(namespace[owner])[name]
    true, mutated = (getattr(function, "__func__", function) for function in found)
    return true, mutated


@dataclass
class MutationRun:
    """A pytest plugin: runs the tests once to see what they call, and then again for each mutant."""

    verdicts: Path
    module_names: str
    calls: dict[CodeType, list[pytest.Item]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    kills: dict[tuple[FunctionType, str], int] = field(default_factory=dict)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        mutants = list(find_mutants(self.module_names))
        self.watch_tests(session.items, {mutant.function.__code__ for mutant in mutants})
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
        items = self.calls.get(mutant.function.__code__, [])
        kills = self.kills
        order = sorted(
            items, key=lambda item: (-kills.get((mutant.function, item.nodeid), 0), self.seconds[item.nodeid])
        )
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            run_mutant(mutant, {item: 1 + 20 * self.seconds[item.nodeid] for item in order}, writer)
        os.close(writer)
        with os.fdopen(reader) as pipe:
            killer = pipe.read()
        status = os.waitpid(child, 0)[1]
        if killer:
            kills[mutant.function, killer] = kills.get((mutant.function, killer), 0) + 1
            return "killed", killer
        return ("lived", "") if os.waitstatus_to_exitcode(status) == 0 else ("timeout", "")


def run_mutant(mutant: Mutant, limits: dict[pytest.Item, float], writer: int) -> None:
    """In a process of its own, which ends here: become the mutant, and tell the first test that fails.

    The signal of a timer ends the process where a test takes far longer than it should: such a mutant never ends.
    """
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    mutant.function.__code__ = mutant.mutated.__code__
    mutant.function.__defaults__ = mutant.mutated.__defaults__
    mutant.function.__kwdefaults__ = mutant.mutated.__kwdefaults__
    forget_results()
    for item, limit in limits.items():
        signal.setitimer(signal.ITIMER_VIRTUAL, limit)
        if run_test(item):
            os.write(writer, item.nodeid.encode())
            break
    os._exit(0)


def forget_results() -> None:
    """Empty every cache of the rules, so that nothing computed before the mutant came hides it."""
    for name, module in list(sys.modules.items()):
        if name.startswith("games.rules."):
            for value in vars(module).values():
                if isinstance(value, _lru_cache_wrapper):
                    value.cache_clear()


def run_test(item: pytest.Item) -> bool:
    """Run one test with its fixtures; whether it failed."""
    return any(report.failed for report in runtestprotocol(item, log=False, nextitem=None))


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
    parser = argparse.ArgumentParser(description="Mutation testing of the rules.")
    parser.add_argument("--verdicts", type=Path, default=ROOT / "build" / "mutants.jsonl", help="where they are kept")
    parser.add_argument("--modules", default="[a-z]*", metavar="PATTERN", help="of games/rules; all, if not given")
    arguments = parser.parse_args()
    arguments.verdicts.parent.mkdir(parents=True, exist_ok=True)
    os.chdir(ROOT)
    run = MutationRun(arguments.verdicts, arguments.modules)
    return pytest.main([*OPTIONS, *(f"-pno:{name}" for name in UNUSED_PLUGINS), *LEFT_OUT, "tests/rules"], [run])


if __name__ == "__main__":
    sys.path_hooks.insert(0, source_only)
    sys.path_importer_cache.clear()
    raise SystemExit(main())
