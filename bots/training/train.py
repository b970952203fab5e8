"""Trains a net on matches that it plays against itself and `counting`: what every decision has to teach."""

import argparse
import json
import time
from array import array
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from bots.brains.counting import choose_action
from bots.brains.features import ALL_FEATURES, OWN_FEATURES
from bots.brains.learnt import LearntPolicy
from bots.brains.net import Net
from bots.brains.stakes import Stakes, describe_standing
from bots.brains.tally import Tally
from bots.training.fit import Trainer, make_batch
from games.rules.actions import CHANGE, KEEP
from games.rules.match import Match
from games.rules.outcome import count_nuggets, sum_totals
from games.rules.playout import Chance
from games.rules.round import Round
from games.rules.ruleset import all_rulesets
from games.rules.view import view

ROOM = 400


@dataclass
class Samples:
    """Features of many positions one after another, where each begins, and what came of it for each side."""

    active: "array[int]" = field(default_factory=lambda: array("h"))
    starts: list[int] = field(default_factory=lambda: [0])
    worths: list[tuple[float, ...]] = field(default_factory=list)

    def add(self, told: "array[int]") -> None:
        self.active.extend(told)
        self.starts.append(len(self.active))

    def as_arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return (
            np.frombuffer(self.active, dtype=np.int16).astype(np.int32),
            np.array(self.starts, dtype=np.int64),
            np.array(self.worths, dtype=np.float32),
        )


@dataclass(frozen=True)
class Manner:
    """How decisions are made while learning, and which are kept: all shares of one."""

    astray: float = 0.06
    counting: float = 0.15
    survey: float = 0.4
    idle: float = 0.25
    """Of the many bids that are kept as they are, so many are told of."""


class SelfPlay:
    """Plays whole matches of one number of players; `own` is for the choice of a seat, `whole` for open hands."""

    def __init__(self, players: int, policy: LearntPolicy, manner: Manner, seed: int) -> None:
        self.rulesets = [ruleset for ruleset in all_rulesets() if ruleset.players == players]
        self.players = players
        self.sides = 3 if players == 3 else 2
        self.policy = policy
        self.manner = manner
        self.generator = np.random.default_rng(seed)
        self.chance = Chance(int(self.generator.integers(1, 2**63)))
        self.tally = Tally()
        self.own = Samples()
        self.whole = Samples()
        self.told = array("h", [0]) * ROOM
        self.pending_own: list[int] = []
        self.pending_whole: list[int] = []

    def happens(self, share: float) -> bool:
        return self.chance.below(1 << 20) < share * (1 << 20)

    def play_match(self) -> None:
        ruleset = self.rulesets[self.chance.below(len(self.rulesets))]
        match = Match(ruleset, self.generator.bytes(32))
        while match.result is None:
            self.play_round(match)

    def play_round(self, match: Match) -> None:
        round_ = match.round
        stakes = Stakes(view(match, 0))
        outcomes = [finished.outcome for finished in match.rounds]
        nuggets, totals = count_nuggets(match.ruleset, outcomes), sum_totals(match.ruleset, outcomes)
        for side in range(self.sides):
            told = describe_standing(match.ruleset, len(outcomes), nuggets, totals, side)
            self.policy.features.set_context(side, told)
        kinds = [self.happens(self.manner.counting) for _ in range(self.players)]
        gone = match.dealt.set_aside
        finished = len(match.rounds)
        if self.players == 3:
            for seat, action in enumerate([self.decide(round_, seat, gone, kinds[seat]) for seat in range(3)]):
                match.apply(seat, action)
        while len(match.rounds) == finished:
            seat = round_.turn
            if self.happens(self.manner.survey):
                self.policy.features.survey(round_)
                self.whole.add(self.read())
                self.pending_whole.append(seat)
            match.apply(seat, self.decide(round_, seat, gone, kinds[seat]))
        stakes.measure(round_)
        self.settle([stakes.worth[side] for side in range(self.sides)])

    def settle(self, worth: list[float]) -> None:
        """What the round came to is what every position of it is worth, seen from the seat that looked."""
        for pending, samples in ((self.pending_own, self.own), (self.pending_whole, self.whole)):
            for seat in pending:
                samples.worths.append(tuple(worth[(seat + step) % self.sides] for step in range(self.sides)))
            pending.clear()

    def read(self) -> "array[int]":
        return self.told[: self.policy.features.write(self.told)]

    def decide(self, round_: Round, seat: int, gone: int, by_counting: bool) -> int:
        """Choose for a seat and keep what it knew and did."""
        policy = self.policy
        best = policy.rate(round_, seat, gone)
        if policy.count == 1:
            return policy.actions[0]
        if self.happens(self.manner.astray):
            best = self.chance.below(policy.count)
            if round_.phase == CHANGE and self.happens(0.5):
                best = 0
        elif by_counting:
            best = self.find(choose_action(self.tally, round_, seat, gone))
        action = policy.actions[best]
        if round_.phase != CHANGE or action != KEEP or self.happens(self.manner.idle):
            policy.features.add_action(round_, seat, action)
            self.own.add(self.read())
            self.pending_own.append(seat)
        return action

    def find(self, action: int) -> int:
        """The place of an action among those rated; keeping where it is not among them."""
        for place in range(self.policy.count):
            if self.policy.actions[place] == action:
                return place
        return 0


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
