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
from aurum_league.cli.archive_check import check_archive
from aurum_league.common.signing import read_public_key, sign
from games.models import Match
from games.services.by_hand import HandResult
from tests.pages.events import make_players, make_tournament
from tournaments.pages.downloads import stream_archive
from tournaments.services.decisions import enter_result

pytestmark = pytest.mark.django_db
Files = dict[str, bytes]
LIES = ("state", "counts", "entrants", "stage", "matchday", "table", "number")
"""Of a match's row: what neither its record nor the chain tells, so that only the signature covers it."""
OF_VERSIONS = ("kind", "at", "actor", "nuggets", "totals", "record_match")
OF_MANIFEST = ("name", "site_head", "version", "format")


@pytest.fixture
def files() -> Files:
    tournament = make_tournament("finished", players=make_players(3))
    match = Match.objects.order_by("pk")[0]
    enter_result(match_id=match.pk, result=HandResult((1, 2, 3)), reason="misread")
    with zipfile.ZipFile(io.BytesIO(b"".join(stream_archive(tournament)))) as archive:
        return {name.rpartition("/")[2]: archive.read(name) for name in archive.namelist()}


def check(folder: Path, files: Files) -> list[str]:
    path = folder / "cup.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(f"cup/{name}", content)
    return list(check_archive(str(path)))


def spoil(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """The way to every value within, and another value in its place."""
    if isinstance(value, dict | list) and value:
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from spoil(value[key], (*way, key))
    elif isinstance(value, bool):
        yield way, not value
    elif isinstance(value, int):
        yield way, value + 1
    elif isinstance(value, str):
        yield way, "1" * 64
    else:
        yield way, [7] if isinstance(value, list) else 7


def put(rows: list[Any], way: tuple[Any, ...], value: Any) -> bytes:
    changed = json.loads(json.dumps(rows))
    inner = changed
    for key in way[:-1]:
        inner = inner[key]
    inner[way[-1]] = value
    return "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in changed).encode()


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


def test_the_archive_holds(files: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(tmp_path, files) == []
    assert check(tmp_path, sign_again(files)) == []
    path = str(tmp_path / "cup.zip")
    assert main(["verify", "--key", read_public_key(), path]) == 0
    assert main(["verify", "--key", "1" * 64, path]) == 1
    assert "another key" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["records.jsonl", "matches.ndjson", "events.ndjson", "manifest"])
def test_every_value_changed_is_named(files: Files, tmp_path: Path, name: str) -> None:
    rows = read_rows(files[name])[:1]
    ways = list(spoil(rows))
    assert len(ways) > 5
    for way, value in ways[:: max(1, len(ways) // 150)]:
        content = put(read_rows(files[name]), way, value)
        assert check(tmp_path, files | {name: content}), f"{name} {way} changed to {value!r} and nobody noticed"


@pytest.mark.parametrize("name", ["README.txt", "standings.csv", "schedule.csv", "results.csv", "signature"])
def test_every_file_changed_or_missing_is_named(files: Files, tmp_path: Path, name: str) -> None:
    assert check(tmp_path, files | {name: files[name].replace(b"1", b"2", 1) + b"x"})
    assert check(tmp_path, {other: content for other, content in files.items() if other != name})


def test_a_lie_that_the_site_signs_is_named(files: Files, tmp_path: Path) -> None:
    """What follows from seeds, logs and the chain holds against the site itself; its word alone covers the rest."""
    for name, beyond in (("events.ndjson", ()), ("matches.ndjson", LIES), ("manifest", OF_MANIFEST)):
        rows = read_rows(files[name])
        for way, value in spoil(rows):
            is_told = "nuggets" in way or "totals" in way
            if is_told and rows[way[0]]["has_record"]:
                assert check(tmp_path, sign_again(files | {name: put(rows, way, value)})), f"{name} {way} {value!r}"
            if way[1] in beyond or set(OF_VERSIONS) & set(way) or way[1] in ("files", "public_key"):
                continue
            if "versions" in way and way[2] < len(rows[way[0]]["versions"]) - 1:
                continue
            if name == "matches.ndjson" and not rows[way[0]]["has_record"] and way[1] in ("label", "commitment"):
                continue
            if way[-1] == "reason" and "versions" in way:
                continue
            assert check(tmp_path, sign_again(files | {name: put(rows, way, value)})), f"{name} {way} {value!r}"
