"""Whether a field is large enough for one table, and a stage long enough for everybody to play."""

from aurum_league.common.errors import N_, Sentence
from tournaments.rules.pairing import Problem, TableKind


def find_size_problems(kind: TableKind, entrants: int) -> tuple[Problem, ...]:
    if entrants >= kind.entrants:
        return ()
    sentence = N_("%(number)s entrants do not fill one table, which takes %(needed)s.")
    return (Problem("too_few_entrants", Sentence(sentence, number=entrants, needed=kind.entrants)),)


def find_length_problems(kind: TableKind, entrants: int, matchdays: int) -> tuple[Problem, ...]:
    """Two matchdays let everybody play once at least, whoever rests; one does so only if nobody rests."""
    resting = entrants % kind.entrants
    if matchdays > 1 or not resting:
        return ()
    sentence = N_("In one matchday %(resting)s of %(entrants)s entrants would play no match: it takes two.")
    return (Problem("bad_length", Sentence(sentence, resting=resting, entrants=entrants)),)
