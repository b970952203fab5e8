"""Uploads that are taken, and malicious ones that are refused for the right reason."""

import io
import random
import stat
import struct
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.runners.archive import LARGEST_FILE, LARGEST_UPLOAD, MOST_ENTRIES, content_hash, read_upload, unpack
from bots.runners.errors import ArchiveError

SOURCE = b"print(input())\n"
# Generous, for a busy machine; what it takes is measured in the bench.
LONGEST_REFUSAL = 0.5


def make_zip(*files: tuple[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in files:
            archive.writestr(name, content, compress_type=method)
    return buffer.getvalue()


def make_named(name: str, content: bytes = b"x") -> bytes:
    return make_zip(("main.py", SOURCE), (name, content))


def make_special(kind: int) -> bytes:
    info = zipfile.ZipInfo("link")
    info.create_system = 3
    info.external_attr = (kind | 0o777) << 16
    return make_zip(("main.py", SOURCE), (info, b"/etc/passwd"))


def replace_in_directory(upload: bytes, offset: int, layout: str, value: int, entry: int = 0) -> bytes:
    """Change one field of the central directory, leaving the entries themselves as they are."""
    position = upload.find(b"PK\x01\x02")
    for _ in range(entry):
        position = upload.find(b"PK\x01\x02", position + 1)
    changed = bytearray(upload)
    struct.pack_into(layout, changed, position + offset, value)
    return bytes(changed)


def make_encrypted() -> bytes:
    return replace_in_directory(make_zip(("main.py", SOURCE)), 8, "<H", 1)


def make_overlapping() -> bytes:
    """Both entries of the directory point at the same bytes, as a bomb of many entries would."""
    upload = make_zip(("main.py", SOURCE), ("core.py", SOURCE))
    return replace_in_directory(upload, 42, "<I", 0, entry=1)


def make_quoted_overlap() -> bytes:
    """The first entry claims to reach over the second."""
    upload = make_zip(("main.py", SOURCE), ("more.py", SOURCE), method=zipfile.ZIP_STORED)
    for offset in (20, 24):
        upload = replace_in_directory(upload, offset, "<I", len(SOURCE) + 40)
    return upload


def make_size_lie(claim: int) -> bytes:
    return replace_in_directory(make_zip(("main.py", b"#" * 60_000)), 24, "<I", claim)


def make_latin_name() -> bytes:
    return make_named("bXot.py").replace(b"bXot.py", b"b\xffot.py")


def make_bad_utf8_name() -> bytes:
    return make_named("bäot.py").replace("bäot.py".encode(), b"b\xff\xffot.py")


def make_two_names() -> bytes:
    return make_named("core.py").replace(b"core.py", b"evil.py", 1)


def make_duplicate() -> bytes:
    return make_named("cora.py").replace(b"cora.py", b"main.py")


def make_nul_name() -> bytes:
    return make_named("mainXpy.txt").replace(b"mainXpy.txt", b"main\x00py.txt")


def make_total_bomb() -> bytes:
    """Each file within its limits, all of them together not."""
    content = b"".join(bytes([byte]) * 30 for byte in random.Random(1).randbytes(100_000))
    return make_zip(("main.py", SOURCE), *((f"weights{n}", content) for n in range(3)))


MALICIOUS: list[tuple[str, Callable[[], bytes], str]] = [
    ("parent folder", lambda: make_named("../../evil.py"), "archive_path"),
    ("parent inside", lambda: make_named("a/../../evil.py"), "archive_path"),
    ("absolute", lambda: make_named("/etc/cron.d/evil"), "archive_path"),
    ("backslashes", lambda: make_named("..\\..\\evil.py"), "archive_path"),
    ("drive letter", lambda: make_named("C:evil.py"), "archive_path"),
    ("symbolic link", lambda: make_special(stat.S_IFLNK), "archive_special_file"),
    ("device", lambda: make_special(stat.S_IFCHR), "archive_special_file"),
    ("named pipe", lambda: make_special(stat.S_IFIFO), "archive_special_file"),
    ("device name", lambda: make_named("nul.txt"), "archive_name"),
    ("device name in a folder", lambda: make_named("a/COM1"), "archive_name"),
    ("hidden file", lambda: make_named(".env"), "archive_name"),
    ("trailing dot", lambda: make_named("core.py."), "archive_name"),
    ("control character", lambda: make_named("co\nre.py"), "archive_name"),
    ("right-to-left mark", lambda: make_named("core\u202eyp.exe"), "archive_name"),
    ("not UTF-8, by flag", make_bad_utf8_name, "archive_malformed"),
    ("not UTF-8, without flag", make_latin_name, "archive_name"),
    ("NUL in a name", make_nul_name, "archive_name"),
    ("empty part", lambda: make_named("a//b.py"), "archive_name"),
    ("same name twice", make_duplicate, "archive_duplicate"),
    ("same name but for case", lambda: make_named("MAIN.py"), "archive_duplicate"),
    ("file and folder in one", lambda: make_zip(("main.py", SOURCE), ("a", b"x"), ("a/b", b"x")), "archive_duplicate"),
    ("two names for one entry", make_two_names, "archive_malformed"),
    ("overlapping entries", make_overlapping, "archive_overlap"),
    ("entry over the next", make_quoted_overlap, "archive_overlap"),
    ("encrypted", make_encrypted, "archive_encrypted"),
    ("other method", lambda: make_zip(("main.py", SOURCE), method=zipfile.ZIP_LZMA), "archive_method"),
    ("bomb of zeros", lambda: make_named("zeros", bytes(3_000_000)), "archive_ratio"),
    ("file too large", lambda: make_named("zeros", bytes(LARGEST_FILE + 1)), "archive_file_too_large"),
    ("all files too large", make_total_bomb, "archive_total_too_large"),
    ("more than it claims", lambda: make_size_lie(100), "archive_size_lie"),
    ("less than it claims", lambda: make_size_lie(60_001), "archive_size_lie"),
    (
        "too many entries",
        lambda: make_zip(*((f"f{n}", b"") for n in range(MOST_ENTRIES + 1))),
        "archive_too_many_entries",
    ),
    ("very many entries", lambda: make_zip(*((f"f{n}", b"") for n in range(8_000))), "archive_too_many_entries"),
    ("too deep", lambda: make_named("a/b/c/d/e/f.py"), "archive_too_deep"),
    ("name too long", lambda: make_named("a" * 300), "archive_too_deep"),
    ("archive in the archive", lambda: make_named("more.zip", make_zip(("x", b"x"))), "archive_nested"),
    ("too large", lambda: b"PK" + bytes(LARGEST_UPLOAD), "archive_too_large"),
    ("source too large", lambda: b"#" * (LARGEST_UPLOAD + 1), "archive_too_large"),
    ("something before it", lambda: b"PK" + make_zip(("main.py", SOURCE)), "archive_malformed"),
    ("something after it", lambda: make_zip(("main.py", SOURCE)) + b"#", "archive_malformed"),
    ("damaged", lambda: make_zip(("main.py", SOURCE), method=0).replace(SOURCE, SOURCE[::-1]), "archive_malformed"),
    ("no archive", lambda: b"PK\x03\x04" + bytes(1000), "archive_malformed"),
    ("no main.py", lambda: make_zip(("bot.py", SOURCE)), "archive_no_main"),
    ("main.py in a folder", lambda: make_zip(("bot/main.py", SOURCE)), "archive_no_main"),
    ("source not UTF-8", lambda: b"\xff\xfe", "source_not_utf8"),
    ("program instead of source", lambda: b"\x7fELF\0\0", "source_not_python"),
    ("empty", lambda: b"", "source_not_python"),
]


@pytest.mark.parametrize(("make", "code"), [pytest.param(make, code, id=name) for name, make, code in MALICIOUS])
def test_malicious_upload_is_refused(make: Callable[[], bytes], code: str, tmp_path: Path) -> None:
    upload = make()
    started = time.monotonic()
    with pytest.raises(ArchiveError) as refusal:
        unpack(upload, tmp_path / "inner" / "bot")
    assert time.monotonic() - started < LONGEST_REFUSAL
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
