"""Train the nets of one number of players: `python -m bots.training.train 3 --rounds 300 --folder var/training`.

Rounds of self-play and learning follow each other. The first ones are `counting`'s own play, astray now and then; from
then on the net plays. Every line of log.jsonl says what was played, how well it was foretold, and for how long. With
`--rounds` the same seed makes the same weights; with `--minutes` the rate follows the clock.
"""

import argparse
import json
import time
from collections import deque
from pathlib import Path

import numpy as np

from bots.brains.features import ALL_FEATURES, OWN_FEATURES
from bots.brains.learnt import LearntPolicy
from bots.brains.net import Net
from bots.training.fit import Trainer, make_batch
from bots.training.selfplay import Manner, Samples, SelfPlay

BATCH = 1024
KEPT = 8
FIRST = 2
"""So many rounds of learning are from the play of `counting`."""

Store = tuple[np.ndarray, np.ndarray, np.ndarray]


def learn_from(trainer: Trainer, kept: "deque[Store]", draw: np.random.Generator, rate: float) -> float:
    """Go over what was kept once, more often over the newest; the mean squared error on the newest before it."""
    errors = []
    for age, (active, starts, worths) in enumerate(reversed(kept)):
        order = draw.permutation(len(starts) - 1)
        order = order if age == 0 else order[: len(order) // 4]
        for start in range(0, len(order) - BATCH + 1, BATCH):
            chosen = order[start : start + BATCH]
            batch = make_batch(active, starts, worths[:, : trainer.outputs], chosen, trainer.features)
            error = trainer.learn(batch, rate)
            errors += [error] if age == 0 else []
    return float(np.mean(errors)) if errors else float("nan")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("players", type=int, choices=(3, 4))
    parser.add_argument("--folder", type=Path, required=True, help="checkpoints, weights and log")
    parser.add_argument("--minutes", type=float, default=60, help="how long, where no number of rounds is given")
    parser.add_argument("--rounds", type=int, help="rounds of learning")
    parser.add_argument("--matches", type=int, default=400, help="matches a round of learning")
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--least-rate", type=float, default=1e-4)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    Training(arguments).run()


class Training:
    """Two nets of one number of players, `learnt` for a seat's own choice and `champion` for open hands."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        players: int = arguments.players
        sides = 3 if players == 3 else 2
        self.arguments = arguments
        self.folder: Path = arguments.folder
        self.folder.mkdir(parents=True, exist_ok=True)
        self.trainers = {
            f"learnt{players}": Trainer(OWN_FEATURES, 1, arguments.seed),
            f"champion{players}": Trainer(ALL_FEATURES, sides, arguments.seed + 1),
        }
        self.kept: dict[str, deque[Store]] = {name: deque(maxlen=KEPT) for name in self.trainers}
        self.draw = np.random.default_rng(arguments.seed)
        self.round = 0
        for name, trainer in self.trainers.items():
            if (self.folder / f"{name}.checkpoint.npz").exists():
                trainer.load(self.folder / f"{name}.checkpoint.npz")
                self.round = FIRST

    def run(self) -> None:
        begun = time.monotonic()
        least, most = self.arguments.least_rate, self.arguments.rate
        first = self.round
        while (share := self.find_share(begun, first)) < 1:
            passed = time.monotonic() - begun
            rate = most * (least / most) ** share
            cpu = time.process_time()
            samples = self.play()
            played = time.process_time() - cpu
            errors = {}
            for (name, trainer), found in zip(self.trainers.items(), samples, strict=True):
                self.kept[name].append(found.as_arrays())
                errors[name] = round(learn_from(trainer, self.kept[name], self.draw, rate), 5)
                trainer.save(self.folder / f"{name}.checkpoint.npz")
                trainer.export(self.folder / f"{name}.npz")
            self.round += 1
            line = {
                "round": self.round, "seconds": round(passed), "cpu_playing": round(played, 1),
                "cpu": round(time.process_time() - cpu, 1), "decisions": len(samples[0].worths),
                "rate": round(rate, 6), "errors": errors,
            }  # fmt: skip
            with (self.folder / "log.jsonl").open("a") as log:
                log.write(json.dumps(line) + "\n")

    def find_share(self, begun: float, first: int) -> float:
        """How much of the training is done."""
        if self.arguments.rounds is not None:
            return float((self.round - first) / self.arguments.rounds)
        return float((time.monotonic() - begun) / (60 * self.arguments.minutes))

    def play(self) -> tuple[Samples, Samples]:
        own = next(iter(self.trainers.values()))
        policy = LearntPolicy(Net(own.whole_numbers()))
        manner = Manner(counting=1.0, astray=0.1) if self.round < FIRST else Manner()
        table = SelfPlay(self.arguments.players, policy, manner, int(self.draw.integers(2**62)))
        for _ in range(self.arguments.matches):
            table.play_match()
        return table.own, table.whole


if __name__ == "__main__":
    main()
