"""The history of every match in the arena: triggers of its own note each change of state, whoever makes it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from django.db import connection

_INSTALL = """
    CREATE TABLE chaos_history (
        id bigserial PRIMARY KEY, match_id bigint, state text, attempt int, leased_until timestamptz,
        at timestamptz DEFAULT clock_timestamp()
    );
    CREATE FUNCTION chaos_note() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO chaos_history (match_id, state, attempt, leased_until)
        VALUES (NEW.id, NEW.state, NEW.attempt, COALESCE(NEW.lease_until, OLD.lease_until));
        RETURN NULL;
    END $$;
    CREATE TRIGGER chaos_created AFTER INSERT ON games_match FOR EACH ROW EXECUTE FUNCTION chaos_note();
    CREATE TRIGGER chaos_changed AFTER UPDATE OF state ON games_match
    FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION chaos_note();
"""
_READ = """
    SELECT match_id, state, attempt, extract(epoch FROM leased_until)::float, extract(epoch FROM at)::float
    FROM chaos_history ORDER BY match_id, id
"""


@dataclass(frozen=True, slots=True)
class Change:
    """A match became this; `leased_until` is the lease it has now or had last. Times are seconds since 1970."""

    match_id: int
    state: str
    attempt: int
    leased_until: float | None
    at: float


@dataclass(frozen=True, slots=True)
class Rescue:
    """A match that its worker did not end: the last that was heard of it, and when it was played again."""

    match_id: int
    last_heard: float
    played_again: float


def install_history() -> None:
    with connection.cursor() as cursor:
        cursor.execute(_INSTALL)


def read_history() -> dict[int, list[Change]]:
    with connection.cursor() as cursor:
        cursor.execute(_READ)
        changes = [Change(*row) for row in cursor.fetchall()]
    return {match_id: list(group) for match_id, group in groupby(changes, key=lambda change: change.match_id)}


def find_rescues(history: dict[int, list[Change]], lease: float) -> list[Rescue]:
    """Leases that ran out, in all of the history; a match given back in time is none."""
    found = []
    for match_id, changes in history.items():
        for freed, again in pairwise(changes):
            is_stale = freed.state == "ready" and freed.leased_until is not None and freed.leased_until < freed.at
            if is_stale and again.state == "playing" and freed.leased_until is not None:
                found.append(Rescue(match_id, freed.leased_until - lease, again.at))
    return found


def was_ready(changes: Sequence[Change], moment: float) -> bool:
    """Whether a match was there to be played at that moment."""
    before = [change.state for change in changes if change.at <= moment]
    return bool(before) and before[-1] == "ready"
