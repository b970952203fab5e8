"""Which sides of settled matches were fixed teams: the draw knows it, the seats alone do not."""

from collections.abc import Sequence

from django.db import connection

_TEAMS = """
    SELECT fm.match_id, CASE WHEN one.kind = 'team' THEN one.id ELSE 0 END,
           CASE WHEN two.kind = 'team' THEN two.id ELSE 0 END
    FROM tournaments_fixturematch AS fm
    JOIN tournaments_stage AS stage ON stage.id = fm.stage_id
    JOIN tournaments_tournament AS tournament ON tournament.id = stage.tournament_id
    JOIN tournaments_entrant AS first ON first.id = fm.entrants[1]
    JOIN tournaments_entrant AS second ON second.id = fm.entrants[2]
    JOIN games_player AS one ON one.id = first.player_id
    JOIN games_player AS two ON two.id = second.player_id
    WHERE fm.match_id = ANY(%s) AND tournament.table_kind = 'teams4'
"""


def read_teams(match_ids: Sequence[int]) -> dict[int, tuple[int, int]]:
    """By match, the player that each of its two sides is rated as, 0 where a side is no team."""
    if not match_ids:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_TEAMS, [list(match_ids)])
        return {match_id: (first, second) for match_id, first, second in cursor.fetchall()}
