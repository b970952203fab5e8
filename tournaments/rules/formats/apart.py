"""Who must not meet: one owner's entrants on two sides of a rated table, and pairs the organiser keeps apart."""

from collections.abc import Iterable
from itertools import combinations

from aurum_league.common.errors import N_, Sentence
from tournaments.rules.formats.situation import Situation
from tournaments.rules.pairing import HOUSE, EntrantId, Pairing, Problem, TableKind

MOST_NAMED = 4
Pair = frozenset[EntrantId]


def find_apart_pairs(situation: Situation) -> tuple[set[Pair], set[Pair]]:
    """The active pairs that may not oppose each other, and those that may not even be partners."""
    among = {entry.id for entry in situation.active}
    named = {pair for pair in situation.conflicts if pair <= among}
    by_owner: dict[int, list[EntrantId]] = {}
    for entry in situation.active if situation.is_rated else ():
        for owner in entry.owners:
            by_owner.setdefault(owner, []).append(entry.id)
    owned = {frozenset(pair) for entrants in by_owner.values() for pair in combinations(entrants, 2)}
    return named | owned, named


def find_clashes(situation: Situation, kind: TableKind, pairings: Iterable[Pairing]) -> list[Pair]:
    """The pairs seated together that must not be."""
    opposed, partnered = find_apart_pairs(situation)
    clashes = []
    for pairing in pairings if opposed else ():
        entrants = [entrant for entrant in pairing.entrants if entrant != HOUSE]
        for a, b in combinations(entrants, 2):
            is_one_side = kind is TableKind.SOLO4 and (pairing.seats.index(a) - pairing.seats.index(b)) % 2 == 0
            if frozenset((a, b)) in (partnered if is_one_side else opposed):
                clashes.append(frozenset((a, b)))
    return clashes


def describe_clashes(clashes: Iterable[Pair], why: Sentence) -> Problem:
    """The problem of pairs that cannot be kept apart, naming the first few."""
    pairs = sorted(tuple(sorted(pair)) for pair in set(clashes))
    named = ", ".join(" and ".join(map(str, pair)) for pair in pairs[:MOST_NAMED])
    more = f" and {len(pairs) - MOST_NAMED} more pairs" if len(pairs) > MOST_NAMED else ""
    concerned = tuple(dict.fromkeys(entrant for pair in pairs for entrant in pair))
    sentence = Sentence(N_("Entrants %(names)s must be kept apart, but %(why)s."), names=named + more, why=why)
    return Problem("cannot_keep_apart", sentence, concerned)
