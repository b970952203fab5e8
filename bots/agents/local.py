"""A program of the author's own machine as a bot: JSON lines over its stdin and stdout, without a sandbox."""

import json
import os
import select
import shlex
import shutil
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, Any

from bots.contract import (
    ContractError,
    Message,
    TimeLeft,
    make_decide,
    make_happened,
    make_hello,
    make_match_end,
    make_match_start,
    read_action,
)
from bots.runners.verdict import Verdict
from games.play.agents import AgentFault, PlatformFault, SeatOrder
from games.rules.view import View

FAREWELL_SECONDS = 1.0
DECISION_SECONDS = 10.0
"""As long as a connected bot's program may be silent at the author's own desk before it fails a decision."""
LONGEST_LINE = 64 * 1024


class NoAnswer(Exception):
    """The program gave none that can be read; the verdict says of which kind."""

    def __init__(self, verdict: Verdict, detail: str, written: str = "") -> None:
        super().__init__(detail)
        self.verdict = verdict
        self.written = written


def split_command(text: str) -> list[str]:
    """A command line as a shell takes it apart; ValueError where it names no program of this machine."""
    command = shlex.split(text)
    if not command:
        raise ValueError("an empty command")
    if shutil.which(command[0]) is None:
        raise ValueError(f"{command[0]} is no program that can be run here")
    return command


class LocalBot:
    """One process of the bot, for one seat in one match; its stderr goes to the terminal."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._read = b""

    def tell(self, message: Message) -> None:
        """A bot that has ended misses nothing here; its next question tells."""
        stdin: IO[bytes] | None = self._process.stdin
        assert stdin is not None
        with suppress(BrokenPipeError):
            stdin.write(json.dumps(message, ensure_ascii=False).encode() + b"\n")
            stdin.flush()

    def ask(self, message: Message, seconds: float | None = None) -> dict[str, Any]:
        """The object it answers with, within so many seconds; raises NoAnswer where it gives none."""
        self.tell(message)
        line = self._read_line(seconds)
        try:
            payload = json.loads(line)
        except ValueError:
            payload = None
        if not isinstance(payload, dict):
            raise NoAnswer(Verdict.PROTOCOL, "The answer is no JSON object.", line[:2000].decode(errors="replace"))
        return payload

    def _read_line(self, seconds: float | None) -> bytes:
        assert self._process.stdout is not None
        stdout = self._process.stdout.fileno()
        until = None if seconds is None else time.monotonic() + seconds
        while b"\n" not in self._read[: LONGEST_LINE + 1]:
            if len(self._read) > LONGEST_LINE:
                raise NoAnswer(Verdict.OUTPUT, f"A line of more than {LONGEST_LINE} bytes.")
            left = None if until is None else max(0.0, until - time.monotonic())
            if not select.select([stdout], [], [], left)[0]:
                raise NoAnswer(Verdict.TIMEOUT_WALL, f"No answer within {seconds:g} s.")
            piece = os.read(stdout, LONGEST_LINE)
            if not piece:
                code = self._process.wait()
                raise NoAnswer(Verdict.CRASH, f"The program ended with code {code}.")
            self._read += piece
        line, _, self._read = self._read.partition(b"\n")
        return line

    def dismiss(self, message: Message) -> None:
        """Its last message; it has a moment to go by itself."""
        self.tell(message)
        with suppress(subprocess.TimeoutExpired):
            self._process.communicate(timeout=FAREWELL_SECONDS)
        self.close()

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


class CommandAgent:
    """A program as a seat's agent: a fault ends the process, and the next decision is asked of a new one.

    `wall` holds the seconds of every decision.
    """

    def __init__(self, order: SeatOrder, command: Sequence[str], seconds: float = DECISION_SECONDS) -> None:
        self.wall: list[float] = []
        self._order = order
        self._command = command
        self._seconds = seconds
        self._told = 0
        self._bot: LocalBot | None = None

    def choose(self, view: View) -> int:
        """Raises AgentFault with the exact exchange, or PlatformFault where the command cannot be run at all."""
        bot = self._bot or self._start()
        if view.log_end > self._told:
            bot.tell(make_happened(self._order.match, view, self._told))
            self._told = view.log_end
        question = make_decide(self._order.match, view, TimeLeft(self._seconds, self._seconds))
        begun = time.monotonic()
        try:
            payload = bot.ask(question, self._seconds)
        except NoAnswer as error:
            raise self._fault(bot, error.verdict, str(error), question, error.written) from None
        finally:
            self.wall.append(time.monotonic() - begun)
        try:
            return read_action(payload, view)
        except ContractError as error:
            answered = json.dumps(payload, ensure_ascii=False)
            raise self._fault(bot, Verdict(error.verdict), str(error), question, answered) from None

    def end(self, view: View, forfeits: list[int]) -> None:
        if self._bot is not None:
            self._bot.tell(make_happened(self._order.match, view, self._told))
            self._bot.dismiss(make_match_end(self._order.match, self._order.seat, view.result, forfeits))
            self._bot = None

    def close(self) -> None:
        if self._bot is not None:
            self._bot.close()
            self._bot = None

    def _start(self) -> LocalBot:
        order = self._order
        try:
            bot = self._bot = LocalBot(self._command)
        except OSError as error:
            raise PlatformFault(f"{self._command[0]}: {error.strerror}.") from None
        names = order.seat_names
        bot.tell(make_hello(names[order.seat], clock="wall"))
        bot.tell(
            make_match_start(
                match=order.match, ruleset=order.ruleset, seat=order.seat, names=names, chance=order.bot_seed
            )
        )
        self._told = 0
        return bot

    def _fault(
        self, bot: LocalBot, verdict: Verdict, detail: str, question: Message, answered: str
    ) -> AgentFault:
        bot.close()
        self._bot = None
        asked = json.dumps(question, ensure_ascii=False, separators=(",", ":"))
        return AgentFault(verdict.value, detail, asked, answered, "")
