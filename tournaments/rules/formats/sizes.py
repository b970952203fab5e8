"""Whether a field is large enough for one table."""

from aurum_league.common.errors import N_, Sentence
from tournaments.rules.pairing import Problem, TableKind


def find_size_problems(kind: TableKind, entrants: int) -> tuple[Problem, ...]:
    if entrants >= kind.entrants:
        return ()
    sentence = N_("%(number)s entrants do not fill one table, which takes %(needed)s.")
    return (Problem("too_few_entrants", Sentence(sentence, number=entrants, needed=kind.entrants)),)
