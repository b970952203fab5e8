"""Proofs that nothing was rewritten: chains of events, and the site's signature under archives and records.

Each event carries the hash of the one before and of its own canonical content. The first link of a tournament is to its
commitment, that of the site to a constant. Whoever keeps one digest can tell later whether anything before it was
changed, taken out or put in between. Signatures are Ed25519, their key made from SECRET_KEY.
"""

import hashlib
import hmac
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC
from functools import lru_cache
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from django.conf import settings

FIELDS = ("number", "kind", "actor", "reason", "detail", "at")
"""What a link covers beside the digest before it; `actor` is the number of an account, `at` is in UTC."""
OF_VERSION = (
    *("version", "kind", "at", "account", "reason", "places", "forfeits", "nuggets", "totals", "record_match"),
    "has_record",
)

SITE_START = hashlib.sha256(b"aurum chain of the site").hexdigest()
"""What the site's own first event names as the digest before it."""


def first_link(tournament: int, commitment: str) -> str:
    """What the first event names as the digest before it."""
    return hashlib.sha256(f"aurum chain {tournament} {commitment}".encode()).hexdigest()


def digest_version(match: int, version: Mapping[str, Any]) -> str:
    """What an event keeps of a version of a result that somebody decided: nobody can tell another story of it later."""
    content = {name: version[name] for name in OF_VERSION} | {"match": match}
    return hashlib.sha256(canonical_bytes(content)).hexdigest()


def tell_event(event: Any) -> dict[str, Any]:
    """A row of either chain as its digest covers it, with the digest and the one before."""
    return {
        "number": event.number,
        "kind": event.kind,
        "actor": event.actor_id,
        "reason": event.reason,
        "detail": event.detail,
        "at": event.at.astimezone(UTC).isoformat(),
        "previous": event.previous,
        "digest": event.digest,
    }


def link_event(previous: str, event: Mapping[str, Any]) -> str:
    """The digest of an event: SHA-256 over canonical JSON, that is sorted keys, no spaces, plain UTF-8."""
    content = {name: event[name] for name in FIELDS} | {"previous": previous}
    return hashlib.sha256(canonical_bytes(content)).hexdigest()


def find_breaks(start: str, events: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """A sentence for every place where events, in the order of their numbers, do not follow from each other."""
    previous, expected = start, 1
    for event in events:
        if event["number"] != expected:
            yield f"event {event['number']} follows where event {expected} should"
        if event["previous"] != previous:
            yield f"event {event['number']} does not follow from the one before it"
        if event["digest"] != link_event(event["previous"], event):
            yield f"event {event['number']} is not what its digest says"
        previous, expected = event["digest"], event["number"] + 1


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
