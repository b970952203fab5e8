"""Whether a field is large enough for one table, and a stage long enough for everybody to play."""

from tournaments.rules.pairing import Problem, TableKind


def find_size_problems(kind: TableKind, entrants: int) -> tuple[Problem, ...]:
    if entrants >= kind.entrants:
        return ()
    sentence = f"{entrants} entrants do not fill one table, which takes {kind.entrants}."
    return (Problem("too_few_entrants", sentence),)


def find_length_problems(kind: TableKind, entrants: int, matchdays: int) -> tuple[Problem, ...]:
    """Two matchdays let everybody play once at least, whoever rests; one does so only if nobody rests."""
    resting = entrants % kind.entrants
    if matchdays > 1 or not resting:
        return ()
    sentence = f"In one matchday {resting} of {entrants} entrants would play no match: it takes two."
    return (Problem("bad_length", sentence),)
