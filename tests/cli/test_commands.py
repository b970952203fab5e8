"""The other commands of `aurum`: play, show, rules, and how they fail."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from aurum_league.cli import main
from aurum_league.cli.main import COMMANDS
from games.rules.record import dump_record, load_record, make_record, read_record
from games.rules.ruleset import Ruleset
from games.rules.transcript import read_transcript
from tests.rules.positions import play_random_match


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    try:
        code = main(arguments)
    except SystemExit as stop:
        code = int(stop.code or 0)
    return code, *capsys.readouterr()


PLAYED = [
    pytest.param("random,random,random", [], "en3", id="three"),
    pytest.param("random,greedy,random,greedy", ["--edition", "fr"], "fr4", id="four"),
    pytest.param(
        "greedy,random,random",
        ["--edition", "de", "--scoring", "cumulative", "--no-zero", "--decider", "golden_round"],
        "de3-nozero-cumulative-golden",
        id="everything else",
    ),
]


@pytest.mark.parametrize(("agents", "options", "code"), PLAYED)
def test_play_writes_records_that_hold(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], agents: str, options: list[str], code: str
) -> None:
    out = tmp_path / "records.jsonl"
    done, told, _ = run(
        capsys, "play", "--agents", agents, *options, "--matches", "3", "--seed", "ab", "--out", str(out)
    )
    assert done == 0
    assert told.startswith(f"seed {'ab'.zfill(64)}\n3 matches, {code}")
    records = [load_record(line) for line in out.read_text().splitlines()]
    assert len({read_record(record).seed for record in records}) == 3
    assert all(read_record(record).seed is not None for record in records)
    assert [seat["agent"] for seat in records[0]["seats"]] == agents.split(",")
    assert main(["verify", str(out)]) == 0


def test_the_same_seed_plays_the_same_and_a_fresh_one_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / name for name in ("one", "two", "three")]
    table = ("play", "--agents", "random,random,random", "--out")
    told = run(capsys, *table, str(files[0]))[1]
    seed = told.split()[1]
    assert len(seed) == 64
    run(capsys, *table, str(files[1]), "--seed", seed)
    run(capsys, *table, str(files[2]))
    assert files[0].read_text() == files[1].read_text() != files[2].read_text()


@pytest.fixture
def record_file(tmp_path: Path) -> Path:
    file = tmp_path / "records.jsonl"
    records = [
        make_record(play_random_match(Ruleset(players), "show"), seats=["Ann", {"name": "[red]"}]) for players in (3, 4)
    ]
    file.write_text("".join(dump_record(record) + "\n" for record in records))
    return file


def test_show_draws_every_trick(record_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = load_record(record_file.read_text().splitlines()[1])
    code, out, _ = run(capsys, "show", str(record_file), "--line", "2")
    assert code == 0
    assert out.startswith("Aurum en4: 0 Ann, 1 [red], 2, 3")
    assert out.count("is first") == len(record["rounds"])
    for told in record["rounds"]:
        for trick in told["tricks"]:
            assert trick["plays"][0] in out
    assert "Result" in out


def test_show_text_leads_back_to_the_record(record_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = load_record(record_file.read_text().splitlines()[0])
    code, out, _ = run(capsys, "show", "--text", str(record_file))
    del record["seats"]
    assert (code, read_transcript(out)) == (0, record)


def test_a_transcript_is_verified_like_a_record(
    record_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, text, _ = run(capsys, "show", str(record_file), "--text")
    file = tmp_path / "match.txt"
    file.write_text(text)
    assert run(capsys, "verify", str(file))[:2] == (0, "1 record holds.\n")
    file.write_text(text.replace("lots: no", "lots: yes"))
    code, out, _ = run(capsys, "verify", str(file))
    assert code == 1 and "wrong_lots" in out


def test_rules_names_what_differs_and_our_rulings(capsys: pytest.CaptureFixture[str]) -> None:
    code, german, _ = run(capsys, "rules", "--edition", "de", "--players", "3")
    assert code == 0
    assert "a fourth is played" in " ".join(german.split())
    assert "[R-1]" in german and "[R-3]" not in german
    english = run(capsys, "rules", "--players", "4", "--no-zero", "--decider", "golden_round")[1]
    assert "[R-3]" in english and "[R-6]" in english and "The Gold 0 cards are out of the game" in english


FAILURES = [
    pytest.param(["play", "--agents", "random,random"], "A table has 3 or 4 agents, not 2", id="two agents"),
    pytest.param(
        ["play", "--agents", "random,random,nobody"], "There is no agent 'nobody'. There are:", id="no such agent"
    ),
    pytest.param(["play", "--agents", "a,b,c", "--matches", "0"], "--matches is a number from 1", id="no match"),
    pytest.param(["play", "--agents", "random,random,random", "--seed", "xyz"], "--seed is 1 to 64", id="no seed"),
    pytest.param(
        ["play", "--agents", "random,random,random", "--out", "/nowhere/x"], "/nowhere/x: No such file", id="out"
    ),
    pytest.param(["show", "/nowhere/x"], "/nowhere/x: No such file or directory.", id="no file"),
    pytest.param(["show", "/dev/null"], "/dev/null has no record on line 1.", id="no record"),
    pytest.param(["rules", "--edition", "it"], "argument --edition: invalid choice: 'it'", id="no such edition"),
    pytest.param([], "the following arguments are required: command", id="no command"),
    pytest.param(["win"], "invalid choice: 'win'", id="no such command"),
]


@pytest.mark.parametrize(("arguments", "sentence"), FAILURES)
def test_failures_are_one_sentence(capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str) -> None:
    code, _, err = run(capsys, *arguments)
    assert code == 2
    assert len(err.splitlines()) == 1
    assert err.startswith("aurum: ") and sentence in err


def test_show_refuses_a_broken_record(record_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record_file.write_text(record_file.read_text().replace('"lots":false', '"lots":true'))
    code, _, err = run(capsys, "show", str(record_file))
    assert (code, err.splitlines()[0].split(": ")[2:4]) == (2, ["result", "wrong_lots"])


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(capsys: pytest.CaptureFixture[str], command: str) -> None:
    code, out, _ = run(capsys, command, "--help")
    assert (code, out[: len(f"usage: aurum {command}")]) == (0, f"usage: aurum {command}")


def test_as_a_module_and_into_a_pipe_that_closes() -> None:
    """A reader that has had enough, like `head`, is no error worth a traceback."""
    command = [sys.executable, "-m", "aurum_league.cli", "rules"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode in (0, 141)
    whole = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.dumps("Aurum en3")[1:-1] in whole.stdout
