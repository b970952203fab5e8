"""What can be said of a module without running or compiling a byte of it."""

import hashlib

MAGIC = b"\0asm"


def is_module(upload: bytes) -> bool:
    """Whether a file says of itself that it is WebAssembly; the compiler judges the rest."""
    return upload.startswith(MAGIC)


def read_module_hash(module: bytes) -> str:
    return hashlib.sha256(module).hexdigest()
