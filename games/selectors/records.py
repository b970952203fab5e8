"""The record of a finished match, made again from its seed and its log."""

from typing import Any

from aurum_league.common.errors import LeagueError
from games.models import Match, MatchState
from games.rules.match import Match as Play
from games.rules.match import replay, unpack_log
from games.rules.record import make_record
from games.rules.ruleset import Ruleset
from games.selectors.seals import require_unsealed


def replay_match(match: Match) -> Play:
    """The finished match, move by move; needs `result` and is refused while the match is sealed."""
    if match.state != MatchState.FINISHED or match.result.is_by_hand:
        raise LeagueError("record_missing", "This match has no record: it was not played to its end.", status=404)
    require_unsealed(match)
    return replay(Ruleset.from_code(match.ruleset), bytes(match.seed), unpack_log(bytes(match.result.log)))


def record_of(match: Match) -> dict[str, Any]:
    """The match record with its seed, its commitment and who sat where."""
    play = replay_match(match)
    seats = [
        {"seat": seat.seat, "player": seat.player.name, "agent": _public_agent(seat.agent)} for seat in _seats_of(match)
    ]
    return make_record(
        play,
        with_seed=True,
        match=match.pk,
        commitment=match.commitment,
        seats=seats,
        forfeits=match.result.forfeits,
        finished_at=match.finished_at.isoformat() if match.finished_at else None,
    )


def _seats_of(match: Match) -> Any:
    return match.seats.select_related("player").order_by("seat")


def _public_agent(agent: str) -> str:
    kind = agent.partition(":")[0]
    return agent if kind in ("house", "version") else kind
