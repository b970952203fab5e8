"""The deals that a record holds, read card by card and checked against its seed where it gives one."""

from collections.abc import Sequence
from typing import Any

from games.rules.cards import CARD_BY_NAME, CARD_NAMES, GOLD, HAND_SIZE, deck, mask_of
from games.rules.deal import DEALING, SEED_BYTES, Deal, SeedDeals
from games.rules.faults import RecordFault
from games.rules.ruleset import Ruleset


class RecordedDeals:
    """All that chance decided in a recorded match; raises RecordFault where that cannot have been dealt.

    Lots come from the seed. Where a record keeps its seed to itself, the order of places it gives is taken for the lots
    that were drawn, because nobody can tell otherwise.
    """

    def __init__(self, record: Any, ruleset: Ruleset, seed: bytes | None) -> None:
        rounds = record["rounds"]
        if not rounds:
            raise RecordFault("missing_rounds", "rounds", "there are none")
        self.first_seat: int = rounds[0]["first_seat"]
        if not 0 <= self.first_seat < ruleset.players:
            raise RecordFault("wrong_first_seat", "round 1", f"there is no seat {self.first_seat}")
        self.dealt = [_read_deal(told, ruleset.players, f"round {number}") for number, told in enumerate(rounds, 1)]
        self.places = record["result"]["places"]
        self.source = SeedDeals(seed, ruleset.players) if seed is not None else None
        if self.source is not None:
            self._check_source(self.source)

    def _check_source(self, source: SeedDeals) -> None:
        if source.first_seat != self.first_seat:
            raise RecordFault("wrong_deal", "round 1", f"the seed gives first seat {source.first_seat}")
        for number, dealt in enumerate(self.dealt, 1):
            if source.deal(number) != dealt:
                raise RecordFault("wrong_deal", f"round {number}", "the seed deals other cards")

    def deal(self, round_number: int) -> Deal:
        """Past the last recorded round its deal again, so that a record that ends too early is judged that far."""
        return self.dealt[min(round_number, len(self.dealt)) - 1]

    def draw_lots(self, sides: Sequence[int]) -> list[int]:
        if self.source is not None:
            return self.source.draw_lots(sides)
        told = [side for group in self.places for side in group if side in sides]
        return told if sorted(told) == sorted(sides) else sorted(sides)


def read_seed(record: Any) -> bytes | None:
    """The seed of a record that says it was dealt our way; a seed of unknown meaning is a note like any other."""
    if record.get("dealing") != DEALING or record.get("seed") is None:
        return None
    try:
        seed = bytes.fromhex(record["seed"])
    except (TypeError, ValueError):
        seed = b""
    if len(seed) != SEED_BYTES:
        raise RecordFault("bad_seed", "seed", f"a seed is {2 * SEED_BYTES} hexadecimal digits")
    return seed


def _read_deal(told: Any, players: int, place: str) -> Deal:
    game = deck(players)
    check_count(told["hands"], players, f"{place}, hands")
    piles = [*told["hands"], told["set_aside"]]
    sizes = [HAND_SIZE] * players + [len(game) - HAND_SIZE * players]
    names = [f"{place}, hands[{seat}]" for seat in range(players)] + [f"{place}, set_aside"]
    seen: set[int] = set()
    for pile, size, name in zip(piles, sizes, names, strict=True):
        check_count(pile, size, name)
        for text in pile:
            card = read_metal(text, name)
            if card not in game:
                raise RecordFault("card_not_in_game", name, f"{CARD_NAMES[card]} is not dealt to {players} players")
            if card in seen:
                raise RecordFault("card_twice", name, f"{CARD_NAMES[card]} is dealt twice")
            seen.add(card)
    masks = [mask_of(CARD_BY_NAME[text] for text in pile) for pile in piles]
    return Deal(tuple(masks[:players]), masks[players])


def check_count(items: Sequence[Any], wanted: int, place: str) -> None:
    if len(items) != wanted:
        raise RecordFault("wrong_number_of_cards", place, f"{len(items)} instead of {wanted}")


def read_card(text: str, place: str) -> int:
    card = CARD_BY_NAME.get(text)
    if card is None:
        raise RecordFault("not_a_card", place, f"{text[:20]!r} is no card")
    return card


def read_metal(text: str, place: str) -> int:
    card = read_card(text, place)
    if card >= GOLD:
        raise RecordFault("not_a_card", place, f"{text} is gold, not a base metal")
    return card
