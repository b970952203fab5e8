"""Aurum for Gymnasium: one learner's seat, or one side's seats at four, against agents that choose from views.

Needs the extra `[learn]`. House bots (`bots.brains.make_brain`) and anything else with `choose(view)` can sit there.
"""

from collections.abc import Callable, Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from games.learn import Episode
from games.learn.spaces import ACTIONS, BITS
from games.play.agents import Agent
from games.rules.match import Match
from games.rules.ruleset import Ruleset
from games.rules.view import view


class AurumGym(gymnasium.Env[np.ndarray, np.int64]):
    """`make_opponent(seed)` makes the agent of every seat but the learner's; at four the partner is one of them too.

    `info["action_mask"]` says what may be done; a seat is drawn anew for every match unless `seat` names one.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}  # noqa: RUF012

    def __init__(
        self, make_opponent: Callable[[int], Agent], ruleset: str | Ruleset = "en3", *,
        reward: str | Callable[[Match, int], float] = "match", seat: int | None = None, render_mode: str | None = None,
    ) -> None:  # fmt: skip
        self.episode = Episode(ruleset, reward)
        self.make_opponent = make_opponent
        self.fixed_seat = seat
        self.render_mode = render_mode
        self.observation_space = spaces.Box(0, 1, (BITS,), np.uint8)
        self.action_space = spaces.Discrete(ACTIONS)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        super().reset(seed=seed)
        players = self.episode.ruleset.players
        self.seat = int(self.np_random.integers(players)) if self.fixed_seat is None else self.fixed_seat
        seeds = self.np_random.integers(2**62, size=players)
        self.opponents = [self.make_opponent(int(drawn)) for drawn in seeds]
        while True:
            self.episode.open(self.np_random.bytes(32))
            self._let_others_act()
            if not self.episode.is_over:
                return self._observe()

    def step(self, action: np.int64 | int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """ValueError where the action is not legal."""
        paid = self.episode.act(self.seat, int(action))[self.seat]
        paid += self._let_others_act()
        bits, info = self._observe()
        return bits, paid, self.episode.is_over, False, info

    def _let_others_act(self) -> float:
        """Ask the others until the learner is to act; what that pays to the learner."""
        paid = 0.0
        match = self.episode.match
        while not self.episode.is_over and self.seat != match.round.turn:
            other = match.round.turn
            rounds = len(match.rounds)
            match.apply(other, self.opponents[other].choose(view(match, other)))
            paid += self.episode.pay(self.seat, rounds)
        return paid

    def _observe(self) -> tuple[np.ndarray, dict[str, Any]]:
        bits, mask = self.episode.observe(self.seat)
        return bits, {"action_mask": mask}

    def render(self) -> str | None:
        return self.episode.tell() if self.render_mode == "ansi" else None
