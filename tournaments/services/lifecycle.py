"""A tournament's state, locked and moved on by the table of the lifecycle; its events, recorded, told and published.

The heads of the chains are events of the site: the digest of the event that tells them binds every tournament, and the
site itself, to all that had happened by then.
"""

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from aurum_league.common.broker import publish, send_nudge
from aurum_league.common.errors import N_, LeagueError
from aurum_league.common.proofs import first_link, link_event, read_public_key, tell_event
from aurum_league.common.site_events import (
    HEADS,
    SIGNING_KEY,
    list_heads,
    list_signing_keys,
    list_told_results,
    lock_site_chain,
    record_site_event,
)
from games.models import Match, MatchState
from games.selectors.matches import untouched_matches
from games.services.clocks import reopen_windows
from games.services.notices import nudge_on_commit
from tournaments.models import Fixture, FixtureMatch, FixtureState, Stage, Tournament, TournamentEvent, TournamentState
from tournaments.rules.lifecycle import Step, next_state
from tournaments.rules.story import tell_rules
from tournaments.selectors.exports import digest_results_between, read_site_head

BULK = ("rules", "field", "lots", "tables", "rested", "void_tables", "results")
"""What an event keeps for whoever checks it; open pages are not told."""


def record_event(
    tournament: Tournament,
    kind: str,
    *,
    actor: User | None = None,
    reason: str = "",
    detail: dict[str, Any] | None = None,
) -> TournamentEvent:
    """Add the next event to the chain; the caller holds the tournament's lock, so that numbers have no gaps."""
    last = TournamentEvent.objects.filter(tournament=tournament).order_by("-number").first()
    event = TournamentEvent(
        tournament=tournament,
        number=last.number + 1 if last else 1,
        kind=kind,
        actor=actor,
        reason=reason[:400],
        detail=json.loads(json.dumps(detail or {})),
        at=timezone.now(),
        previous=last.digest if last else first_link(tournament.pk, tournament.commitment),
    )
    event.digest = link_event(event.previous, tell_event(event))
    event.save(force_insert=True)
    told = {name: value for name, value in event.detail.items() if name not in BULK}
    tell_on_commit(tournament.id, {"number": event.number, "kind": kind, **told})
    return event


def rules_of(tournament: Tournament) -> dict[str, Any]:
    """What the events keep of a tournament's rules, by which they were set."""
    return {"rules": tell_rules(tournament, tournament.stages.order_by("number"))}


def tell_on_commit(tournament_id: int, payload: dict[str, Any]) -> None:
    """Tell open pages of a tournament something once it is true."""
    transaction.on_commit(lambda: publish(f"tournament:{tournament_id}", payload))


ADVANCE_TASK = "tournaments.advance_tournament"


def nudge_tournament_on_commit(tournament_id: int) -> None:
    """Have a worker move a tournament on, once the transaction has committed."""
    transaction.on_commit(lambda: nudge_tournament(tournament_id))


def nudge_tournament(tournament_id: int) -> None:
    """Send the message now. A broker that does not answer is noted and left to the sweep."""
    send_nudge(ADVANCE_TASK, args=[tournament_id])


def lock_tournament(tournament_id: int) -> Tournament:
    """The tournament's row, locked until the transaction ends."""
    try:
        return Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    except Tournament.DoesNotExist:
        raise LeagueError(
            "no_tournament", N_("There is no tournament %(name)s."), status=404, name=tournament_id
        ) from None


def lock_tournament_for(tournament_id: int, step: Step) -> Tournament:
    """The same, where the lifecycle allows the step; a coded error otherwise."""
    tournament = lock_tournament(tournament_id)
    next_state(tournament.state, step)
    return tournament


def take_step(tournament: Tournament, step: Step) -> None:
    """Move a locked tournament on to where the step leads."""
    tournament.state = next_state(tournament.state, step)
    now = timezone.now()
    if tournament.state == TournamentState.PLAYING and tournament.started_at is None:
        tournament.started_at = now
    if tournament.state == TournamentState.FINISHED:
        tournament.finished_at = now
    tournament.save(update_fields=("state", "started_at", "finished_at"))


def read_now() -> datetime:
    """The database's clock: every worker and the web read the same."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        found: datetime = cursor.fetchone()[0]
    return found


@transaction.atomic
def open_tournament(*, tournament_id: int, actor: User | None = None) -> Tournament:
    """Let players enter."""
    tournament = lock_tournament(tournament_id)
    if tournament.state == TournamentState.OPEN:
        return tournament
    take_step(tournament, Step.OPEN)
    record_event(tournament, "opened", actor=actor, detail=rules_of(tournament))
    return tournament


@transaction.atomic
def pause_tournament(*, tournament_id: int, actor: User | None = None, reason: str = "") -> Tournament:
    """Hold back every match that nobody has begun; what is under way is played on, and nothing new is drawn."""
    tournament = lock_tournament(tournament_id)
    if tournament.state == TournamentState.PAUSED:
        return tournament
    take_step(tournament, Step.PAUSE)
    held = _change_matches(tournament, (MatchState.OPEN, MatchState.READY), MatchState.HELD)
    record_event(tournament, "paused", actor=actor, reason=reason, detail={"held": held})
    return tournament


@transaction.atomic
def resume_tournament(*, tournament_id: int, actor: User | None = None) -> Tournament:
    """Let held matches be played, and whatever waited for them go on."""
    tournament = lock_tournament(tournament_id)
    if tournament.state == TournamentState.PLAYING:
        return tournament
    take_step(tournament, Step.RESUME)
    freed = _free_held_matches(tournament)
    record_event(tournament, "resumed", actor=actor, detail={"freed": freed})
    nudge_on_commit(freed)
    nudge_tournament_on_commit(tournament.id)
    return tournament


@transaction.atomic
def cancel_tournament(*, tournament_id: int, actor: User | None = None, reason: str = "") -> Tournament:
    """End a tournament for good: tables of which nothing was played become void, all others are played on."""
    tournament = lock_tournament(tournament_id)
    if tournament.state == TournamentState.CANCELLED:
        return tournament
    take_step(tournament, Step.CANCEL)
    pending = Fixture.objects.filter(matchday__stage__tournament=tournament, state=FixtureState.PENDING)
    voided = void_untouched_fixtures(pending)
    nudge_on_commit(_free_held_matches(tournament))
    detail = {"voided": voided.matches, "void_tables": voided.tables}
    record_event(tournament, "cancelled", actor=actor, reason=reason, detail=detail)
    return tournament


def _free_held_matches(tournament: Tournament) -> int:
    reopened = reopen_windows(Match.objects.filter(fixture_match__stage__tournament=tournament))
    return _change_matches(tournament, (MatchState.HELD,), MatchState.READY) + reopened


@dataclass(frozen=True, slots=True)
class Voided:
    """How many matches became void, and the tables they were of: stage, matchday and number."""

    matches: int
    tables: list[list[int]]


def void_untouched_fixtures(pending: QuerySet[Fixture]) -> Voided:
    """Make those of these fixtures void of which no match has begun.

    One begun match keeps its whole fixture, for nobody may leave a table, or the rest of a block, to undo what was
    played. A match that a worker takes at this very moment counts as begun. The caller holds the tournament's lock.
    """
    links: dict[int, list[int]] = {fixture_id: [] for fixture_id in pending.order_by("id").values_list("id", flat=True)}
    for fixture_id, match_id in FixtureMatch.objects.filter(fixture__in=links).values_list("fixture_id", "match_id"):
        links[fixture_id].append(match_id)
    found = untouched_matches().filter(fixture_match__fixture__in=links).order_by("id").only("id")
    locked = {match.id for match in found.select_for_update(skip_locked=True, no_key=True, of=("self",))}
    untouched = [fixture_id for fixture_id, matches in links.items() if locked.issuperset(matches)]
    voided = [match_id for fixture_id in untouched for match_id in links[fixture_id]]
    Match.objects.filter(id__in=voided).update(state=MatchState.VOID)
    made_void = Fixture.objects.filter(id__in=untouched)
    made_void.update(state=FixtureState.VOID, places=[], open_matches=0)
    return Voided(len(voided), list_tables(made_void))


def list_tables(fixtures: QuerySet[Fixture]) -> list[list[int]]:
    """Where each of them is played: stage, matchday and table."""
    columns = ("matchday__stage__number", "matchday__number", "table")
    return [list(row) for row in fixtures.order_by(*columns).values_list(*columns)]


def _change_matches(tournament: Tournament, states: tuple[MatchState, ...], state: MatchState) -> int:
    """Matches that a worker is taking or settling at this very moment are passed over: they are under way."""
    stages = Stage.objects.filter(tournament=tournament).values("id")
    found = (
        Match.objects.filter(fixture_match__stage__in=stages, state__in=states)
        .order_by("id")
        .select_for_update(skip_locked=True, no_key=True, of=("self",))
    )
    return Match.objects.filter(id__in=[match.id for match in found.only("id")]).update(state=state)


@transaction.atomic
def publish_heads() -> str | None:
    """Add today's heads to the site's chain: their digest; None where they are there already, whoever tries at once."""
    lock_site_chain()
    note_signing_key()
    today = timezone.now().date()
    if any(event.at.date() >= today for event in list_heads()):
        return None
    told: dict[str, Any] = {"tournaments": read_site_head(), "results": _tell_results()}
    return record_site_event(HEADS, actor=None, day=today.isoformat(), **told).digest


SETTLED_WITHIN = timedelta(hours=1)
"""By then whatever was being settled at that time is either there or undone."""
FIRST_OF_ALL = "1970-01-01T00:00:00+00:00"


def _tell_results() -> dict[str, str]:
    """One digest over everything played since the last day's; casual tables and ladders are in no other event."""
    before = list_told_results(1)
    since = before[0]["until"] if before else FIRST_OF_ALL
    until = (read_now() - SETTLED_WITHIN).astimezone(UTC).isoformat()
    return {"since": since, "until": until, "digest": digest_results_between(since, until)}


@transaction.atomic
def note_signing_key() -> bool:
    """Note the key that is in use if another one was before, or none: who keeps old archives finds theirs listed."""
    lock_site_chain()
    known = list_signing_keys()
    now = read_public_key()
    if known and known[-1]["key"] == now:
        return False
    before = known[-1]["key"] if known else None
    record_site_event(SIGNING_KEY, actor=None, key=now, before=before)
    return True
