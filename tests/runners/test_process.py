"""The referee with honest bots: messages of any size, clocks, and faults that are the platform's."""

import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from bots.runners.errors import LaunchError
from bots.runners.launchers import Launcher
from bots.runners.limits import MEGABYTE, Limits
from bots.runners.process import BotProcess
from bots.runners.verdict import Verdict

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


def test_missing_code_cannot_be_launched(launcher: Launcher, tmp_path: Path) -> None:
    with pytest.raises(LaunchError) as failure:
        BotProcess.start(tmp_path / "nowhere" / "main.py", Limits(), launcher)
    assert failure.value.code == "launch_failed"
