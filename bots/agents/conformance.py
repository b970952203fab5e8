"""The conformance check, the same on the site and at an author's desk: matches against itself and against `random`.

Nothing that a bot is told tells a check from a match: new deals, numbers and chance each time, and names as anywhere.
"""

import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from bots.agents.uploaded import (
    SandboxedAgent,
    UploadedAgent,
    WasmAgent,
    compile_uploaded,
    find_quantile,
    open_uploaded,
)
from bots.brains import BRAINS, FALLBACK, make_brain
from bots.runners.budget import Limits
from bots.runners.verdict import ArchiveError, RunnerError, Verdict
from games.play.agents import (
    Agent,
    AgentFault,
    AgentKind,
    AgentRef,
    AgentSleeps,
    PlatformFault,
    SeatOrder,
    close_agent,
    end_agents,
)
from games.play.table import STRIKES
from games.rules.actions import action_text
from games.rules.match import Match
from games.rules.ruleset import Ruleset
from games.rules.view import view


@dataclass(frozen=True, slots=True)
class Difference:
    """A decision that comes out otherwise: what the record has, and what the agent, or the house for it, plays."""

    counter: int
    seat: int
    recorded: str
    played: str


def replay_decisions(match: Match, agents: Mapping[int, Agent]) -> Iterator[Difference | None]:
    """Ask the agents, by seat, every question of a finished match again, in order; None where one comes out alike.

    Seats without an agent, people and connected bots, are played as recorded. Where an agent fails, the house must have
    decided, and after the last strike it must have played the seat to the end, with the agent asked no more.
    """
    again = Match(match.ruleset, match.seed, match.deals)
    strikes: Counter[int] = Counter()
    house = make_brain(FALLBACK, 0)
    for counter, entry in enumerate(match.log):
        action, seat = entry >> 2, entry & 3
        agent = agents.get(seat)
        if agent is not None:
            asked, phase = view(again, seat), again.round.phase
            try:
                played = agent.choose(asked) if strikes[seat] < STRIKES else house.choose(asked)
            except AgentFault:
                strikes[seat] += 1
                played = house.choose(asked)
            alike = played == action
            yield None if alike else Difference(counter, seat, action_text(phase, action), action_text(phase, played))
        again.apply(seat, action)


LOCAL_BOT = AgentRef(AgentKind.LOCAL, "bot")
NAMES = ("My bot", *(entry.title for entry in BRAINS))
"""The bot's own name and those whom it could meet, where nobody gives better ones."""
COMPILING = "compiling the module"
PATIENCE_SECONDS = 20.0
"""For how long a bot may let its whole check wait without working: other authors wait for theirs."""

DEADLINE_SECONDS = 300.0
"""For a whole check on the wall: twice what a bot's own banks allow it, so that past it the machine is to blame."""

SECONDS_BETWEEN_LOOKS = 1.0


@dataclass(frozen=True, slots=True)
class CheckStep:
    """One match of the check: `seats` names who sits where, `bot` for the bot that is checked."""

    name: str
    ruleset: str
    seats: tuple[str, ...]


STEPS = (
    CheckStep("against random, three players", "en3", ("bot", "random", "random")),
    CheckStep("against itself, three players", "de3-golden", ("bot", "bot", "bot")),
    CheckStep("against random, four players", "fr4", ("random", "bot", "random", "bot")),
    CheckStep("against itself, four players", "ru4-nozero-cumulative", ("bot", "bot", "bot", "bot")),
)


@dataclass(frozen=True, slots=True)
class CheckFault:
    """Where a bot failed the check, with the exact exchange; a module that is refused has no seat yet."""

    step: str
    seat: int | None
    verdict: str
    detail: str
    asked: str
    answered: str
    stderr: str


@dataclass(slots=True)
class CheckReport:
    """The steps that were passed, what ended the check if anything did, and what every decision used.

    `cpu` is in seconds; a Python bot has no `fuel`.
    """

    passed: list[str] = field(default_factory=list)
    fault: CheckFault | None = None
    cpu: list[float] = field(default_factory=list)
    fuel: list[int] = field(default_factory=list)
    patience: float = 0.0

    @property
    def is_passed(self) -> bool:
        return self.fault is None and len(self.passed) == len(STEPS)

    def to_dict(self) -> dict[str, Any]:
        """Ready to be stored and shown; times in milliseconds."""
        told = {
            "passed": self.passed,
            "fault": asdict(self.fault) if self.fault else None,
            "decisions": len(self.cpu),
            "cpu_ms": {name: round(seconds * 1000, 3) for name, seconds in _find_quantiles(self.cpu).items()},
        }
        return {**told, "fuel": _find_quantiles(self.fuel)} if self.fuel else told


def _find_quantiles(used: Sequence[float]) -> dict[str, float]:
    found = {name: find_quantile(used, share) for name, share in (("p50", 0.5), ("p99", 0.99))}
    return {name: value for name, value in found.items() if value is not None}


class NotWanted(Exception):
    """Nobody waits for the check any more."""


class Watch:
    """Looks between decisions whether a check should go on."""

    def __init__(self, is_wanted: Callable[[], bool]) -> None:
        self._is_wanted = is_wanted
        self._looks_at = time.monotonic()
        self._ends_at = self._looks_at + DEADLINE_SECONDS

    def look(self) -> None:
        """Raises NotWanted, or PlatformFault past the deadline."""
        now = time.monotonic()
        if now > self._ends_at:
            raise PlatformFault(f"The check took more than {DEADLINE_SECONDS:.0f} seconds.")
        if now >= self._looks_at:
            self._looks_at = now + SECONDS_BETWEEN_LOOKS
            if not self._is_wanted():
                raise NotWanted


def check_bot(
    code: Path,
    limits: Limits | None = None,
    tell: Callable[[str], object] = lambda name: None,
    names: Sequence[str] = NAMES,
    is_wanted: Callable[[], bool] = lambda: True,
    steps: Sequence[CheckStep] = STEPS,
    begin: Callable[[str], object] = lambda name: None,
) -> CheckReport:
    """Play every step until one fails or nobody wants it any more; `tell` hears of each that is passed.

    `begin` hears of each that is begun, and of the compiling before them. Raises PlatformFault.

    `names` are the bot's own and at least three of others whom it could meet.
    """
    begin(COMPILING)
    report = CheckReport(fault=_compile(code), patience=PATIENCE_SECONDS)
    watch = Watch(is_wanted)
    for step in steps if report.fault is None else ():
        begin(step.name)
        try:
            _play_step(report, step, code, limits, names, watch)
        except NotWanted:
            break
        if report.fault is not None:
            break
        report.passed.append(step.name)
        tell(step.name)
    return report


def _compile(code: Path) -> CheckFault | None:
    try:
        compile_uploaded(code)
    except ArchiveError as refusal:
        return CheckFault(COMPILING, None, refusal.code, str(refusal), "", "", "")
    except RunnerError as error:
        raise PlatformFault(str(error)) from error
    return None


def _play_step(
    report: CheckReport, step: CheckStep, code: Path, limits: Limits | None, names: Sequence[str], watch: Watch
) -> None:
    match = Match(Ruleset.from_code(step.ruleset), secrets.token_bytes(32))
    agents: list[Agent] = []
    seat = 0
    try:
        agents += _open_agents(step, match.ruleset, code, limits, names, report.patience)
        while match.result is None:
            watch.look()
            seat = match.round.turn
            match.apply(seat, agents[seat].choose(view(match, seat)))
        end_agents(match, agents, [])
    except AgentFault as fault:
        exchange = (fault.verdict, fault.detail, fault.asked, fault.answered, fault.stderr)
        report.fault = CheckFault(step.name, seat, *exchange)
    except AgentSleeps as sleeper:
        detail = f"The bot let its check wait for more than {PATIENCE_SECONDS:.0f} seconds without working."
        report.fault = CheckFault(step.name, sleeper.seat, Verdict.TIMEOUT_WALL, detail, "", "", "")
    finally:
        for agent in agents:
            close_agent(agent)
            if isinstance(agent, SandboxedAgent):
                report.patience = max(0.0, report.patience - agent.slept)
            if isinstance(agent, UploadedAgent):
                report.cpu += agent.cpu
            if isinstance(agent, WasmAgent):
                report.fuel += agent.fuel


def _open_agents(
    step: CheckStep,
    ruleset: Ruleset,
    code: Path,
    limits: Limits | None,
    names: Sequence[str],
    patience: float,
) -> Iterator[Agent]:
    for seat, name in enumerate(step.seats):
        if name == "bot":
            seat_names = _name_seats(step, seat, names)
            order = SeatOrder(LOCAL_BOT, seat, ruleset, secrets.randbits(64), 0, seat_names, patience)
            yield open_uploaded(order, code, limits)
        else:
            yield make_brain(name, secrets.randbits(64))


def _name_seats(step: CheckStep, own: int, names: Sequence[str]) -> tuple[str, ...]:
    """A table like any other for the bot at the seat `own`, also where it plays against itself."""
    others = iter(Random(secrets.randbits(64)).sample(names[1:], len(step.seats) - 1))
    return tuple(names[0] if seat == own else next(others) for seat in range(len(step.seats)))
