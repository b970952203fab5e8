"""A play-off for a title that nothing measured could part: a small event of its own, with a seed nobody knows yet.

It is not a further stage: when a tournament ends its seed is told, and whoever knows the seed knows the deals to come.
"""

from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from aurum_league.common.errors import N_, LeagueError
from games.models import Player
from tournaments.models import Entrant, EntryKind, Stage, Tournament
from tournaments.rules.lifecycle import Step
from tournaments.rules.pairing import TableKind
from tournaments.rules.standings import Metric
from tournaments.selectors.leagues import PLAY_OFF_MADE, PLAY_OFF_OF, find_play_off, list_stages, spec_of
from tournaments.selectors.standings import find_level_for_title, find_snapshot
from tournaments.services.draw import draw_tournament
from tournaments.services.entries import enter_players
from tournaments.services.field import ensure_filling_player, ensure_house_players, seed_entrants
from tournaments.services.leagues import create_tournament
from tournaments.services.lifecycle import lock_tournament_for, open_tournament, record_event
from tournaments.services.release import start_tournament

FEWEST_DEALS = 6
"""Of a block: an even number, so that left and right cancel, and enough that two seldom stay level."""


@transaction.atomic
def create_play_off(*, tournament_id: int, actor: User | None = None) -> Tournament:
    """Have those who are level for the title play it off at once; the one made before where there is one.

    House bots take the seats that are missing, and cannot win it. A play-off that is level again goes to lots.
    """
    tournament = lock_tournament_for(tournament_id, Step.PLAY_OFF)
    if (made := find_play_off(tournament)) is not None:
        return made
    if tournament.events.filter(kind=PLAY_OFF_OF).exists():
        sentence = N_("This was a play-off already: where it is level, lots decide.")
        raise LeagueError("lots_decide", sentence, status=409)
    stage = list_stages(tournament)[-1]
    level = find_level_for_title(stage, find_snapshot(stage).rows)
    if len(level) < 2:
        raise LeagueError("title_is_won", N_("The title is won: nobody is level for it."), status=409)
    entrants = Entrant.objects.select_related("player").in_bulk(level)
    players = [entrants[entrant].player for entrant in level]
    missing = max(0, TableKind(tournament.table_kind).entrants - len(level))
    made = create_tournament(spec=_write_spec(tournament, stage, missing), organiser=tournament.organiser)
    open_tournament(tournament_id=made.pk, actor=actor)
    entered = enter_players(tournament_id=made.pk, players=[*players, *_find_fillers(missing, players)], actor=actor)
    seed_entrants(tournament_id=made.pk, order=[entrant.pk for entrant in entered], actor=actor)
    draw_tournament(tournament_id=made.pk, actor=actor)
    start_tournament(tournament_id=made.pk, actor=actor)
    record_event(made, PLAY_OFF_OF, actor=actor, detail={"tournament": tournament.pk})
    record_event(tournament, PLAY_OFF_MADE, actor=actor, detail={"tournament": made.pk, "entrants": list(level)})
    return Tournament.objects.get(pk=made.pk)


def _write_spec(tournament: Tournament, stage: Stage, missing: int) -> dict[str, Any]:
    """The same rules, points and chain, lots at its end; a block where blocks were played, else every seat once."""
    kind = TableKind(tournament.table_kind)
    chain = [metric for metric in stage.tiebreaks if metric != Metric.LOTS]
    is_people_alone = tournament.entry_kind == EntryKind.PEOPLE
    deals = stage.block_deals and max(stage.block_deals + stage.block_deals % 2, FEWEST_DEALS)
    return spec_of(tournament) | {
        "name": f"{tournament.name[:70]}: play-off",
        "description": "",
        "entry_kind": EntryKind.MIXED if missing and is_people_alone else tournament.entry_kind,
        # Whoever owns two of those who are level may let them meet here, and nothing is to be gained by it.
        "is_rated": False,
        "capacity": None,
        "needs_check_in": False,
        "stages": [
            {
                "format": "round_robin",
                "name": "Play-off",
                "points": list(stage.points),
                "tiebreaks": [*chain, str(Metric.LOTS)],
                "block_deals": deals,
                "matches_each": 1 if deals else max(stage.matches_each, kind.seats),
            }
        ],
    }


def _find_fillers(missing: int, players: list[Player]) -> list[Player]:
    """So many house bots that are not level for the title themselves."""
    taken = {player.id for player in players}
    house = [ensure_filling_player(), *ensure_house_players()]
    free = {player.id: player for player in house if player.id not in taken}
    return list(free.values())[:missing]
