"""Checking a tournament's archive as a whole: signature, digests, seed and chain; results and ratings beside it."""

import hashlib
import json
import os
import zipfile
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import Any

from aurum_league.cli.archive_ratings import check_ratings
from aurum_league.cli.archive_results import RecordFacts, ResultCheck, gather_facts
from aurum_league.cli.archive_standings import StandingsCheck
from aurum_league.cli.record_files import LONGEST_LINE, Allowance, Member, read_records, told_as_fault
from aurum_league.common.errors import LeagueError
from aurum_league.common.parquet import ParquetFile
from aurum_league.common.proofs import find_breaks, first_link, is_signed_by
from games.rules.deal import SEED_BYTES, commitment
from games.rules.errors import RecordFault
from games.rules.record import read_record
from tournaments.rules.seed_parts import check_seed_parts

MANIFEST, SIGNATURE = "manifest", "signature"
FORMAT, VERSION = "aurum-archive", 2
TABLES = ("stages", "entrants", "players", "fixtures", "matches", "standings", "pools", "rated", "ratings", "events")
LARGEST_MANIFEST = 1 << 20
SPOILT = (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError, AssertionError, LeagueError)


class ArchiveZip:
    """A tournament's archive, its files by their names without the folder; raises RecordFault where it is no zip."""

    form = "ndjson"

    def __init__(self, path: str) -> None:
        with told_as_fault():
            self.zip = zipfile.ZipFile(path)
            self.names = {PurePosixPath(info.filename).name: info for info in self.zip.infolist()}
            self.size = sum(info.compress_size for info in self.zip.infolist())

    @property
    def is_whole(self) -> bool:
        """Whether it is an archive of the site's, and not just files of records."""
        return MANIFEST in self.names or SIGNATURE in self.names

    def open(self, name: str) -> Member:
        with told_as_fault():
            return Member(self.zip.open(self.names[name]), Allowance(self.size + LARGEST_MANIFEST))

    def read_table(self, name: str) -> list[Any]:
        """The rows of a file with one JSON object a line; raises KeyError where it is missing."""
        file, rows = self.open(f"{name}.ndjson"), []
        while line := file.readline(LONGEST_LINE):
            rows.append(json.loads(line))
        return rows

    def digest(self, name: str) -> str:
        file, total = self.open(name), hashlib.sha256()
        while part := file.read(1 << 16):
            total.update(part)
        return total.hexdigest()


class ArchiveFolder:
    """The same as a folder of Parquet files, as `manage.py archive` writes it."""

    form = "parquet"

    def __init__(self, path: str) -> None:
        self.folder = Path(path)
        self.names = {one.name for one in self.folder.iterdir()}

    @property
    def is_whole(self) -> bool:
        return MANIFEST in self.names or SIGNATURE in self.names

    def open(self, name: str) -> Any:
        if name not in self.names:
            raise KeyError(name)
        return BytesIO((self.folder / name).read_bytes())

    def read_table(self, name: str) -> list[Any]:
        with ParquetFile.open(self.folder / f"{name}.parquet") as file:
            return list(file.read_rows())

    def digest(self, name: str) -> str:
        with (self.folder / name).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()


def open_archive(path: str) -> ArchiveZip | ArchiveFolder:
    return ArchiveFolder(path) if os.path.isdir(path) else ArchiveZip(path)


def check_archive(path: str, key: str | None = None, facts: Iterable[RecordFacts] | None = None) -> Iterator[str]:
    """A sentence for everything in an archive that does not hold; nothing for one that holds files of records only.

    `facts` are what its records gave, where the caller has judged them already.
    """
    archive = open_archive(path)
    if not archive.is_whole:
        return
    try:
        content = archive.open(MANIFEST).read(LARGEST_MANIFEST)
        manifest = json.loads(content)
        signature = archive.open(SIGNATURE).read(LARGEST_MANIFEST)
    except KeyError as error:
        yield f"the file {error} is missing"
        return
    except ValueError:
        yield "the manifest cannot be read"
        return
    tables: dict[str, list[Any]] = {}
    for check in (
        lambda: _check_manifest(manifest, content, signature, key),
        lambda: _check_files(archive, manifest),
        lambda: _read_tables(archive, tables),
        lambda: check_tables(manifest, tables, judge_records(path) if facts is None else facts),
    ):
        yield from _run(check)


def check_tables(manifest: Any, tables: dict[str, list[Any]], facts: Iterable[RecordFacts]) -> Iterator[str]:
    """What does not hold although it was signed: the chain, results, standings and ratings."""
    given = list(facts)
    played = {(one.match, one.version): list(one.summary.places) for one in given}
    for check in (
        lambda: _check_seed(manifest, tables["events"]),
        lambda: _check_chain(tables["events"], manifest),
        lambda: _check_results(manifest, tables, given),
        lambda: check_ratings(tables, played),
    ):
        yield from _run(check)


def _check_results(manifest: Any, tables: dict[str, list[Any]], facts: Iterable[RecordFacts]) -> Iterator[str]:
    results = ResultCheck(manifest, _read_seed(manifest), tables)
    yield from results.take_facts(facts)
    yield from results.check_matches()
    yield from results.check_decisions()
    counted = StandingsCheck(manifest, results.seed, tables, results.facts)
    yield from counted.check_fixtures()
    yield from counted.check_entrants()
    yield from counted.check_story()
    yield from counted.check_stages()
    for number in counted.stages:
        yield from (f"stage {number}: {fault}" for fault in counted.check_standings(number))


def _run(check: Callable[[], Iterator[str]]) -> Iterator[str]:
    try:
        yield from check()
    except RecordFault as fault:
        yield f"{fault.place}: {fault.message}"
    except SPOILT as error:
        yield f"the archive is not as it should be ({type(error).__name__}: {error})"


def judge_records(path: str) -> Iterator[RecordFacts]:
    """What the records that hold give; whoever calls without them hears of those that do not as missing ones."""
    for line in read_records(path):
        if line.fault is None:
            try:
                yield gather_facts(line.record, read_record(line.record))
            except RecordFault:
                continue


def _check_manifest(manifest: Any, content: bytes, signature: bytes, key: str | None) -> Iterator[str]:
    if (manifest["format"], manifest["version"]) != (FORMAT, VERSION):
        yield f"it is {manifest['format']} {manifest['version']}, and this program checks {FORMAT} {VERSION}"
    if key is not None and manifest["public_key"] != key:
        yield "it is signed with another key than the one you gave"
    if not is_signed_by(content, signature.decode().strip(), manifest["public_key"]):
        yield "the signature is not that of this manifest"


def _check_files(archive: ArchiveZip | ArchiveFolder, manifest: Any) -> Iterator[str]:
    listed = manifest["files"]
    for name in sorted(set(listed) - set(archive.names)):
        yield f"the file {name} is missing"
    for name in sorted(set(archive.names) - set(listed) - {MANIFEST, SIGNATURE}):
        yield f"the file {name} is not in the manifest"
    for name in sorted(set(archive.names) & set(listed)):
        if archive.digest(name) != listed[name]:
            yield f"the file {name} is not the one that was signed"


def _read_tables(archive: ArchiveZip | ArchiveFolder, tables: dict[str, list[Any]]) -> Iterator[str]:
    for name in TABLES:
        file = f"{name}.{archive.form}"
        tables[name] = archive.read_table(name) if file in archive.names else []
        if file not in archive.names:
            yield f"the file {file} is missing"


def _read_seed(manifest: Any) -> bytes | None:
    """The tournament's seed, from which everything that was left to chance follows; None while it is sealed."""
    return bytes.fromhex(manifest["seed"]) if manifest["seed"] is not None else None


def _check_seed(manifest: Any, events: list[Any]) -> Iterator[str]:
    seed, parts = _read_seed(manifest), manifest["parts"]
    if (seed is None) != (manifest["state"] != "finished"):
        yield "the seed is told of a finished tournament, and of no other"
    yield from check_seed_parts(parts, manifest["seed"], events, manifest["commitment"])
    if parts is not None:
        return
    if seed is not None and (len(seed) != SEED_BYTES or commitment(seed) != manifest["commitment"]):
        yield "the tournament's commitment is not the SHA-256 of its seed"


def _check_chain(events: list[Any], manifest: Any) -> Iterator[str]:
    yield from find_breaks(first_link(manifest["tournament"], manifest["commitment"]), events)
    head = events[-1]["digest"] if events else None
    if (len(events), head) != (manifest["events"], manifest["head"]):
        yield "the chain does not end where the manifest says"
    kinds = {event["kind"] for event in events}
    for state in ("finished", "cancelled"):
        if (manifest["state"] == state) != (state in kinds):
            yield f"the manifest says that it is {manifest['state']}, and the chain does not"
