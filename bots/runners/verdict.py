"""What the referee says of an answer, what is left of a process that has ended, and coded errors of runners."""

import os
import signal
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from aurum_league.common.errors import Sentence
from bots.runners.sandbox.libc import EXIT_MEMORY


class RunnerError(Exception):
    """`code` is for programs, the sentence for people."""

    def __init__(self, code: str, sentence: str, /, **values: object) -> None:
        self.code = code
        self.sentence = Sentence(sentence, **values)
        super().__init__(self.sentence)


class SandboxUnsafeError(RunnerError):
    """This machine cannot hold an uploaded bot, so none is started."""

    def __init__(self, reason: str) -> None:
        super().__init__("sandbox_unsafe", "Uploaded bots cannot be run here: %(reason)s", reason=reason)


class LaunchError(RunnerError):
    """The platform failed to start a bot; no fault of the bot."""

    def __init__(self, reason: str) -> None:
        super().__init__("launch_failed", "The bot could not be started: %(reason)s", reason=reason)


class ArchiveError(RunnerError):
    """The upload is not one that we take; the sentence says why."""


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
    # Nobody's fault yet: the bot only waits, and where others wait for the referee that takes too long.
    SLEEPS = "sleeps"


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
