"""Building: modules with C types beside them are compiled, and nothing breaks where that cannot be done."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("Cython")
SETUP = Path(__file__).parents[2] / "setup.py"


def build(folder: Path, compiler: str | None) -> subprocess.CompletedProcess[str]:
    """Build a package of one typed and one plain module with the project's own setup.py."""
    rules = folder / "games/rules"
    rules.mkdir(parents=True)
    shutil.copy(SETUP, folder)
    for package in (rules, rules.parent):
        (package / "__init__.py").touch()
    (rules / "typed.py").write_text("def twice(number):\n    return number * 2\n")
    (rules / "typed.pxd").write_text("cpdef int twice(int number)\n")
    (rules / "plain.py").write_text("from games.rules.typed import twice\n")
    environment = os.environ | ({"CC": compiler} if compiler else {})
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def import_twice(folder: Path) -> str:
    code = "from games.rules import plain, typed; print(typed.__file__.rpartition('.')[2], plain.twice(21))"
    return subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler here: compiling is not checked")
def test_typed_modules_are_compiled(tmp_path: Path) -> None:
    assert build(tmp_path, None).returncode == 0
    assert import_twice(tmp_path) == "so 42\n"


def test_without_a_compiler_the_plain_files_run(tmp_path: Path) -> None:
    done = build(tmp_path, "/bin/false")
    assert done.returncode == 0
    assert "The rules were not compiled and run as plain Python" in done.stderr
    assert import_twice(tmp_path) == "py 42\n"
