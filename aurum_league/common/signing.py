"""The site's signature: Ed25519, its key derived from SECRET_KEY, so that a new SECRET_KEY is a new key."""

import hashlib
import hmac

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings

PURPOSE = b"aurum archive signature v1"


def sign(content: bytes) -> str:
    """The signature in hexadecimal digits."""
    return _read_key().sign(content).hex()


def read_public_key() -> str:
    """The public half, 64 hexadecimal digits."""
    return _read_key().public_key().public_bytes_raw().hex()


def _read_key() -> Ed25519PrivateKey:
    seed = hmac.new(settings.SECRET_KEY.encode(), PURPOSE, hashlib.sha256).digest()
    return Ed25519PrivateKey.from_private_bytes(seed)
