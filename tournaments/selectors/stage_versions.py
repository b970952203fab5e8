"""The version of a stage: one text that changes with anything that its standings and crosstable tell."""

from django.db import connection

_VERSION = """
    SELECT ROW(
        stage.results_version, stage.state, stage.tiebreaks, standings.version, standings.computed_at,
        (
            SELECT md5(string_agg(ROW(entrant.state, player.name)::text, ',' ORDER BY entrant.id))
            FROM tournaments_entrant AS entrant JOIN games_player AS player ON player.id = entrant.player_id
            WHERE entrant.tournament_id = stage.tournament_id
        )
    )::text
    FROM tournaments_stage AS stage LEFT JOIN tournaments_stagestandings AS standings ON standings.stage_id = stage.id
    WHERE stage.id = %s
"""


def read_stage_version(stage_id: int) -> str | None:
    """Changes with every result that counts, when standings are computed, a state changes, somebody is renamed."""
    with connection.cursor() as cursor:
        cursor.execute(_VERSION, [stage_id])
        found = cursor.fetchone()
    return str(found[0]) if found else None
