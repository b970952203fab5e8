"""What goes wrong on our side is never the bot's fault, and nothing outlives the worker."""

import contextlib
import gc
import os
import signal
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bots.runners.budget import MEGABYTE, Limits
from bots.runners.launchers import ForkServer, Launcher
from bots.runners.process import BotProcess
from bots.runners.verdict import Verdict

WriteBot = Callable[[str], Path]

ECHO = "import sys\nfor line in sys.stdin:\n    print(line, end='')\n"
DECISIONS = 1_000
BUSY_LOOPS = 6
SECONDS_TO_DIE = 60.0
WORKER = """
import sys, time
from pathlib import Path
from bots.runners.launchers import ForkServer
from bots.runners.launchers import ColdLauncher
from bots.runners.budget import Limits
from bots.runners.process import BotProcess
launcher = {"cold": ColdLauncher, "fork": ForkServer}[sys.argv[1]]()
bot = BotProcess.start(Path(sys.argv[2]), Limits(), launcher)
print(bot.pid, getattr(launcher, "server_pid", bot.pid), flush=True)
time.sleep(600)
"""


@contextlib.contextmanager
def keep_busy(loops: int, cpus: set[int]) -> Iterator[None]:
    spin = "print(flush=True)\nwhile True: pass"
    command = [sys.executable, "-I", "-S", "-c", spin]
    # Each in a session of its own, as bots are: the system may share its time among sessions, not among processes.
    spinners = [subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) for _ in range(loops)]
    try:
        for spinner in spinners:
            assert spinner.stdout is not None
            spinner.stdout.readline()
            os.sched_setaffinity(spinner.pid, cpus)
        yield
    finally:
        for spinner in spinners:
            spinner.kill()
            spinner.communicate()


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in "ZX"


def wait_until_dead(*pids: int) -> None:
    deadline = time.monotonic() + SECONDS_TO_DIE
    while any(map(is_alive, pids)):
        assert time.monotonic() < deadline, "a process outlived its worker"
        time.sleep(0.01)


def test_no_false_timeout_on_a_busy_machine(fork_server: ForkServer, write_bot: WriteBot) -> None:
    limits = Limits(bank_cpu=5, decision_cpu=0.1, wall_factor=200)
    with keep_busy(BUSY_LOOPS, os.sched_getaffinity(0)), BotProcess.start(write_bot(ECHO), limits, fork_server) as bot:
        verdicts = {bot.ask({"decision": number}).verdict for number in range(DECISIONS)}
    assert verdicts == {Verdict.OK}


def test_stopped_bot_is_not_to_blame(launcher: Launcher, write_bot: WriteBot) -> None:
    limits = Limits(start_cpu=0.05, wall_factor=4)
    with BotProcess.start(write_bot(ECHO), limits, launcher) as bot:
        os.kill(bot.pid, signal.SIGSTOP)
        assert bot.ask({}).verdict is Verdict.PLATFORM


def test_starved_bot_is_not_to_blame(fork_server: ForkServer, write_bot: WriteBot) -> None:
    """At idle priority on one CPU with spinners, the bot is ready all the time and hardly ever runs."""
    limits = Limits(start_cpu=0.2, wall_factor=2)
    cpus = {min(os.sched_getaffinity(0))}
    spins_when_asked = "import sys\nsys.stdin.readline()\nwhile True: pass"
    with BotProcess.start(write_bot(spins_when_asked), limits, fork_server) as bot, keep_busy(8, cpus):
        os.sched_setscheduler(bot.pid, os.SCHED_IDLE, os.sched_param(0))
        os.sched_setaffinity(bot.pid, cpus)
        assert bot.ask({}).verdict is Verdict.PLATFORM


def test_bot_killed_from_outside_is_not_to_blame(launcher: Launcher, write_bot: WriteBot) -> None:
    with BotProcess.start(write_bot(ECHO), Limits(), launcher) as bot:
        os.kill(bot.pid, signal.SIGKILL)
        assert bot.ask({}).verdict is Verdict.PLATFORM


def test_fork_server_is_replaced_when_it_dies(write_bot: WriteBot) -> None:
    code = write_bot(ECHO)
    server = ForkServer()
    try:
        bot = BotProcess.start(code, Limits(), server)
        first = server.server_pid
        assert first is not None
        os.kill(first, signal.SIGKILL)
        wait_until_dead(bot.pid)
        assert bot.ask({}).verdict is Verdict.PLATFORM
        with BotProcess.start(code, Limits(), server) as again:
            assert again.ask({"a": 1}).payload == {"a": 1}
            assert server.server_pid != first
    finally:
        server.close()


def test_fork_server_survives_the_death_of_its_bots(fork_server: ForkServer, write_bot: WriteBot) -> None:
    code = write_bot("import os\nos._exit(3)")
    BotProcess.start(code, Limits(), fork_server).close()
    server = fork_server.server_pid
    for _ in range(20):
        with BotProcess.start(code, Limits(), fork_server) as bot:
            assert bot.ask({}).verdict is Verdict.CRASH
    assert fork_server.server_pid == server


def test_fork_server_is_not_shared_with_a_forked_worker(fork_server: ForkServer, write_bot: WriteBot) -> None:
    code = write_bot(ECHO)
    BotProcess.start(code, Limits(), fork_server).close()
    pid = os.fork()
    if pid == 0:
        status = 1
        with contextlib.suppress(BaseException), BotProcess.start(code, Limits(), fork_server) as bot:
            status = int(bot.ask({"a": 1}).payload != {"a": 1})
        fork_server.close()
        os._exit(status)
    assert os.waitpid(pid, 0)[1] == 0
    with BotProcess.start(code, Limits(), fork_server) as bot:
        assert bot.ask({}).verdict is Verdict.OK


@pytest.mark.parametrize("kind", ["cold", "fork"])
def test_bots_die_with_their_worker(kind: str, write_bot: WriteBot) -> None:
    command = [sys.executable, "-c", WORKER, kind, str(write_bot(ECHO))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as worker:
        assert worker.stdout is not None
        pids = [int(pid) for pid in worker.stdout.readline().split()]
        assert all(map(is_alive, pids))
        worker.kill()
    wait_until_dead(*pids)


def list_fds(pid: int | None) -> list[str]:
    """The different things that a process holds open, by kind."""
    links = {read_link(fd) for fd in Path(f"/proc/{pid}/fd").iterdir()}
    return sorted(link.partition(":")[0] for link in links if link)


def read_link(fd: Path) -> str:
    try:
        return os.readlink(fd)
    except FileNotFoundError:
        return ""


def test_worker_secrets_are_not_in_the_fork_server(monkeypatch: pytest.MonkeyPatch, write_bot: WriteBot) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://secret")
    server = ForkServer()
    try:
        BotProcess.start(write_bot(ECHO), Limits(), server).close()
        assert Path(f"/proc/{server.server_pid}/environ").read_bytes() == b""
        # What it was sent for a bot is closed right after the fork, which may still be under way.
        ends_at = time.monotonic() + 30
        while (fds := list_fds(server.server_pid)) != ["/dev/null", "socket"] and time.monotonic() < ends_at:
            time.sleep(0.05)
        assert fds == ["/dev/null", "socket"]
    finally:
        server.close()


def test_referee_does_not_grow(fork_server: ForkServer, write_bot: WriteBot) -> None:
    code = write_bot("import os\nwhile True:\n    os.write(2, b'e' * 4096)\n    os.write(1, b'x' * 4096)\n")

    def play(bots: int) -> None:
        for _ in range(bots):
            with BotProcess.start(code, Limits(), fork_server) as bot:
                assert bot.ask({}).verdict in (Verdict.OUTPUT, Verdict.PROTOCOL)

    play(2)
    descriptors = len(os.listdir("/proc/self/fd"))
    tracemalloc.start()
    try:
        play(60)
        gc.collect()
        kept, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept <= MEGABYTE
    assert most <= 32 * MEGABYTE
    assert len(os.listdir("/proc/self/fd")) <= descriptors
