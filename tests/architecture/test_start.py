"""Commands and workers start without the parts of SciPy, a second's work; the site has them before its first reader."""

import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
TELL = "import sys; print(*sorted({'scipy.optimize', 'scipy.special', 'scipy.stats'} & set(sys.modules)))"


@pytest.mark.parametrize(
    ("start", "loaded"),
    [
        pytest.param("import django; django.setup(); import aurum_league.celery", [], id="command or worker"),
        pytest.param("import aurum_league.asgi", ["scipy.optimize", "scipy.special"], id="site"),
    ],
)
def test_a_start_loads_what_it_needs(start: str, loaded: list[str]) -> None:
    settings = "import os; os.environ['DJANGO_SETTINGS_MODULE'] = 'aurum_league.settings.test'"
    done = subprocess.run(
        [sys.executable, "-c", f"{settings}; {start}; {TELL}"], cwd=CHECKOUT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == loaded
