"""What a seat needs to play: something that chooses an action from a view, and how to open one by its name."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, Self

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


class AgentKind(StrEnum):
    """Who can hold a seat. Whoever registers an opener may add a kind of its own, such as one that fails on purpose."""

    HOUSE = "house"
    VERSION = "version"
    CONNECTED = "connected"
    PERSON = "person"
    LOCAL = "local"  # a file on its author's machine, never stored

    @property
    def prefix(self) -> str:
        """What the stored text of every agent of this kind begins with."""
        return f"{self.value}:"


@dataclass(frozen=True, slots=True)
class AgentRef:
    """Names an agent: a house brain (`house:counting`), an upload (`version:12`), a bot that connects (`connected:5`)
    or a person (`person:7`, `person:guest`). Rows and records hold the text; everything between holds this."""

    kind: str
    id: str

    @classmethod
    def parse(cls, text: str) -> Self:
        kind, _, id = text.partition(":")
        return cls(kind, id)

    def __str__(self) -> str:
        return f"{self.kind}:{self.id}"

    @property
    def number(self) -> int:
        """The id of the row that this agent is; raises ValueError for a house brain or a guest."""
        return int(self.id)

    @property
    def is_person(self) -> bool:
        return self.kind == AgentKind.PERSON

    @property
    def is_house(self) -> bool:
        return self.kind == AgentKind.HOUSE

    @property
    def is_version(self) -> bool:
        return self.kind == AgentKind.VERSION

    @property
    def is_connected(self) -> bool:
        return self.kind == AgentKind.CONNECTED

    @property
    def is_awaited(self) -> bool:
        """Answers when it answers, and its owner makes its decisions; every other kind is opened and asked."""
        return self.is_person or self.is_connected

    @property
    def remembers_nothing(self) -> bool:
        """Opened anew for every match, so that it may meet the same deal twice."""
        return not self.is_awaited

    @property
    def public(self) -> str:
        """What everybody may know: people and the connections of bots are not told apart."""
        return str(self) if self.is_house or self.is_version else self.kind


GUEST = AgentRef(AgentKind.PERSON, "guest")
"""Plays for whoever has no account; guests share players and are known by their lobby seat alone."""


class Agent(Protocol):
    """That which chooses. It sees nothing but views."""

    def choose(self, view: View) -> int:
        """One of the actions the view's `legal` mask allows; raises AgentFault where it fails to."""
        ...


@dataclass(frozen=True, slots=True)
class SeatOrder:
    """What is known when an agent takes its seat. `bot_seed` is the agent's own chance, never the deal's.

    `patience` is how many seconds it may let the referee wait without working.
    """

    agent: AgentRef
    seat: int
    ruleset: Ruleset
    bot_seed: int
    match: int = 0
    seat_names: tuple[str, ...] = ()
    patience: float = math.inf


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


class AgentSleeps(PlatformFault):
    """An agent that waits without working while others wait for the referee; nobody's fault until its time is up."""

    def __init__(self, seat: int) -> None:
        super().__init__(f"Seat {seat} waits without working.")
        self.seat = seat


class UnknownAgent(LookupError):
    """An agent of a kind that nobody has registered in this process."""


_openers: dict[str, Callable[[SeatOrder], Agent]] = {}
_quick: dict[str, Callable[[AgentRef], bool]] = {}


def register_agents(
    kind: str, opener: Callable[[SeatOrder], Agent], is_quick: Callable[[AgentRef], bool] = lambda agent: False
) -> None:
    """Say how agents named `kind:…` are opened, and which of them decide within a millisecond.

    Apps above this one call it when Django starts. A web request waits for quick agents only; workers ask the others.
    """
    _openers[kind] = opener
    _quick[kind] = is_quick


def is_quick(agent: AgentRef) -> bool:
    return agent.kind in _quick and _quick[agent.kind](agent)


def open_agent(order: SeatOrder) -> Agent:
    try:
        opener = _openers[order.agent.kind]
    except KeyError:
        raise UnknownAgent(f"nobody here can play for {str(order.agent)!r}") from None
    return opener(order)


def end_agents(match: Match, agents: Sequence[Agent | None], forfeits: list[int]) -> None:
    """Tell those who want to know, such as bots in their processes, that the match is over; nobody is waited for."""
    for seat, agent in enumerate(agents):
        end = getattr(agent, "end", None)
        if end is not None:
            end(view(match, seat), forfeits)


def read_wait(agent: Agent | None) -> float:
    """Seconds for which it let the referee wait beyond those it worked; house brains work all the time."""
    return getattr(agent, "waited", 0.0)


def close_agent(agent: Agent | None) -> None:
    """Let go of whatever an agent holds, such as a process; house brains hold nothing."""
    close = getattr(agent, "close", None)
    if close is not None:
        close()
