"""House bots: pure logic that chooses from a view."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from aurum_league.common.errors import N_, Sentence
from bots.brains.champion import FUTURES, ChampionBrain
from bots.brains.counting import CountingBrain
from bots.brains.learnt import LearntBrain
from bots.brains.reflex import GREEDY, RANDOM, play_by_reflex
from bots.brains.sampling import decision_chance
from bots.brains.search import PLAYOUTS, SearchBrain, explain
from games.play.agents import Agent
from games.rules.actions import BID, CHANGE, KEEP, STOP, legal_actions
from games.rules.cards import GOLD_MASK, METALS, cards_in, rank_of
from games.rules.view import View


class RandomBrain:
    """Every legal action is equally likely; before a trick, keeping the bids weighs as much as all changes together."""

    reflex = RANDOM
    play_on = staticmethod(play_by_reflex)

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def choose(self, view: View) -> int:
        chance = decision_chance(self.seed, view)
        if view.phase == CHANGE and chance.below(2) == 0:
            return KEEP
        actions = list(legal_actions(view.phase, view.legal))
        return actions[chance.below(len(actions))]


_METAL_MASK = (1 << METALS) - 1
_STRONG_RANK = 8


class GreedyBrain:
    """Needs no luck; the seed is taken so that every brain is made alike."""

    reflex = GREEDY
    play_on = staticmethod(play_by_reflex)

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def choose(self, view: View) -> int:
        if view.phase == BID:
            return _choose_bid(view)
        if view.phase == CHANGE:
            return KEEP
        return _choose_play(view)


def _choose_bid(view: View) -> int:
    """The card whose rank is nearest to the tricks that the strong cards of the side's hands may win."""
    strong = sum(rank_of(card) >= _STRONG_RANK for card in cards_in(view.hand))
    expected = strong + 1 if view.players == 3 else strong + 2
    return min(cards_in(view.legal), key=lambda card: (abs(rank_of(card) - expected), card))


def _wants_trick(view: View) -> bool:
    seats = range(view.seat % view.ruleset.sides, view.players, view.ruleset.sides)
    bid = max(rank_of(view.bids[seat]) for seat in seats)
    return sum(view.tricks[seat] for seat in seats) < bid


def _choose_play(view: View) -> int:
    metals = sorted(cards_in(view.legal & _METAL_MASK), key=rank_of)
    golds = list(cards_in(view.legal & GOLD_MASK))
    wants = _wants_trick(view)
    if view.trick_length == 0:
        return metals[-1] if wants else metals[0]
    winning_golds = [gold for gold in golds if gold >= view.high_rank]
    winning = [card for card in metals if rank_of(card) >= view.high_rank]
    if wants and winning:
        return winning[0] if view.trick_length == view.players - 1 else winning[-1]
    if wants and winning_golds:
        return winning_golds[0]
    if not metals:
        return STOP
    losing = [card for card in metals if card not in winning]
    return losing[-1] if losing and not wants else metals[0]


class LearnerBrain:
    """On its way from `counting` to `learnt`: so many decisions in a hundred are still as the first would make them."""

    def __init__(self, seed: int, old_ways: int) -> None:
        self.seed = seed
        self.old_ways = old_ways
        self.counting, self.learnt = CountingBrain(seed), LearntBrain(seed)

    def choose(self, view: View) -> int:
        is_old = decision_chance(self.seed, view).below(100) < self.old_ways
        return (self.counting if is_old else self.learnt).choose(view)


OLD_WAYS = 50
"""So strong that the five levels people choose from lie evenly: `aurum bench levels`."""

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
    for step, level, (name, playouts) in zip((1, 2, 3), (4, 6, 7), PLAYOUTS.items(), strict=True)
)
BRAINS: tuple[BrainEntry, ...] = (
    BrainEntry("random", "Random", N_("Plays any legal action."), 0, RandomBrain),
    BrainEntry("greedy", "Greedy", N_("Wins or loses each trick as its bid wants it now."), 1, GreedyBrain),
    BrainEntry("counting", "Counting", N_("Counts cards and points and steers to its exact bid."), 2, CountingBrain),
    BrainEntry(
        "learner",
        "Learner",
        N_("Half counts, half has taught itself."),
        3,
        partial(LearnerBrain, old_ways=OLD_WAYS),
    ),
    _SEARCH_1,
    BrainEntry("learnt", "Learnt", N_("Has taught itself; chooses at a glance."), 5, LearntBrain),
    _SEARCH_2,
    _SEARCH_3,
    BrainEntry(
        "champion",
        "Champion",
        N_("Searches with what it has taught itself."),
        8,
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
