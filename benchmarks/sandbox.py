"""Measures what the sandbox of uploaded bots costs."""

import contextlib
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from aurum_league.cli.main import CommandError
from benchmarks.malicious import MALICIOUS
from benchmarks.report import Figure, Survey, at_most
from benchmarks.wasm import keep_busy, list_wasm_costs
from bots.runners.archive import unpack
from bots.runners.budget import MEGABYTE, Limits
from bots.runners.cores import read_cpu_time, read_peak_memory
from bots.runners.launchers import ColdLauncher, ForkServer, Launcher
from bots.runners.process import BotProcess
from bots.runners.selftest import probe_sandbox
from bots.runners.verdict import ArchiveError, RunnerError, Verdict

ECHO = (
    "import json\nimport sys\nfor line in sys.stdin:\n    print(json.dumps({'action': json.loads(line)['legal'][0]}))\n"
)
# About the size of a real question.
QUESTION = {"type": "decide", "legal": ["play B7", "play G3", "stop"], "view": "x" * 600}
STARTS = 40
DECISIONS = 20_000
FAIR_DECISIONS = 10_000
BUSY_LOOPS = 6
REFUSALS = 3
TABLE = 4


def measure_sandbox() -> Survey:
    """Raises CommandError on a machine that cannot hold an uploaded bot."""
    try:
        return Survey("The sandbox, medians", [*list_costs(), *list_wasm_costs(), *list_refusals()])
    except RunnerError as error:
        raise CommandError(str(error)) from None


def list_costs() -> list[Figure]:
    """Takes about a quarter of a minute, and every core while the busy loops run."""
    cold, server = ColdLauncher(), ForkServer()
    with tempfile.TemporaryDirectory(prefix="aurum-bench-") as name:
        code = Path(name) / "main.py"
        code.write_text(ECHO)
        try:
            return [
                Figure("self-test", "probes left open", len(probe_sandbox(server).open_probes), "", at_most(0)),
                Figure("self-test", "time", _time(lambda: probe_sandbox(server)), "s", at_most(2)),
                *_measure_start("cold start", code, cold, 60),
                *_measure_start("fork-server start", code, server, 5),
                Figure("decision", "over the pipe", _measure_decision(code, server), "µs", at_most(60)),
                Figure("memory of a bot", "fork server", _measure_memory(code, server), "MB", at_most(14)),
                Figure("memory of a bot", "cold", _measure_memory(code, cold), "MB", at_most(14)),
                Figure("false timeouts", f"in {FAIR_DECISIONS:,}", _count_false_timeouts(code, server), "", at_most(0)),
            ]
        finally:
            server.close()


def list_refusals() -> list[Figure]:
    return [
        Figure("malicious archive refused, CPU time", name, milliseconds, "ms", at_most(100))
        for name, milliseconds in time_refusals().items()
    ]


def _time(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def _measure_start(name: str, code: Path, launcher: Launcher, limit: float) -> list[Figure]:
    """Medians: from nothing to the first answer, and the CPU time of it, less blurred by load."""
    walls, cpus = [], []
    for _ in range(STARTS + 1):
        started = time.perf_counter()
        with BotProcess.start(code, Limits(), launcher) as bot:
            bot.ask(QUESTION)
            walls.append(time.perf_counter() - started)
            cpus.append(read_cpu_time(bot.pid) or 0.0)
    medians = {"to the first answer": statistics.median(walls[1:]), "CPU time": statistics.median(cpus[1:])}
    return [Figure(name, what, seconds * 1e3, "ms", at_most(limit)) for what, seconds in medians.items()]


def _measure_decision(code: Path, launcher: Launcher) -> float:
    """Microseconds a question and its answer take, median."""
    with BotProcess.start(code, Limits(bank_cpu=600), launcher) as bot:
        bot.ask(QUESTION)
        return statistics.median(_time(lambda: bot.ask(QUESTION)) for _ in range(DECISIONS)) * 1e6


def _measure_memory(code: Path, launcher: Launcher) -> float:
    """Megabytes resident at most, pages shared with other bots included, of the largest bot at a table."""
    with contextlib.ExitStack() as stack:
        bots = [stack.enter_context(BotProcess.start(code, Limits(), launcher)) for _ in range(TABLE)]
        for bot in bots:
            bot.ask(QUESTION)
        return max(read_peak_memory(bot.pid) for bot in bots) / MEGABYTE


def _count_false_timeouts(code: Path, launcher: Launcher) -> int:
    with keep_busy(BUSY_LOOPS), BotProcess.start(code, Limits(), launcher) as bot:
        return sum(bot.ask(QUESTION).verdict is not Verdict.OK for _ in range(FAIR_DECISIONS))


def time_refusals() -> dict[str, float]:
    """CPU milliseconds until each malicious archive is refused, the best of three; the slowest first."""
    times = {}
    with tempfile.TemporaryDirectory(prefix="aurum-bench-") as folder:
        for name, make, _ in MALICIOUS:
            upload = make()
            times[name] = min(_time_refusal(upload, Path(folder) / "bomb") for _ in range(REFUSALS))
    return dict(sorted(times.items(), key=lambda pair: -pair[1]))


def _time_refusal(upload: bytes, folder: Path) -> float:
    started = time.process_time()
    try:
        unpack(upload, folder)
    except ArchiveError:
        return (time.process_time() - started) * 1e3
    raise RuntimeError("a malicious archive was taken for a bot")
