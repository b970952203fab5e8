"""Which drawn tables could begin now: those whose entrants have nothing left to play on an earlier matchday."""

from django.db import connection

from tournaments.models import Stage

_FREE = """
    WITH pending AS (
        SELECT fixture.id, fixture.open_matches, day.number, seat.entrant_id
        FROM tournaments_fixture AS fixture
        JOIN tournaments_matchday AS day ON day.id = fixture.matchday_id
        JOIN tournaments_fixtureseat AS seat ON seat.fixture_id = fixture.id AND seat.entrant_id IS NOT NULL
        WHERE day.stage_id = %s AND fixture.state = 'pending'
    ), next AS (
        SELECT entrant_id, min(number) AS number FROM pending GROUP BY entrant_id
    )
    SELECT pending.id FROM pending JOIN next USING (entrant_id)
    WHERE pending.open_matches = 0
    GROUP BY pending.id HAVING bool_and(pending.number = next.number) ORDER BY pending.id
"""


def list_free_fixtures(stage: Stage) -> list[int]:
    """Fixtures without matches so far; a pending one without an open match is not released yet."""
    with connection.cursor() as cursor:
        cursor.execute(_FREE, [stage.id])
        return [row[0] for row in cursor.fetchall()]
