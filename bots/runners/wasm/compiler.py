"""Compiling an upload in a confined process of its own, with limits of time and memory of its own."""

from dataclasses import dataclass

from aurum_league.common.errors import N_
from bots.runners.errors import ArchiveError, LaunchError
from bots.runners.launchers import Launcher
from bots.runners.limits import Limits
from bots.runners.verdict import Fault, Verdict
from bots.runners.wasm.frames import MARKED, Order, Outcome
from bots.runners.wasm.host_process import HostProcess
from bots.runners.wasm.interface import MEGABYTE, MESSAGE
from bots.runners.wasm.module import is_module

LARGEST_MODULE = 2 * MEGABYTE
LARGEST_ARTIFACT = 32 * MEGABYTE
COMPILE_CPU = 10.0
COMPILE_MEMORY = 512 * MEGABYTE
PATIENCE = 120.0
LONGEST_REASON = 500
# The kernel counts whole seconds, and from the soft limit on gives one more.
COMPILE_LIMITS = Limits(memory=COMPILE_MEMORY, start_cpu=0.0, decision_cpu=0.0, bank_cpu=COMPILE_CPU - 1)


@dataclass(frozen=True)
class Artifact:
    """Machine code of a module, after the mark of the export that it is asked by."""

    content: bytes

    @property
    def reads_json(self) -> bool:
        return MARKED.get(self.content[:1]) == MESSAGE


def compile_module(module: bytes, launcher: Launcher, limits: Limits = COMPILE_LIMITS) -> Artifact:
    """Raises ArchiveError with what is wrong with the module, LaunchError where it is ours."""
    if len(module) > LARGEST_MODULE:
        raise ArchiveError(
            "archive_too_large", N_("The upload is larger than %(number)s MB."), number=LARGEST_MODULE // MEGABYTE
        )
    # wasmtime would take the text format too, which has another parser to attack.
    if not is_module(module):
        raise ArchiveError("wasm_malformed", N_("The file is no WebAssembly: it does not begin with \\0asm."))
    host = HostProcess(launcher, limits)
    try:
        host.wait_until_confined()
        reply = host.exchange(Order.COMPILE, module, cpu=2.0 * limits.cpu_seconds, patience=PATIENCE)
    except Fault as fault:
        raise _explain(fault, limits) from fault
    finally:
        host.close()
    if reply.outcome != Outcome.OK:
        code, _, reason = reply.answer.decode(errors="replace").partition("\n")
        raise ArchiveError(code, "%(sentence)s", sentence=_tidy(reason))
    if len(reply.answer) > LARGEST_ARTIFACT:
        raise ArchiveError(
            "wasm_compile_memory",
            N_("The module becomes more than %(number)s MB of machine code."),
            number=LARGEST_ARTIFACT // MEGABYTE,
        )
    return Artifact(reply.answer)


def _explain(fault: Fault, limits: Limits) -> Exception:
    """How the compiler's process ended, in the author's terms."""
    if fault.verdict is Verdict.TIMEOUT_CPU:
        seconds = limits.cpu_seconds
        return ArchiveError(
            "wasm_compile_time", N_("Compiling takes more than %(number)s s of CPU time."), number=seconds
        )
    if fault.verdict is Verdict.PLATFORM:
        return LaunchError(fault.detail)
    allowed = limits.memory // MEGABYTE
    return ArchiveError(
        "wasm_compile_memory", N_("Compiling takes more than %(number)s MB, or all of the stack."), number=allowed
    )


def _tidy(reason: str) -> str:
    """One line, without the causes' numbers that wasmtime adds."""
    return " ".join(reason.split())[:LONGEST_REASON]
