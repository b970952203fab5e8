"""The hosts of a worker, one confined process a module, and a module's seat in a match with its fuel and verdicts."""

import atexit
import os
import threading
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from bots.runners.budget import Limits
from bots.runners.cores import find_shared_core, read_cpu_time
from bots.runners.launchers import ForkServer
from bots.runners.selftest import require_safe_sandbox
from bots.runners.verdict import Fault, LaunchError, Verdict
from bots.runners.wasm.compiler import Artifact, ArtifactCache
from bots.runners.wasm.host_process import HostProcess, Reply
from bots.runners.wasm.interface import (
    LARGEST_LOG,
    LARGEST_MEMORY,
    MEGABYTE,
    Order,
    Outcome,
    WasmLimits,
    read_module_hash,
)

VERDICTS = {
    Outcome.OK: Verdict.OK,
    Outcome.FUEL: Verdict.FUEL,
    Outcome.CRASH: Verdict.CRASH,
    Outcome.MEMORY: Verdict.MEMORY,
    Outcome.PROTOCOL: Verdict.PROTOCOL,
    Outcome.OUTPUT: Verdict.OUTPUT,
    # A host refuses only what we gave it to load.
    Outcome.REFUSED: Verdict.PLATFORM,
}


@dataclass(frozen=True, slots=True)
class WasmAnswer:
    """`number` is what a module that reads blocks answers, `text` what one that reads JSON has written."""

    verdict: Verdict
    fuel: int
    cpu: float
    number: int = 0
    text: bytes = b""
    detail: str = ""


def _decode(said: bytearray) -> str:
    return said.decode(errors="replace").replace("\0", "\N{REPLACEMENT CHARACTER}")


class WasmSeat:
    """Any verdict but ok ends the instance; later questions get that same verdict."""

    def __init__(self, host: HostProcess, seat: int, limits: WasmLimits, reads_json: bool) -> None:
        self.reads_json = reads_json
        self.fuel_used = 0
        self._host = host
        self._seat = seat
        self._limits = limits
        self._bank = limits.bank
        self._start: int | None = limits.start
        self._log = bytearray()
        self._told = 0
        self._last: WasmAnswer | None = None
        self._open()

    @property
    def pid(self) -> int:
        """Of the host's process, which other seats of the module may share."""
        return self._host.pid

    @property
    def bank_left(self) -> int:
        return self._bank

    @property
    def decision_left(self) -> int:
        """What the next answer may use."""
        return self._start if self._start is not None else min(self._limits.decision, self._bank)

    @property
    def log(self) -> str:
        """What the module has written for its author so far."""
        return _decode(self._log)

    def take_words(self) -> str:
        """What it wrote since the last call."""
        new = self._log[self._told :]
        self._told += len(new)
        return _decode(new)

    def ask(self, message: bytes, *, chance: int) -> WasmAnswer:
        """A question; `chance` is the seed of this decision."""
        if self._last is not None:
            return self._last
        before = read_cpu_time(self._host.pid) or 0.0
        answer = self._give(Order.ASK, message, chance, before)
        if self._start is not None:
            self._start = None
        return answer

    def tell(self, message: bytes) -> None:
        """A message of JSON that has no answer; what it burns is taken from what the next answer may use."""
        if self._last is None:
            self._give(Order.TELL, message, 0, 0.0)

    def close(self) -> None:
        self._host.forget(self._seat)
        if self._last is None:
            self._last = WasmAnswer(Verdict.PLATFORM, 0, 0.0, detail="The seat was closed.")

    def _open(self) -> None:
        self._give(Order.OPEN, b"", 0, 0.0)

    def _give(self, order: Order, message: bytes, chance: int, cpu_before: float) -> WasmAnswer:
        fuel = self.decision_left
        limits = self._limits
        try:
            reply = self._host.exchange(
                order,
                message,
                seat=self._seat,
                fuel=fuel,
                seed=chance,
                cpu=limits.least_cpu + limits.cpu_a_fuel * fuel,
                patience=limits.patience,
            )
        except Fault as fault:
            self._last = WasmAnswer(fault.verdict, 0, 0.0, detail=fault.detail)
            return self._last
        cpu = max(0.0, (read_cpu_time(self._host.pid) or cpu_before) - cpu_before) if order == Order.ASK else 0.0
        return self._take(reply, cpu)

    def _take(self, reply: Reply, cpu: float) -> WasmAnswer:
        self.fuel_used += reply.fuel
        if self._start is not None:
            self._start = max(0, self._start - reply.fuel)
        else:
            self._bank = max(0, self._bank - reply.fuel)
        self._log += reply.log[: LARGEST_LOG - len(self._log)]
        verdict = VERDICTS[reply.outcome]
        if verdict is Verdict.OK:
            return WasmAnswer(verdict, reply.fuel, cpu, reply.number, reply.answer)
        self._last = WasmAnswer(verdict, reply.fuel, cpu, detail=reply.answer.decode(errors="replace"))
        return self._last


MOST_HOSTS = 16
MOST_SEATS = 4
# The interpreter and wasmtime take some 120 MB of address space; machine code up to twice 32.
HOST_MEMORY = 256 * MEGABYTE + MOST_SEATS * (LARGEST_MEMORY + MEGABYTE)
LOAD_CPU = 5.0
PATIENCE = 120.0
# A host lives through many matches; each answer has limits of its own.
_LIMITS = Limits(memory=HOST_MEMORY, bank_cpu=30 * 24 * 3600.0)


class _Host:
    """A process with one module in it, and the seats that are taken."""

    def __init__(self, process: HostProcess, reads_json: bool) -> None:
        self.process = process
        self.reads_json = reads_json
        self.free = set(range(MOST_SEATS))


class PooledSeat(WasmSeat):
    """Gives its place at the host back when it is closed."""

    def __init__(self, pool: "HostPool", host: _Host, seat: int, limits: WasmLimits) -> None:
        self._pool = pool
        self._pooled = host
        self._place = seat
        self._core = find_shared_core()
        self._core.join(host.process.pid)
        super().__init__(host.process, seat, limits, host.reads_json)

    def close(self) -> None:
        super().close()
        self._pooled.free.add(self._place)
        if len(self._pooled.free) == MOST_SEATS:
            self._core.leave(self._pooled.process.pid)
            self._pool.replenish()


class HostPool:
    """Modules of different authors never share a process; seats of one module do, each with a memory of its own.

    Nothing is compiled or run where the sandbox does not hold: SandboxUnsafeError.
    """

    def __init__(self, cache_: ArtifactCache, launcher: ForkServer | None = None) -> None:
        self._cache = cache_
        self.launcher = launcher or find_host_server()
        self._lock = threading.Lock()
        self._hosts: OrderedDict[str, list[_Host]] = OrderedDict()
        self._spare: HostProcess | None = None
        self._owner = os.getpid()

    def open_seat(self, module: bytes, limits: WasmLimits | None = None) -> WasmSeat:
        """A new instance. Raises ArchiveError for a module that is refused, LaunchError where the failure is ours."""
        require_safe_sandbox()
        with self._lock:
            self._forget_after_fork()
            host = self._find_host(module)
            return PooledSeat(self, host, host.free.pop(), limits or WasmLimits())

    def fetch_artifact(self, module: bytes) -> Artifact:
        """Compile a module now, as at its upload, if it is not kept yet. Raises ArchiveError and LaunchError."""
        require_safe_sandbox()
        return self._cache.fetch(module, self.launcher)

    def prepare(self) -> int:
        """Have a host ready that waits for its module, and tell its process id. Raises LaunchError."""
        require_safe_sandbox()
        with self._lock:
            self._forget_after_fork()
            self._spare = self._spare or HostProcess(self.launcher, _LIMITS)
            self._spare.wait_until_confined()
            return self._spare.pid

    def replenish(self) -> None:
        """Begin to make the next host that waits; for a moment when nobody waits for an answer."""
        with self._lock, suppress(LaunchError):
            if self._spare is None and self._owner == os.getpid():
                self._spare = HostProcess(self.launcher, _LIMITS)

    def close(self) -> None:
        with self._lock:
            for hosts in self._hosts.values():
                for host in hosts:
                    host.process.close()
            self._hosts.clear()
            if self._spare is not None:
                self._spare.close()
                self._spare = None

    def _find_host(self, module: bytes) -> _Host:
        digest = read_module_hash(module)
        hosts = [host for host in self._hosts.get(digest, []) if not host.process.has_ended]
        self._hosts[digest] = hosts
        self._hosts.move_to_end(digest)
        for host in hosts:
            if host.free:
                return host
        host = self._load(module)
        hosts.append(host)
        self._drop_idle()
        return host

    def _load(self, module: bytes) -> _Host:
        """From the cache; machine code that this engine refuses is made anew, once."""
        for _ in range(2):
            artifact = self._cache.fetch(module, self.launcher)
            process = self._take_spare()
            if self._is_loaded(process, artifact):
                return _Host(process, artifact.reads_json)
            process.close()
            self._cache.drop(module)
        raise LaunchError("the engine refuses what it has compiled itself.")

    def _is_loaded(self, process: HostProcess, artifact: Artifact) -> bool:
        try:
            reply = process.exchange(Order.LOAD, artifact.content, cpu=LOAD_CPU, patience=PATIENCE)
        except Fault as fault:
            raise LaunchError(fault.detail) from fault
        return reply.outcome == Outcome.OK

    def _take_spare(self) -> HostProcess:
        spare = self._spare or HostProcess(self.launcher, _LIMITS)
        self._spare = None
        spare.wait_until_confined()
        return spare

    def _drop_idle(self) -> None:
        """The least used modules first; none that has a seat taken, nor the one that is being seated."""
        for digest in list(self._hosts)[:-1]:
            if sum(map(len, self._hosts.values())) <= MOST_HOSTS:
                return
            for host in self._hosts[digest]:
                if len(host.free) == MOST_SEATS:
                    host.process.close()
            self._hosts[digest] = [host for host in self._hosts[digest] if not host.process.has_ended]
            if not self._hosts[digest]:
                del self._hosts[digest]

    def _forget_after_fork(self) -> None:
        """A forked worker has hosts of its own; those of its parent are not its to close."""
        if self._owner != os.getpid():
            self._owner = os.getpid()
            self._hosts = OrderedDict()
            self._spare = None


def find_wasmtime() -> str:
    """The folder that holds the package; found without loading it, which only confined processes do."""
    spec = find_spec("wasmtime")
    if spec is None or spec.origin is None:
        raise LaunchError("wasmtime is not installed: pip install 'aurum-league[wasm]'.")
    return str(Path(spec.origin).parent.parent)


@cache
def find_host_server() -> ForkServer:
    """The fork server of this process's hosts, ended with it."""
    script = Path(__file__).resolve().parent / "inside" / "zygote.py"
    server = ForkServer(zygote=(str(script), find_wasmtime()))
    atexit.register(server.close)
    return server
