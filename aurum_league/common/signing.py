"""The site's signature under archives and single records: Ed25519, its key made from SECRET_KEY."""

import hashlib
import hmac
import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from django.conf import settings

PURPOSE = b"aurum archive signature v1"
SIGNATURE, PUBLIC_KEY = "signature", "public_key"


def sign(content: bytes) -> str:
    """The signature in hexadecimal digits."""
    return _read_key(settings.SECRET_KEY).sign(content).hex()


def read_public_key() -> str:
    """The public half, 64 hexadecimal digits."""
    return _read_key(settings.SECRET_KEY).public_key().public_bytes_raw().hex()


def sign_document(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document with the key's public half and a signature over all of it in canonical form."""
    named = {**document, PUBLIC_KEY: read_public_key()}
    return {**named, SIGNATURE: sign(canonical_bytes(named))}


def is_signed_by(content: bytes, signature: str, public_key: str) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key)).verify(bytes.fromhex(signature), content)
    except (InvalidSignature, ValueError):
        return False
    return True


def find_signature_fault(document: Mapping[str, Any], key: str | None = None) -> str | None:
    """What is wrong with the signature of a document; an unsigned one is well unless a key was asked for."""
    signature, public_key = document.get(SIGNATURE), document.get(PUBLIC_KEY)
    if signature is None and public_key is None:
        return None if key is None else "it is not signed"
    if key is not None and public_key != key:
        return "it is signed with another key than the one you gave"
    content = canonical_bytes({name: value for name, value in document.items() if name != SIGNATURE})
    if not isinstance(signature, str) or not isinstance(public_key, str):
        return "its signature cannot be read"
    return None if is_signed_by(content, signature, public_key) else "its signature is not that of what it says"


def canonical_bytes(document: Mapping[str, Any]) -> bytes:
    """JSON that everybody writes alike: sorted keys, no spaces, plain UTF-8."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


@lru_cache(maxsize=2)
def _read_key(secret: str) -> Ed25519PrivateKey:
    seed = hmac.new(secret.encode(), PURPOSE, hashlib.sha256).digest()
    return Ed25519PrivateKey.from_private_bytes(seed)
