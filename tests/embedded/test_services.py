"""The embedded services in the places and after the accidents that have broken others."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
import redis

from aurum_league.common.errors import LeagueError
from aurum_league.embedded.layout import (
    LONGEST_SOCKET_PATH,
    POSTGRES_SOCKET,
    Layout,
    Wanted,
    find_layout,
    find_process,
    list_processes,
    wait_until,
    works_in,
)
from aurum_league.embedded.services import keep_services, read_status, start_services, stop_services, use_services

RUNNING = {"Postgres": True, "Valkey": True}
CHECKOUT = Path(__file__).resolve().parents[2]

MakeLayout = Callable[[Path], Layout]


def connect(layout: Layout) -> psycopg.Connection:
    return psycopg.connect(host=str(layout.run), user="aurum", dbname="aurum", autocommit=True)


def client(layout: Layout) -> redis.Redis:
    return redis.Redis(unix_socket_path=str(layout.valkey_socket))


def postmaster_pid(layout: Layout) -> int:
    return int((layout.postgres / "postmaster.pid").read_text().split()[0])


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("data", id="plain"),
        pytest.param("my own 'data', \"here\"", id="spaces, quotes and a comma"),
        pytest.param("d" * 120 + "/" + "e" * 100, id="longer than a socket's path may be"),
    ],
)
def test_starts_from_any_path(folder: Path, make_layout: MakeLayout, name: str) -> None:
    layout = make_layout(folder / name)
    start_services(layout, Wanted())
    assert read_status(layout) == RUNNING
    assert len(os.fsencode(layout.run / POSTGRES_SOCKET)) <= LONGEST_SOCKET_PATH
    assert layout.run.stat().st_mode & 0o077 == 0


def test_ignores_the_users_locale_and_settings(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"LANG": "xx_XX.UTF-8", "LC_ALL": "xx_XX.UTF-8", "PGPORT": "1", "PGDATA": "/nowhere"}.items():
        monkeypatch.setenv(name, value)
    start_services(layout, Wanted(valkey=False))
    monkeypatch.undo()
    with connect(layout) as connection:
        query = "SELECT datlocprovider, datlocale FROM pg_database WHERE datname = 'aurum'"
        rows = connection.execute(query).fetchall()
        memory = connection.execute("SHOW dynamic_shared_memory_type").fetchone()
        listens = connection.execute("SHOW listen_addresses").fetchone()
    assert (rows, memory, listens) == ([("b", "C.UTF-8")], ("mmap",), ("",))


def test_keeps_rows_and_queue_after_both_servers_are_killed(layout: Layout) -> None:
    start_services(layout, Wanted())
    with connect(layout) as connection, client(layout) as queue:
        connection.execute("CREATE TABLE kept AS SELECT generate_series(1, 500) AS number")
        queue.rpush("queue", *range(200))
        assert queue.execute_command("WAITAOF", 1, 0, 60_000) == [1, 0]
        killed = [postmaster_pid(layout), int(str(queue.info("server")["process_id"]))]
    for pid in killed:
        os.kill(pid, signal.SIGKILL)
    start_services(layout, Wanted())
    with connect(layout) as connection, client(layout) as queue:
        assert connection.execute("SELECT count(*) FROM kept").fetchone() == (500,)
        assert queue.llen("queue") == 200


def test_is_not_deceived_by_a_stranger_with_the_old_pid(layout: Layout) -> None:
    """What a restarted container or an unreaped postmaster looks like: the pid in the lock files answers signals."""
    start_services(layout, Wanted(valkey=False))
    pid = postmaster_pid(layout)
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not any(works_in(process.pid, layout.postgres) for process in list_processes()), 60)
    lock = layout.postgres / "postmaster.pid"
    stranger = subprocess.Popen(["sleep", "60"], **layout.drop)  # type: ignore[call-overload]
    try:
        for file in (lock, layout.run / f"{POSTGRES_SOCKET}.lock"):
            file.write_text(file.read_text().replace(str(pid), str(stranger.pid), 1))
        start_services(layout, Wanted(valkey=False))
        assert read_status(layout)["Postgres"]
        assert postmaster_pid(layout) != stranger.pid
    finally:
        stranger.kill()
        stranger.wait()


def test_two_starts_at_once_make_one_server(layout: Layout) -> None:
    with ThreadPoolExecutor(2) as pool:
        for future in [pool.submit(start_services, layout, Wanted()) for _ in range(2)]:
            future.result()
    assert read_status(layout) == RUNNING
    serving = [process for process in list_processes() if works_in(process.pid, layout.postgres)]
    leaders = {process.pid for process in serving if process.pid == postmaster_pid(layout)}
    assert len(leaders) == 1


def test_data_of_another_major_version_is_left_alone(layout: Layout) -> None:
    layout.postgres.mkdir(parents=True)
    (layout.postgres / "PG_VERSION").write_text("9\n")
    before = sorted((path, path.stat().st_mtime_ns) for path in layout.postgres.rglob("*"))
    layout.services.chmod(0o700)
    os.chown(layout.services, layout.owner.uid, layout.owner.gid)
    with pytest.raises(LeagueError, match="needs Postgres 9, which was not found") as caught:
        start_services(layout, Wanted())
    assert caught.value.code == "postgres_version"
    assert sorted((path, path.stat().st_mtime_ns) for path in layout.postgres.rglob("*")) == before


def test_a_start_that_was_cut_short_is_begun_again(layout: Layout) -> None:
    half = layout.services / "postgres.new"
    start_services(layout, Wanted(postgres=False))
    half.mkdir()
    (half / "PG_VERSION").write_text("18\n")
    start_services(layout, Wanted())
    assert read_status(layout) == RUNNING
    assert not half.exists()


def test_last_user_stops_the_services(layout: Layout) -> None:
    wanted = Wanted(postgres=False)
    with use_services(layout, wanted):
        with use_services(layout, wanted):
            assert read_status(layout)["Valkey"]
        assert read_status(layout)["Valkey"]
    assert not read_status(layout)["Valkey"]


def test_kept_services_outlive_their_users(layout: Layout) -> None:
    with use_services(layout, Wanted(postgres=False)):
        keep_services(layout)
    assert read_status(layout)["Valkey"]
    stop_services(layout)
    assert not read_status(layout)["Valkey"]


def test_nothing_is_started_when_the_addresses_are_set(layout: Layout) -> None:
    with use_services(layout, Wanted(postgres=False, valkey=False)):
        assert not layout.services.exists()


def test_process_table_tells_the_dead() -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    assert wait_until(lambda: (found := find_process(child.pid)) is not None and found.is_dead, 60)
    child.wait()
    assert find_process(child.pid) is None


def test_layout_is_decided_without_touching_the_disk(folder: Path) -> None:
    find_layout(folder / "never")
    assert not (folder / "never").exists()
