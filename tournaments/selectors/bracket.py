"""A knockout as it was drawn so far: its tables by wave, and which table each entrant came from."""

from dataclasses import dataclass

from tournaments.models import Fixture, FixtureState, MatchdayState, Stage
from tournaments.selectors.schedule import TableLine, show_tables

KNOCKOUT = "knockout"


@dataclass(frozen=True, slots=True)
class BracketLine:
    """A drawn table; `sources` are the slots its entrants sat at before, empty for those who come in here."""

    slot: str
    wave: int
    table: TableLine
    sources: tuple[str, ...]


def read_bracket(stage: Stage) -> list[BracketLine]:
    """Released tables in the order they were drawn; of one played again, the last."""
    fixtures = Fixture.objects.filter(matchday__stage=stage).exclude(matchday__state=MatchdayState.DRAWN)
    drawn = show_tables(fixtures.select_related("matchday").order_by("matchday__number", "table"))
    last_seen: dict[str, str] = {}
    by_slot: dict[str, BracketLine] = {}
    for line in drawn:
        slot = line.fixture.slot
        before = by_slot.get(slot)
        sources = before.sources if before else tuple(last_seen.get(seat.slug, "") for seat in line.seats)
        wave = before.wave if before else _wave_of(line.fixture)
        if before is None or line.fixture.state != FixtureState.VOID:
            by_slot[slot] = BracketLine(slot, wave, line, sources)
        last_seen |= {seat.slug: slot for seat in line.seats if seat.slug}
    return list(by_slot.values())


def _wave_of(fixture: Fixture) -> int:
    """As the draw gave it: tables of one wave are released one by one, each when those before it are played."""
    return next((int(numbers[0]) for code, numbers in fixture.why if code == "wave"), fixture.matchday.number)
