"""Seeding: who is seeded where, by hand, by rating, or by the stage before; and who is kept apart."""

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction

from aurum_league.common.errors import LeagueError
from tournaments.models import Conflict, Entrant, EntrantState, Stage, Tournament
from tournaments.rules.formats.stages import split_groups
from tournaments.rules.lifecycle import Step
from tournaments.rules.lots import draw_lot
from tournaments.selectors.entrant_ratings import read_entrant_ratings
from tournaments.services.events import record_event
from tournaments.services.lifecycle import lock_tournament_for


@transaction.atomic
def seed_entrants(*, tournament_id: int, order: Sequence[int], actor: User | None = None) -> None:
    """Seed these entrants by hand, the first of them first; all others follow by rating."""
    tournament = lock_tournament_for(tournament_id, Step.SEED)
    entrants = {entrant.id: entrant for entrant in tournament.entrants.all()}
    if len(set(order)) != len(order) or not set(order) <= set(entrants):
        raise LeagueError("bad_seeding", "Each entrant may be seeded once, and only entrants of this tournament.")
    for entrant in entrants.values():
        entrant.seed_number = order.index(entrant.id) + 1 if entrant.id in order else None
    Entrant.objects.bulk_update(entrants.values(), ["seed_number"])
    record_event(tournament, "seeded", actor=actor, detail={"order": list(order)})


@transaction.atomic
def keep_apart(*, tournament_id: int, pair: tuple[int, int], reason: str = "", actor: User | None = None) -> Conflict:
    """Never seat these two at one table from the next draw on; running twice changes nothing."""
    tournament = lock_tournament_for(tournament_id, Step.KEEP_APART)
    first, second = sorted(pair)
    if first == second or tournament.entrants.filter(id__in=pair).count() != 2:
        raise LeagueError("bad_conflict", "Two different entrants of this tournament can be kept apart.")
    conflict, is_new = Conflict.objects.get_or_create(
        tournament=tournament, first_id=first, second_id=second, defaults={"reason": reason[:200]}
    )
    if is_new:
        record_event(tournament, "kept_apart", actor=actor, reason=reason, detail={"entrants": [first, second]})
    return conflict


@transaction.atomic
def allow_meeting(*, tournament_id: int, pair: tuple[int, int], actor: User | None = None) -> bool:
    """Keep these two apart no longer from the next draw on; False where they were not, which changes nothing."""
    tournament = lock_tournament_for(tournament_id, Step.KEEP_APART)
    first, second = sorted(pair)
    found = Conflict.objects.filter(tournament=tournament, first_id=first, second_id=second)
    removed, _ = found.delete()
    if removed:
        record_event(tournament, "meeting_allowed", actor=actor, detail={"entrants": [first, second]})
    return removed > 0


def seed_first_stage(tournament: Tournament, stage: Stage) -> None:
    """Fix the field of the first stage: seeds by hand, then by rating, then by lots from the tournament's seed."""
    states = [EntrantState.CHECKED_IN]
    if not tournament.needs_check_in:
        states.append(EntrantState.ENTERED)
    entrants = list(tournament.entrants.filter(state__in=states))
    rated = read_entrant_ratings(tournament, [entrant.player_id for entrant in entrants])
    strength = {player: rating.mu for player, rating in rated.items()}
    seed, unseeded = bytes(tournament.seed), len(entrants) + 1
    entrants.sort(
        key=lambda entrant: (
            entrant.seed_number or unseeded,
            -strength.get(entrant.player_id, 0.0),
            -draw_lot(seed, "seeding", entrant.id),
        )
    )
    set_field(stage, [entrant.id for entrant in entrants])


def set_field(stage: Stage, seeded: list[int]) -> None:
    """Give a stage its entrants, best first; where it has groups, seeds are dealt to them to and fro."""
    stage.field = seeded
    if stage.groups:
        groups = split_groups(seeded, stage.groups)
        stage.field = [entrant for group in groups for entrant in group]
        stage.options = {**stage.options, "divisions": [len(group) for group in groups]}
    stage.save(update_fields=("field", "options"))
