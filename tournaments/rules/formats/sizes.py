"""Whether a field is large enough for one table."""

from tournaments.rules.pairing import Problem, TableKind


def find_size_problems(kind: TableKind, entrants: int) -> tuple[Problem, ...]:
    if entrants >= kind.entrants:
        return ()
    sentence = f"{entrants} entrants do not fill one table, which takes {kind.entrants}."
    return (Problem("too_few_entrants", sentence),)
