"""A table of agents that answer at once: the loop that plays a match to its end."""

from collections.abc import Sequence

from games.play.agents import Agent
from games.rules.match import Match
from games.rules.view import view


def play_match(match: Match, agents: Sequence[Agent]) -> None:
    """Ask every seat in turn until the match is over. Agents are house brains: an illegal answer is a bug and raises."""
    while match.result is None:
        seat = match.round.turn
        match.apply(seat, agents[seat].choose(view(match, seat)))
