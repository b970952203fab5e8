"""Trains what the champion believes of hidden hands on matches of `learnt` and `counting` against themselves.

`python -m bots.training.belief 3 --matches 20000 --folder …` plays, learns and logs; `--out` writes the weights.
"""

import argparse
import json
import time
from array import array
from collections import deque
from pathlib import Path

import numpy as np

from bots.brains.belief import SECOND
from bots.brains.counting import choose_action
from bots.brains.features import PAST_FEATURES, Features
from bots.brains.learnt import LearntPolicy
from bots.brains.net import load_net
from bots.brains.stakes import describe_standing
from bots.brains.tally import Tally
from bots.training.fit import Trainer, make_batch
from bots.training.train import BATCH, ROOM
from games.rules.actions import BID, PLAY
from games.rules.cards import METALS as CARDS
from games.rules.match import Match
from games.rules.outcome import count_nuggets, sum_totals
from games.rules.playout import Chance
from games.rules.ruleset import all_rulesets

NOBODY = -1
KEPT = 5


class BeliefTrainer(Trainer):
    """Learns who holds each unseen card: by the logarithm of the chance that was given to who does."""

    PUSH = np.float32(8.0)
    """How much the slope is raised: only its direction and evenness count for Adam, beside its least rate."""

    def __init__(self, players: int, seed: int) -> None:
        super().__init__(PAST_FEATURES, CARDS * (players - 1), seed, SECOND)
        self.others = players - 1
        self.weights["last_bias"] = np.zeros(self.outputs, dtype=np.float32)

    def judge(self, values: np.ndarray, worths: np.ndarray) -> tuple[float, np.ndarray]:
        told = values.reshape(len(values), CARDS, self.others)
        chances = np.exp(told - told.max(axis=2, keepdims=True))
        chances /= chances.sum(axis=2, keepdims=True)
        asked = worths >= 0
        held = np.arange(self.others) == worths[:, :, None]
        error = -np.log(np.maximum(chances[held], 1e-9)).mean()
        slope = (chances - held) * asked[:, :, None] * (self.PUSH / max(1, int(asked.sum())))
        return float(error), slope.reshape(values.shape).astype(np.float32)


class HiddenHands:
    """Positions as a seat saw them, and for each card the place of the seat that held it, counted from the next."""

    def __init__(self, players: int, policy: LearntPolicy, seed: int, share: float = 0.3) -> None:
        self.rulesets = [ruleset for ruleset in all_rulesets() if ruleset.players == players]
        self.players = players
        self.policy = policy
        self.share = share
        self.generator = np.random.default_rng(seed)
        self.chance = Chance(int(self.generator.integers(1, 2**63)))
        self.features = Features()
        self.tally = Tally()
        self.told = array("h", [0]) * ROOM
        self.active = array("h")
        self.starts = [0]
        self.holders: list[np.ndarray] = []

    def happens(self, share: float) -> bool:
        return self.chance.below(1 << 20) < share * (1 << 20)

    def play_match(self) -> None:
        match = Match(self.rulesets[self.chance.below(len(self.rulesets))], self.generator.bytes(32))
        kinds = [self.happens(0.3) for _ in range(self.players)]
        while match.result is None:
            self.play_round(match, kinds)

    def play_round(self, match: Match, kinds: list[bool]) -> None:
        outcomes = [finished.outcome for finished in match.rounds]
        nuggets, totals = count_nuggets(match.ruleset, outcomes), sum_totals(match.ruleset, outcomes)
        for side in range(match.ruleset.sides):
            told = describe_standing(match.ruleset, len(outcomes), nuggets, totals, side)
            self.policy.features.set_context(side, told)
            self.features.set_context(side, told)
        finished, round_, gone = len(match.rounds), match.round, match.dealt.set_aside
        played = [0, 0, 0, 0]
        laid = 0
        while len(match.rounds) == finished:
            seat = match.awaiting()[0]
            if (laid == self.players or (self.players == 4 and laid)) and self.happens(self.share):
                self.keep(match, seat, played)
            if self.happens(0.02):
                self.policy.rate(round_, seat, gone)
                action = self.policy.actions[self.chance.below(self.policy.count)]
            elif kinds[seat]:
                action = choose_action(self.tally, round_, seat, gone)
            else:
                action = self.policy.choose(round_, seat, gone)
            laid += round_.phase == BID
            if round_.phase == PLAY and action < CARDS:
                played[seat] |= 1 << action
            match.apply(seat, action)

    def keep(self, match: Match, seat: int, played: list[int]) -> None:
        round_ = match.round
        self.features.look(round_, seat, match.dealt.set_aside)
        self.features.recall(round_, seat, played)
        self.active.extend(self.told[: self.features.write(self.told)])
        self.starts.append(len(self.active))
        holders = np.full(CARDS, NOBODY, dtype=np.int8)
        for step in range(1, self.players):
            other = (seat + step) % self.players
            hidden = round_.hands[other] & ~round_.known[other] & ((1 << CARDS) - 1)
            while hidden:
                card = (hidden & -hidden).bit_length() - 1
                hidden &= hidden - 1
                holders[10 * self.features.place[card // 10] + card % 10] = step - 1
        self.holders.append(holders)

    def as_arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        active = np.frombuffer(self.active, dtype=np.int16).copy()
        return active, np.array(self.starts, dtype=np.int64), np.array(self.holders)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("players", type=int, choices=(3, 4))
    parser.add_argument("--folder", type=Path, required=True, help="weights and log")
    parser.add_argument("--rounds", type=int, default=40, help="rounds of learning")
    parser.add_argument("--matches", type=int, default=500, help="matches a round of learning")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--least-rate", type=float, default=1e-4)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    train(arguments)


def train(arguments: argparse.Namespace) -> None:
    name = f"belief{arguments.players}"
    arguments.folder.mkdir(parents=True, exist_ok=True)
    trainer = BeliefTrainer(arguments.players, arguments.seed)
    policy = LearntPolicy(load_net(f"learnt{arguments.players}"))
    draw = np.random.default_rng(arguments.seed)
    kept: deque[tuple[np.ndarray, np.ndarray, np.ndarray]] = deque(maxlen=KEPT)
    for number in range(arguments.rounds):
        begun = time.process_time()
        rate = arguments.rate * (arguments.least_rate / arguments.rate) ** (number / arguments.rounds)
        table = HiddenHands(arguments.players, policy, int(draw.integers(2**62)))
        for _ in range(arguments.matches):
            table.play_match()
        kept.append(table.as_arrays())
        playing = time.process_time() - begun
        errors = []
        for age, (active, starts, holders) in enumerate(reversed(kept)):
            order = draw.permutation(len(starts) - 1)
            for start in range(0, len(order) - BATCH + 1, BATCH):
                batch = make_batch(active, starts, holders, order[start : start + BATCH], trainer.features)
                error = trainer.learn(batch, rate)
                errors += [error] if age == 0 else []
        trainer.export(arguments.folder / f"{name}.npz")
        line = {
            "round": number + 1, "cpu_playing": round(playing, 1), "cpu": round(time.process_time() - begun, 1),
            "positions": len(table.holders), "rate": round(rate, 6), "error": round(float(np.mean(errors)), 5),
        }  # fmt: skip
        with (arguments.folder / "log.jsonl").open("a") as log:
            log.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
