"""A table as somebody may see it: a seat's own view, or what everybody sees."""

from typing import Any

from games.models import Match, MatchState
from games.rules.actions import NOBODY
from games.rules.match import replay, unpack_log
from games.rules.ruleset import Ruleset
from games.rules.view import view
from games.selectors.records import replay_match
from games.selectors.seals import is_sealed


def table_view(match: Match, seat: int = NOBODY) -> dict[str, Any]:
    """What a seat (or, for NOBODY, a watcher) may know of a match now, ready for JSON.

    Of a finished match on deals that are still sealed only the places are told, and nothing before its people have met.
    """
    table: dict[str, Any] = {
        "match": match.pk,
        "state": match.state,
        "ruleset": match.ruleset,
        "commitment": match.commitment,
        "seats": [
            {
                "seat": held.seat,
                "side": held.side,
                "player": held.player.name,
                "slug": held.player.slug,
                "kind": held.player.kind,
            }
            for held in match.seats.select_related("player").order_by("seat")
        ],
        "awaited": list(match.awaited) if match.state == MatchState.WAITING else [],
        "deadline": match.deadline.isoformat() if match.deadline else None,
        "clock": match.clock,
        "banks": match.clocks.get("banks", {}),
        "forfeits": sorted(int(other) for other, count in match.clocks.get("strikes", {}).items() if count >= 3),
    }
    if match.state == MatchState.FINISHED:
        table["places"] = match.result.places
        table["forfeits"] = match.result.forfeits
        if is_sealed(match) or match.result.is_by_hand:
            return {**table, "counter": 0, "view": None}
        play = replay_match(match)
    elif match.state == MatchState.OPEN:
        return {**table, "counter": 0, "view": None}
    else:
        play = replay(Ruleset.from_code(match.ruleset), bytes(match.seed), unpack_log(bytes(match.log)))
    seen = view(play, seat)
    return {**table, "counter": seen.log_end, "view": seen.to_dict()}
