"""The conformance check, the same on the site and at an author's desk: matches against itself and against `random`."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from bots.agents.cpu_histogram import count_buckets, read_quantile
from bots.agents.sandboxed import SandboxedAgent
from bots.brains import make_brain
from bots.runners.limits import Limits
from games.play.agents import Agent, AgentFault, SeatOrder, close_agent, end_agents
from games.rules.deal import derive_seed
from games.rules.match import Match
from games.rules.ruleset import Ruleset
from games.rules.view import view

SEED = bytes(range(32))
"""The check's deals are the same for every bot and no secret."""


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
    """Where a bot failed the check, with the exact exchange."""

    step: str
    seat: int
    verdict: str
    detail: str
    asked: str
    answered: str
    stderr: str


@dataclass(slots=True)
class CheckReport:
    """The steps that were passed, what ended the check if anything did, and the CPU seconds of every decision."""

    passed: list[str] = field(default_factory=list)
    fault: CheckFault | None = None
    cpu: list[float] = field(default_factory=list)

    @property
    def is_passed(self) -> bool:
        return self.fault is None and len(self.passed) == len(STEPS)

    def to_dict(self) -> dict[str, Any]:
        """Ready to be stored and shown; times in milliseconds."""
        counts = count_buckets(self.cpu)
        quantiles = {name: read_quantile(counts, share) for name, share in (("p50", 0.5), ("p99", 0.99))}
        return {
            "passed": self.passed,
            "fault": asdict(self.fault) if self.fault else None,
            "decisions": len(self.cpu),
            "cpu_ms": {name: round(seconds * 1000, 3) for name, seconds in quantiles.items() if seconds is not None},
        }


def check_bot(
    code: Path, limits: Limits | None = None, tell: Callable[[str], object] = lambda name: None
) -> CheckReport:
    """Play every step until one fails; `tell` hears the name of each that is passed. Raises PlatformFault."""
    report = CheckReport()
    for number, step in enumerate(STEPS):
        _play_step(report, step, number, code, limits)
        if report.fault is not None:
            break
        report.passed.append(step.name)
        tell(step.name)
    return report


def _play_step(report: CheckReport, step: CheckStep, number: int, code: Path, limits: Limits | None) -> None:
    match = Match(Ruleset.from_code(step.ruleset), derive_seed(SEED, f"check {number}"))
    agents: list[Agent] = []
    seat = 0
    try:
        agents += _open_agents(step, number, match.ruleset, code, limits)
        while match.result is None:
            seat = match.round.turn
            match.apply(seat, agents[seat].choose(view(match, seat)))
        end_agents(match, agents, [])
    except AgentFault as fault:
        exchange = (fault.verdict, fault.detail, fault.asked, fault.answered, fault.stderr)
        report.fault = CheckFault(step.name, seat, *exchange)
    finally:
        for agent in agents:
            close_agent(agent)
            if isinstance(agent, SandboxedAgent):
                report.cpu += agent.cpu


def _open_agents(step: CheckStep, number: int, ruleset: Ruleset, code: Path, limits: Limits | None) -> Iterator[Agent]:
    for seat, name in enumerate(step.seats):
        if name == "bot":
            yield SandboxedAgent(SeatOrder("bot", seat, ruleset, seat, number, step.seats), code, limits)
        else:
            yield make_brain(name, seat)
