"""Uploads that are taken, and malicious ones that are refused for the right reason."""

import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.malicious import MALICIOUS, SOURCE, make_zip
from bots.runners.archive import content_hash, read_upload, unpack
from bots.runners.verdict import ArchiveError

# Of CPU time; on the wall a busy machine may take longer.
LONGEST_REFUSAL = 0.1


@pytest.mark.parametrize(("make", "code"), [pytest.param(make, code, id=name) for name, make, code in MALICIOUS])
def test_malicious_upload_is_refused(make: Callable[[], bytes], code: str, tmp_path: Path) -> None:
    upload = make()
    started = time.process_time()
    with pytest.raises(ArchiveError) as refusal:
        unpack(upload, tmp_path / "inner" / "bot")
    assert time.process_time() - started < LONGEST_REFUSAL
    assert refusal.value.code == code
    assert str(refusal.value).endswith(".")
    assert [path for path in tmp_path.rglob("*") if path.name != "inner"] == []


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED], ids=["stored", "deflated"])
def test_good_archive_is_unpacked(method: int, tmp_path: Path) -> None:
    folder = zipfile.ZipInfo("deck/")
    upload = make_zip(("main.py", SOURCE), (folder, b""), ("deck/__init__.py", b""), ("w.bin", b"\0\1"), method=method)
    assert unpack(upload, tmp_path / "bot") == ["deck/__init__.py", "main.py", "w.bin"]
    assert (tmp_path / "bot" / "main.py").read_bytes() == SOURCE
    assert (tmp_path / "bot" / "w.bin").read_bytes() == b"\0\1"


def test_lone_source_becomes_main(tmp_path: Path) -> None:
    assert unpack(SOURCE, tmp_path / "bot") == ["main.py"]
    assert (tmp_path / "bot" / "main.py").read_bytes() == SOURCE


def test_target_must_be_new(tmp_path: Path) -> None:
    with pytest.raises(FileExistsError):
        unpack(SOURCE, tmp_path)


def test_hash_is_of_the_files_not_of_the_packing() -> None:
    plain = make_zip(("main.py", SOURCE), ("a.py", b"a = 1"), method=zipfile.ZIP_STORED)
    packed = make_zip(("a.py", b"a = 1"), ("main.py", SOURCE))
    assert content_hash(plain) == content_hash(packed)
    assert content_hash(SOURCE) == content_hash(make_zip(("main.py", SOURCE)))
    assert content_hash(plain) != content_hash(SOURCE)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=2_000))
def test_any_bytes_are_read_or_refused(garbage: bytes) -> None:
    try:
        list(read_upload(garbage))
    except ArchiveError as refusal:
        assert refusal.code


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_damage_is_read_or_refused(data: st.DataObject) -> None:
    upload = bytearray(make_zip(("main.py", SOURCE), ("core.py", b"x = 1\n" * 50)))
    for _ in range(data.draw(st.integers(1, 4))):
        upload[data.draw(st.integers(0, len(upload) - 1))] = data.draw(st.integers(0, 255))
    try:
        files = dict(read_upload(bytes(upload)))
    except ArchiveError as refusal:
        assert refusal.code
    else:
        assert "main.py" in files
