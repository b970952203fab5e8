"""A second implementation of chance, written from docs/RULES.md alone: it imports nothing of the product."""

import hashlib
import hmac
from collections.abc import Iterator
from typing import Any


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def sign(key: str, text: str) -> bytes:
    return hmac.new(bytes.fromhex(key), text.encode("utf-8"), hashlib.sha256).digest()


def write_lines(contributions: list[list[Any]], beacon: dict[str, Any] | None) -> str:
    """Step 2: the text under the seed."""
    text = "aurum/mix/v1"
    for number, given in sorted(contributions, key=lambda row: int(row[0])):
        text += f"\n{number} {given}"
    if beacon:
        text += f"\nbeacon {beacon['chain']} {beacon['round']} {beacon['randomness']}"
    return text


def own_seed(seed: str, label: str) -> str:
    """Step 3."""
    return sign(seed, "aurum/seed/v1|" + label).hex()


def read_stream(seed: str, label: str) -> Iterator[int]:
    """Step 4."""
    block = 0
    while True:
        yield from sign(seed, f"aurum/deal/v1|{label}|{block}")
        block += 1


def number_below(stream: Iterator[int], bound: int) -> int:
    byte = next(stream)
    while byte >= 256 - 256 % bound:
        byte = next(stream)
    return byte % bound


def shuffled(stream: Iterator[int], items: list[Any]) -> list[Any]:
    for place in range(len(items), 1, -1):
        drawn = number_below(stream, place)
        items[place - 1], items[drawn] = items[drawn], items[place - 1]
    return items


def make_deck(players: int) -> list[str]:
    suits = "BPSZ" if players == 3 else "BCPSZ"
    return [f"{suit}{rank}" for suit in suits for rank in range(1, 10 if players == 3 else 11)]


def deal(seed: str, players: int, round_number: int) -> tuple[list[set[str]], set[str]]:
    """Step 5: hands by seat, and what is set aside."""
    cards = shuffled(read_stream(seed, f"round {round_number}"), make_deck(players))
    hands = [set(cards[12 * seat : 12 * seat + 12]) for seat in range(players)]
    return hands, set(cards[12 * players :])


def bot_chance(seed: str, match: int, seat: int) -> str:
    """Step 6."""
    return str(int(own_seed(seed, f"agent {match} {seat}")[:16], 16))


def entrant_lot(seed: str, purpose: str, entrant: int) -> int:
    """Step 7."""
    data = bytes.fromhex(seed) + b"\n" + purpose.encode("utf-8") + b"\n" + str(entrant).encode("utf-8")
    bits = "".join(f"{byte:08b}" for byte in hashlib.sha256(data).digest())
    return int(bits[:52], 2)


def seats_by_secret(secret: str, players: int) -> list[int]:
    """Step 8."""
    return shuffled(read_stream(secret, "seats"), list(range(players)))


def follow(vector: dict[str, Any]) -> dict[str, Any]:
    """All steps from a vector's parts, label, match and number of players; hands as sets, for their order is free."""
    lines = write_lines(vector["contributions"], vector["beacon"])
    seed = sign(vector["secret"], lines).hex()
    match_seed = own_seed(seed, vector["label"])
    hands, aside = deal(match_seed, vector["players"], 1)
    sides = vector["players"] if vector["players"] == 3 else 2
    return {
        "commitment": sha256(bytes.fromhex(vector["secret"])),
        "mix": sha256(lines.encode()),
        "seed": seed,
        "match_seed": match_seed,
        "match_commitment": sha256(bytes.fromhex(match_seed)),
        "first_seat": number_below(read_stream(match_seed, "first"), vector["players"]),
        "hands": hands,
        "set_aside": aside,
        "lots": shuffled(read_stream(match_seed, "lots"), list(range(sides))),
        "bot_chances": [bot_chance(match_seed, vector["match"], seat) for seat in range(vector["players"])],
        "entrant_lots": [[what, one, entrant_lot(seed, what, one)] for what, one, _ in vector["entrant_lots"]],
        "draw_seed": own_seed(seed, "draw 1 2"),
        "seats": seats_by_secret(vector["secret"], vector["players"]),
    }
