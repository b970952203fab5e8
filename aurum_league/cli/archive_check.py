"""Checking a tournament's archive as a whole: signature, digests, commitment, chain, seeds and what counts."""

import hashlib
import json
import zipfile
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from aurum_league.cli.record_files import LONGEST_LINE, Allowance, Member, told_as_fault
from aurum_league.common.chain import find_breaks, first_link
from games.rules.deal import SEED_BYTES, commitment, derive_seed
from games.rules.errors import RecordFault
from games.rules.outcome import count_places
from tournaments.rules.seed_parts import check_seed_parts

MANIFEST, SIGNATURE = "manifest", "signature"
RECORDS, MATCHES, EVENTS = "records.jsonl", "matches.ndjson", "events.ndjson"
LARGEST_MANIFEST = 1 << 20
SPOILT = (ValueError, KeyError, TypeError, AttributeError, IndexError)


class Archive:
    """A tournament's archive, its files by their names without the folder; raises RecordFault where it is no zip."""

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

    def read_lines(self, name: str) -> Iterator[Any]:
        file = self.open(name)
        while line := file.readline(LONGEST_LINE):
            yield json.loads(line)

    def digest(self, name: str) -> str:
        file, total = self.open(name), hashlib.sha256()
        while part := file.read(1 << 16):
            total.update(part)
        return total.hexdigest()


def check_archive(path: str, key: str | None = None) -> Iterator[str]:
    """A sentence for everything in an archive that does not hold; nothing for one that holds files of records only."""
    archive = Archive(path)
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
    for check in (
        lambda: _check_signature(manifest, content, signature, key),
        lambda: _check_files(archive, manifest),
        lambda: _check_seed(archive, manifest),
        lambda: _check_chain(archive, manifest),
        lambda: _check_matches(archive, manifest),
    ):
        try:
            yield from check()
        except RecordFault as fault:
            yield f"{fault.place}: {fault.message}"
        except SPOILT as error:
            yield f"the archive is not as it should be ({type(error).__name__}: {error})"


def _check_signature(manifest: Any, content: bytes, signature: bytes, key: str | None) -> Iterator[str]:
    if key is not None and manifest["public_key"] != key:
        yield "it is signed with another key than the one you gave"
    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(manifest["public_key"]))
        public.verify(bytes.fromhex(signature.decode().strip()), content)
    except (InvalidSignature, ValueError):
        yield "the signature is not that of this manifest"


def _check_files(archive: Archive, manifest: Any) -> Iterator[str]:
    listed = manifest["files"]
    for name in sorted(set(listed) - set(archive.names)):
        yield f"the file {name} is missing"
    for name in sorted(set(archive.names) - set(listed) - {MANIFEST, SIGNATURE}):
        yield f"the file {name} is not in the manifest"
    for name in sorted(set(archive.names) & set(listed)):
        if archive.digest(name) != listed[name]:
            yield f"the file {name} is not the one that was signed"


def _read_seed(manifest: Any) -> bytes | None:
    return bytes.fromhex(manifest["seed"]) if manifest["seed"] is not None else None


def _check_seed(archive: Archive, manifest: Any) -> Iterator[str]:
    seed, parts = _read_seed(manifest), manifest.get("parts")
    yield from check_seed_parts(parts, manifest["seed"], archive.read_lines(EVENTS), manifest["commitment"])
    if parts is not None:
        return
    if seed is not None and (len(seed) != SEED_BYTES or commitment(seed) != manifest["commitment"]):
        yield "the tournament's commitment is not the SHA-256 of its seed"


def _check_chain(archive: Archive, manifest: Any) -> Iterator[str]:
    events = list(archive.read_lines(EVENTS))
    yield from find_breaks(first_link(manifest["tournament"], manifest["commitment"]), events)
    head = events[-1]["digest"] if events else None
    if (len(events), head) != (manifest["events"], manifest["head"]):
        yield "the chain does not end where the manifest says"


def _check_matches(archive: Archive, manifest: Any) -> Iterator[str]:
    """Every record belongs to a match of the tournament, its seed to the tournament's, its places to what counts."""
    listed = list(archive.read_lines(MATCHES))
    rows = {row["match"]: row for row in listed}
    if len(rows) < len(listed):
        yield "a match is listed twice"
    seed, met = _read_seed(manifest), set()
    for record in archive.read_lines(RECORDS):
        row = rows.get(record["match"])
        if row is None or record["match"] in met:
            yield f"the record of match {record['match']} belongs to no match, or is there twice"
            continue
        met.add(row["match"])
        yield from (f"match {row['match']}: {fault}" for fault in _check_record(record, row, seed))
    for row in rows.values():
        yield from (f"match {row['match']}: {fault}" for fault in _check_row(row, row["match"] in met))


def _check_record(record: Any, row: Any, seed: bytes | None) -> Iterator[str]:
    is_fresh = row["versions"][-1]["record_match"] is not None
    if not is_fresh and record["commitment"] != row["commitment"]:
        yield "its commitment is not the one of its record"
    if not is_fresh and seed is not None and derive_seed(seed, row["label"]).hex() != record["seed"]:
        yield "its seed does not follow from the tournament's"
    played = {side: place for place, side in _number_places(record["result"]["places"])}
    places = count_places([played[side] for side in range(len(played))], record["forfeits"])
    if (row["places"], row["forfeits"]) != (places, record["forfeits"]):
        yield f"it counts as {row['places']}, and its record gives {places}"
    newest = row["versions"][-1]
    if any(newest[name] != record["result"][name] for name in ("nuggets", "totals")):
        yield "the nuggets and totals of its newest version are not those of its record"


def _number_places(groups: list[list[int]]) -> Iterator[tuple[int, int]]:
    place = 1
    for group in groups:
        yield from ((place, side) for side in group)
        place += len(group)


def _check_row(row: Any, has_record: bool) -> Iterator[str]:
    if row["has_record"] != has_record:
        yield "its record is missing" if row["has_record"] else "it has a record and should have none"
    versions = row["versions"]
    if [line["version"] for line in versions] != list(range(1, len(versions) + 1)):
        yield "versions of its result are missing"
    if versions and (versions[-1]["places"], versions[-1]["forfeits"]) != (row["places"], row["forfeits"]):
        yield "the newest version of its result is not the one that counts"
    if any(not line["reason"] for line in versions[1:]):
        yield "a version of its result gives no reason"
