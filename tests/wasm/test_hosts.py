"""Hosts and compiled modules: kept by hash, trusted only where nobody else writes, and gone without harm."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bots.runners.verdict import LaunchError, Verdict
from bots.runners.wasm import ArtifactCache, HostPool, read_module_hash
from bots.runners.wasm.compiler import name_engine
from bots.runners.wasm.hosts import MOST_HOSTS, MOST_SEATS
from tests.wasm.modules import FAIR_ANSWER, make_fair_module, make_module


@pytest.fixture
def own_pool(tmp_path: Path, pool: HostPool):  # type: ignore[no-untyped-def]
    own = HostPool(ArtifactCache(tmp_path / "compiled"), pool.launcher)
    yield own
    own.close()


def find_artifact(folder: Path, module: bytes) -> Path:
    return folder / "compiled" / f"{read_module_hash(module)}.{name_engine()}"


def test_a_module_is_compiled_once_and_for_every_engine_anew(tmp_path: Path, own_pool: HostPool) -> None:
    module = make_fair_module()
    own_pool.open_seat(module).close()
    kept = find_artifact(tmp_path, module)
    before = kept.stat().st_mtime_ns
    own_pool.close()
    own_pool.open_seat(module).close()
    assert kept.stat().st_mtime_ns == before
    assert "wasmtime-" in kept.name and list(kept.parent.iterdir()) == [kept]


@pytest.mark.parametrize("damage", [b"", b"short", None], ids=["empty", "cut", "one byte"])
def test_a_damaged_artifact_is_made_anew(damage: bytes | None, tmp_path: Path, own_pool: HostPool) -> None:
    module = make_fair_module()
    own_pool.open_seat(module).close()
    own_pool.close()
    kept = find_artifact(tmp_path, module)
    whole = kept.read_bytes()
    middle = len(whole) // 2
    kept.write_bytes(whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :] if damage is None else damage)
    seat = own_pool.open_seat(module)
    assert seat.ask(b"x", chance=0).number == FAIR_ANSWER
    seat.close()
    assert kept.read_bytes() == whole, "machine code is the same each time it is made"


def test_a_folder_that_others_can_write_is_refused(tmp_path: Path, own_pool: HostPool) -> None:
    folder = tmp_path / "compiled"
    folder.mkdir()
    folder.chmod(0o777)
    with pytest.raises(LaunchError, match="written by others"):
        own_pool.open_seat(make_fair_module())


def test_a_host_that_dies_takes_no_other_with_it(own_pool: HostPool) -> None:
    """Killed from outside it is our fault, and the next seat gets a new host."""
    first = own_pool.open_seat(make_fair_module())
    other = own_pool.open_seat(make_module("(i32.const 7)"))
    os.kill(first.pid, signal.SIGKILL)
    assert first.ask(b"x", chance=0).verdict == Verdict.PLATFORM
    assert other.ask(b"x", chance=0).number == 7
    again = own_pool.open_seat(make_fair_module())
    assert again.ask(b"x", chance=0).verdict == Verdict.OK
    for seat in (first, other, again):
        seat.close()


def test_modules_never_share_a_process_and_seats_of_one_do(own_pool: HostPool) -> None:
    seats = [own_pool.open_seat(make_fair_module()) for _ in range(MOST_SEATS + 1)]
    other = own_pool.open_seat(make_module("(i32.const 7)"))
    pids = [seat.pid for seat in seats]
    assert len(set(pids[:MOST_SEATS])) == 1 and pids[-1] not in pids[:MOST_SEATS] and other.pid not in pids
    for seat in (*seats, other):
        seat.close()


def test_hosts_that_nobody_uses_are_let_go(own_pool: HostPool) -> None:
    seats = [own_pool.open_seat(make_module(f"(i32.const {number})")) for number in range(MOST_HOSTS + 3)]
    for seat in seats:
        seat.close()
    last = own_pool.open_seat(make_fair_module())
    assert sum(not seat._host.has_ended for seat in seats) <= MOST_HOSTS
    last.close()


def test_no_worker_loads_the_engine() -> None:
    """Compiling, loading and running are left to confined processes; the front is all that a worker imports."""
    asked = "import bots.runners.wasm, bots.agents.uploaded, sys; print('wasmtime' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "False"


def test_a_host_can_open_no_file(own_pool: HostPool) -> None:
    """Its Landlock domain has no rule at all: what the kernel tells of it is that it is confined."""
    seat = own_pool.open_seat(make_fair_module())
    status = Path(f"/proc/{seat.pid}/status").read_text()
    seat.close()
    fields = dict(line.split(":", 1) for line in status.splitlines())
    assert fields["Seccomp"].strip() == "2" and fields["NoNewPrivs"].strip() == "1"
    assert int(fields["CapEff"], 16) == 0 and fields["Threads"].strip() == "1"
