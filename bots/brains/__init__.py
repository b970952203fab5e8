"""House bots: pure logic that chooses from a view."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from aurum_league.common.errors import N_, Sentence
from bots.brains.champion import FUTURES, ChampionBrain
from bots.brains.counting import CountingBrain
from bots.brains.learnt import LearntBrain
from bots.brains.search import PLAYOUTS, SearchBrain, explain
from bots.brains.simple import GreedyBrain, RandomBrain
from games.play.agents import Agent

__all__ = ["ALIASES", "BRAINS", "FALLBACK", "BrainEntry", "explain", "make_brain"]


@dataclass(frozen=True, slots=True)
class BrainEntry:
    """One house bot; `level` is its step on the ladder, 0 the weakest."""

    name: str
    title: str
    description: str
    level: int
    make: Callable[[int], Agent]


_SEARCH_1, _SEARCH_2, _SEARCH_3 = (
    BrainEntry(
        name,
        f"Search {step}",
        Sentence(N_("Plays %(number)s futures before each decision."), number=playouts),
        level,
        partial(SearchBrain, playouts=playouts),
    )
    for step, level, (name, playouts) in zip((1, 2, 3), (3, 5, 6), PLAYOUTS.items(), strict=True)
)
BRAINS: tuple[BrainEntry, ...] = (
    BrainEntry("random", "Random", N_("Plays any legal action."), 0, RandomBrain),
    BrainEntry("greedy", "Greedy", N_("Wins or loses each trick as its bid wants it now."), 1, GreedyBrain),
    BrainEntry("counting", "Counting", N_("Counts cards and points and steers to its exact bid."), 2, CountingBrain),
    _SEARCH_1,
    BrainEntry("learnt", "Learnt", N_("Has taught itself; chooses at a glance."), 4, LearntBrain),
    _SEARCH_2,
    _SEARCH_3,
    BrainEntry(
        "champion",
        "Champion",
        N_("Searches with what it has taught itself."),
        7,
        partial(ChampionBrain, playouts=FUTURES),
    ),
)
ALIASES = {"search": "search-2"}
FALLBACK = "greedy"
"""The brain that decides for a seat that failed to: quick, sane, and the same for everybody."""

_BY_NAME = {entry.name: entry for entry in BRAINS}


def make_brain(name: str, seed: int) -> Agent:
    """A house bot by its name or alias; the same seed plays the same. KeyError where there is none of that name."""
    return _BY_NAME[ALIASES.get(name, name)].make(seed)
