"""`aurum verify`: whole records, broken ones, and files that are anything but records."""

import json
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from aurum_league.cli import main
from aurum_league.cli.record_files import LONGEST_LINE
from games.rules.record import dump_record, make_record
from games.rules.ruleset import all_rulesets
from tests.rules.positions import play_random_match

GOOD = [dump_record(make_record(play_random_match(ruleset, "cli"), with_seed=True)) for ruleset in all_rulesets()[::9]]


def verify(capsys: pytest.CaptureFixture[str], *paths: Path | str) -> tuple[int, list[str], str]:
    code = main(["verify", *map(str, paths)])
    out, err = capsys.readouterr()
    return code, out.splitlines(), err


def test_all_hold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "good.jsonl"
    file.write_text("\n".join(GOOD) + "\n\n")
    assert verify(capsys, file, file) == (0, [f"{2 * len(GOOD)} records hold."], "")


def test_one_record_over_many_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "one.json"
    file.write_text(json.dumps(json.loads(GOOD[0]), indent=2))
    assert verify(capsys, file) == (0, ["1 record holds."], "")


def test_where_there_is_no_record_nothing_was_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever verifies a file that a full disk has cut to nothing must not hear that all is well."""
    file, folder, archive = tmp_path / "empty", tmp_path / "folder", tmp_path / "archive.zip"
    file.write_bytes(b"\n")
    folder.mkdir()
    ZipFile(archive, "w").close()
    for path in (file, archive):
        sentence = f"aurum: {path}: it holds no record, so that nothing was checked.\n"
        assert verify(capsys, path) == (2, ["0 records hold."], sentence)
    sentence = f"aurum: {folder}: a folder without records.parquet; name the files in it.\n"
    assert verify(capsys, folder) == (2, ["0 records hold."], sentence)


def test_a_key_that_is_none_is_refused_before_it_is_compared(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--key", "https://site.example", "games.jsonl"]) == 2
    assert "--key is 64 hexadecimal digits" in capsys.readouterr().err


BROKEN = [
    pytest.param(b"{}", "record: not_a_record", id="no record"),
    pytest.param(b"[1, 2]", "record: not_a_record", id="a list"),
    pytest.param(b"no JSON", "record: not_json", id="no JSON"),
    pytest.param(b"\xff\x00\xfe", "record: not_json", id="no text"),
    pytest.param(GOOD[1][:2000].encode(), "record: not_json", id="cut off"),
    pytest.param(b"x" * (LONGEST_LINE + 10), "record: line_too_long", id="too long"),
    pytest.param(b"x" * (3 * LONGEST_LINE), "record: line_too_long", id="far too long"),
    pytest.param(b"[" * 200_000, "record: not_json", id="nested"),
    pytest.param(
        GOOD[1].replace('"winner":', '"winner":9,"x":', 1).encode(), "round 1, trick 1: wrong_winner", id="winner"
    ),
    pytest.param(GOOD[1].replace('"version":1', '"version":"1"').encode(), "record: not_a_record", id="wrong type"),
]


@pytest.mark.parametrize(("line", "told"), BROKEN)
def test_a_broken_line_is_told_in_one_line_and_the_rest_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: bytes, told: str
) -> None:
    file = tmp_path / "mixed.jsonl"
    file.write_bytes(GOOD[0].encode() + b"\n" + line + b"\n" + GOOD[2].encode() + b"\n" + line)
    code, out, err = verify(capsys, file)
    assert (code, err) == (1, "")
    assert [text[: len(f"{file}:2: {told}:")] for text in out[:2]] == [f"{file}:2: {told}:", f"{file}:4: {told}:"]
    assert out[2:] == ["2 of 4 records hold."]


def test_a_file_that_is_not_there_does_not_hide_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "good.jsonl"
    file.write_text(GOOD[0])
    code, out, err = verify(capsys, tmp_path / "none", tmp_path, file)
    assert (code, out) == (2, ["1 record holds."])
    assert err.splitlines() == [
        f"aurum: {tmp_path / 'none'}: No such file or directory.",
        f"aurum: {tmp_path}: a folder without records.parquet; name the files in it.",
    ]


def test_a_huge_line_from_a_pipe_costs_no_memory() -> None:
    """64 MB in one line, in a process that may not have as much: passed over, and the record behind it is judged."""
    limit = "import resource; resource.setrlimit(resource.RLIMIT_DATA, (60 << 20,) * 2)"
    script = f"{limit}; from aurum_league.cli import main; raise SystemExit(main(['verify', '-']))"
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None
        for _ in range(64):
            process.stdin.write(b"7" * (1 << 20))
        process.stdin.write(b"\n" + GOOD[0].encode())
        process.stdin.close()
        out = process.stdout.read().decode().splitlines()
    assert process.returncode == 1
    assert out == [
        f"standard input:1: record: line_too_long: {(64 << 20) + 1} bytes, more than {LONGEST_LINE}",
        "1 of 2 records hold.",
    ]
