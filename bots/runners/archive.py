"""Uploads: a Python file, a zip with main.py or a WebAssembly module, checked and unpacked without trusting a word."""

import hashlib
import io
import re
import shutil
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from aurum_league.common.errors import N_
from bots.runners.budget import KILOBYTE, MEGABYTE
from bots.runners.verdict import ArchiveError
from bots.runners.wasm.interface import is_module

DEEPEST = 5
LONGEST = 200
PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_+,.@ -]{0,99}")
# They name no file on Windows, where an author may unpack the same archive.
DEVICES = frozenset({"con", "prn", "aux", "nul"} | {f"{port}{digit}" for port in ("com", "lpt") for digit in range(10)})


def check_length(length: int) -> None:
    """Of a name that has not been read yet. Raises ArchiveError. A folder's name may end in a slash."""
    if length > LONGEST + 1:
        raise _too_deep()


def check_member_name(name: str) -> None:
    """Raises ArchiveError. A folder's name may end in a slash."""
    path = name.removesuffix("/")
    parts = path.split("/")
    if name.startswith("/") or ".." in parts or "\\" in name or ":" in name:
        raise ArchiveError("archive_path", N_("A name in the archive points out of it."))
    if len(path) > LONGEST or len(parts) > DEEPEST:
        raise _too_deep()
    for part in parts:
        if not PART.fullmatch(part) or part.endswith((".", " ")):
            raise ArchiveError(
                "archive_name", N_("Names have letters, digits and _ + , . @ - only, and do not start with a dot.")
            )
        if part.partition(".")[0].strip().lower() in DEVICES:
            raise ArchiveError("archive_name", N_("A name in the archive is a device on some systems."))


def check_no_clashes(names: list[str]) -> None:
    """Raises ArchiveError where two names mean one file somewhere, or a file is also a folder."""
    folded = [name.lower() for name in names]
    taken = set(folded)
    if len(taken) < len(folded):
        raise ArchiveError("archive_duplicate", N_("Two entries of the archive have the same name."))
    for name in folded:
        parts = name.split("/")
        if any("/".join(parts[:depth]) in taken for depth in range(1, len(parts))):
            raise ArchiveError("archive_duplicate", N_("A file in the archive is also a folder."))


def _too_deep() -> ArchiveError:
    return ArchiveError(
        "archive_too_deep",
        N_("A name has over %(longest)s characters or %(deepest)s levels."),
        longest=LONGEST,
        deepest=DEEPEST,
    )


LARGEST_UPLOAD = 2 * MEGABYTE
LARGEST_FILE = 4 * MEGABYTE
LARGEST_TOTAL = 8 * MEGABYTE
MOST_ENTRIES = 100
# A real bot's source shrinks to a third, its weights hardly; small files may shrink by as much as they like.
LARGEST_RATIO = 100
RATIO_FREE = 64 * KILOBYTE
MAIN = "main.py"
MAIN_MODULE = "main.wasm"

LOCAL_SIGNATURE = b"PK\x03\x04"
END_SIGNATURE = b"PK\x05\x06"
END_SIZE, LOCAL_SIZE, CENTRAL_SIZE = 22, 30, 46
# Bit 0: encrypted. 5: patched. 6: strongly encrypted. 13: names hidden. The rest does no harm.
FLAGS_REFUSED = 0x2061
FLAG_UTF8 = 0x800
LARGEST_EXTRA = 512

# What other packers' files begin with, and tar's at its own place.
OTHER_ARCHIVES = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf", b"Rar!", b"\x28\xb5\x2f\xfd")
TAR_SIGNATURE, TAR_PLACE = b"ustar", 257


@dataclass(frozen=True)
class _Member:
    """One file of the archive: where its compressed bytes lie, and what it claims to become."""

    name: str
    start: int
    compressed: int
    size: int
    crc: int
    is_deflated: bool


def _check_end_record(upload: bytes) -> None:
    """Exactly one archive, from the first byte to the last: nothing before it, after it, or of more than one part."""
    record = upload[-END_SIZE:]
    if len(record) < END_SIZE or not record.startswith(END_SIGNATURE):
        raise ArchiveError("archive_malformed", N_("The file is not a plain zip: nothing may follow its last record."))
    _, disk, first_disk, here, count, size, offset, comment = struct.unpack("<4s4H2IH", record)
    if disk or first_disk or here != count or comment or 0xFFFF in (here, count) or 0xFFFFFFFF in (size, offset):
        raise ArchiveError("archive_malformed", N_("Multi-part, zip64 and commented archives are not taken."))
    if offset + size + END_SIZE != len(upload):
        raise ArchiveError("archive_malformed", N_("The archive's directory is not where it should be."))
    _check_directory(upload[offset : offset + size])


def _check_directory(directory: bytes) -> None:
    """How many entries there are, whatever the archive claims, and that none is out of measure: `zipfile` reads all."""
    start = count = 0
    while start + CENTRAL_SIZE <= len(directory):
        count += 1
        if count > MOST_ENTRIES:
            raise ArchiveError(
                "archive_too_many_entries", N_("The archive has more than %(number)s entries."), number=MOST_ENTRIES
            )
        name, extra, comment = struct.unpack_from("<3H", directory, start + 28)
        check_length(name)
        if extra + comment > LARGEST_EXTRA:
            raise ArchiveError("archive_malformed", N_("An entry has more notes beside its name than a plain zip has."))
        start += CENTRAL_SIZE + name + extra + comment


def _list_entries(upload: bytes) -> list[zipfile.ZipInfo]:
    _check_end_record(upload)
    try:
        with zipfile.ZipFile(io.BytesIO(upload)) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, UnicodeDecodeError, NotImplementedError, ValueError, struct.error) as error:
        raise ArchiveError("archive_malformed", N_("The zip cannot be read: %(error)s."), error=error) from error
    if len(entries) > MOST_ENTRIES:
        raise ArchiveError(
            "archive_too_many_entries", N_("The archive has more than %(number)s entries."), number=MOST_ENTRIES
        )
    return entries


def _check_kind(entry: zipfile.ZipInfo) -> None:
    if entry.flag_bits & FLAGS_REFUSED:
        raise ArchiveError("archive_encrypted", N_("Encrypted archives are not taken."))
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ArchiveError("archive_method", N_("Only stored and deflated entries are taken."))
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise ArchiveError("archive_special_file", N_("Links, devices and other special files are not taken."))
    if entry.is_dir() and entry.file_size:
        raise ArchiveError("archive_malformed", N_("A folder in the archive has contents."))


def _check_size(entry: zipfile.ZipInfo) -> None:
    """Only of what the archive claims; `_inflate` holds it to that."""
    if entry.file_size > LARGEST_FILE:
        raise ArchiveError(
            "archive_file_too_large", N_("A file is larger than %(number)s MB."), number=LARGEST_FILE // MEGABYTE
        )
    if entry.file_size > RATIO_FREE and entry.file_size > LARGEST_RATIO * entry.compress_size:
        raise ArchiveError(
            "archive_ratio", N_("A file is packed more than %(number)s times smaller."), number=LARGEST_RATIO
        )


def _read_local_header(upload: bytes, entry: zipfile.ZipInfo) -> int:
    """Where the entry's bytes start. The name in both places must be the same, or tools would disagree on it."""
    header = upload[entry.header_offset : entry.header_offset + LOCAL_SIZE]
    if len(header) < LOCAL_SIZE or not header.startswith(LOCAL_SIGNATURE):
        raise ArchiveError("archive_malformed", N_("An entry is not where the archive's directory says."))
    name_length, extra_length = struct.unpack("<2H", header[26:])
    name_start = entry.header_offset + LOCAL_SIZE
    encoding = "utf-8" if entry.flag_bits & FLAG_UTF8 else "cp437"
    if upload[name_start : name_start + name_length] != entry.orig_filename.encode(encoding, errors="replace"):
        raise ArchiveError("archive_malformed", N_("An entry has two names."))
    return name_start + name_length + extra_length


def _locate_members(upload: bytes, entries: list[zipfile.ZipInfo]) -> list[_Member]:
    """The files, after a look at every entry; no two may share a byte."""
    members: list[_Member] = []
    end_of_last = 0
    for entry in sorted(entries, key=lambda entry: entry.header_offset):
        check_member_name(entry.orig_filename)
        _check_kind(entry)
        _check_size(entry)
        if entry.header_offset < end_of_last:
            raise ArchiveError("archive_overlap", N_("Two entries of the archive overlap."))
        start = _read_local_header(upload, entry)
        end_of_last = start + entry.compress_size
        if not entry.is_dir():
            is_deflated = entry.compress_type == zipfile.ZIP_DEFLATED
            members.append(_Member(entry.filename, start, entry.compress_size, entry.file_size, entry.CRC, is_deflated))
    if end_of_last > len(upload) - END_SIZE - CENTRAL_SIZE * len(entries):
        raise ArchiveError("archive_overlap", N_("An entry reaches into the archive's directory."))
    return members


def _inflate(upload: bytes, member: _Member) -> bytes:
    """Never unpacks more than the size claimed."""
    packed = upload[member.start : member.start + member.compressed]
    if not member.is_deflated:
        content = packed
    else:
        stream = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            content = stream.decompress(packed, member.size + 1)
        except zlib.error as error:
            raise ArchiveError("archive_malformed", N_("%(name)s cannot be unpacked."), name=member.name) from error
        if not stream.eof or stream.unused_data:
            raise ArchiveError(
                "archive_size_lie", N_("%(name)s is not of the size the archive claims."), name=member.name
            )
    if len(content) != member.size:
        raise ArchiveError("archive_size_lie", N_("%(name)s is not of the size the archive claims."), name=member.name)
    if zlib.crc32(content) != member.crc:
        raise ArchiveError("archive_malformed", N_("%(name)s is damaged."), name=member.name)
    return content


def _read_zip(upload: bytes) -> Iterator[tuple[str, bytes]]:
    entries = _list_entries(upload)
    members = _locate_members(upload, entries)
    names = [member.name for member in members]
    check_no_clashes(names)
    if sum(member.size for member in members) > LARGEST_TOTAL:
        raise ArchiveError(
            "archive_total_too_large", N_("Unpacked, it is over %(number)s MB."), number=LARGEST_TOTAL // MEGABYTE
        )
    if MAIN not in names:
        raise ArchiveError(
            "archive_no_main", N_("%(name)s must lie at the top of the archive, not in a folder."), name=MAIN
        )
    for member in members:
        content = _inflate(upload, member)
        if content.startswith(LOCAL_SIGNATURE):
            raise ArchiveError("archive_nested", N_("%(name)s is an archive itself."), name=member.name)
        _check_source(member.name, content)
        yield member.name, content


def _check_source(name: str, content: bytes) -> None:
    if not name.endswith(".py"):
        return
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise ArchiveError("source_not_utf8", N_("%(name)s is not UTF-8."), name=name) from error
    if "\0" in text or (name == MAIN and not text.strip()):
        raise ArchiveError("source_not_python", N_("%(name)s is empty or no text."), name=name)


def read_upload(upload: bytes) -> Iterator[tuple[str, bytes]]:
    """Path and content of every file in an upload; a lone Python file is main.py, a module main.wasm.

    Raises ArchiveError. Nothing is compiled: parsers and compilers are for the sandbox to run.
    """
    if len(upload) > LARGEST_UPLOAD:
        raise ArchiveError(
            "archive_too_large", N_("The upload is larger than %(number)s MB."), number=LARGEST_UPLOAD // MEGABYTE
        )
    if upload.startswith(b"PK"):
        yield from _read_zip(upload)
        return
    if is_module(upload):
        yield MAIN_MODULE, upload
        return
    if upload.startswith(OTHER_ARCHIVES) or upload.startswith(TAR_SIGNATURE, TAR_PLACE):
        raise ArchiveError(
            "archive_malformed", N_("Of archives only .zip is taken, with %(name)s at its top."), name=MAIN
        )
    _check_source(MAIN, upload)
    yield MAIN, upload


def unpack(upload: bytes, target: Path) -> list[str]:
    """Write the files into `target`, a folder that must not exist yet, and name them; an error leaves nothing."""
    target.mkdir(parents=True)
    written: list[str] = []
    try:
        for name, content in read_upload(upload):
            path = target / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:
                file.write(content)
            written.append(name)
    except BaseException:
        shutil.rmtree(target)
        raise
    return sorted(written)


def content_hash(upload: bytes) -> str:
    """SHA-256 over names and contents, so that packing the same files anew does not make another version."""
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in read_upload(upload)}
    listing = "".join(f"{digests[name]}  {name}\n" for name in sorted(digests))
    return hashlib.sha256(listing.encode()).hexdigest()
