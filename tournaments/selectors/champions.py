"""Who won: the first places of tournaments that have ended."""

from collections.abc import Iterable

from tournaments.models import Entrant, StageStandings, Tournament, TournamentState


def find_champions(tournaments: Iterable[Tournament]) -> dict[int, list[Entrant]]:
    """By tournament, those in first place of its last stage; with divisions, of the first one."""
    ended = [tournament.id for tournament in tournaments if tournament.state == TournamentState.FINISHED]
    last: dict[int, StageStandings] = {}
    for standings in (
        StageStandings.objects.filter(stage__tournament__in=ended).select_related("stage").order_by("stage__number")
    ):
        last[standings.stage.tournament_id] = standings
    winners = {
        tournament: [row["entrant"] for row in standings.rows if row["place"] == 1 and row["division"] in ("", "D1")]
        for tournament, standings in last.items()
    }
    entrants = Entrant.objects.select_related("player").in_bulk([one for ids in winners.values() for one in ids])
    return {tournament: [entrants[one] for one in ids] for tournament, ids in winners.items()}
