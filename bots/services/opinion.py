"""The search's opinion of what a person played: its own choice at each decision, and what the other one cost."""

from collections.abc import Iterator
from dataclasses import dataclass

from bots.brains import explain
from games.rules.deal import derive_seed
from games.rules.match import Match, replay
from games.rules.notation import action_text
from games.rules.view import view

LEVEL = "search-2"
"""Answers for a whole round within a second; what it costs the server is bounded by one round a request."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """One decision of a seat. `applied` is how many actions its round had before; values are chances to win."""

    applied: int
    trick: int
    played: str
    best: str
    cost: float

    @property
    def is_same(self) -> bool:
        return self.played == self.best or self.cost <= 0


def judge_round(play: Match, seat: int, number: int) -> list[Opinion]:
    """Every decision of this seat in a finished round at which there was something to choose."""
    return list(_judge(play, seat, number))


def _judge(play: Match, seat: int, number: int) -> Iterator[Opinion]:
    assert play.seed is not None
    before = sum(len(done.log) for done in play.rounds[: number - 1])
    again = replay(play.ruleset, play.seed, play.log[:before])
    seed = int.from_bytes(derive_seed(play.seed, f"opinion {seat}")[:8], "big")
    for applied, entry in enumerate(play.rounds[number - 1].log):
        acting, action = entry & 3, entry >> 2
        seen = view(again, seat)
        if acting == seat and len(seen.legal_texts()) > 1:
            values = dict(explain(seen, seed + applied, LEVEL))
            best = max(values, key=lambda choice: values[choice])
            yield Opinion(
                applied,
                0 if seen.trick_number < 1 else seen.trick_number,
                action_text(seen.phase, action),
                action_text(seen.phase, best),
                max(0.0, values[best] - values[action]),
            )
        again.apply(acting, action)
