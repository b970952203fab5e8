"""Every hostile bot gets the verdict that it deserves, in time, and leaves no process behind."""

import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from bots.runners.budget import MEGABYTE, Limits
from bots.runners.cores import read_queue_time
from bots.runners.launchers import Launcher
from bots.runners.process import BotProcess
from bots.runners.verdict import Answer, Verdict

HOSTILE = Path(__file__).parent / "hostile"
LIMITS = Limits(bank_cpu=3, decision_cpu=2, start_cpu=3, wall_factor=20, memory=96 * MEGABYTE)
LIMITS_FOR = {
    # On a busy machine it takes long to have used one's CPU time.
    Verdict.TIMEOUT_CPU: replace(LIMITS, bank_cpu=0.3, decision_cpu=0.1, start_cpu=0.1, wall_factor=500),
    Verdict.TIMEOUT_WALL: replace(LIMITS, decision_cpu=0.5, start_cpu=0.5, wall_factor=2),
}
GRACE = 0.1
TRIES = 3
QUESTIONS = 3
# Lets a bot do what it does unasked before the next question.
PAUSE = 0.02

VERDICTS = {
    Verdict.CRASH: """
        abort daemonise exec_shell exit_hard exit_politely fork_bomb half_line kill_everyone kill_parent missing_module
        mmap_bomb raises recursion run_shell segfault stop_itself syntax_error thread_bomb x32_call
    """,
    Verdict.MEMORY: "memory_at_once memory_blocks memory_objects",
    Verdict.TIMEOUT_CPU: "big_power spin spin_deaf spin_in_c spin_meanwhile stderr_forever",
    Verdict.TIMEOUT_WALL: "answer_late close_stdin never_read sleep sleep_in_pieces wait_for_lock wait_in_line",
    Verdict.OUTPUT: "line_too_long stdout_flood",
    Verdict.PROTOCOL: """
        answer_early answer_twice close_all close_stdout deep_json deep_object empty_line half_surrogate huge_number
        infinite_number list_answer not_a_number not_json not_utf8 nul_bytes nul_text stdout_lines string_answer
        trailing_text utf16
    """,
}
# They find nothing, or survive what they did to themselves, and answer as a good bot would.
HARMLESS = [
    "fork_quietly",
    "memory_survivor",
    "open_sockets",
    "reach_rival",
    "read_environment",
    "read_files",
    "shared_places",
    "stderr_flood",
    "watch_others",
    "write_files",
]
EXPECTED = [(name, verdict) for verdict, names in VERDICTS.items() for name in names.split()]


def find_processes_of(session: int) -> list[str]:
    """Everything in the bot's session, zombies included."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except (OSError, ValueError):
            continue
        if entry.name.isdigit() and int(fields[3]) == session:
            found.append(entry.name)
    return found


def question(folder: Path) -> dict[str, object]:
    return {
        "files": [__file__, os.path.abspath("manage.py"), os.path.abspath("pyproject.toml")],
        "folder": str(folder),
        "parent": os.getpid(),
        "machine": os.uname().machine,
    }


def ask_until_fault(bot: BotProcess, folder: Path) -> Answer:
    for _ in range(QUESTIONS):
        answer = bot.ask(question(folder))
        if answer.verdict is not Verdict.OK:
            break
        time.sleep(PAUSE)
    return answer


def test_every_fixture_has_an_expectation() -> None:
    expected = {name for name, _ in EXPECTED} | set(HARMLESS)
    assert expected == {path.stem for path in HOSTILE.glob("*.py")}
    assert len(EXPECTED) + len(HARMLESS) >= 40


def find_lateness(answer: Answer, limits: Limits) -> float:
    """Seconds past the deadline."""
    if answer.verdict is Verdict.TIMEOUT_CPU:
        return answer.cpu - limits.bank_cpu
    return answer.wall - limits.start_cpu * limits.wall_factor


@pytest.mark.parametrize(("name", "verdict"), [pytest.param(*row, id=row[0]) for row in EXPECTED])
def test_hostile_bot_gets_its_verdict(name: str, verdict: Verdict, launcher: Launcher, tmp_path: Path) -> None:
    """Within the grace at one of three tries: what the machine itself held up for longer may happen once."""
    limits = LIMITS_FOR.get(verdict, LIMITS)
    lateness: list[float] = []
    while not lateness or (min(lateness) > GRACE and len(lateness) < TRIES):
        bot = BotProcess.start(HOSTILE / f"{name}.py", limits, launcher)
        queued = read_queue_time(os.getpid()) or 0.0
        answer = ask_until_fault(bot, tmp_path)
        assert answer.verdict is verdict, (answer, bot.close())
        # Time in which the referee itself stood in the queue for a core is the machine's, not the bot's.
        lateness.append(find_lateness(answer, limits) + queued - (read_queue_time(os.getpid()) or 0.0))
    assert min(lateness) <= GRACE
    assert answer.payload is None
    assert answer.detail
    assert bot.has_ended
    assert bot.ask({}) is answer
    assert find_processes_of(bot.pid) == []


@pytest.mark.parametrize("name", HARMLESS)
def test_snooping_bot_finds_nothing(name: str, launcher: Launcher, tmp_path: Path) -> None:
    with BotProcess.start(HOSTILE / f"{name}.py", LIMITS, launcher) as bot:
        answer = bot.ask(question(tmp_path))
    assert answer.verdict is Verdict.OK, (answer, bot.close())
    assert answer.payload is not None
    assert answer.payload.get("found", []) == []
    assert find_processes_of(bot.pid) == []
    assert list(tmp_path.iterdir()) == []


def test_stderr_is_kept_up_to_its_cap(launcher: Launcher) -> None:
    bot = BotProcess.start(HOSTILE / "stderr_flood.py", LIMITS, launcher)
    assert bot.ask({}).verdict is Verdict.OK
    assert bot.close().stderr == "e" * LIMITS.stderr


def test_traceback_is_kept_for_the_author(launcher: Launcher) -> None:
    bot = BotProcess.start(HOSTILE / "raises.py", LIMITS, launcher)
    bot.ask({})
    assert "ValueError: the cards are against me" in bot.close().stderr


def test_bots_at_one_table_cannot_reach_each_other(launcher: Launcher) -> None:
    with (
        BotProcess.start(HOSTILE / "reach_rival.py", LIMITS, launcher) as rival,
        BotProcess.start(HOSTILE / "reach_rival.py", LIMITS, launcher) as bot,
    ):
        answer = bot.ask({"rival": rival.pid})
        assert answer.payload == {"found": []}
        assert rival.ask({}).verdict is Verdict.OK
