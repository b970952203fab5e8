"""A stored tournament as the spec that it was made from."""

from typing import Any

from tournaments.models import Tournament
from tournaments.selectors.listing import list_stages

OF_TOURNAMENT = (
    *("name", "description", "ruleset", "table_kind", "entry_kind", "is_rated", "capacity", "needs_check_in", "clock"),
)
OF_STAGE = (
    *("name", "format", "options", "points", "tiebreaks", "block_deals", "matches_each", "groups", "cut", "release"),
)


def spec_of(tournament: Tournament) -> dict[str, Any]:
    """Every key, given or not when it was made."""
    stages = [{name: getattr(stage, name) for name in OF_STAGE} for stage in list_stages(tournament)]
    return {name: getattr(tournament, name) for name in OF_TOURNAMENT} | {"stages": stages}
