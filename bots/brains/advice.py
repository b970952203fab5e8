"""What the champion thinks of a decision: each action's chance to win, advice with its reason, the other way played.

The reason is measured, not made up: the choice and the best of the others are played out on the same sampled hands, and
what parts them most is said.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from bots.brains.champion import FUTURES, ChampionBrain, grow_tree
from bots.brains.counting import choose_action
from bots.brains.learnt import LearntBrain, Outlook
from bots.brains.sampling import HandSampler, decision_chance
from bots.brains.tally import Tally
from games.rules.actions import BID, OVER, PLAY, legal_actions
from games.rules.match import Match, replay
from games.rules.round import Round
from games.rules.scoring import side_bid, side_gold_points, side_tricks
from games.rules.view import View, view

WORLDS = 150
"""Sampled hands on which the choice is compared with the next best: some 10 ms."""

LEAST_DIFFERENCE = 0.04
"""A smaller difference of shares parts nothing, and the chance to win alone is named."""

LEAST_POINTS = 0.25


@lru_cache(maxsize=1)
def _load_champion() -> ChampionBrain:
    """Its nets are read once a process; each decision draws from a seed of its own."""
    return ChampionBrain(0, FUTURES)


@lru_cache(maxsize=2)
def _load_outlook(players: int) -> Outlook:
    return Outlook(players)


def judge_actions(seen: View, seed: int) -> dict[int, float]:
    """Every legal action and the side's chance to win the match by it, from 0 to 1.

    The search says how much the actions differ; what the position is worth with the best of them is said on the scale
    that was measured (docs/LEARNING.md), so that of positions told 60 % six in ten are won.
    """
    brain = ChampionBrain(seed, FUTURES)
    brain.nets = _load_champion().nets
    brain.find_nets(seen.players)
    found = grow_tree(brain, seen, list(legal_actions(seen.phase, seen.legal))).opinions()
    shift = _load_outlook(seen.players).win_chance(seen) - max(value for _, _, value in found)
    return {action: min(1.0, max(0.0, value + shift)) for action, _, value in found}


class AdviceReason(StrEnum):
    """What speaks for a choice against the next best."""

    ONLY = "only"
    EXACT = "exact"
    TRICK = "trick"
    NO_TRICK = "no_trick"
    GOLD = "gold"
    POINTS = "points"
    CHANCE = "chance"


@dataclass(frozen=True, slots=True)
class Advice:
    """`share` and `other_share` measure the reason for the choice and for `other`; None where there is no other."""

    action: int
    chance: float
    reason: AdviceReason
    other: int | None = None
    other_chance: float = 0.0
    share: float = 0.0
    other_share: float = 0.0


def advise(seen: View, seed: int) -> Advice:
    """What the champion would do with what this seat sees, and why."""
    values = judge_actions(seen, seed)
    best = max(values, key=lambda action: values[action])
    others = [action for action in values if action != best]
    if not others:
        return Advice(best, values[best], AdviceReason.ONLY)
    other = max(others, key=lambda action: values[action])
    reason, share, other_share = _compare(seen, best, other, seed)
    return Advice(best, values[best], reason, other, values[other], share, other_share)


@dataclass(slots=True)
class Futures:
    """Sums over the sampled worlds, for the side of the seat; `trick` and `gold` are of the trick that lies there."""

    exact: int = 0
    trick: int = 0
    gold: int = 0
    points: int = 0


def _compare(seen: View, best: int, other: int, seed: int) -> tuple[AdviceReason, float, float]:
    sampler, chance, tally = HandSampler(seen), decision_chance(seed, seen), Tally()
    found = Futures(), Futures()
    for _ in range(WORLDS):
        hands = sampler.deal(chance)
        for futures, action in zip(found, (best, other), strict=True):
            _play_world(seen, seen.imagine(hands), action, tally, futures)
    one, two = found
    leads = {AdviceReason.EXACT: (one.exact, two.exact)}
    if seen.phase == PLAY:
        leads |= {AdviceReason.TRICK: (one.trick, two.trick), AdviceReason.GOLD: (one.gold, two.gold)}
        leads |= {AdviceReason.NO_TRICK: (WORLDS - one.trick, WORLDS - two.trick)}
    reason = max(leads, key=lambda told: leads[told][0] - leads[told][1])
    share, other_share = leads[reason]
    if share - other_share >= LEAST_DIFFERENCE * WORLDS:
        return reason, share / WORLDS, other_share / WORLDS
    if one.points - two.points >= LEAST_POINTS * WORLDS:
        return AdviceReason.POINTS, one.points / WORLDS, two.points / WORLDS
    return AdviceReason.CHANCE, 0.0, 0.0


def _play_world(seen: View, round_: Round, action: int, tally: Tally, found: Futures) -> None:
    sides, side = seen.ruleset.sides, seen.seat % seen.ruleset.sides
    before, is_open = round_.closed, True
    _apply_first(seen, round_, action, tally)
    while True:
        if is_open and round_.closed > before:
            found.trick += round_.last_winner % sides == side
            found.gold += round_.last_gold >= 0 and round_.last_gold_to % sides == side
            is_open = False
        if round_.phase == OVER:
            break
        round_.apply(choose_action(tally, round_, round_.turn, seen.set_aside))
    found.exact += side_tricks(round_, sides, side) == side_bid(round_, sides, side)
    found.points += side_gold_points(round_, sides, side)


def _apply_first(seen: View, round_: Round, action: int, tally: Tally) -> None:
    if seen.phase != BID or seen.players == 4:
        round_.apply(action)
        return
    others = {seat: choose_action(tally, round_, seat, seen.set_aside) for seat in range(3) if seat != seen.seat}
    for seat, bid in sorted({**others, seen.seat: action}.items()):
        round_.lay_bid(seat, bid)


def play_other_way(played: Match, applied: int, seat: int, action: int) -> Match:
    """The match as it might have gone on: so many actions as they were, this one instead of the next, and then
    everybody to the end of the round as the quickest of the learnt bots, with the cards as they really lay."""
    assert played.seed is not None
    again = replay(played.ruleset, played.seed, played.log[:applied])
    rounds = len(again.rounds)
    again.apply(seat, action)
    brains: dict[int, Callable[[View], int]] = {other: LearntBrain(other).choose for other in range(played.players)}
    while not again.is_over and len(again.rounds) == rounds:
        turn = again.awaiting()[0]
        again.apply(turn, brains[turn](view(again, turn)))
    return again
