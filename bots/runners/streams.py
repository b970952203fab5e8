"""The three pipes of a bot process, capped and non-blocking, and a line read as JSON whatever it holds."""

import json
import math
import os
import select
from typing import Any

from bots.runners.budget import Budget, Limits
from bots.runners.launchers import Child
from bots.runners.sandbox.libc import READY
from bots.runners.verdict import Fault, Verdict

# Enough to see what went wrong; the largest line would fill a page.
MOST_SHOWN = 2_000


class MalformedAnswerError(ValueError):
    """The sentence says what is wrong with the line."""


def _refuse_constant(name: str) -> float:
    raise MalformedAnswerError(f"{name} is not JSON.")


def _parse_finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise MalformedAnswerError("A number is too large.")
    return number


_decoder = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_parse_finite)


def _check_text(payload: dict[str, Any]) -> None:
    """Escapes can name what neither UTF-8 nor the database can hold."""
    try:
        text = json.dumps(payload, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise MalformedAnswerError("A string holds half of a surrogate pair.") from error
    if b"\\u0000" in text:
        raise MalformedAnswerError("A string holds the character NUL.")


def show_text(text: str) -> str:
    """A bot's words for a page or a terminal: whatever is no visible character, a newline apart, as an escape."""
    return "".join(mark if mark.isprintable() or mark == "\n" else ascii(mark)[1:-1] for mark in text)


def show_bytes(written: bytes) -> str:
    """Any bytes as text that a database and a page can hold: what is no UTF-8 and no visible character as an escape."""
    shown = show_text(written[:MOST_SHOWN].decode(errors="backslashreplace"))
    left = len(written) - MOST_SHOWN
    return f"{shown} […] ({left:,} bytes more)" if left > 0 else shown


def parse_answer(line: bytes) -> dict[str, Any]:
    """Raises MalformedAnswerError, and nothing else."""
    try:
        payload = _decoder.decode(line.decode())
    except MalformedAnswerError:
        raise
    except UnicodeDecodeError as error:
        raise MalformedAnswerError("The line is not UTF-8.") from error
    except RecursionError as error:
        raise MalformedAnswerError("The line is nested too deeply.") from error
    except ValueError as error:
        raise MalformedAnswerError(f"The line is not JSON: {error}.") from error
    if not isinstance(payload, dict):
        raise MalformedAnswerError("The line is not a JSON object.")
    if b"\\u" in line:
        _check_text(payload)
    return payload


READ_SIZE = 65_536
# As much as a pipe can still hold once its writer is dead.
LAST_READS = 4


def _decode(said: bytearray) -> str:
    return said.decode(errors="replace").replace("\0", "\N{REPLACEMENT CHARACTER}")


class OutputClosed(Exception):
    """The bot's stdout came to its end; what that means depends on how the process ended."""


class Streams:
    """Writes wait in `_unsent` for POLLOUT, so that a bot that does not read can never block the referee."""

    def __init__(self, child: Child, limits: Limits) -> None:
        self._child = child
        self._limits = limits
        self._unsent = bytearray()
        self._received = bytearray()
        self._stderr = bytearray()
        self._told = 0
        self._poller = select.poll()
        self._poller.register(child.stdout, select.POLLIN)
        self._poller.register(child.stderr, select.POLLIN)

    @property
    def received(self) -> bytes:
        """What stdout gave and nobody has taken as a line."""
        return bytes(self._received)

    def wait_until_confined(self) -> bool:
        """Whether the child said so in time. Reads no byte of what the bot may print next."""
        poller = select.poll()
        poller.register(self._child.stdout, select.POLLIN)
        poller.poll(self._limits.start_wall * 1000)
        return self._read(self._child.stdout, len(READY)) == READY

    def send(self, line: bytes) -> None:
        """Raises Fault when the bot has left too much unread."""
        if self._unsent:
            self._flush()
        if len(self._unsent) > self._limits.unread:
            raise Fault(Verdict.PROTOCOL, "The bot does not read its messages.")
        if self._unsent:
            self._unsent += line
        else:
            self._write(line)

    def refuse_early_output(self) -> None:
        """Whatever lies in the pipe before the question is no answer to it."""
        self._received += self._read(self._child.stdout, READ_SIZE) or b""
        if self._received:
            raise Fault(Verdict.PROTOCOL, "The bot wrote to stdout without being asked.")

    def read_line(self, budget: Budget) -> bytes:
        """The next line without its end; raises Fault or OutputClosed."""
        wait = budget.first_wait
        while True:
            events = self._poller.poll(wait * 1000)
            for fd, _ in events:
                if fd == self._child.stdout:
                    line = self._take_line()
                    if line is not None:
                        return line
                elif fd == self._child.stderr:
                    self._drain_stderr_once()
                else:
                    self._flush()
            wait = budget.check()

    def take_new_stderr(self, *, is_open: bool) -> str:
        """What came since the last call; while the process lives the pipe is looked at, once and without waiting."""
        if is_open:
            self._keep_stderr()
        new = self._stderr[self._told :]
        self._told += len(new)
        return _decode(new) if new else ""

    def take_stderr(self) -> str:
        """All that was kept, and what the pipe still holds; for when the process is dead."""
        for _ in range(LAST_READS):
            if not self._keep_stderr():
                break
        return _decode(self._stderr)

    def _take_line(self) -> bytes | None:
        chunk = self._read(self._child.stdout, READ_SIZE)
        if chunk == b"":
            raise OutputClosed
        self._received += chunk or b""
        end = self._received.find(b"\n")
        if end > self._limits.line or (end < 0 and len(self._received) > self._limits.line):
            raise Fault(Verdict.OUTPUT, f"The answer is longer than {self._limits.line} bytes.")
        if end < 0:
            return None
        if end + 1 < len(self._received):
            raise Fault(Verdict.PROTOCOL, "The bot answered one question with more than one line.")
        line = bytes(self._received[:end])
        self._received.clear()
        return line

    def _drain_stderr_once(self) -> None:
        if self._keep_stderr() == b"":
            self._poller.unregister(self._child.stderr)

    def _keep_stderr(self) -> bytes | None:
        chunk = self._read(self._child.stderr, READ_SIZE)
        if chunk:
            self._stderr += chunk[: self._limits.stderr - len(self._stderr)]
        return chunk

    def _flush(self) -> None:
        line = bytes(self._unsent)
        self._unsent.clear()
        self._poller.unregister(self._child.stdin)
        self._write(line)

    def _write(self, line: bytes) -> None:
        """What the pipe does not take stays for later; a bot that closed its stdin has only itself to blame."""
        try:
            sent = os.write(self._child.stdin, line)
        except BlockingIOError:
            sent = 0
        except BrokenPipeError:
            return
        if sent < len(line):
            self._unsent += line[sent:]
            self._poller.register(self._child.stdin, select.POLLOUT)

    @staticmethod
    def _read(fd: int, size: int) -> bytes | None:
        """None where there is nothing yet, empty at the end."""
        try:
            return os.read(fd, size)
        except BlockingIOError:
            return None
