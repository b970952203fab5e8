"""Aurum for PettingZoo: `aurum_v1.env(ruleset="en3")`, seat by seat, and `parallel_env`, where three bid at once.

Needs the extra `[learn]`. A match is an episode. Rewards are the share of the first place, paid at the end; the points
of each round, paid when it ends; or what a function of the match and the seat says after every action.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers

from games.learn import Episode
from games.learn.spaces import ACTIONS, BITS
from games.rules.match import Match
from games.rules.ruleset import Ruleset

WAIT = 59
"""What a seat does in the parallel form while it has nothing to decide."""

ILLEGAL_REWARD = -1

Reward = str | Callable[[Match, int], float]


def agent_name(seat: int) -> str:
    return f"seat_{seat}"


def make_space() -> spaces.Dict:
    """The bits of spaces.py, and which of the 64 actions may be done."""
    bits = spaces.Box(0, 1, (BITS,), np.int8)
    return spaces.Dict({"observation": bits, "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8)})


def env(ruleset: str | Ruleset = "en3", reward: Reward = "match", render_mode: str | None = None) -> Any:
    """One seat after another; an action that is not legal ends the match at the cost of the seat that did it."""
    return wrappers.OrderEnforcingWrapper(
        wrappers.TerminateIllegalWrapper(raw_env(ruleset, reward, render_mode), illegal_reward=ILLEGAL_REWARD)
    )


class raw_env(AECEnv):
    """Without wrappers: an action that is not legal raises ValueError."""

    metadata = {"name": "aurum_v1", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self, ruleset: str | Ruleset = "en3", reward: Reward = "match", render_mode: str | None = None
    ) -> None:
        super().__init__()
        self.episode = Episode(ruleset, reward)
        self.render_mode = render_mode
        self.possible_agents = [agent_name(seat) for seat in range(self.episode.ruleset.players)]
        self._seed_source = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._spaces(agent)[0]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._spaces(agent)[1]

    def _spaces(self, agent: str) -> tuple[spaces.Dict, spaces.Discrete]:
        if not hasattr(self, "_made"):
            self._made = {name: (make_space(), spaces.Discrete(ACTIONS)) for name in self.possible_agents}
        return self._made[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._seed_source = np.random.default_rng(seed)
        self.episode.open(self._seed_source.bytes(32))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
        self.agent_selection = agent_name(self.episode.turn)

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        bits, mask = self.episode.observe(self.possible_agents.index(agent))
        return {"observation": bits.astype(np.int8), "action_mask": mask.astype(np.int8)}

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        agent = self.agent_selection
        if action is None:
            raise ValueError("Only a seat whose match is over does nothing.")
        paid = self.episode.act(self.possible_agents.index(agent), int(action))
        self._cumulative_rewards[agent] = 0.0
        self.rewards = {agent_name(seat): reward for seat, reward in enumerate(paid)}
        if self.episode.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = agent_name(self.episode.turn)
        self._accumulate_rewards()
        if self.episode.is_over:
            self.agent_selection = self.agents[0]

    def render(self) -> str | None:
        return self.episode.tell() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held."""


def parallel_env(ruleset: str | Ruleset = "en3", reward: Reward = "match", render_mode: str | None = None) -> Any:
    return raw_parallel_env(ruleset, reward, render_mode)


class raw_parallel_env(ParallelEnv):
    """All act at once; whoever has nothing to decide waits. With three players all bids are laid in one step."""

    metadata = {"name": "aurum_parallel_v1", "render_modes": ["ansi"]}  # noqa: RUF012

    def __init__(
        self, ruleset: str | Ruleset = "en3", reward: Reward = "match", render_mode: str | None = None
    ) -> None:
        self.inner = raw_env(ruleset, reward, render_mode)
        self.render_mode = render_mode
        self.possible_agents = list(self.inner.possible_agents)
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.inner.observation_space(agent)

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.inner.action_space(agent)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        self.inner.reset(seed, options)
        self.agents = list(self.possible_agents)
        return self._observe(), {name: {} for name in self.agents}

    def _observe(self) -> dict[str, Any]:
        seen = {name: self.inner.observe(name) for name in self.agents}
        for told in seen.values():
            if not told["action_mask"].any():
                told["action_mask"][WAIT] = 1
        return seen

    def step(self, actions: dict[str, int]) -> tuple[dict[str, Any], ...]:
        """Only actions of seats that are awaited count; one that is not legal ends the match at that seat's cost."""
        episode = self.inner.episode
        paid = [0.0] * len(self.possible_agents)
        is_over = False
        for seat in episode.awaiting():
            try:
                told = episode.act(seat, int(actions[self.possible_agents[seat]]))
            except ValueError:
                paid[seat] += ILLEGAL_REWARD
                is_over = True
                break
            paid = [one + other for one, other in zip(paid, told, strict=True)]
        names = self.agents
        is_over = is_over or episode.is_over
        seen = self._observe()
        rewards = {agent_name(seat): reward for seat, reward in enumerate(paid)}
        if is_over:
            self.agents = []
        return seen, rewards, dict.fromkeys(names, is_over), dict.fromkeys(names, False), {name: {} for name in names}

    def render(self) -> str | None:
        return self.inner.render()

    def close(self) -> None:
        """Nothing is held."""
