"""A league of our own that signs rounds as drand's does, for tests that need rounds of the future."""

import hashlib
from typing import Any

import pyblst

from games.rules.mixing import DOMAIN, GENERATOR

SECRET = 0x1F2E3D4C5B6A79880716253443526170
PUBLIC_KEY = pyblst.BlstP2Element.uncompress(bytes.fromhex(GENERATOR)).scalar_mul(SECRET).compress().hex()
WHERE = "games.rules.mixing.PUBLIC_KEY"
"""What a test puts its own key in the place of."""


def sign_round(number: int) -> str:
    text = hashlib.sha256(number.to_bytes(8, "big")).digest()
    signed: bytes = pyblst.BlstP1Element.hash_to_group(text, DOMAIN).scalar_mul(SECRET).compress()
    return signed.hex()


def tell_round(number: int) -> dict[str, Any]:
    """A round as drand gives it."""
    signature = sign_round(number)
    return {
        "round": number,
        "randomness": hashlib.sha256(bytes.fromhex(signature)).hexdigest(),
        "signature": signature,
    }
