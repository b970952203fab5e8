"""What the draw knows of settled matches and their seats do not: fixed teams, and fixtures that no longer count."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db import connection

_SIDES = """
    SELECT fm.match_id, fixture.state = 'void',
           CASE WHEN tournament.table_kind = 'teams4' AND one.kind = 'team' THEN one.id ELSE 0 END,
           CASE WHEN tournament.table_kind = 'teams4' AND two.kind = 'team' THEN two.id ELSE 0 END
    FROM tournaments_fixturematch AS fm
    JOIN tournaments_fixture AS fixture ON fixture.id = fm.fixture_id
    JOIN tournaments_stage AS stage ON stage.id = fm.stage_id
    JOIN tournaments_tournament AS tournament ON tournament.id = stage.tournament_id
    LEFT JOIN tournaments_entrant AS first ON first.id = fm.entrants[1]
    LEFT JOIN tournaments_entrant AS second ON second.id = fm.entrants[2]
    LEFT JOIN games_player AS one ON one.id = first.player_id
    LEFT JOIN games_player AS two ON two.id = second.player_id
    WHERE fm.match_id = ANY(%s::bigint[]) AND (fixture.state = 'void' OR tournament.table_kind = 'teams4')
"""


class FixtureSides(NamedTuple):
    """`teams` holds by side the player that a team is rated as, 0 where the side is no team."""

    is_void: bool
    teams: tuple[int, int]


def read_fixture_sides(match_ids: Sequence[int]) -> dict[int, FixtureSides]:
    """By match; matches of no fixture, and those of fixtures that count and have no teams, are missing."""
    if not match_ids:
        return {}
    with connection.cursor() as cursor:
        return fetch_fixture_sides(cursor, array_text(match_ids))


def fetch_fixture_sides(cursor: Any, match_ids: str) -> dict[int, FixtureSides]:
    """The same by a cursor of the caller's, for ids as the text of an array."""
    cursor.execute(_SIDES, [match_ids])
    return {row[0]: FixtureSides(row[1], (row[2], row[3])) for row in cursor.fetchall()}


def array_text(ids: Sequence[int]) -> str:
    """Ids as the text of an array: thousands of them cost a tenth of what the driver takes for a list."""
    return "{" + ",".join(map(str, ids)) + "}"
