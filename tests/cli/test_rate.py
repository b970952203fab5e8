"""`aurum rate`: a file or a pipe of results in, strengths and ranks out, and a sentence for what is wrong."""

import io
import json
from pathlib import Path
from random import Random

import pytest

from aurum_league.cli import main

COLUMNS = [
    "name",
    "matches",
    "strength",
    "low",
    "high",
    "rating",
    "rating_low",
    "rating_high",
    "rank_best",
    "rank_worst",
    "provisional",
]


def make_lines(matches: int, names: str = "abcde", seed: int = 1) -> list[str]:
    """Who comes earlier in the names is the stronger."""
    rng, lines = Random(seed), []
    for block in range(matches):
        seated = rng.sample(names, 3)
        order = sorted(seated, key=lambda name: names.index(name) + rng.gauss(0, 2))
        lines.append(
            json.dumps(
                {
                    "sides": [[name] for name in seated],
                    "places": [1 + order.index(name) for name in seated],
                    "block": f"deal {block}",
                }
            )
        )
    return lines


def rate(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["rate", *arguments])
    return code, *capsys.readouterr()


@pytest.fixture
def results(tmp_path: Path) -> Path:
    path = tmp_path / "results.jsonl"
    path.write_text("\n".join(make_lines(300)) + "\n\n")
    return path


def test_the_table_has_the_named_columns_best_first(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = rate(capsys, str(results))
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[0].split() == COLUMNS
    assert [line.split()[0] for line in lines[1:]] == list("abcde")
    assert all(len(line.split()) == len(COLUMNS) for line in lines)


def test_the_anchor_is_1500_and_all_else_is_measured_from_it(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = rate(capsys, str(results), "--anchor", "c", "--json")
    rows = {row["name"]: row for row in json.loads(out)}
    assert rows["c"]["strength"] == rows["c"]["low"] == rows["c"]["high"] == 0
    assert rows["c"]["rating"] == 1500
    assert list(rows["a"])[: len(COLUMNS)] == COLUMNS
    for row in rows.values():
        assert row["low"] <= row["strength"] <= row["high"]
        for column, name in (("strength", "rating"), ("low", "rating_low"), ("high", "rating_high")):
            assert row[name] == pytest.approx(1500 + 173.7178 * row[column], abs=0.01)
    assert sum(row["matches"] for row in rows.values()) == 900
    assert rows["a"]["rank_best"] == 1 and rows["e"]["rank_worst"] == 5


def test_results_come_through_a_pipe(
    results: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def pipe(text: str) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

    from_file = rate(capsys, str(results), "--json")[1]
    pipe(results.read_text())
    assert rate(capsys, "-", "--json")[1] == from_file
    pipe("\ufeff" + results.read_text())
    assert rate(capsys, "--json")[1] == from_file
    pipe(results.read_text() + "{oops\n")
    assert f"standard input, line {len(results.read_text().splitlines()) + 1}: not JSON (" in rate(capsys)[2]


def test_scores_that_foretell_wins_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = make_lines(60)
    plain, scored = tmp_path / "plain.jsonl", tmp_path / "scored.jsonl"
    plain.write_text("\n".join(lines))
    # Who sits first has scored most, and nobody else anything, whoever won.
    scored.write_text("\n".join(f'{line[:-1]}, "totals": [9, 0, 0]}}' for line in lines))
    told = []
    for path in (plain, scored):
        rows = json.loads(rate(capsys, str(path), "--json")[1])
        told.append({row["name"]: row["strength"] for row in rows})
    assert max(abs(told[0][name] - told[1][name]) for name in "abcde") > 1e-3


def test_islands_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "islands.jsonl"
    path.write_text("\n".join(make_lines(40) + make_lines(40, "vwxyz", 2)))
    code, out, err = rate(capsys, str(path))
    assert code == 0
    assert "2 islands that never met" in err
    assert out.splitlines()[0].split() == [*COLUMNS, "island"]


GOOD = '{"sides": [["a"], ["b"], ["c"]], "places": [1, 2, 3]}'


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        pytest.param("{", "not JSON", id="not JSON"),
        pytest.param("[1]", 'an object with "sides" and "places"', id="no object"),
        pytest.param('{"places": [1, 2]}', '"sides" is a list of lists', id="no sides"),
        pytest.param('{"sides": ["a", "b"], "places": [1, 2]}', '"sides" is a list of lists', id="bare names"),
        pytest.param('{"sides": [["a"], [""]], "places": [1, 2]}', "a name is a text", id="an empty name"),
        pytest.param('{"sides": [["a"], ["b\\n"]], "places": [1, 2]}', "a name is a text", id="a name of two lines"),
        pytest.param('{"sides": [["a"], ["\udcff"]], "places": [1, 2]}', "not UTF-8 text", id="bytes that are no text"),
        pytest.param('{"sides": [["a"], ["a"], ["b"]], "places": [1, 2, 3]}', "twice", id="one player twice"),
        pytest.param('{"sides": [["a"]], "places": [1]}', "two or three sides", id="one side"),
        pytest.param('{"sides": [["a"], ["b"]], "places": [1, 2]}', "2 sides of 1, but the lines", id="another shape"),
        pytest.param('{"sides": [["a"], ["b"], ["c"]], "places": [1, 2]}', "3 whole numbers", id="a place too few"),
        pytest.param('{"sides": [["a"], ["b"], ["c"]], "places": [2, 2, 3]}', "from 1, the best", id="nobody first"),
        pytest.param('{"sides": [["a"], ["b"], ["c"]], "places": [1, 2, true]}', "whole numbers", id="no number"),
        pytest.param(GOOD[:-1] + ', "block": 1.5}', '"block" is a text', id="a block that is none"),
        pytest.param(GOOD[:-1] + ', "totals": [1, 2]}', '"totals" is a list of 3 numbers', id="a score too few"),
        pytest.param(GOOD[:-1] + ', "totals": [1, 2, NaN]}', '"totals" are numbers up to', id="a score that is none"),
        pytest.param(GOOD[:-1] + ', "placse": 1}', '"placse" is not known', id="a misspelt key"),
    ],
)
def test_bad_input_gets_a_sentence_with_its_line(
    line: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(f"{GOOD}\n\n{line}\n", errors="surrogateescape")
    code, out, err = rate(capsys, str(path))
    assert (code, out) == (2, "")
    assert f"{path}, line 3: " in err and sentence in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "arguments", "sentence"),
    [
        pytest.param("\n", [], "has no results", id="an empty file"),
        pytest.param(GOOD, ["--anchor", "zed"], "nobody of that name", id="an unknown anchor"),
    ],
)
def test_what_cannot_be_rated_is_said(
    text: str, arguments: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "few.jsonl"
    path.write_text(text)
    code, _, err = rate(capsys, str(path), *arguments)
    assert code == 2
    assert sentence in err


def test_a_file_that_is_no_text_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "results.parquet"
    path.write_bytes(b"PAR1\xff\xfe")
    assert rate(capsys, str(path)) == (2, "", f"aurum: {path}, line 1: not UTF-8 text.\n")


def test_a_missing_file_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = rate(capsys, str(tmp_path / "none.jsonl"))
    assert code == 2
    assert "No such file" in err
