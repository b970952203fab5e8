"""Matches of house bots on the real engine, as lines of results that `aurum rate` reads."""

import argparse
import json
from collections.abc import Iterator
from itertools import permutations
from random import Random
from typing import Any

from bots.brains import make_brain
from bots.brains.search import SearchBrain
from bots.brains.simple import RandomBrain
from games.play.agents import Agent
from games.play.table import play_match
from games.rules.deal import derive_seed
from games.rules.match import Match
from games.rules.ruleset import Ruleset
from games.rules.view import View


class Blunderer:
    """`counting`, but for a share of its decisions in percent, which are any legal action."""

    def __init__(self, seed: int, percent: int) -> None:
        self.steady, self.wild = make_brain("counting", seed), RandomBrain(seed ^ 0xB1)
        self.percent, self.rng = percent, Random(seed)

    def choose(self, view: View) -> int:
        return (self.wild if self.rng.randrange(100) < self.percent else self.steady).choose(view)


def make_agent(name: str, seed: int) -> Agent:
    """A house bot by its name, `counting-15` (percent of blunders) or `playouts-40`."""
    kind, _, number = name.partition("-")
    if kind == "counting" and number:
        return Blunderer(seed, int(number))
    if kind == "playouts":
        return SearchBrain(seed, playouts=int(number))
    return make_brain(name, seed)


def play_block(names: tuple[str, ...], seed: bytes, block: int, seatings: int) -> Iterator[dict[str, Any]]:
    """One deal with the seats rotated (three), or in every order (six)."""
    ruleset = Ruleset(players=len(names))
    orders = list(permutations(range(3))) if seatings == 6 else [(0, 1, 2), (1, 2, 0), (2, 0, 1)][:seatings]
    for order in orders:
        seated = [names[index] for index in order]
        match = Match(ruleset, seed)
        chances = [int.from_bytes(derive_seed(seed, f"agent {order} {seat}")[:8], "big") for seat in range(3)]
        play_match(match, [make_agent(name, chance) for name, chance in zip(seated, chances, strict=True)])
        result = match.result
        assert result is not None
        yield {
            "sides": [[name] for name in seated],
            "places": [result.place_of(side) for side in range(3)],
            "block": str(block),
            "nuggets": list(result.nuggets),
            "totals": list(result.totals),
            "rounds": [list(finished.outcome.winners) for finished in match.rounds],
        }


def main() -> None:
    """Print the matches of random tables, drawn from the names given."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="+", help="counting, counting-15 (percent of blunders), playouts-40, …")
    parser.add_argument("--blocks", type=int, default=1000, help="deals (default 1000)")
    parser.add_argument("--seatings", type=int, choices=(1, 3, 6), default=3, help="matches a deal (default 3)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = Random(options.seed)
    for block in range(options.blocks):
        names = tuple(rng.sample(options.names, 3))
        for line in play_block(names, rng.randbytes(32), block, options.seatings):
            print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
