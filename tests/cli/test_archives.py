"""`aurum verify` on archives: a tournament's own, and archives that are damaged or made to do harm."""

import io
import json
import zipfile
from pathlib import Path

import pytest

from aurum_league.cli import main
from games.models import Match
from games.rules.record import dump_record, make_record
from games.rules.ruleset import Ruleset
from tests.pages.events import make_players, make_tournament
from tests.rules.positions import play_random_match
from tournaments.pages.downloads import stream_archive

GOOD = dump_record(make_record(play_random_match(Ruleset(4), "archive"), with_seed=True)).encode() + b"\n"
MEGABYTE = 1 << 20


def pack(files: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", compression) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def verify(capsys: pytest.CaptureFixture[str], folder: Path, content: bytes) -> tuple[int, list[str]]:
    """The exit code and what is printed, the archive's own name taken out."""
    file = folder / "cup.zip"
    file.write_bytes(content)
    code = main(["verify", str(file)])
    out, err = capsys.readouterr()
    assert err == ""
    return code, [line.replace(str(file), "cup.zip") for line in out.splitlines()]


@pytest.mark.django_db
def test_the_archive_of_a_tournament_holds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tournament = make_tournament("finished", players=make_players(3))
    archive = b"".join(stream_archive(tournament))
    count = Match.objects.count()
    assert count > 1
    assert verify(capsys, tmp_path, archive) == (0, [f"{count} records hold."])

    with zipfile.ZipFile(io.BytesIO(archive)) as whole:
        files = {name: whole.read(name) for name in whole.namelist()}
    name = f"{tournament.slug}/records.jsonl"
    files[name] = files[name].replace(b'"lots":false', b'"lots":true', 1)
    code, told = verify(capsys, tmp_path, pack(files))
    assert (code, told[-1]) == (1, f"{count - 1} of {count} records hold; 3 things do not.")
    assert told[0].startswith(f"cup.zip/{name}:1: result: wrong_lots: ")


def test_every_file_of_records_is_read_and_no_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pretty = json.dumps(json.loads(GOOD), indent=1).encode()
    files = {"a.jsonl": GOOD * 3, "b/one.json": pretty, "README.txt": b"no record", "c.csv": b"x,y", "d.jsonl": b""}
    assert verify(capsys, tmp_path, pack(files)) == (0, ["4 records hold."])


def test_show_finds_a_record_in_an_archive(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cup.zip"
    file.write_bytes(pack({"a.jsonl": GOOD}))
    assert main(["show", "--text", str(file)]) == 0
    assert capsys.readouterr().out.startswith("aurum en4\n")


def change_checksum(content: bytes) -> bytes:
    """Another byte in what the first file, stored as it is, holds."""
    return content.replace(b'"aurum-record"', b'"aurum-RECORD"', 1)


def encrypt(content: bytes) -> bytes:
    """The mark of an encrypted file, in front of the first file and in the list at the end."""
    marked = bytearray(content)
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        marked[content.index(signature) + offset] |= 1
    return bytes(marked)


STORED = pack({"a.jsonl": GOOD, "b.jsonl": GOOD}, zipfile.ZIP_STORED)
BOMB = pack({"a.jsonl": b"7" * (64 * MEGABYTE), "b.jsonl": GOOD})
DAMAGED = [
    pytest.param(STORED[: len(STORED) // 2], ["cup.zip:1"], 0, id="cut off"),
    pytest.param(b"PK\x03\x04" + b"x" * 100, ["cup.zip:1"], 0, id="nothing but the beginning"),
    pytest.param(change_checksum(STORED), ["cup.zip/a.jsonl:1"], 1, id="another checksum"),
    pytest.param(encrypt(STORED), ["cup.zip/a.jsonl:1"], 1, id="encrypted"),
    pytest.param(BOMB, ["cup.zip/a.jsonl:1", "cup.zip/b.jsonl:1"], 0, id="a bomb in one line"),
    pytest.param(pack({"a.jsonl": b"\n" * MEGABYTE}), ["cup.zip/a.jsonl:1"], 0, id="a bomb of empty lines"),
]


@pytest.mark.parametrize(("content", "places", "sound"), DAMAGED)
def test_what_cannot_be_unpacked_is_a_line_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, places: list[str], sound: int
) -> None:
    code, told = verify(capsys, tmp_path, content)
    assert code == 1
    assert [line.split(": ")[:3] for line in told[:-1]] == [[place, "archive", "bad_archive"] for place in places]
    assert told[-1] == f"{sound} of {sound + len(places)} records hold."
