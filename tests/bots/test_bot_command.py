"""`aurum bot`: what it writes works, what it says is true, and what is wrong is one sentence."""

import json
import sys
import zipfile
from pathlib import Path

import pytest

from aurum_league.cli.bot_matches import list_sittings
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


def test_a_quick_check_and_a_profile(starter: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bot", "check", "--quick", str(starter)]) == 0
    told = capsys.readouterr().out
    assert told.count("passed") == 1 and "yet to come" in told
    assert main(["bot", "profile", str(starter), "--matches", "1", "--seed", "1"]) == 0
    told = capsys.readouterr().out
    assert "decisions, ms" in told and "slowest" in told
    assert all(phase in told for phase in ("bid", "change", "play"))
    assert main(["bot", "profile", "counting"]) == 2


def test_scripts_read_a_check_and_a_run_as_json(starter: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bot", "check", "--quick", "--json", str(starter)]) == 0
    checked = json.loads(capsys.readouterr().out)
    assert checked["passed"] and checked["fault"] is None and checked["cpu_ms"]["p99"] > 0
    assert main(["bot", "check", "--json", str(SOURCES / "always_illegal.py")]) == 1
    assert json.loads(capsys.readouterr().out)["fault"]["verdict"] == "illegal"
    assert main(["bot", "play", "counting", "greedy", "random", "--matches", "12", "--seed", "1", "--json"]) == 0
    played = json.loads(capsys.readouterr().out)
    assert (played["ruleset"], played["matches"], played["deals"]) == ("en3", 12, 2)
    won = [bot["won"]["mean"] for bot in played["bots"]]
    assert sum(won) == pytest.approx(1) and won[0] > won[2] and set(played["bots"][0]["ahead"]) == {"1", "2"}


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


STATUS = ["status", "--url", "http://127.0.0.1:1"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        pytest.param(["new", "../escape"], "named with letters", id="a name with a path"),
        pytest.param(["new", "my_bot"], "is there already", id="a file that is there"),
        pytest.param(["check", "missing.py"], "missing.py: No such file", id="no such file"),
        pytest.param(["check", "empty.py"], "empty or no text", id="an empty file"),
        pytest.param(["play", "my_bot.py", *["random"] * 8], "8 bots at the most", id="eight opponents"),
        pytest.param(["play", "my_bot.py"], "its opponents", id="no opponent"),
        pytest.param(["play", "my_bot.py", "cmd:'open"], "names no command", id="no command"),
        pytest.param(["play", "my_bot.py", "cmd:./missing-program", "--matches", "1"], "no command: ./m", id="missing"),
        pytest.param(["play", "my_bot.py", "random", "-j", "0"], "-j is a number", id="no process"),
        pytest.param(["play", "my_bot.py", "random", "--until-sure", "0"], "--until-sure", id="sure of all"),
        pytest.param(["play", "my_bot.py", "random", "nobody"], "no agent 'nobody'", id="an unknown opponent"),
        pytest.param(["play", "my_bot.py", "random", "--matches", "0"], "--matches", id="no match"),
        pytest.param(
            ["connect", "missing.py", "--url", "http://x", "--token", "t"], "no file", id="nothing to connect"
        ),
        pytest.param(["connect", "my_bot.py", "--url", "localhost:1", "--token", "t"], "no address", id="no scheme"),
        pytest.param(["status", "--url", "http://x:y", "--token-file", "t"], "no address", id="no port"),
        pytest.param([*STATUS, "--token-file", "empty.py"], "empty.py holds no token", id="an empty token"),
        pytest.param([*STATUS, "--token-file", "noise"], "noise holds no token", id="a token that is no text"),
        pytest.param(["connect", "my_bot.py", *STATUS[1:], "--token", "aur ü"], "no token", id="no sign of a token"),
        pytest.param([*STATUS, "--token-file", "token"], "aurum: The site does not answer", id="nobody there"),
    ],
)
def test_what_is_wrong_is_one_sentence(
    starter: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    Path("empty.py").touch()
    Path("noise").write_bytes(b"\xff\xfe\0")
    Path("token").write_text("aur_1\n")
    try:
        assert main(["bot", *arguments]) == 2
    except SystemExit as stop:
        assert stop.code == 2
    told = capsys.readouterr().err
    assert sentence in told and told.count("\n") == 1


@pytest.mark.parametrize(
    ("code", "contestants", "seatings"),
    [
        pytest.param("en3", 2, 3, id="one against two"),
        pytest.param("en3", 3, 6, id="three"),
        pytest.param("en3", 4, 24, id="four, three by three"),
        pytest.param("de4", 2, 2, id="two sides"),
        pytest.param("de4", 3, 6, id="three, side by side"),
    ],
)
def test_on_every_deal_everybody_sits_at_every_seat(code: str, contestants: int, seatings: int) -> None:
    ruleset = Ruleset.from_code(code)
    sittings = list(list_sittings(ruleset, contestants, 10))
    assert len(sittings) >= 10 and len(sittings) % seatings == 0
    first = [sitting.seats for sitting in sittings if sitting.block == 0]
    assert len(first) == len(set(first)) == seatings
    for seat in range(ruleset.players):
        assert {seats[seat] for seats in first} == set(range(contestants))


def forget_times(line: str) -> object:
    told = json.loads(line)
    assert told["bench"].pop("used")
    return told


def test_any_mix_plays_and_a_run_that_was_broken_off_goes_on(starter: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["bot", "play", str(starter), f"cmd:{sys.executable} -u {starter}", "counting", "--save", "games.jsonl"]
    assert main([*command, "--matches", "1", "--seed", "9"]) == 0
    told = capsys.readouterr().out
    assert "6 matches on 1 deals" in told and "ahead of" in told and "counting" in told
    saved = Path("games.jsonl")
    lines = saved.read_text().splitlines()
    saved.write_text("\n".join([*lines[:4], lines[4][:100]]))
    assert main([*command, "--matches", "7", "-j", "2"]) == 0
    told = capsys.readouterr().out
    assert "4 matches are in games.jsonl already; 8 are left" in told and "12 matches on 2 deals" in told
    again = saved.read_text().splitlines()
    assert list(map(forget_times, again[:6])) == list(map(forget_times, lines)), "the same deals, the same matches"
    assert main(["verify", "games.jsonl"]) == 0
    capsys.readouterr()
    assert main(["show", "games.jsonl:12"]) == 0
    assert "counting" in capsys.readouterr().out
    assert main(["bot", "play", str(starter), "random", "--save", "games.jsonl"]) == 2
    assert "holds another run" in capsys.readouterr().err
    starter.write_text(starter.read_text() + "# better\n")
    assert main(command) == 2
    assert f"was played by another {starter}, which has changed since" in capsys.readouterr().err


def test_it_stops_when_it_is_sure(starter: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["bot", "play", "counting", "greedy", "--seed", "3", "--until-sure", "12"]
    assert main(command) == 0
    told = capsys.readouterr().out
    assert 30 < int(told.split(" matches on")[0].split()[-1]) < 300 and "not sure" not in told
    assert main([*command, "--matches", "30"]) == 0
    told = capsys.readouterr().out
    assert "30 matches on" in told and "not sure to 12 points yet: give more --matches" in told


def test_failed_matches_are_listed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    saved = tmp_path / "games.jsonl"
    file = str(SOURCES / "crash_late.py")
    assert main(["bot", "play", "random", file, "--matches", "1", "--save", str(saved)]) == 0
    capsys.readouterr()
    assert main(["show", str(saved), "--failures"]) == 0
    told = capsys.readouterr().out
    assert f"{saved}:1: " in told and "crash" in told and "five is too many" in told
    assert f"{saved}:2: " in told and main(["show", f"{saved}:2", "--failures"]) == 0
    one = capsys.readouterr().out
    assert f"{saved}:2: " in one and f"{saved}:1: " not in one


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
