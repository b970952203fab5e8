"""Playing a finished match's decisions again: whether every agent that can be asked twice did what the record says."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from games.play.agents import Agent, AgentFault
from games.play.table import STRIKES
from games.rules.match import Match
from games.rules.view import view


@dataclass(frozen=True, slots=True)
class Difference:
    """A decision that came out otherwise; `played` is None where the agent failed, and `detail` says how."""

    counter: int
    seat: int
    recorded: int
    played: int | None
    detail: str = ""


def replay_decisions(match: Match, agents: Mapping[int, Agent], failed: Collection[int] = ()) -> Iterator[Difference]:
    """Ask the agents, by seat, every question of a finished match again, in order, and tell where they differ.

    Seats without an agent, people and connected bots, are played as recorded. `failed` are the numbers of actions that
    the house took for a seat that failed to decide: there the agent is asked and must fail again. After its last strike
    the house plays the seat to the end, and the agent is asked no more.
    """
    again = Match(match.ruleset, match.seed, match.deals)
    strikes: Counter[int] = Counter()
    for counter, entry in enumerate(match.log):
        action, seat = entry >> 2, entry & 3
        agent = agents.get(seat)
        if agent is not None and strikes[seat] < STRIKES:
            strikes[seat] += counter in failed
            difference = _ask_again(agent, again, counter, seat, action, counter in failed)
            if difference is not None:
                yield difference
        again.apply(seat, action)


def _ask_again(
    agent: Agent, match: Match, counter: int, seat: int, recorded: int, has_failed: bool
) -> Difference | None:
    try:
        played = agent.choose(view(match, seat))
    except AgentFault as fault:
        return None if has_failed else Difference(counter, seat, recorded, None, str(fault))
    if has_failed:
        return Difference(counter, seat, recorded, played, "it failed in the match, and does not now")
    return None if played == recorded else Difference(counter, seat, recorded, played)
