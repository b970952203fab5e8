"""`aurum bench`: every instrument explains itself, a wrong question gets one sentence, and the quick ones measure."""

import inspect
import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from aurum_league.cli import main
from aurum_league.settings.environment import CHECKOUT
from benchmarks import malicious, rules, sandbox, wasm
from benchmarks.registry import BY_NAME, INSTRUMENTS, Instrument
from benchmarks.rules import is_compiled
from bots.runners.sandbox.confine import read_landlock_abi
from tests.wasm.modules import make_module

SIZES = ("STARTS", "DECISIONS", "FAIR_DECISIONS", "BUSY_LOOPS", "REFUSALS")
# Bids, of the first three decisions of a match, the lowest card of its hand: legal is a set of bits at 32.
FIRST_LEGAL = make_module("(i32.wrap_i64 (i64.ctz (i64.load offset=1056 (i32.const 0))))")
WASM_SIZES = ("FIRST_ANSWERS", "BATCHES", "BATCH", "BUSY_LOOPS")
QUICK = ("--runs", "1", "--seconds", "0.01")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    try:
        code = main(["bench", *arguments])
    except SystemExit as stop:
        code = int(stop.code or 0)
    return code, *capsys.readouterr()


@pytest.mark.parametrize("instrument", INSTRUMENTS, ids=lambda instrument: instrument.name)
def test_every_instrument_explains_itself(capsys: pytest.CaptureFixture[str], instrument: Instrument) -> None:
    code, out, _ = run(capsys, instrument.name, "--help")
    assert (code, out.split()[:4]) == (0, ["usage:", "aurum", "bench", instrument.name])
    assert all(f"--{option.name}" in out for option in instrument.options)


@pytest.mark.parametrize("instrument", INSTRUMENTS, ids=lambda instrument: instrument.name)
def test_function_takes_the_options_of_its_line(instrument: Instrument) -> None:
    taken = inspect.signature(instrument.load()).parameters.values()
    assert {one.name: one.annotation for one in taken} == {one.name: type(one.default) for one in instrument.options}
    assert all(one.kind is inspect.Parameter.KEYWORD_ONLY for one in taken)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        pytest.param(["--runs", "0"], "--runs is at least 1", id="no run"),
        pytest.param(["nothing"], "argument instrument: invalid choice: 'nothing'", id="no such instrument"),
        pytest.param(["--runs", "1", "queue"], "queue has no option --runs", id="an option of another"),
        pytest.param(["queue", "--runs", "1"], "unrecognized arguments: --runs 1", id="the same behind it"),
        pytest.param(["queue", "--matches", "few"], "invalid int value: 'few'", id="no number"),
        pytest.param(["formats", "--entrants", "3"], "--entrants is at least 100", id="too few for a Swiss"),
        pytest.param(["tables", "--address", "http://127.0.0.1:9"], "Nobody answers at http://127", id="no site"),
        pytest.param(["api", "--runs", "0"], "--runs is at least 1", id="no run of the API"),
        pytest.param(["soak", "--every", "0"], "--every is more than 0", id="no pause"),
    ],
)
def test_failures_are_one_sentence(capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str) -> None:
    code, _, err = run(capsys, *arguments)
    assert (code, len(err.splitlines())) == (2, 1)
    assert err.startswith("aurum: ") and sentence in err


@pytest.mark.parametrize("arguments", [[], ["queue", "--matches", "5"], ["--runs", "1"], ["--help"]])
def test_an_installed_package_says_where_the_instruments_are(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, arguments: list[str]
) -> None:
    monkeypatch.setattr(import_module("aurum_league.cli.main"), "CHECKOUT", tmp_path)
    code, out, err = run(capsys, *arguments)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert "run aurum bench in a checkout" in err


def test_rules_are_measured_and_what_is_missing_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, *QUICK, "--against", "open-spiel")
    assert code == 0
    assert "whole matches" in out and "decisions/s" in out
    assert ("is not installed here" in out) != rules.has_open_spiel()
    assert is_compiled() == ("playouts" in out)
    assert len(rules.COMPARISONS) == 5


def test_the_same_as_json_and_as_a_module(capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(run(capsys, "--json", "rules", *QUICK)[1])
    command = [sys.executable, "-m", "benchmarks", "rules", "--json", *QUICK]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=True)
    other = json.loads(done.stdout)
    assert [figure["name"] for figure in told["figures"]] == [figure["name"] for figure in other["figures"]]
    assert all(figure["value"] > 0 for figure in told["figures"] + other["figures"])


@pytest.mark.skipif(not read_landlock_abi(), reason="this machine cannot hold an uploaded bot")
def test_the_sandbox_is_measured(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in SIZES:
        monkeypatch.setattr(sandbox, name, 2)
    for name in WASM_SIZES:
        monkeypatch.setattr(wasm, name, 2)
    code, out, _ = run(capsys, "sandbox", "--json")
    assert code == 0
    figures = json.loads(out)["figures"]
    names = {figure["name"] for figure in figures}
    assert {"self-test", "cold start", "fork-server start", "decision", "memory of a bot", "false timeouts"} <= names
    assert {"first answer from the cache", "module's decision", "instances started a second"} <= names
    assert all(figure["is_reached"] is not None for figure in figures)
    assert {figure["what"] for figure in figures} >= {name for name, *_ in malicious.MALICIOUS}


@pytest.mark.skipif(not read_landlock_abi(), reason="this machine cannot hold an uploaded bot")
def test_modules_are_compared_without_and_with_a_load(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in WASM_SIZES:
        monkeypatch.setattr(wasm, name, 2)
    file = tmp_path / "bids.wasm"
    file.write_bytes(FIRST_LEGAL)
    code, out, _ = run(capsys, "wasm", "--modules", str(file), "--decisions", "3", "--json")
    told = json.loads(out)
    assert code == 0 and told["broken"] == []
    [alike, fuel] = [figure for figure in told["figures"] if figure["name"] == str(file)]
    assert alike["is_reached"] and fuel["value"] > 1
    assert run(capsys, "wasm", "--modules", "missing.wasm")[0] == 2


def test_decisions_of_real_matches_are_counted() -> None:
    assert 2 * 3 * 12 < rules.whole_matches()() < 7 * 200


def test_starters_are_found_again(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "starters"
    assert run(capsys, "designs", "--last", "9", "--coolings", "2", "--steps", "2000", "--out", str(out))[0] == 0
    assert [json.loads(line)["n"] for line in out.read_text().splitlines()] == [8, 9]


def test_names_are_told_apart() -> None:
    assert len(BY_NAME) == len(INSTRUMENTS)
