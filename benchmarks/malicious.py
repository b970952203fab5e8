"""Malicious uploads and what each is refused for: the tests prove that it is, the bench how soon."""

import io
import random
import stat
import struct
import tarfile
import zipfile
from collections.abc import Callable
from typing import Literal

from bots.runners.archive import LARGEST_FILE, LARGEST_UPLOAD, MOST_ENTRIES

SOURCE = b"print(input())\n"


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


def make_many_parts() -> bytes:
    """Each file packed as small as can be."""
    return make_zip(("main.py", b"#"), *((f"part{n}", b"abc%d" % n * 400_000) for n in range(7)))


def make_noted() -> bytes:
    info = zipfile.ZipInfo("main.py")
    info.comment = b"x" * 60_000
    return make_zip((info, SOURCE))


def make_tar(mode: Literal["w", "w:gz", "w:xz"]) -> bytes:
    buffer = io.BytesIO()
    info = tarfile.TarInfo("main.py")
    info.size = len(SOURCE)
    with tarfile.open(fileobj=buffer, mode=mode) as archive:
        archive.addfile(info, io.BytesIO(SOURCE))
    return buffer.getvalue()


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
    ("much of little", make_many_parts, "archive_ratio"),
    ("very many entries", lambda: make_zip(*((f"f{n}", b"") for n in range(10_000))), "archive_too_many_entries"),
    ("too deep", lambda: make_named("a/b/c/d/e/f.py"), "archive_too_deep"),
    ("name too long", lambda: make_named("a" * 300), "archive_too_deep"),
    ("name longer than a page", lambda: make_named("a" * 60_000), "archive_too_deep"),
    ("notes beside a name", make_noted, "archive_malformed"),
    ("packed by tar and gzip", lambda: make_tar("w:gz"), "archive_malformed"),
    ("packed by tar and xz", lambda: make_tar("w:xz"), "archive_malformed"),
    ("packed by tar", lambda: make_tar("w"), "archive_malformed"),
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
