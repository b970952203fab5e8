"""Small positions for tests of the rules, written as cards and actions in notation.

They stand on the plain rules, whose positions can be set up by hand; that the compiled ones play alike is tested apart.
"""

import hashlib
from collections.abc import Sequence
from typing import Any

from benchmarks.rules import load_plain
from games.rules.actions import CHANGE, KEEP, parse_action
from games.rules.cards import CARD_BY_NAME, mask_of
from games.rules.match import Match
from games.rules.playout import Chance, random_action
from games.rules.ruleset import Ruleset

plain_round: Any = load_plain("round")


def cards(text: str) -> int:
    """A mask from names, `B7 S3`."""
    return mask_of(CARD_BY_NAME[name] for name in text.split())


def start_round(hands: Sequence[str], first: int = 0, golds: Sequence[str] = ()) -> Any:
    """A round with these hands, short as they may be, and gold taken from the supply beforehand."""
    round_ = plain_round.Round(len(hands), [cards(hand) for hand in hands], first, False)
    for seat, text in enumerate(golds):
        for name in text.split():
            rank = int(name[1:])
            round_.golds[seat] = plain_round.add_gold(round_.golds[seat], rank)
            if rank > 0:
                round_.supply = plain_round.take_gold(round_.supply, rank)
    return round_


def act(round_: Any, script: str) -> Any:
    """Do what a script says for whoever's turn it is: `bid B4; play C5`. Bids that it does not change are kept."""
    for text in script.split(";"):
        phase, action = parse_action(text.strip())
        if phase != CHANGE:
            keep_bids(round_)
        assert round_.phase == phase, (text, round_.phase)
        round_.apply(action)
    return round_


def keep_bids(round_: Any) -> None:
    """Let everybody who could still change a bid before this trick keep it."""
    while round_.phase == CHANGE:
        round_.apply(KEEP)


def make_seed(label: object) -> bytes:
    return hashlib.sha256(f"test {label}".encode()).digest()


def play_random_match(ruleset: Ruleset, label: object) -> Match:
    """A whole match of random actions, the same for the same label."""
    seed = make_seed(label)
    match = Match(ruleset, seed)
    chance = Chance(int.from_bytes(seed[:8], "big"))
    while match.result is None:
        match.apply(match.round.turn, random_action(match.round, chance))
    return match
