"""The version of a finished match: one text that changes with anything that is told of it."""

from django.db import connection

from games.models.match import ENDED, MatchState

_VERSION = """
    SELECT ROW(
        result.settled_at, result.is_by_hand, result.places, result.forfeits, result.nuggets, result.totals,
        EXISTS (SELECT FROM games_match AS other WHERE other.deals = match.deals AND other.state <> ALL(%s)),
        ARRAY(
            SELECT player.name FROM games_matchseat AS seat JOIN games_player AS player ON player.id = seat.player_id
            WHERE seat.match_id = match.id ORDER BY seat.seat
        )
    )::text
    FROM games_match AS match JOIN games_matchresult AS result ON result.match_id = match.id
    WHERE match.id = %s AND match.state = %s
"""


def read_match_version(match_id: int) -> str | None:
    """Changes when a result is corrected by hand, when the seal falls, when a player is renamed; None if not ended."""
    with connection.cursor() as cursor:
        cursor.execute(_VERSION, [list(ENDED), match_id, MatchState.FINISHED])
        found = cursor.fetchone()
    return str(found[0]) if found else None
