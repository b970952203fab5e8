"""Aurum to learn from: many tables at once, and the interfaces of PettingZoo, Gymnasium and OpenSpiel.

Needs no Django. `Tables` needs numpy alone; the interfaces need the extra `[learn]` and are imported by their module.
"""

import json
from collections.abc import Callable

import numpy as np

from games.learn.spaces import (
    ACTIONS,
    BITS,
    PLANES,
    Change,
    legal_mask,
    list_actions,
    observe_view,
    to_rules,
    to_text,
    unpack,
)
from games.learn.tables import Tables
from games.rules.actions import NOBODY
from games.rules.match import Match
from games.rules.ruleset import Ruleset
from games.rules.view import view

__all__ = [
    "ACTIONS", "BITS", "PLANES", "Change", "Tables", "list_actions", "observe_view", "to_rules", "to_text", "unpack",
]  # fmt: skip


REWARDS = ("match", "points")


class Episode:
    """A match that seats act in by the environment's actions."""

    def __init__(self, ruleset: str | Ruleset, reward: str | Callable[[Match, int], float] = "match") -> None:
        if isinstance(reward, str) and reward not in REWARDS:
            raise ValueError(f"A reward is one of {', '.join(REWARDS)}, or a function of a match and a seat.")
        self.ruleset = Ruleset.from_code(ruleset) if isinstance(ruleset, str) else ruleset
        self.reward = reward

    def open(self, seed: bytes) -> None:
        self.match = Match(self.ruleset, seed)
        self.changes = [Change() for _ in range(self.ruleset.players)]

    @property
    def turn(self) -> int:
        return int(self.match.round.turn)

    @property
    def is_over(self) -> bool:
        return self.match.result is not None

    def awaiting(self) -> tuple[int, ...]:
        return self.match.awaiting()

    def observe(self, seat: int) -> tuple[np.ndarray, np.ndarray]:
        """The bits that a seat sees, and a byte for each action it may do."""
        seen, change = view(self.match, seat), self.changes[seat]
        legal = 0 if self.is_over else legal_mask(seen, change)
        mask = unpack(np.array([legal], dtype=np.uint64))
        return unpack(observe_view(seen, change.spent, change.whose)), mask

    def act(self, seat: int, action: int) -> list[float]:
        """Do one action of a seat; what it pays to each. ValueError where it is not legal."""
        rounds = len(self.match.rounds)
        whole = to_rules(view(self.match, seat), self.changes[seat], action)
        if whole is not None:
            self.match.apply(seat, whole)
        return [self.pay(seat, rounds) for seat in range(self.ruleset.players)]

    def pay(self, seat: int, rounds: int) -> float:
        """What a seat gets for the last action, before which so many rounds were finished."""
        if callable(self.reward):
            return float(self.reward(self.match, seat))
        side = seat % self.ruleset.sides
        if self.reward == "points":
            return float(sum(done.outcome.scores[side].total for done in self.match.rounds[rounds:]))
        if self.match.result is None:
            return 0.0
        first = self.match.result.places[0]
        return 1.0 / len(first) if side in first else 0.0

    def tell(self) -> str:
        """What everybody sees, as JSON."""
        return json.dumps(view(self.match, NOBODY).to_dict())
