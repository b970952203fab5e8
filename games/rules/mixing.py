"""Mixing a seed that nobody controls: the site's secret, what each player adds, and a round of a public beacon.

The site publishes the SHA-256 of its secret before anybody adds anything, so it cannot choose the secret to suit; who
adds last does not know the secret. The seed is HMAC-SHA256(secret, text), and the text is the line `aurum/mix/v1`,
then `number contribution` for each player in the order of their numbers, then `beacon chain round randomness` where
there is one, joined by line feeds. docs/RULES.md has the page for those who write it anew.
"""

import hashlib
import hmac
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from games.rules.deal import commitment

MIXING = "aurum/mix/v1"
HEX = re.compile(r"[0-9a-f]{64}")
SIGNATURE = re.compile(r"[0-9a-f]{96}")
CHAIN = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
"""drand's chain `quicknet`: a round every three seconds since its first, each of them signed by a league of many."""
FIRST_ROUND_AT, ROUND_SECONDS = 1_692_803_367, 3
PUBLIC_KEY = (
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
    "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
)
"""The league's key, a point of G2 on BLS12-381; a signature is one of G1, so that no two are good for one round."""
GENERATOR = (
    "93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e"
    "024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8"
)
DOMAIN = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
"""How a text becomes a point of G1 (RFC 9380)."""


@dataclass(frozen=True, slots=True)
class Beacon:
    """A round of the beacon as drand tells it; what is random in it is the SHA-256 of its signature."""

    chain: str
    round: int
    randomness: str
    signature: str


def is_contribution(text: object) -> bool:
    """Whether this can be a contribution: 32 bytes as 64 small hexadecimal digits."""
    return isinstance(text, str) and HEX.fullmatch(text) is not None


def find_round(seconds: float) -> int:
    """The first round that comes out at this time (in seconds since 1970, UTC) or after it."""
    return max(1, -int(-(seconds - FIRST_ROUND_AT) // ROUND_SECONDS) + 1)


def round_time(number: int) -> int:
    """When a round comes out, in seconds since 1970, UTC."""
    return FIRST_ROUND_AT + (number - 1) * ROUND_SECONDS


def read_beacon(told: Any, number: int) -> Beacon:
    """The round as a file or an answer in drand's format gives it; a ValueError says what is wrong with it."""
    if not isinstance(told, dict):
        raise ValueError("it is no JSON object")
    if told.get("round") != number:
        raise ValueError(f"it is round {told.get('round')}, not {number}")
    if told.get("chain", told.get("chain_hash", CHAIN)) != CHAIN:
        raise ValueError("it belongs to another chain")
    signature, randomness = told.get("signature"), told.get("randomness")
    if not isinstance(signature, str) or not SIGNATURE.fullmatch(signature):
        raise ValueError("it has no signature")
    if randomness != hashlib.sha256(bytes.fromhex(signature)).hexdigest():
        raise ValueError("what it gives as random is not the SHA-256 of its signature")
    if not is_signed_by_league(number, signature):
        raise ValueError("its signature is not that of the beacon's league")
    return Beacon(CHAIN, number, randomness, signature)


def is_signed_by_league(number: int, signature: str) -> bool:
    """Whether the holders of drand's key signed this round; a point beside the group is no signature."""
    # The one check that needs a curve: a seed without a beacon is mixed without loading it.
    import pyblst

    text = hashlib.sha256(number.to_bytes(8, "big")).digest()
    try:
        signed = pyblst.BlstP1Element.uncompress(bytes.fromhex(signature))
    except ValueError:
        return False
    key, generator = (pyblst.BlstP2Element.uncompress(bytes.fromhex(point)) for point in (PUBLIC_KEY, GENERATOR))
    hashed = pyblst.BlstP1Element.hash_to_group(text, DOMAIN)
    return bool(pyblst.final_verify(pyblst.miller_loop(signed, generator), pyblst.miller_loop(hashed, key)))


def write_mix(contributions: Mapping[int, str], beacon: Beacon | None = None) -> str:
    """The text that goes into the seed beside the secret; its SHA-256 can be published before the secret is."""
    lines = [MIXING, *(f"{number} {contributions[number]}" for number in sorted(contributions))]
    if beacon is not None:
        lines.append(f"beacon {beacon.chain} {beacon.round} {beacon.randomness}")
    return "\n".join(lines)


def digest_mix(contributions: Mapping[int, str], beacon: Beacon | None = None) -> str:
    return hashlib.sha256(write_mix(contributions, beacon).encode()).hexdigest()


def mix_seed(secret: bytes, contributions: Mapping[int, str], beacon: Beacon | None = None) -> bytes:
    return hmac.digest(secret, write_mix(contributions, beacon).encode(), "sha256")


def tell_parts(
    committed: str, secret: bytes | None, contributions: Mapping[int, str], beacon: Beacon | None = None
) -> dict[str, Any]:
    """The parts of a seed ready for JSON; without the secret as long as it would tell something."""
    return {
        "mixing": MIXING,
        "commitment": committed,
        "secret": secret.hex() if secret is not None else None,
        "contributions": [[number, contributions[number]] for number in sorted(contributions)],
        "beacon": asdict(beacon) if beacon is not None else None,
    }


def check_parts(parts: Any, seed: str | None) -> Iterator[str]:
    """A sentence for everything about the parts of a seed that does not hold; the secret may still be kept."""
    if not isinstance(parts, dict) or parts.get("mixing") != MIXING:
        yield "the parts of the seed are of no kind we know"
        return
    contributions, beacon = parts.get("contributions"), parts.get("beacon")
    if not is_list_of_contributions(contributions):
        yield "the contributions are no list of numbers, each once and in order, with 64 hexadecimal digits"
        return
    assert isinstance(contributions, list)
    mixed = None
    if beacon is not None:
        try:
            mixed = read_beacon(beacon, beacon["round"])
        except (ValueError, KeyError, TypeError) as error:
            yield f"the beacon's round is none: {error}"
            return
    secret = parts.get("secret")
    if secret is None:
        if seed is not None:
            yield "the seed is told, and the site's secret is not"
        return
    if not is_contribution(secret) or commitment(bytes.fromhex(secret)) != parts.get("commitment"):
        yield "the commitment is not the SHA-256 of the site's secret"
    elif seed != mix_seed(bytes.fromhex(secret), dict(contributions), mixed).hex():
        yield "the seed does not follow from the secret, the contributions and the beacon"


def is_list_of_contributions(told: Any) -> bool:
    """Pairs of number and contribution in the order of the numbers, none of them twice."""
    if not isinstance(told, list) or not all(isinstance(row, list) and len(row) == 2 for row in told):
        return False
    numbers = [row[0] for row in told]
    are_numbers = all(type(number) is int for number in numbers)
    return are_numbers and numbers == sorted(set(numbers)) and all(is_contribution(row[1]) for row in told)
