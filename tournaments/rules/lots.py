"""Lots that anyone can draw again: a number for each entrant from a published seed and a stated purpose."""

from hashlib import sha256

LOT_BITS = 52


def draw_lot(seed: bytes, purpose: str, entrant: int) -> int:
    """The entrant's lot: the top 52 bits (exact in a float and in JSON) of SHA-256 over `seed`, `purpose` and id."""
    digest = sha256(seed + b"\n" + purpose.encode() + b"\n" + str(entrant).encode()).digest()
    return int.from_bytes(digest[:8], "big") >> (64 - LOT_BITS)
