"""Judging a record again from its deals and actions alone: the match they lead to, or the first fault in it."""

import json
from collections.abc import Sequence
from typing import Any

from games.rules.actions import CHANGE, DECLINED_GOLD, END_NAMES, KEEP, STOP, swap_action
from games.rules.cards import CARD_BY_NAME, CARD_NAMES, GOLD, GOLD_RANKS, HAND_SIZE, deck, mask_of
from games.rules.deal import DEALING, SEED_BYTES, Deal, SeedDeals, commitment
from games.rules.errors import IllegalAction, RecordFault
from games.rules.match import Match
from games.rules.mixing import check_parts
from games.rules.outcome import count_places
from games.rules.record_shape import check_shape, tell_finished_round, tell_result
from games.rules.ruleset import Ruleset, RulesetError


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


def adjudicate(record: Any) -> Match:
    """Play a record again and compare all it says; raises RecordFault at the first difference."""
    check_shape(record)
    try:
        ruleset = Ruleset.from_dict(record["ruleset"])
    except RulesetError as error:
        raise RecordFault("unknown_ruleset", "ruleset", str(error)) from None
    seed = read_seed(record)
    _check_commitment(record, seed)
    _check_parts(record, seed)
    match = Match(ruleset, seed, RecordedDeals(record, ruleset, seed))
    for number, told in enumerate(record["rounds"], 1):
        if match.result is not None:
            raise RecordFault("trailing_rounds", f"round {number}", "the match was over before")
        _RecordedRound(match, told, number).play()
    if match.result is None:
        raise RecordFault("missing_rounds", f"round {len(match.rounds) + 1}", "the record ends before the match does")
    _compare("result", record["result"], tell_result(match.result), ("nuggets", "totals", "lots", "places"))
    _check_counted(record, match)
    return match


def _check_commitment(record: Any, seed: bytes | None) -> None:
    """What the site bound itself to before the match must be the seed that it shows after it."""
    told = record.get("commitment")
    if told is not None and seed is not None and told != commitment(seed):
        raise RecordFault("wrong_commitment", "commitment", "it is not the SHA-256 of the seed")


def _check_parts(record: Any, seed: bytes | None) -> None:
    """Where a record says what its seed was mixed from, it was."""
    if record.get("parts") is not None:
        for fault in check_parts(record["parts"], seed.hex() if seed is not None else None):
            raise RecordFault("wrong_parts", "parts", fault)


def _check_counted(record: Any, match: Match) -> None:
    """Forfeits name seats of the table, and the places that count follow from them and from those played."""
    assert match.result is not None
    if "forfeits" not in record or "places" not in record:
        return
    forfeits = record["forfeits"]
    if not isinstance(forfeits, list) or not set(map(repr, forfeits)) <= set(map(repr, range(match.players))):
        raise RecordFault("wrong_forfeits", "forfeits", f"they name seats from 0 to {match.players - 1}")
    played = [match.result.place_of(side) for side in range(match.ruleset.sides)]
    _compare("places", record, {"places": count_places(played, forfeits)}, ("places",))


class _RecordedRound:
    """One round of a record, played again on the match it belongs to."""

    def __init__(self, match: Match, told: Any, number: int) -> None:
        self.match = match
        self.told = told
        self.number = number
        self.place = f"round {number}"

    def play(self) -> None:
        match, told = self.match, self.told
        if told["first_seat"] != match.round.first:
            raise RecordFault("wrong_first_seat", self.place, f"seat {match.round.first} is first")
        self._lay_bids(f"{self.place}, bids")
        for index, trick in enumerate(told["tricks"]):
            place = f"{self.place}, trick {index + 1}"
            if self._has_ended():
                raise RecordFault("trailing_tricks", place, "the round was over before")
            if trick["leader"] != match.round.leader:
                raise RecordFault("wrong_leader", place, f"seat {match.round.leader} leads")
            self._change_bids(trick["bid_changes"], place)
            self._play_cards(trick["plays"], place, is_last=index == len(told["tricks"]) - 1)
            self._compare_trick(trick, index, place)
        if not self._has_ended():
            raise RecordFault("missing_tricks", self.place, "the tricks end before the round does")
        _compare(self.place, told, tell_finished_round(match.rounds[-1]), ("end", "scores", "winners"))

    def _has_ended(self) -> bool:
        return len(self.match.rounds) == self.number

    def _lay_bids(self, place: str) -> None:
        match, bids = self.match, self.told["bids"]
        check_count(bids, match.players, place)
        for turn in range(match.players):
            seat = (self.told["first_seat"] + turn) % match.players
            self._apply(seat, read_metal(bids[seat], place), place)

    def _change_bids(self, changes: list[Any], place: str) -> None:
        round_ = self.match.round
        made = 0
        while round_.phase == CHANGE:
            seat = round_.turn
            if made < len(changes) and changes[made]["seat"] == seat:
                self._apply(seat, _read_change(changes[made], place), place)
                made += 1
            else:
                self.match.apply(seat, KEEP)
        if made < len(changes):
            seat = changes[made]["seat"]
            raise RecordFault("bid_change_out_of_turn", place, f"seat {seat} cannot change a bid now")

    def _play_cards(self, plays: list[str], place: str, is_last: bool) -> None:
        match = self.match
        if len(plays) > match.players:
            raise RecordFault("too_many_plays", place, f"{len(plays)} cards of {match.players} players")
        for text in plays:
            if self._has_ended():
                raise RecordFault("trailing_tricks", place, f"the round was over before {text[:20]!r}")
            self._apply(match.round.turn, read_card(text, place), place)
        if len(plays) < match.players and not self._has_ended():
            if not is_last or self.told["end"]["reason"] != END_NAMES[DECLINED_GOLD]:
                raise RecordFault("missing_plays", place, f"seat {match.round.turn} has not played")
            self._apply(match.round.turn, STOP, place)

    def _apply(self, seat: int, action: int, place: str) -> None:
        try:
            self.match.apply(seat, action)
        except IllegalAction as error:
            raise RecordFault(error.code, place, error.message) from None

    def _compare_trick(self, trick: Any, index: int, place: str) -> None:
        ends = self.match.rounds[-1].trick_ends if self._has_ended() else self.match.trick_ends
        winner, gold_to, gold = ends[index] if index < len(ends) else (None, None, -1)
        right = {"winner": winner, "gold_to": gold_to, "gold": None if gold < 0 else gold}
        _compare(place, trick, right, ("winner", "gold_to", "gold"))


def _read_change(change: Any, place: str) -> int:
    if not 0 <= change["gold"] < GOLD_RANKS:
        raise RecordFault("gold_not_owned", place, f"there is no gold of rank {change['gold']}")
    if not 0 <= change["bid_of"] < 4:
        raise RecordFault("not_your_bid", place, f"there is no seat {change['bid_of']}")
    return swap_action(change["gold"], change["bid_of"], read_metal(change["card"], place))


def _compare(place: str, told: Any, right: dict[str, Any], keys: tuple[str, ...]) -> None:
    for key in keys:
        if not _agrees(told[key], right[key]):
            said, is_right = (json.dumps(value)[:200] for value in (told[key], right[key]))
            raise RecordFault(f"wrong_{key}", place, f"the record says {said}, the rules {is_right}")


def _agrees(told: Any, right: Any) -> bool:
    """Equal, apart from keys of its own that a record may have beside the fixed ones."""
    if isinstance(right, dict):
        return all(_agrees(told[key], value) for key, value in right.items())
    if isinstance(right, list):
        return len(told) == len(right) and all(map(_agrees, told, right))
    return bool(told == right)
