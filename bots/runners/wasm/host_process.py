"""The worker's side of one confined host: orders out, replies in, and whose fault it is when none comes."""

import os
import select
import time
from pathlib import Path
from typing import NamedTuple

from bots.runners.budget import Limits
from bots.runners.cores import read_cpu_time
from bots.runners.launchers import Launcher
from bots.runners.sandbox.libc import READY
from bots.runners.verdict import Fault, LaunchError, Verdict, judge_status
from bots.runners.wasm.interface import ORDER, REPLY, Order, Outcome

READ_SIZE = 65_536
LARGEST_REPLY = 64 * 1024 * 1024
LOOK_SECONDS = 0.25
LEAVING_SECONDS = 1.0


class Reply(NamedTuple):
    outcome: Outcome
    fuel: int
    number: int
    answer: bytes
    log: bytes


class HostProcess:
    """One process; whatever goes wrong with it raises Fault and ends it."""

    def __init__(self, launcher: Launcher, limits: Limits) -> None:
        self._limits = limits
        self._child = launcher.spawn(Path("module"), limits)
        self._is_confined = False
        self._received = b""
        self._reader = select.poll()
        self._reader.register(self._child.stdout, select.POLLIN)
        self.has_ended = False

    @property
    def pid(self) -> int:
        return self._child.pid

    def wait_until_confined(self) -> None:
        """Before its first order; LaunchError where the sandbox does not hold or the machine has no time."""
        if self._is_confined:
            return
        self._reader.poll(self._limits.start_wall * 1000)
        self._is_confined = self._read(len(READY)) == READY
        if not self._is_confined:
            told = self._read_stderr()
            self.close()
            raise LaunchError(told.strip() or "the sandbox of the host was not ready in time.")

    def exchange(
        self,
        order: Order,
        payload: bytes = b"",
        *,
        seat: int = 0,
        fuel: int = 0,
        seed: int = 0,
        cpu: float,
        patience: float,
    ) -> Reply:
        """Give an order and wait for its reply, at most `cpu` seconds of the host's and `patience` of ours besides."""
        if self.has_ended:
            raise Fault(Verdict.PLATFORM, "The host of this module has ended.")
        try:
            self._send(ORDER.pack(order, seat, len(payload), fuel, seed) + payload, patience)
            return self._receive(cpu, patience)
        except Fault:
            self.close()
            raise

    def forget(self, seat: int) -> None:
        """Close the instance at a seat; there is no reply to this."""
        if not self.has_ended:
            try:
                self._send(ORDER.pack(Order.CLOSE, seat, 0, 0, 0), LEAVING_SECONDS)
            except Fault:
                self.close()

    def close(self) -> None:
        if not self.has_ended:
            self.has_ended = True
            self._child.kill()
            self._child.close()

    def _send(self, frame: bytes, patience: float) -> None:
        deadline = 0.0
        while frame:
            try:
                frame = frame[os.write(self._child.stdin, frame) :]
            except BlockingIOError:
                deadline = deadline or time.monotonic() + patience
                poller = select.poll()
                poller.register(self._child.stdin, select.POLLOUT)
                if not poller.poll(patience * 1000) or time.monotonic() > deadline:
                    raise Fault(Verdict.PLATFORM, "The host takes no orders.") from None
            except BrokenPipeError:
                raise self._judge_end() from None

    def _receive(self, cpu: float, patience: float) -> Reply:
        self._wait_for(REPLY.size, cpu, patience)
        outcome, _, answer, log, fuel, number = REPLY.unpack_from(self._received)
        total = REPLY.size + answer + log
        if total > LARGEST_REPLY:
            raise Fault(Verdict.CRASH, "The host of the module said something that no host says.")
        if len(self._received) < total:
            self._wait_for(total, cpu, patience)
        frame, self._received = self._received[:total], self._received[total:]
        split = REPLY.size + answer
        return Reply(Outcome(outcome), fuel, number, frame[REPLY.size : split], frame[split:])

    def _wait_for(self, size: int, cpu: float, patience: float) -> None:
        watch: _Watch | None = None
        while len(self._received) < size:
            if not self._reader.poll(LOOK_SECONDS * 1000):
                watch = watch or _Watch(self.pid, cpu, patience)
                watch.check()
                continue
            chunk = self._read(READ_SIZE)
            if chunk == b"":
                raise self._judge_end()
            self._received += chunk or b""

    def _judge_end(self) -> Fault:
        """The other end of the pipes is closed: the process is gone, or goes."""
        if not self._child.has_ended(LEAVING_SECONDS):
            return Fault(Verdict.CRASH, "The host of the module fell silent.")
        self.has_ended = True
        ended = self._child.kill()
        self._child.close()
        return judge_status(ended.status, ended.cpu, self._limits.cpu_seconds)

    def _read(self, size: int) -> bytes | None:
        try:
            return os.read(self._child.stdout, size)
        except BlockingIOError:
            return None

    def _read_stderr(self) -> str:
        try:
            return os.read(self._child.stderr, READ_SIZE).decode(errors="replace")
        except BlockingIOError:
            return ""


class _Watch:
    """Ends a host that burns CPU time without end, and tells a machine that gives it none from that."""

    def __init__(self, pid: int, cpu: float, patience: float) -> None:
        self._pid = pid
        # Begun a look late: what was used until now is forgiven.
        self._cpu_end = (read_cpu_time(pid) or 0.0) + cpu
        self._wall_end = time.monotonic() + patience + cpu

    def check(self) -> None:
        used = read_cpu_time(self._pid)
        if used is not None and used > self._cpu_end:
            raise Fault(Verdict.TIMEOUT_CPU, "The module used far more CPU time than its fuel can take.")
        if time.monotonic() > self._wall_end:
            raise Fault(Verdict.PLATFORM, "The machine was too busy to let the module run.")
