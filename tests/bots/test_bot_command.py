"""`aurum bot`: what it writes works, what it says is true, and what is wrong is one sentence."""

import zipfile
from pathlib import Path

import pytest

from aurum_league.cli.bot_play import list_rotations
from aurum_league.cli.main import main
from bots.starters import STARTERS
from games.rules.ruleset import Ruleset
from tests.bots.conftest import SOURCES


@pytest.fixture
def starter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    assert main(["bot", "new", "my_bot"]) == 0
    return tmp_path / "my_bot.py"


def test_a_new_bot_passes_the_check_and_beats_random(starter: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "aurum bot check my_bot.py" in starter.read_text()
    assert main(["bot", "check", str(starter)]) == 0
    told = capsys.readouterr().out
    assert told.count("passed") == 4 and "The bot qualifies" in told
    assert main(["bot", "play", str(starter), "random", "--matches", "10", "--seed", "7"]) == 0
    told = capsys.readouterr().out
    assert "12 matches on 4 deals" in told and "even is 33.3 %" in told
    assert float(told.split("won ")[1].split(" %")[0]) > 60


def test_a_zip_is_taken_as_on_the_site(starter: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with zipfile.ZipFile("bot.zip", "w") as archive:
        archive.writestr("main.py", "import core\ncore.main()\n")
        archive.write(starter, "core.py")
    assert main(["bot", "check", "bot.zip"]) == 0


def test_what_made_a_bot_fail_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bot", "check", str(SOURCES / "always_illegal.py")]) == 1
    told = capsys.readouterr().out
    assert "illegal" in told and '{"action": "play G9"}' in told and "thinking hard" in told
    file = str(SOURCES / "crash_late.py")
    assert main(["bot", "play", file, "random", "--matches", "1"]) == 0
    told = capsys.readouterr().out
    assert "forfeits 3; failed decisions: crash 9" in told and "five is too many" in told


def test_a_bot_cannot_steer_its_author_s_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("import sys\nsys.stderr.write('\\33]0;owned\\7\\33[2J\\rall is well\\n')\nsys.exit(1)\n")
    assert main(["bot", "check", str(bot)]) == 1
    checked = capsys.readouterr().out
    command = ["bot", "play", str(bot), "random", "--matches", "1", "--stderr"]
    assert main(command) == 0
    played = capsys.readouterr().out
    for told in (checked, played):
        assert "\\x1b]0;owned\\x07" in told
        assert {mark for mark in told if not mark.isprintable()} == {"\n"}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        pytest.param(["new", "../escape"], "named with letters", id="a name with a path"),
        pytest.param(["new", "my_bot"], "is there already", id="a file that is there"),
        pytest.param(["check", "missing.py"], "missing.py: No such file", id="no such file"),
        pytest.param(["check", "empty.py"], "empty or no text", id="an empty file"),
        pytest.param(["play", "my_bot.py", *["random"] * 3], "one or 2 opponents", id="three opponents"),
        pytest.param(["play", "my_bot.py", "random", "nobody"], "no agent 'nobody'", id="an unknown opponent"),
        pytest.param(["play", "my_bot.py", "random", "--matches", "0"], "--matches", id="no match"),
        pytest.param(
            ["connect", "missing.py", "--url", "http://x", "--token", "t"], "no file", id="nothing to connect"
        ),
    ],
)
def test_what_is_wrong_is_one_sentence(
    starter: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    Path("empty.py").touch()
    assert main(["bot", *arguments]) == 2
    told = capsys.readouterr().err
    assert sentence in told and told.count("\n") == 1


@pytest.mark.parametrize("code", ["en3", "de4"])
def test_on_every_deal_the_bot_sits_at_every_seat(code: str) -> None:
    ruleset = Ruleset.from_code(code)
    rotations = list(list_rotations(ruleset, ["greedy", "counting"], bytes(32), 10))
    assert len(rotations) >= 10 and len(rotations) % ruleset.sides == 0
    first = [rotation for rotation in rotations if rotation.block == 0]
    assert len({rotation.seed for rotation in first}) == 1
    for seat in range(ruleset.players):
        assert {rotation.seats[seat] for rotation in first} >= {"bot"}


@pytest.mark.parametrize("language", STARTERS)
def test_a_new_bot_is_written_in_every_language(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["bot", "new", "my_bot", "--language", language]) == 0
    starter = STARTERS[language]
    source = (tmp_path / f"my_bot.{starter.ending}").read_text(encoding="utf-8")
    told = capsys.readouterr().out
    assert "aurum_decide" in source and "my_bot.wasm" in source
    assert starter.tell_build("my_bot", f"my_bot.{starter.ending}") in told
    assert main(["bot", "new", "my_bot", "--language", language]) != 0
    assert "is there already" in capsys.readouterr().err
