"""What a seat needs to play: something that chooses an action from a view, and how to open one by its name."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from games.rules.deal import derive_seed
from games.rules.match import Match
from games.rules.ruleset import Ruleset
from games.rules.view import View, view


def _no_sandbox() -> bool:
    return False


_probe: Callable[[], bool] = _no_sandbox


def register_sandbox(probe: Callable[[], bool]) -> None:
    """Say how to find out whether uploaded bots can be run safely here."""
    global _probe
    _probe = probe


def can_run_sandbox() -> bool:
    return _probe()


class Agent(Protocol):
    """That which chooses. It sees nothing but views."""

    def choose(self, view: View) -> int:
        """One of the actions the view's `legal` mask allows; raises AgentFault where it fails to."""
        ...


@dataclass(frozen=True, slots=True)
class SeatOrder:
    """What is known when an agent takes its seat. `bot_seed` is the agent's own chance, never the deal's."""

    agent: str
    seat: int
    ruleset: Ruleset
    bot_seed: int
    match: int = 0
    seat_names: tuple[str, ...] = ()


def derive_bot_seed(match_seed: bytes, match: int, seat: int) -> int:
    """The chance of the agent at a seat, which whoever knows the match's seed can make again."""
    return int.from_bytes(derive_seed(match_seed, f"agent {match} {seat}")[:8], "big")


class AgentFault(Exception):
    """An agent that did not decide: the verdict and the exact exchange, for its author's eyes."""

    def __init__(self, verdict: str, detail: str, asked: str = "", answered: str = "", stderr: str = "") -> None:
        super().__init__(f"{verdict}: {detail}")
        self.verdict = verdict
        self.detail = detail
        self.asked = asked
        self.answered = answered
        self.stderr = stderr


class PlatformFault(Exception):
    """A failure that is ours, not the agent's: the match is to be played again from its start."""


class UnknownAgent(LookupError):
    """An agent of a kind that nobody has registered in this process."""


AWAITED = frozenset({"person", "connected"})
"""Kinds that answer when they answer; every other kind is opened and asked."""

_openers: dict[str, Callable[[SeatOrder], Agent]] = {}
_quick: dict[str, Callable[[str], bool]] = {}


def register_agents(
    kind: str, opener: Callable[[SeatOrder], Agent], is_quick: Callable[[str], bool] = lambda agent: False
) -> None:
    """Say how agents named `kind:…` are opened, and which of them decide within a millisecond.

    Apps above this one call it when Django starts. A web request waits for quick agents only; workers ask the others.
    """
    _openers[kind] = opener
    _quick[kind] = is_quick


def is_quick(agent: str) -> bool:
    kind = agent.partition(":")[0]
    return kind in _quick and _quick[kind](agent)


def is_awaited(agent: str) -> bool:
    return agent.partition(":")[0] in AWAITED


def open_agent(order: SeatOrder) -> Agent:
    kind = order.agent.partition(":")[0]
    try:
        opener = _openers[kind]
    except KeyError:
        raise UnknownAgent(f"nobody here can play for {order.agent!r}") from None
    return opener(order)


def end_agents(match: Match, agents: Sequence[Agent | None], forfeits: list[int]) -> None:
    """Tell those who want to know, such as bots in their processes, that the match is over; nobody is waited for."""
    for seat, agent in enumerate(agents):
        end = getattr(agent, "end", None)
        if end is not None:
            end(view(match, seat), forfeits)


def close_agent(agent: Agent | None) -> None:
    """Let go of whatever an agent holds, such as a process; house brains hold nothing."""
    close = getattr(agent, "close", None)
    if close is not None:
        close()
