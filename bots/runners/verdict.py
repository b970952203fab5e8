"""What the referee says of an answer, and what is left of a bot process that has ended."""

import os
import signal
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from bots.runners.sandbox.exits import EXIT_MEMORY


class Verdict(StrEnum):
    OK = "ok"
    # Given by the caller, who knows which actions were legal; the referee never says it.
    ILLEGAL = "illegal"
    TIMEOUT_CPU = "timeout_cpu"
    TIMEOUT_WALL = "timeout_wall"
    # A module's: the same on every machine.
    FUEL = "fuel"
    CRASH = "crash"
    PROTOCOL = "protocol"
    OUTPUT = "output"
    MEMORY = "memory"
    PLATFORM = "platform"


@dataclass(frozen=True)
class Answer:
    """`payload` is there only with the verdict ok.

    Else `detail` is a sentence for the bot's author, and `written` the beginning of what came instead of an answer.
    """

    verdict: Verdict
    payload: dict[str, Any] | None
    cpu: float
    wall: float
    detail: str = ""
    written: str = ""


@dataclass(frozen=True)
class Exit:
    """`status` is as of wait(2), None where it was lost with the fork server; so may the figures be."""

    status: int | None
    stderr: str
    peak_memory: int
    cpu: float


class Fault(Exception):
    """Why a bot process is being ended: the verdict, and the sentence for its author."""

    def __init__(self, verdict: Verdict, detail: str) -> None:
        super().__init__(detail)
        self.verdict = verdict
        self.detail = detail


def judge_status(status: int | None, cpu: float, cpu_seconds: int) -> Fault:
    """The fault of a process that ended by itself; `status` as of wait(2), None where it was lost."""
    if status is None:
        return Fault(Verdict.PLATFORM, "The fork server died, and the bot with it.")
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number == signal.SIGXCPU or (number == signal.SIGKILL and cpu >= cpu_seconds):
            return Fault(Verdict.TIMEOUT_CPU, "The process used more CPU time than a whole match allows.")
        if number == signal.SIGKILL:
            # A confined bot cannot send it, so this was the kernel short of memory, or somebody on the machine.
            return Fault(Verdict.PLATFORM, "The process was killed from outside.")
        return Fault(Verdict.CRASH, f"The process was ended by {signal.Signals(number).name}.")
    if os.WEXITSTATUS(status) == EXIT_MEMORY:
        return Fault(Verdict.MEMORY, "The bot ran out of memory.")
    return Fault(Verdict.CRASH, f"The process ended with status {os.WEXITSTATUS(status)} before it answered.")
