"""A tournament's chance: what entrants contribute, the beacon's round, and the seed mixed from them at the first draw.

The site's secret is made with the draft and bound by its commitment, which opens with the tournament. From the first
draw on nothing of the seed changes: drawing again from the same entries gives the same draw, and who enters later
contributes nothing any more. docs/decisions/0021-chance.md says why.
"""

import json
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from aurum_league.common.errors import N_, LeagueError, Sentence
from games.rules.deal import commitment
from games.rules.mixing import CHAIN, Beacon, digest_mix, find_round, mix_seed, read_beacon, round_time
from games.services.create import require_contribution
from tournaments.models import Entrant, Tournament, TournamentState
from tournaments.rules.lifecycle import Step
from tournaments.rules.seed_parts import DROPPED, MIXED, NAMED
from tournaments.selectors.chance import can_contribute, read_contributions
from tournaments.services.lifecycle import lock_tournament, lock_tournament_for, record_event

FETCH_SECONDS = 5.0
LARGEST_ANSWER = 1 << 16
LARGEST_FILE = 1 << 24


def accept_contribution(tournament: Tournament, text: str) -> str:
    """What an entrant adds as it is stored: nothing where it could no longer count; a coded error where it is none."""
    given = require_contribution(text)
    return given if can_contribute(tournament, timezone.now()) else ""


def contribute(tournament: Tournament, entrant: Entrant, text: str, actor: User | None) -> None:
    """Give one who is in already, and has given nothing yet, their part; the caller holds the tournament's lock."""
    if text and not entrant.contribution:
        entrant.contribution = text
        entrant.save(update_fields=("contribution",))
        detail = {"entrant": entrant.pk, "contribution": text}
        record_event(tournament, "contributed", actor=actor, detail=detail)


@transaction.atomic
def name_beacon(*, tournament_id: int, at: datetime, actor: User | None = None) -> Tournament:
    """Let the first round of the public beacon from this time on go into the seed; named once, before it is out."""
    tournament = lock_tournament_for(tournament_id, Step.NAME_BEACON)
    number = find_round(at.timestamp())
    if tournament.beacon_round == number:
        return tournament
    if not settings.BEACON:
        sentence = N_("This site knows no beacon.")
        raise LeagueError("no_beacon", sentence, N_("Its operator sets one by BEACON."), status=409)
    if tournament.secret is None or tournament.seed is not None:
        raise LeagueError("seed_stands", N_("The seed of this tournament stands already."), status=409)
    if tournament.events.filter(kind=NAMED).exists():
        raise LeagueError(
            "beacon_named",
            N_("A round of the beacon is named once."),
            N_("It can be dropped, for a reason."),
            status=409,
        )
    if round_time(number) <= timezone.now().timestamp():
        raise LeagueError(
            "beacon_past", N_("Round %(round)s of the beacon is out already."), N_("Name a later time."), round=number
        )
    tournament.beacon_round = number
    tournament.save(update_fields=("beacon_round",))
    out_at = datetime.fromtimestamp(round_time(number), UTC).isoformat()
    record_event(tournament, NAMED, actor=actor, detail={"chain": CHAIN, "round": number, "out_at": out_at})
    return tournament


@transaction.atomic
def drop_beacon(*, tournament_id: int, reason: str, actor: User | None = None) -> Tournament:
    """Draw without the beacon that was named; the reason stands in the chain of events, and no other is named."""
    tournament = lock_tournament_for(tournament_id, Step.DROP_BEACON)
    if tournament.beacon_round is None:
        raise LeagueError("no_beacon_named", N_("No round of the beacon is named."), status=409)
    if tournament.seed is not None:
        raise LeagueError("seed_stands", N_("The seed of this tournament stands already."), status=409)
    if not reason.strip():
        raise LeagueError("needs_reason", N_("Dropping the beacon needs a reason."))
    detail = {"round": tournament.beacon_round}
    tournament.beacon_round, tournament.beacon = None, None
    tournament.save(update_fields=("beacon_round", "beacon"))
    record_event(tournament, DROPPED, actor=actor, reason=reason, detail=detail)
    return tournament


def collect_beacon(*, tournament_id: int) -> None:
    """Fetch the round that is named, where it is still missing, and keep it; called before the lock is taken.

    A coded error says in a sentence why there is none yet: the draw waits for it, or the organiser drops the beacon.
    """
    asked = Tournament.objects.filter(pk=tournament_id, seed=None, beacon__isnull=True).exclude(beacon_round=None)
    number = asked.exclude(state=TournamentState.CANCELLED).values_list("beacon_round", flat=True).first()
    if number is None:
        return
    beacon = fetch_round(number)
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        if tournament.beacon_round == number and tournament.beacon is None and tournament.seed is None:
            tournament.beacon = asdict(beacon)
            tournament.save(update_fields=("beacon",))


def fetch_round(number: int) -> Beacon:
    """A round from where the operator says: a file of rounds in drand's JSON, one a line, or a relay's address."""
    if round_time(number) > timezone.now().timestamp():
        raise _waits(number, N_("it is not out yet"))
    source: str = settings.BEACON
    try:
        if source.startswith(("http://", "https://")):
            return read_beacon(_ask(f"{source.rstrip('/')}/public/{number}"), number)
        return read_beacon(_look_up(Path(source), number), number)
    except httpx.HTTPError:
        raise _waits(number, N_("the beacon does not answer")) from None
    except OSError:
        raise _waits(number, N_("the file of the beacon cannot be read")) from None
    except LookupError:
        raise _waits(number, N_("the file of the beacon does not have it")) from None
    except ValueError as error:
        raise LeagueError(
            "beacon_bad",
            N_("What the beacon gave for round %(round)s is no round of it: %(why)s."),
            N_("Tell the operator, or drop the beacon."),
            status=409,
            round=number,
            why=str(error),
        ) from None


def _waits(number: int, why: str) -> LeagueError:
    return LeagueError(
        "beacon_waits",
        N_("Round %(round)s of the beacon is missing: %(why)s."),
        N_("Draw again later, or drop the beacon."),
        status=409,
        round=number,
        why=Sentence(why),
    )


def _ask(address: str) -> Any:
    with httpx.stream("GET", address, timeout=FETCH_SECONDS) as answer:
        answer.raise_for_status()
        content = b""
        for part in answer.iter_bytes():
            content += part
            if len(content) > LARGEST_ANSWER:
                raise ValueError("it is too long")
    return json.loads(content)


def _look_up(path: Path, number: int) -> Any:
    with path.open(encoding="utf-8") as file:
        for line in file.read(LARGEST_FILE).splitlines():
            told = json.loads(line) if line.strip() else None
            if isinstance(told, dict) and told.get("round") == number:
                return told
    raise LookupError(number)


def mix_tournament_seed(tournament: Tournament, actor: User | None) -> None:
    """Fix the seed at the first draw; at every later one it stands. The caller holds the tournament's lock."""
    if tournament.seed is not None:
        return
    assert tournament.secret is not None
    if tournament.beacon_round is not None and tournament.beacon is None:
        raise _waits(tournament.beacon_round, N_("it is not out yet"))
    beacon = Beacon(**tournament.beacon) if tournament.beacon is not None else None
    contributions = read_contributions(tournament)
    seed = mix_seed(bytes(tournament.secret), contributions, beacon)
    tournament.seed = seed
    tournament.save(update_fields=("seed",))
    detail = {
        "contributions": len(contributions),
        "beacon": beacon.round if beacon else None,
        "mix": digest_mix(contributions, beacon),
        "commitment": commitment(seed),
    }
    record_event(tournament, MIXED, actor=actor, detail=detail)
