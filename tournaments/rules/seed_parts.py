"""Checking the parts of a tournament's seed against its chain of events: what was added, when, and what was mixed.

Nobody can add, drop or exchange a contribution without the chain saying otherwise: each stands in the event by which
it came, and what was mixed stands in the event of the first draw.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from games.rules.deal import commitment
from games.rules.mixing import check_parts, digest_mix, is_contribution, read_beacon, round_time

NAMED, DROPPED, MIXED = "beacon_named", "beacon_dropped", "seed_mixed"
CONTRIBUTING = ("entered", "contributed")
"""Kinds of events; those that contribute say which entrant, and what."""


def tell_time(seconds: int) -> str:
    """A time in UTC as events give theirs, to the second (days counted as in Hinnant's civil calendar)."""
    days, rest = divmod(seconds, 86_400)
    era, day = divmod(days + 719_468, 146_097)
    year_of_era = (day - day // 1460 + day // 36_524 - day // 146_096) // 365
    day -= 365 * year_of_era + year_of_era // 4 - year_of_era // 100
    shifted = (5 * day + 2) // 153
    month = shifted + 3 if shifted < 10 else shifted - 9
    year = year_of_era + era * 400 + (month <= 2)
    day -= (153 * shifted + 2) // 5 - 1
    return f"{year:04}-{month:02}-{day:02}T{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"


def is_before_round(at: str, number: int | None) -> bool:
    """Whether an event of this time came before the beacon's round did; where there is none, always."""
    return number is None or at[:19] < tell_time(round_time(number))


def gather_contributions(events: Iterable[Mapping[str, Any]], number: int | None) -> dict[int, str]:
    """What entrants added before the first draw and before the beacon's round came out; of each the first."""
    found: dict[int, str] = {}
    for event in events:
        if event["kind"] == MIXED:
            break
        told = event["detail"].get("contribution")
        if event["kind"] in CONTRIBUTING and is_contribution(told) and is_before_round(event["at"], number):
            found.setdefault(event["detail"]["entrant"], told)
    return found


def check_seed_parts(
    parts: Any, seed: str | None, events: Iterable[Mapping[str, Any]], committed: str
) -> Iterator[str]:
    """A sentence for everything about a tournament's seed that does not follow from its parts and its chain.

    `committed` is the commitment that the chain begins with. A tournament from before parts were told has none, and
    then nothing is said: its commitment is the SHA-256 of the seed itself.
    """
    story = list(events)
    mixed = [event for event in story if event["kind"] == MIXED]
    if parts is None:
        if mixed:
            yield "the chain says what the seed was mixed from, and the parts are not told"
        return
    faults = list(check_parts(parts, seed))
    yield from faults
    if faults:
        return
    if parts["commitment"] != committed:
        yield "the parts of the seed name another commitment than the tournament does"
    if not mixed:
        if seed is not None:
            yield "the seed is told, and no event says that it was mixed"
        return
    yield from _check_story(parts, seed, story, mixed)


def _check_story(parts: Any, seed: str | None, story: list[Any], mixed: list[Any]) -> Iterator[str]:
    contributions, told = dict(parts["contributions"]), parts["beacon"]
    beacon = read_beacon(told, told["round"]) if told is not None else None
    if len(mixed) > 1:
        yield f"event {mixed[1]['number']} mixes the seed a second time"
    detail = mixed[0]["detail"]
    if detail["mix"] != digest_mix(contributions, beacon):
        yield f"event {mixed[0]['number']} mixed the seed from other parts"
    if seed is not None and detail["commitment"] != commitment(bytes.fromhex(seed)):
        yield f"event {mixed[0]['number']} mixed another seed"
    number = beacon.round if beacon else None
    yield from _check_beacon(story, number)
    entered = gather_contributions(story, number)
    for entrant in sorted(contributions.keys() | entered.keys()):
        if entrant not in contributions:
            yield f"the contribution of entrant {entrant} was left out"
        elif entrant not in entered:
            yield f"entrant {entrant} contributed nothing that could count"
        elif entered[entrant] != contributions[entrant]:
            yield f"the contribution of entrant {entrant} was exchanged"


def _check_beacon(story: list[Any], number: int | None) -> Iterator[str]:
    """The round mixed is the one that was named while it lay in the future, and that nobody dropped."""
    named, has_named = None, False
    for event in story:
        if event["kind"] == MIXED:
            break
        if event["kind"] == NAMED:
            if has_named:
                yield f"event {event['number']} names a second round of the beacon"
            named, has_named = event["detail"]["round"], True
            if not is_before_round(event["at"], named):
                yield f"event {event['number']} names a round of the beacon that was out by then"
        elif event["kind"] == DROPPED:
            named = None
    if named != number:
        yield "the beacon's round is not the one that was named"
