"""What the pictures and statistics of a tournament show, as plain rows for files."""

from collections.abc import Iterator
from dataclasses import asdict

from tournaments.models import Stage, Tournament
from tournaments.selectors.bracket import KNOCKOUT, read_bracket
from tournaments.selectors.crosstable import read_crosstable
from tournaments.selectors.entrants import name_field
from tournaments.selectors.exports import Row
from tournaments.selectors.listing import list_stages
from tournaments.selectors.statistics import read_bids

MOST_ENTRANTS = 200
"""Of a larger field a crosstable holds the best: every cell is kept for everybody who asks again."""


def export_crosstable(tournament: Tournament) -> Iterator[Row]:
    """A row for each ordered pair that met in a stage."""
    for stage in list_stages(tournament):
        table = read_crosstable(stage, limit=MOST_ENTRANTS)
        names = dict(table.entrants)
        for (own, other), cell in sorted(table.cells.items()):
            yield {"stage": stage.name, "entrant": names[own], "opponent": names[other], **asdict(cell)}


def export_bracket(tournament: Tournament) -> Iterator[Row]:
    """A row a seat of every table of a knockout that was released; `source` is the table its entrant came from."""
    for stage in list_stages(tournament):
        if stage.format == KNOCKOUT:
            yield from _export_tables(stage)


def _export_tables(stage: Stage) -> Iterator[Row]:
    for line in read_bracket(stage):
        for number, (seat, source) in enumerate(zip(line.table.seats, line.sources, strict=True)):
            yield {
                "stage": stage.name,
                "wave": line.wave,
                "slot": line.slot,
                "state": line.table.fixture.state,
                "seat": number,
                "entrant": seat.name or "house bot",
                "address": seat.slug,
                "place": seat.place,
                "source": source,
            }


def export_statistics(tournament: Tournament) -> Iterator[Row]:
    """A row an entrant and stage: sums over its rounds, and the share of exact bids with its interval."""
    for stage in list_stages(tournament):
        names = name_field(stage)
        known = ((entrant, bids) for entrant, bids in read_bids([stage]).items() if entrant in names)
        for entrant, bids in known:
            sums = asdict(bids)
            del sums["id"]
            ends = sums.pop("ends")
            yield {"stage": stage.name, "entrant": names[entrant], **sums, **ends, "exact_share": bids.exact_share}
