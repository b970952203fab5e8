"""The block holds the view, field by field where its documentation says, and nothing that the seat may not know."""

import re
import struct
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from bots.brains import make_brain
from bots.contract import BLOCK_VERSION, FIXED_SIZE, BlockWriter, ContractError, read_number
from games.rules.actions import ACTIONS, END_NAMES, PHASE_NAMES, legal_actions
from games.rules.cards import CARD_NAMES, gold_ranks, names_in
from games.rules.deal import derive_seed
from games.rules.match import Match, TrickEnd
from games.rules.record_shape import tell_round
from games.rules.ruleset import DECIDERS, EDITIONS, SCORINGS, Ruleset
from games.rules.view import View, view

DOCUMENT = (Path(__file__).parents[2] / "docs" / "WASM.md").read_text(encoding="utf-8")
CODES = {"u8": "B", "i8": "b", "u16": "H", "u32": "I", "u64": "Q"}
ROW = re.compile(r"^\| (\d+) \| ([ui]\d+)(?:\[(\d+)\])? \| (\w+) \|", re.MULTILINE)
RULESETS = ("en3", "de4", "fr3-nozero-golden", "ru4-nozero-cumulative")
Fields = dict[str, Any]


def list_fields(heading: str) -> list[tuple[int, str, int, str]]:
    """Offset, type, count and name of every field that the documentation has in the table after `heading`."""
    table = DOCUMENT.split(heading, 1)[1].split("\n\n", 2)
    rows = ROW.findall(next(part for part in table if part.startswith("| offset")))
    return [(int(offset), kind, int(count or 1), name) for offset, kind, count, name in rows]


FIXED = list_fields("Lists are by seat, `nuggets` and `totals` by side.")
FINISHED = list_fields("Then a record for each finished round:")


def read_fields(block: bytes, start: int, fields: list[tuple[int, str, int, str]]) -> Fields:
    read: Fields = {}
    for offset, kind, count, name in fields:
        values = struct.unpack_from(f"<{count}{CODES[kind]}", block, start + offset)
        read[name] = values[0] if count == 1 else list(values)
    return read


def read_actions(block: bytes, start: int, actions: int, tricks: int) -> tuple[list[int], list[TrickEnd]]:
    log = list(struct.unpack_from(f"<{actions}H", block, start))
    ends = struct.unpack_from(f"<{3 * tricks}b", block, start + 2 * actions)
    return log, [(ends[index], ends[index + 1], ends[index + 2]) for index in range(0, len(ends), 3)]


def tell_block(block: bytes) -> Fields:
    """The block in the words of the JSON question."""
    fixed = read_fields(block, 0, FIXED)
    seats = range(fixed["players"])
    sides = range(fixed["sides"])
    finished_tricks = sum(fixed["tricks_won"])
    log, ends = read_actions(block, fixed["fixed_size"], fixed["log_count"], finished_tricks)
    told = tell_round(fixed["players"], fixed["first_seat"], log, ends)
    size = 2 * len(log) + 3 * len(ends)
    return {
        "ruleset": {
            "edition": EDITIONS[fixed["edition"]],
            "players": fixed["players"],
            "zero_gold": bool(fixed["zero_gold"]),
            "scoring": SCORINGS[fixed["scoring"]],
            "decider": DECIDERS[fixed["decider"]],
        },
        "seat": fixed["seat"],
        "nuggets": [fixed["nuggets"][side] for side in sides],
        "totals": [fixed["totals"][side] for side in sides],
        "history": tell_history(block, fixed, fixed["fixed_size"] + size + -size % 8),
        "round": {
            "number": fixed["round"],
            "first_seat": fixed["first_seat"],
            "phase": PHASE_NAMES[fixed["phase"]],
            "turn": fixed["turn"],
            "leader": fixed["leader"],
            "hand": names_in(fixed["hand"]),
            "hand_sizes": [fixed["sizes"][seat] for seat in seats],
            "known_in_hand": [names_in(fixed["known"][seat]) for seat in seats],
            "gold": [[f"G{rank}" for rank in gold_ranks(fixed["gold"][seat])] for seat in seats],
            "supply": ["G0"] * fixed["supply_zeros"] + [f"G{rank}" for rank in gold_ranks(fixed["supply"])],
            "set_aside": names_in(fixed["set_aside"]),
            "bids": [name_card(fixed["bids"][seat]) for seat in seats],
            "first_bids": [name_card(fixed["first_bids"][seat]) for seat in seats],
            "trick": [CARD_NAMES[card] for card in fixed["trick"][: fixed["trick_length"]]],
            "tricks_won": [fixed["tricks_won"][seat] for seat in seats],
            "tricks": told["tricks"],
        },
    }


def name_card(card: int) -> str | None:
    return CARD_NAMES[card] if card >= 0 else None


def tell_history(block: bytes, fixed: Fields, start: int) -> list[Fields]:
    history = []
    names = ("bid", "tricks", "bid_points", "gold_points", "total")
    for _ in range(fixed["finished_rounds"]):
        done = read_fields(block, start, FINISHED)
        log, ends = read_actions(block, start + 48, done["log_count"], done["trick_count"])
        scores = [
            dict(zip(names, done["scores"][5 * side : 5 * side + 5], strict=True)) for side in range(fixed["sides"])
        ]
        history.append(
            {
                "first_seat": done["first_seat"],
                "set_aside": names_in(done["set_aside"]),
                **tell_round(fixed["players"], done["first_seat"], log, ends),
                "end": {"reason": END_NAMES[done["end_reason"]], "seat": done["end_seat"]},
                "shown": names_in(done["shown"]),
                "scores": scores,
                "winners": [side for side in range(4) if done["winners"] >> side & 1],
            }
        )
        start += done["length"]
    assert start == fixed["length"] == len(block)
    return history


def each_view(code: str, brain: str = "counting") -> Iterator[View]:
    ruleset = Ruleset.from_code(code)
    match = Match(ruleset, derive_seed(bytes(32), code))
    brains = [make_brain(brain, seat) for seat in range(ruleset.players)]
    while match.result is None:
        seat = match.round.turn
        seen = view(match, seat)
        yield seen
        match.apply(seat, brains[seat].choose(seen))


def test_the_documentation_has_every_byte() -> None:
    size = 0
    for offset, kind, count, name in FIXED:
        width = int(kind[1:]) // 8
        assert offset == size and offset % width == 0, name
        size += width * count
    assert size == FIXED_SIZE == 200
    assert f"| version | {BLOCK_VERSION} |" in DOCUMENT and f"| fixed_size | {FIXED_SIZE}:" in DOCUMENT


@pytest.mark.parametrize("brain", ["random", "counting"])
@pytest.mark.parametrize("code", RULESETS)
def test_block_tells_what_the_question_tells(code: str, brain: str) -> None:
    writer = BlockWriter()
    for seen in each_view(code, brain):
        block = writer.write(seen, chance=2**64 - 1, fuel=2**40, bank=7)
        told = seen.to_dict()
        del told["clocks"]
        legal = told.pop("legal")
        assert tell_block(block) == told
        fixed = read_fields(block, 0, FIXED)
        assert (fixed["chance"], fixed["fuel"], fixed["bank"]) == (2**64 - 1, 2**40, 7)
        assert (fixed["counter"], fixed["version"]) == (seen.log_end, BLOCK_VERSION)
        assert len(list(legal_actions(fixed["phase"], fixed["legal"]))) == len(legal)


@pytest.mark.parametrize("code", RULESETS)
def test_trick_is_told_as_it_stands(code: str) -> None:
    for seen in each_view(code):
        fixed = read_fields(BlockWriter().write(seen, chance=0, fuel=0, bank=0), 0, FIXED)
        cards = fixed["trick"][: fixed["trick_length"]]
        assert fixed["trick"][fixed["trick_length"] :] == [-1] * (4 - fixed["trick_length"])
        strengths = [card if card >= 50 else card % 10 + 1 for card in cards]
        assert fixed["high_rank"] == max(strengths, default=0)
        assert fixed["low_rank"] == min((card % 10 + 1 for card in cards if card < 50), default=0)
        suits = {card // 10 for card in cards if card < 50}
        assert fixed["blocked"] == sum(0b1111111111 << 10 * suit for suit in suits)


def test_secret_bids_are_in_no_block() -> None:
    """What another has bid in secret changes no byte of what this seat is asked."""
    blocks = set()
    for bid in range(4):
        match = Match(Ruleset.from_code("en3"), bytes(32))
        other = (match.round.turn + 1) % 3
        cards = names_in(match.round.hands[other])
        match.apply_text(other, f"bid {cards[bid]}")
        blocks.add(BlockWriter().write(view(match, match.round.turn), chance=1, fuel=1, bank=1))
    # The size of the other's hand says that a bid was laid, to bots of every kind.
    assert len(blocks) == 1


@pytest.mark.parametrize("code", RULESETS)
def test_numbers_are_taken_exactly_where_they_are_legal(code: str) -> None:
    for seen in islice(each_view(code), 0, None, 7):
        legal = set(legal_actions(seen.phase, seen.legal))
        for number in (*range(-3, 70), *range(64, ACTIONS + 70, 3), 2**31 - 1, -(2**31)):
            if number in legal:
                assert read_number(number, seen) == number
            else:
                with pytest.raises(ContractError, match="Legal:"):
                    read_number(number, seen)
