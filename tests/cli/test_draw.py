"""`aurum draw`: whole plans and first matchdays from a file or a pipe, and mistakes with their line."""

import io
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from aurum_league.cli import main
from aurum_league.cli.draw import tell_forecasts
from tournaments.rules.forecast import forecast_tournament
from tournaments.rules.pairing import TableKind
from tournaments.rules.spec import StageSpec

LEAGUE = 'name = "League"\npreset = "bot_league"\nplayers = ["a", "b", "c", "d", "e", "f", "g"]\n'
SWISS = 'name = "Swiss"\nplayers = ["a", "b", "c", "d"]\n\n[[stages]]\nformat = "swiss"\n'
ROBIN, SEASON = SWISS.replace("swiss", "round_robin"), SWISS.replace("swiss", "league_season")
GROUPS = 'name = "Groups"\npreset = "groups_then_knockout"\nplayers = [{names}]\n'
LADDER = 'name = "Ladder"\npreset = "ladder"\nplayers = ["a", "b", "c"]\n'


def draw(text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *options: str) -> Any:
    piped = io.TextIOWrapper(io.BytesIO(text.encode("utf-8", "surrogateescape")))
    monkeypatch.setattr(sys, "stdin", piped)
    code = main(["draw", *options])
    out, err = capsys.readouterr()
    return (json.loads(out) if out.startswith("{") else out) if code == 0 else (code, err)


def test_a_whole_round_robin_is_drawn(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    told = draw(LEAGUE, monkeypatch, capsys, "--json")
    assert [day["number"] for day in told["matchdays"]] == [1, 2, 3, 4, 5, 6, 7]
    for day in told["matchdays"]:
        seated = [name for table in day["tables"] for name in table["seats"]]
        assert sorted(seated + day["byes"]) == list("abcdefg")
    assert told["certificate"]["meetings"] == {"least": 2, "most": 2, "spread": 0, "bound": 0}
    assert told["certificate"]["left_against_right"]["most"] == 0
    assert told["forecast"]["this"]["matches"] == 7 * 2 * 12
    assert told["forecast"]["twice"]["gap"] < told["forecast"]["this"]["gap"]
    assert told["forecast"]["this"]["best_wins"] > told["forecast"]["swiss_weekend"]["best_wins"]


def test_only_the_first_matchday_of_a_swiss_is_drawn(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = draw(SWISS, monkeypatch, capsys, "-", "--json")
    assert len(told["matchdays"]) == 1
    assert len(told["matchdays"][0]["byes"]) == 1
    assert draw(SWISS, monkeypatch, capsys, "--json") == told


@pytest.mark.parametrize("n", [9, 12, 15, 21])
def test_nobody_of_a_group_is_left_out(
    n: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ", ".join(f'"p{number}"' for number in range(n))
    told = draw(GROUPS.format(names=names), monkeypatch, capsys, "--json")
    assert sorted(told["certificate"]) == ["D1", "D2", "D3"]
    for certificate in told["certificate"].values():
        assert certificate["matches"]["least"] >= 1
        assert certificate["matches"]["spread"] == 0


def test_people_are_told_in_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "league.toml"
    file.write_text(LEAGUE)
    assert main(["draw", str(file)]) == 0
    told = capsys.readouterr().out
    assert told.startswith("Matchday 1\n")
    assert "Forecast: 168 matches; the best entrant wins in " in told
    assert "\n  twice as many deals: 336 matches; the best entrant wins in " in told
    assert "\n  swiss_weekend: " in told
    assert "runs on without end" in draw(LADDER, monkeypatch, capsys)


def test_a_field_too_large_for_a_forecast_is_counted() -> None:
    league = StageSpec("round_robin", options={"meetings": 2}, block_deals=4)
    [line] = tell_forecasts({"this": asdict(forecast_tournament(TableKind.SOLO3, [league], 2000))})
    assert " matches; too large to say how often the best entrant wins; a gap of " in line


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        pytest.param("name = ", "is not TOML", id="no TOML"),
        pytest.param("name = ", "line 1", id="the line of what is no TOML"),
        pytest.param('name = "x"\n\n[[stages]]\nformat = "swis"\n', "line 4: There is no format 'swis'", id="format"),
        pytest.param('name = "x"\npreset = "nothing"\n', "line 2: There is no preset 'nothing'.", id="preset"),
        pytest.param(SWISS.replace('"c", "d"', ""), "line 2: 2 entrants do not fill one table", id="too few"),
        pytest.param(SWISS.replace('"d"', '"a"'), "line 2: players names 'a' twice.", id="a name twice"),
        pytest.param(SWISS.replace('"d"', "4"), "line 2: players must be a list of names.", id="no name"),
        pytest.param(SWISS + "bad = 3\n", "line 6: A stage has no 'bad'.", id="no such key"),
        pytest.param(SWISS + "cut = true\n", "line 6: cut is True", id="a wrong value"),
        pytest.param(SWISS + "points = 5\n", "line 6: points is 5, but must be a list.", id="points that are no list"),
        pytest.param(SWISS + "points = [inf, 1, 0]\n", "line 6: The points by place cannot", id="no end of points"),
        pytest.param(SWISS + "tiebreaks = 5\n", "line 6: tiebreaks is 5, but must be", id="metrics that are no list"),
        pytest.param(SWISS + "options = 5\n", "line 6: options are names with values", id="options that are none"),
        pytest.param(SWISS.replace('"swiss"', "[1]"), "line 5: The format must be text", id="a format that is no text"),
        pytest.param(ROBIN + "options = { matchdays = 100000000 }\n", "line 6: round_robin", id="no end of days"),
        pytest.param(SEASON, "line 5: league_season needs the option 'divisions'.", id="no divisions"),
        pytest.param(SEASON + "options = { divisions = [] }\n", "line 6: league_season: divisions", id="none at all"),
        pytest.param(SEASON + "options = { divisions = 4 }\n", "line 6: league_season: divisions", id="not a list"),
        pytest.param(SEASON + 'options = { divisions = ["4"] }\n', "line 6: league_season", id="not numbers"),
        pytest.param("ruleset = [1]\n" + SWISS, "line 1: The ruleset must be text", id="a ruleset that is no text"),
        pytest.param('is_rated = "no"\n' + SWISS, "line 1: is_rated is 'no'", id="neither yes nor no"),
        pytest.param('name = "x"\npreset = [1]\n', "line 2: There is no preset [1].", id="a preset that is no text"),
        pytest.param("name = " + "[" * 9000, "nest so deep", id="too deep"),
        pytest.param("name = " + "9" * 5000, "is not TOML: Exceeds the limit", id="a number too long"),
        pytest.param('name = "\udcff"\n', "Line 1 is not UTF-8 text.", id="no text"),
    ],
)
def test_a_mistake_is_a_sentence_with_its_line(
    text: str, sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, err = draw(text, monkeypatch, capsys)
    assert code == 2
    assert sentence in err
    assert err.count("\n") == 1
    sentences = err.strip().split(". ")
    assert len({one.strip(".") for one in sentences}) == len(sentences), "nothing is said twice"


def test_a_file_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["draw", "nowhere.toml"]) == 2
    assert "nowhere.toml" in capsys.readouterr().err
