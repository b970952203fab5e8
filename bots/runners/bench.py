"""What the sandbox costs, measured: `python -m bots.runners.bench`."""

import contextlib
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bots.runners.archive import unpack
from bots.runners.clocks import read_cpu_time, read_peak_memory
from bots.runners.errors import ArchiveError
from bots.runners.fork_server import ForkServer
from bots.runners.launchers import ColdLauncher, Launcher
from bots.runners.limits import MEGABYTE, Limits
from bots.runners.malicious import MALICIOUS
from bots.runners.process import BotProcess
from bots.runners.selftest import probe_sandbox
from bots.runners.verdict import Verdict

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


@dataclass(frozen=True)
class BenchRow:
    """`goal` is an upper bound, in the same unit."""

    name: str
    value: float
    unit: str
    goal: float


def _time(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def _measure_start(code: Path, launcher: Launcher) -> tuple[float, float]:
    """Medians in milliseconds: from nothing to the first answer, and the CPU time of it, less blurred by load."""
    walls, cpus = [], []
    for _ in range(STARTS + 1):
        started = time.perf_counter()
        with BotProcess.start(code, Limits(), launcher) as bot:
            bot.ask(QUESTION)
            walls.append(time.perf_counter() - started)
            cpus.append(read_cpu_time(bot.pid) or 0.0)
    return statistics.median(walls[1:]) * 1e3, statistics.median(cpus[1:]) * 1e3


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


@contextlib.contextmanager
def _keep_busy() -> Iterator[None]:
    loops = [subprocess.Popen([sys.executable, "-I", "-S", "-c", "while True: pass"]) for _ in range(BUSY_LOOPS)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def _count_false_timeouts(code: Path, launcher: Launcher) -> int:
    with _keep_busy(), BotProcess.start(code, Limits(), launcher) as bot:
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


def bench_sandbox() -> list[BenchRow]:
    """Takes about a quarter of a minute, and every core while the busy loops run."""
    cold, server = ColdLauncher(), ForkServer()
    with tempfile.TemporaryDirectory(prefix="aurum-bench-") as name:
        code = Path(name) / "main.py"
        code.write_text(ECHO)
        try:
            cold_wall, cold_cpu = _measure_start(code, cold)
            fork_wall, fork_cpu = _measure_start(code, server)
            rows = [
                BenchRow("probes left open", len(probe_sandbox(server).open_probes), "", 0),
                BenchRow("self-test", _time(lambda: probe_sandbox(server)), "s", 2),
                BenchRow("cold start to first answer", cold_wall, "ms", 60),
                BenchRow("cold start, CPU time", cold_cpu, "ms", 60),
                BenchRow("fork-server start to first answer", fork_wall, "ms", 15),
                BenchRow("fork-server start, CPU time", fork_cpu, "ms", 15),
                BenchRow("decision over the pipe", _measure_decision(code, server), "µs", 60),
                BenchRow("memory of a bot", _measure_memory(code, server), "MB", 14),
                BenchRow("memory of a bot, cold", _measure_memory(code, cold), "MB", 14),
                BenchRow(f"slowest of {len(MALICIOUS)} archives refused", max(time_refusals().values()), "ms", 100),
                BenchRow(f"false timeouts in {FAIR_DECISIONS:,}", _count_false_timeouts(code, server), "", 0),
            ]
        finally:
            server.close()
    return rows


def main() -> None:
    for row in bench_sandbox():
        print(f"{row.name:36} {row.value:9.1f} {row.unit:3} goal ≤ {row.goal:g}")
    print("\nCPU time until refused, each malicious archive:")
    for name, milliseconds in time_refusals().items():
        print(f"{name:36} {milliseconds:9.2f} ms")


if __name__ == "__main__":
    main()
