"""The compiled rules and the plain ones, action by action: `python -m tests.rules.lockstep 2000` for each ruleset."""

import sys
from collections.abc import Sequence
from typing import Any

from benchmarks.rules import load_module, load_plain
from games.rules.deal import Deal, SeedDeals, draw_first_seat
from games.rules.ruleset import all_rulesets
from tests.rules.positions import make_seed

NAMES = ("match", "playout", "record", "ruleset", "view")
compiled: Any = {name: load_module(name) for name in NAMES}
plain: Any = {name: load_plain(name) for name in NAMES}


class SharedDeals:
    """What a seed deals, dealt once for both: dealing is never compiled."""

    def __init__(self, seed: bytes, players: int) -> None:
        self.first_seat = draw_first_seat(seed, players)
        self.seeded = SeedDeals(seed, players)
        self.dealt: dict[int, Deal] = {}

    def deal(self, round_number: int) -> Deal:
        if round_number not in self.dealt:
            self.dealt[round_number] = self.seeded.deal(round_number)
        return self.dealt[round_number]

    def draw_lots(self, sides: Sequence[int]) -> list[int]:
        return self.seeded.draw_lots(sides)


def open_match(rules: Any, code: str, seed: bytes, deals: SharedDeals) -> Any:
    return rules["match"].Match(rules["ruleset"].Ruleset.from_code(code), seed, deals)


def play_compiled(match: Any, seed: bytes) -> list[int]:
    """Play at random to the end; the masks of legal actions on the way."""
    chance = compiled["playout"].Chance(int.from_bytes(seed[:8], "big"))
    draw = compiled["playout"].random_action
    masks = []
    while match.result is None:
        round_ = match.round
        masks.append(round_.legal)
        match.apply(round_.turn, draw(round_, chance))
    return masks


def differ_somewhere(code: str, number: int) -> str:
    """Play one match on the compiled rules and repeat it on the plain ones: where they part, or nothing."""
    seed = make_seed(f"{code} {number}")
    deals = SharedDeals(seed, int(code[2]))
    one, other = (open_match(rules, code, seed, deals) for rules in (compiled, plain))
    masks = play_compiled(one, seed)
    for step, (entry, mask) in enumerate(zip(one.log, masks, strict=True)):
        if other.round.legal != mask or other.round.turn != entry & 3:
            return f"{code} {number}: step {step}"
        other.apply(entry & 3, entry >> 2)
    return "" if tell(one) == tell(other) else f"{code} {number}: result"


def tell(match: Any) -> list[object]:
    """All that a record is written from, in values that compare across both."""
    result = match.result
    told: list[object] = [result.places, result.nuggets, result.totals, result.lots, match.log]
    for done in match.rounds:
        scores = [
            (score.bid, score.tricks, score.bid_points, score.gold_points, score.best_gold)
            for score in done.outcome.scores
        ]
        told += [done.first_seat, done.log, done.trick_ends, done.end_reason, done.end_seat, done.shown_hand]
        told += [scores, done.outcome.winners]
    return told


def main(matches: int) -> int:
    differing = 0
    for ruleset in all_rulesets():
        found = list(filter(None, (differ_somewhere(ruleset.code, number) for number in range(matches))))
        differing += len(found)
        print(f"{ruleset.code}: {matches} matches, {len(found)} differ", *found[:3], flush=True)
    return 1 if differing else 0


if __name__ == "__main__":
    raise SystemExit(main(int(sys.argv[1])))
