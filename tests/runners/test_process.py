"""The referee with honest bots: messages of any size, clocks, and faults that are the platform's."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from bots.runners.budget import MEGABYTE, Limits, WallBank
from bots.runners.cores import read_queue_time
from bots.runners.launchers import Launcher
from bots.runners.process import BotProcess
from bots.runners.verdict import Answer, LaunchError, Verdict

WriteBot = Callable[[str], Path]

ECHO = """
    import sys
    for line in sys.stdin:
        print(line, end="")
"""
COUNT = """
    import json, sys
    told = 0
    for line in sys.stdin:
        message = json.loads(line)
        if "tell" in message:
            told += 1
        else:
            print(json.dumps({"told": told, "size": len(line)}))
"""
BUSY = """
    import json, sys, time
    for line in sys.stdin:
        end = time.process_time() + json.loads(line)["cpu"]
        while time.process_time() < end:
            pass
        print("{}")
"""


def wait_in_queue(until: float) -> None:
    """Be ready to run on a core that another keeps busy, until so many seconds were spent waiting for it."""
    all_cores = os.sched_getaffinity(0)
    core = {min(all_cores)}
    with subprocess.Popen([sys.executable, "-I", "-S", "-c", "while True: pass"]) as rival:
        os.sched_setaffinity(rival.pid, core)
        os.sched_setaffinity(0, core)
        try:
            while (read_queue_time("thread-self") or 0.0) < until:
                pass
        finally:
            os.sched_setaffinity(0, all_cores)
            rival.kill()


def test_messages_larger_than_a_pipe_arrive_whole(launcher: Launcher, write_bot: WriteBot) -> None:
    with BotProcess.start(write_bot(COUNT), Limits(), launcher) as bot:
        answer = bot.ask({"text": "x" * 900_000})
    assert answer.payload == {"told": 0, "size": 900_000 + len('{"text":""}\n')}


def test_told_messages_are_read_in_order_before_the_question(launcher: Launcher, write_bot: WriteBot) -> None:
    with BotProcess.start(write_bot(COUNT), Limits(), launcher) as bot:
        for _ in range(300):
            bot.tell({"tell": "x" * 1_000})
        answer = bot.ask({})
    assert answer.payload == {"told": 300, "size": 3}


def test_bot_that_leaves_everything_unread_is_ended(launcher: Launcher, write_bot: WriteBot) -> None:
    bot = BotProcess.start(write_bot("import time\ntime.sleep(600)"), Limits(), launcher)
    for _ in range(20):
        bot.tell({"tell": "x" * 100_000})
    assert bot.has_ended
    assert bot.ask({}).verdict is Verdict.PROTOCOL


def test_standard_library_and_own_modules_can_be_imported(launcher: Launcher, write_bot: WriteBot) -> None:
    folder = write_bot("""
        import array, bisect, collections, dataclasses, enum, functools, hashlib, heapq, itertools, json, math, random
        import statistics, struct, typing, zlib
        from bots.core import name
        from pathlib import Path
        weights = Path(__file__).with_name("weights.txt").read_text()
        input()
        print(json.dumps({"name": name, "weights": weights, "hash": hashlib.sha256(b"").hexdigest()[:4]}))
    """)
    (folder / "bots").mkdir()
    (folder / "bots" / "core.py").write_text("name = 'mine'")
    (folder / "weights.txt").write_text("0.5")
    with BotProcess.start(folder, Limits(), launcher) as bot:
        answer = bot.ask({})
        assert answer.payload == {"name": "mine", "weights": "0.5", "hash": "e3b0"}, bot.close()


def test_two_bots_draw_different_random_numbers(launcher: Launcher, write_bot: WriteBot) -> None:
    code = write_bot("import random\ninput()\nprint('{\"draw\": %d}' % random.getrandbits(60))")
    draws = []
    for _ in range(2):
        with BotProcess.start(code, Limits(), launcher) as bot:
            draws.append(bot.ask({}).payload)
    assert draws[0] != draws[1]


def test_cpu_is_charged_to_the_bank(launcher: Launcher, write_bot: WriteBot) -> None:
    limits = Limits(bank_cpu=0.6, decision_cpu=0.5, wall_factor=20)
    with BotProcess.start(write_bot(BUSY), limits, launcher) as bot:
        assert bot.ask({"cpu": 0.3}).verdict is Verdict.OK
        assert bot.bank_left == limits.bank_cpu
        answer = bot.ask({"cpu": 0.2})
        assert answer.verdict is Verdict.OK
        assert 0.2 <= answer.cpu < limits.decision_cpu
        assert bot.bank_left == pytest.approx(limits.bank_cpu - answer.cpu)
        assert bot.ask({"cpu": 0.45}).verdict is Verdict.TIMEOUT_CPU
    assert bot.close().cpu >= 0.8


def test_sleep_is_charged_to_the_bank_of_wall_time(launcher: Launcher, write_bot: WriteBot) -> None:
    """Each answer is within its own limit; together they hold the table too long."""
    limits = Limits(bank_wall=1.0)
    sleeper = "import sys, time\nfor line in sys.stdin:\n    time.sleep(0.4)\n    print('{}')"
    answers: list[Answer] = []
    with BotProcess.start(write_bot(sleeper), limits, launcher) as bot:
        while not answers or answers[-1].verdict is Verdict.OK:
            answers.append(bot.ask({}))
    assert answers[-1].verdict is Verdict.TIMEOUT_WALL
    assert "on the wall" in answers[-1].detail
    assert bot.wall_left == 0
    assert len(answers) >= 2
    # Whatever the machine held up may be added, and was not charged.
    assert sum(answer.wall for answer in answers) >= limits.bank_wall


def test_whoever_waits_for_a_core_is_no_sleeper(launcher: Launcher, write_bot: WriteBot) -> None:
    """Within one answer too, where the queue is longer than all of the patience."""
    with BotProcess.start(write_bot(BUSY), Limits(patience=0.2), launcher) as bot, ExitStack() as rivals:
        for core in os.sched_getaffinity(bot.pid):
            rival = rivals.enter_context(subprocess.Popen([sys.executable, "-I", "-S", "-c", "while True: pass"]))
            rivals.callback(rival.kill)
            os.sched_setaffinity(rival.pid, {core})
        before = read_queue_time(bot.pid)
        answer = bot.ask({"cpu": 1.0})
        assert answer.verdict is Verdict.OK
        waited = (read_queue_time(bot.pid) or 0.0) - (before or 0.0)
        assert waited > 0.2 and bot.slept < 0.2


def test_time_in_the_queue_is_given_back(launcher: Launcher, write_bot: WriteBot) -> None:
    with BotProcess.start(write_bot(BUSY), Limits(), launcher) as bot:
        bank = WallBank(bot.pid, 5.0)
        bank.charge(4.0)
        assert bank.allow(1.0) == 1.0
        before = read_queue_time("thread-self")
        assert before is not None
        wait_in_queue(before + 0.05)
        assert 1.05 <= bank.allow(5.0) < 5.0
        bank.charge(9.0)
        assert bank.left == 0


def test_exit_tells_what_the_bot_used_and_said(launcher: Launcher, write_bot: WriteBot) -> None:
    code = write_bot("""
        import sys
        block = b"x" * (1 << 25)
        print(input(), file=sys.stderr)
        print("{}")
        input()
    """)
    bot = BotProcess.start(code, Limits(), launcher)
    assert bot.ask({"last": "words"}).verdict is Verdict.OK
    end = bot.close()
    assert end.stderr == '{"last":"words"}\n'
    assert 32 * MEGABYTE < end.peak_memory < 64 * MEGABYTE
    assert end.status == signal.SIGKILL
    assert bot.close() is end


def test_stderr_without_a_last_newline_is_kept(launcher: Launcher, write_bot: WriteBot) -> None:
    code = write_bot("""
        import os, sys
        sys.stderr.write("half a line")
        input()
        print("{}")
        sys.stderr.write(", and more")
        if "leave" in input():
            sys.exit("because")
        while True:
            pass
    """)
    for last, words in (("leave", "half a line, and morebecause\n"), ("stay", "half a line, and more")):
        bot = BotProcess.start(code, Limits(start_cpu=0.3, decision_cpu=0.2, wall_factor=100), launcher)
        assert bot.ask({}).verdict is Verdict.OK
        assert bot.ask({"last": last}).verdict in (Verdict.CRASH, Verdict.TIMEOUT_CPU)
        assert bot.close().stderr == words


def test_missing_code_cannot_be_launched(launcher: Launcher, tmp_path: Path) -> None:
    with pytest.raises(LaunchError) as failure:
        BotProcess.start(tmp_path / "nowhere" / "main.py", Limits(), launcher)
    assert failure.value.code == "launch_failed"
