"""How a fixture ended: the places of its entrants over all its matches."""

from collections.abc import Sequence

from games.rules.outcome import settle_places
from tournaments.rules.pairing import EntrantId, draw_lot
from tournaments.rules.standings import Metric, Scoring, TableResult, compute_standings

CHAIN = (Metric.MATCH_POINTS, Metric.WINS, Metric.TOTAL_SCORE, Metric.NUGGETS)


def place_entrants(entrants: Sequence[EntrantId], results: Sequence[TableResult], scoring: Scoring) -> tuple[int, ...]:
    """Places in the order of `entrants`, a filling house bot included; who is level over all matches shares one."""
    if len(results) == 1:
        result = results[0]
        settled = settle_places(result.places, result.forfeits, len(result.entrants))
        places = dict(zip(result.entrants, settled, strict=True))
    else:
        places = {row.entrant: row.place for row in compute_standings(entrants, results, scoring, CHAIN)}
    return tuple(places[entrant] for entrant in entrants)


def part_by_lots(entrants: Sequence[EntrantId], places: Sequence[int], seed: bytes, purpose: str) -> tuple[int, ...]:
    """The same places with those who share one put in an order by lots from the tournament's seed."""
    ranked = sorted(zip(places, entrants, strict=True), key=lambda row: (row[0], -draw_lot(seed, purpose, row[1])))
    parted = {entrant: place for place, (_, entrant) in enumerate(ranked, start=1)}
    return tuple(parted[entrant] for entrant in entrants)
