"""Play weights that are being trained against a house bot: `python -m bots.training.compare var/training greedy`.

Every deal is played with the learnt bot on each side in turn; a shared first place counts as a share.
"""

import argparse
from collections.abc import Callable
from pathlib import Path

import numpy as np

from bots.brains import make_brain
from bots.brains.champion import ChampionBrain
from bots.brains.learnt import LearntBrain, LearntPolicy
from bots.brains.net import Net
from games.play.agents import Agent
from games.play.table import play_match
from games.rules.deal import derive_seed
from games.rules.match import Match
from games.rules.ruleset import Ruleset


def read_net(path: Path) -> Net:
    with np.load(path) as stored:
        return Net({name: stored[name] for name in stored.files})


def make_trained(folder: Path, players: int, futures: int) -> Callable[[int], Agent]:
    """`learnt` with these weights or, with a number of futures, `champion`."""
    policy = LearntPolicy(read_net(folder / f"learnt{players}.npz"))
    whole = read_net(folder / f"champion{players}.npz") if futures else None

    def make(seed: int) -> Agent:
        if whole is None:
            learnt = LearntBrain(seed)
            learnt.policies[players] = policy
            return learnt
        champion = ChampionBrain(seed, futures)
        champion.nets[players] = whole, policy
        return champion

    return make


def play_deals(ruleset: Ruleset, make: Callable[[int], Agent], other: str, deals: int, seed: bytes) -> list[float]:
    """The share of first places of each deal."""
    shares = []
    for deal in range(deals):
        own = derive_seed(seed, f"match {deal}")
        won = 0.0
        for side in range(ruleset.sides):
            match = Match(ruleset, own)
            chances = [int.from_bytes(derive_seed(own, f"agent {seat}")[:8], "big") for seat in range(ruleset.players)]
            play_match(match, [make(chance) if seat % ruleset.sides == side else make_brain(other, chance)
                               for seat, chance in enumerate(chances)])  # fmt: skip
            assert match.result is not None
            first = match.result.places[0]
            won += 1 / len(first) if side in first else 0
        shares.append(won / ruleset.sides)
    return shares


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("other", help="a house bot")
    parser.add_argument("--ruleset", default="en3")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--futures", type=int, default=0, help="search with so many futures, as the champion does")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    ruleset = Ruleset.from_code(arguments.ruleset)
    make = make_trained(arguments.folder, ruleset.players, arguments.futures)
    seed = arguments.seed.to_bytes(32, "big")
    shares = np.array(play_deals(ruleset, make, arguments.other, arguments.deals, seed))
    spread = 1.96 * shares.std(ddof=1) / len(shares) ** 0.5
    told = f"{100 * shares.mean():.1f} ({100 * (shares.mean() - spread):.1f} to {100 * (shares.mean() + spread):.1f})"
    print(f"{ruleset.code}: {told} % against {arguments.other} in {len(shares)} deals, even {100 / ruleset.sides:.1f}")


if __name__ == "__main__":
    main()
