"""A tournament's archive with one value changed at a time: each is named, also where the site itself signed it."""

import hashlib
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from aurum_league.cli import main
from aurum_league.cli.archive_check import TABLES, check_archive, check_tables, judge_records
from aurum_league.cli.archive_results import RecordFacts, gather_facts
from aurum_league.common.proofs import read_public_key, sign
from games.models import Match
from games.rules.errors import RecordFault
from games.rules.record import read_record
from games.services.by_hand import HandResult
from tests.pages.events import make_players, make_tournament
from tournaments.pages.downloads import stream_archive
from tournaments.services.decisions import enter_result
from tournaments.services.rebuild import refresh_ratings

pytestmark = pytest.mark.django_db
Files = dict[str, bytes]
Way = tuple[Any, ...]
OUR_WORD = {
    "manifest name": "what it is called",
    "manifest site_head": "binds the site against whoever kept another archive or looked at the fairness page",
    "manifest site_chain": "the same",
    "manifest site_events": "the same",
    "matches versions actor": "a name, which may change; the chain has the number of the account",
    "records seats agent": "what played a seat is known to nobody but the site",
    "records public_key": "the signature covers it",
    "records signature": "the same",
    "players address": "where a player's page is",
    "stages name": "what it is called",
    "stages options matchdays": "how it was drawn; the tables that were drawn are told themselves",
}
"""What neither records nor the chain tell, so that the site's signature alone stands for it, and why that is so."""
BY_CHANCE = {"records rounds tricks bid_changes gold"}
"""Another gold of the same points, which nobody saw again, tells the same match."""


@pytest.fixture
def files() -> Files:
    """Blocks of three, one result by hand; ratings and the official fit brought up to date."""
    tournament = make_tournament("finished", players=make_players(4))
    first = Match.objects.order_by("pk")[0]
    enter_result(match_id=first.pk, result=HandResult((1, 2, 3)), reason="misread")
    refresh_ratings()
    return unpack(b"".join(stream_archive(tournament)))


def unpack(content: bytes) -> Files:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name.rpartition("/")[2]: archive.read(name) for name in archive.namelist()}


def check(folder: Path, files: Files) -> list[str]:
    path = folder / "cup.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(f"cup/{name}", content)
    return list(check_archive(str(path)))


def spoil(value: Any, way: Way = ()) -> Iterator[tuple[Way, Any]]:
    """The way to every value within, and another value in its place; of long lists the first and the last."""
    if isinstance(value, dict | list) and value:
        keys = list(value) if isinstance(value, dict) else sorted({0, len(value) - 1})
        for key in keys:
            yield from spoil(value[key], (*way, key))
    elif isinstance(value, bool):
        yield way, not value
    elif isinstance(value, int | float):
        yield way, value + 1
    elif isinstance(value, str):
        yield way, "1" * 64
    else:
        yield way, [7] if isinstance(value, list) else 7


def name_way(name: str, way: Way) -> str:
    """The field that a way leads to, whatever row or place in a list."""
    return " ".join([name, *(key for key in way if isinstance(key, str))])


def put(rows: list[Any], way: Way, value: Any) -> list[Any]:
    changed: list[Any] = json.loads(json.dumps(rows))
    inner: Any = changed
    for key in way[:-1]:
        inner = inner[key]
    inner[way[-1]] = value
    return changed


def write_rows(rows: list[Any]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows).encode()


def read_rows(content: bytes) -> list[Any]:
    return [json.loads(line) for line in content.splitlines()]


def sign_again(files: Files) -> Files:
    """As a site would that lies: every digest right, and its own signature under them."""
    manifest = json.loads(files["manifest"])
    manifest["files"] = {
        name: hashlib.sha256(content).hexdigest()
        for name, content in files.items()
        if name not in ("manifest", "signature")
    }
    content = (json.dumps(manifest, ensure_ascii=False, sort_keys=True) + "\n").encode()
    return files | {"manifest": content, "signature": sign(content).encode()}


def list_spoilt(name: str, rows: list[Any]) -> Iterator[tuple[str, list[Any]]]:
    """Each field of a file spoilt in turn, in its first row and in its last."""
    for way, value in spoil(rows):
        yield name_way(name, way), put(rows, way, value)


def judge(record: Any) -> list[RecordFacts]:
    try:
        return [gather_facts(record, read_record(record))]
    except RecordFault:
        return []


def test_a_record_by_itself_is_signed(files: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, record = tmp_path / "one.jsonl", read_rows(files["records.jsonl"])[0]
    path.write_bytes(write_rows([record]))
    assert main(["verify", "--key", read_public_key(), str(path)]) == 0
    assert main(["verify", "--key", "1" * 64, str(path)]) == 1
    unsigned = {name: value for name, value in record.items() if name not in ("signature", "public_key")}
    path.write_bytes(write_rows([unsigned]))
    assert main(["verify", str(path)]) == 0
    assert main(["verify", "--key", read_public_key(), str(path)]) == 1
    spoilt = [rows[0] for _, rows in list_spoilt("records", [record])]
    assert len(spoilt) > 50
    path.write_bytes(write_rows(spoilt))
    assert main(["verify", str(path)]) == 1
    assert capsys.readouterr().out.endswith(f"0 of {len(spoilt)} records hold.\n")


def test_the_archive_holds(files: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(tmp_path, files) == []
    assert check(tmp_path, sign_again(files)) == []
    path = str(tmp_path / "cup.zip")
    assert main(["verify", "--key", read_public_key(), path]) == 0
    assert main(["verify", "--key", "1" * 64, path]) == 1
    assert "another key" in capsys.readouterr().out


def test_every_value_changed_is_named(files: Files, tmp_path: Path) -> None:
    for name in (*(f"{table}.ndjson" for table in TABLES), "records.jsonl", "manifest"):
        rows = read_rows(files[name])
        way, value = next(spoil(rows))
        content = write_rows(put(rows, way, value))
        found = check(tmp_path, files | {name: content})
        wanted = f"the file {name} is not the one that was signed" if name != "manifest" else "the signature is not"
        assert any(wanted in sentence for sentence in found), f"{name} {way} changed to {value!r} and nobody noticed"


@pytest.mark.parametrize("name", ["README.txt", "standings.csv", "schedule.csv", "results.csv", "signature"])
def test_every_file_changed_or_missing_is_named(files: Files, tmp_path: Path, name: str) -> None:
    assert check(tmp_path, files | {name: files[name].replace(b"1", b"2", 1) + b"x"})
    assert check(tmp_path, {other: content for other, content in files.items() if other != name})


def test_a_lie_that_the_site_signs_is_named(files: Files, tmp_path: Path) -> None:
    """Every field in turn: what follows from seeds, logs and the chain holds against the site itself."""
    assert check(tmp_path, files) == []
    facts = list(judge_records(str(tmp_path / "cup.zip")))
    told = {name: read_rows(files[f"{name}.ndjson"]) for name in TABLES}
    manifest = json.loads(files["manifest"])
    silent = set()
    for name in told:
        for field, spoilt in list_spoilt(name, told[name]):
            if next(check_tables(manifest, told | {name: spoilt}, facts), None) is None:
                silent.add(field)
    for field, (spoilt,) in list_spoilt("manifest", [manifest]):
        lie = files | {"manifest": write_rows([spoilt])}
        if "files" not in field and not check(tmp_path, sign_again(lie)):
            silent.add(field)
    record, *others = read_rows(files["records.jsonl"])
    for field, (spoilt,) in list_spoilt("records", [record]):
        if next(check_tables(manifest, told, [*judge(spoilt), *facts[1:]]), None) is None:
            silent.add(field)
    assert len(others) == len(facts) - 1
    unlike = (silent ^ set(OUR_WORD)) - BY_CHANCE
    assert not unlike, ", ".join(sorted(unlike))
