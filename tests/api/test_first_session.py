"""The first session of docs/API.md, run as it is written."""

import os
import re
import shutil
import subprocess

import pytest

from tests.architecture.sources import CHECKOUT


@pytest.mark.django_db
@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed")
def test_first_session(session: dict[str, str]) -> None:
    written = re.search(r"```bash session\n(.*?)```", (CHECKOUT / "docs" / "API.md").read_text(), re.DOTALL)
    assert written
    done = subprocess.run(
        ["bash", "-e", "-c", written.group(1)],
        env={"PATH": os.environ["PATH"], **session},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    assert '"lines":[{"place":1' in done.stdout
    assert "}304\n" in done.stdout
    assert "match,stage,matchday,table,number,side,entrants,place" in done.stdout
    assert '"format":"aurum-record"' in done.stdout
    assert done.stdout.count('"slug":"my-first-cup"') == 3
    assert '"player":"house-greedy"' in done.stdout
