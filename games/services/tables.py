"""From a claimed match to a table with its agents, and on until it ends or waits."""

from games.play.agents import Agent, SeatOrder, close_agent, is_awaited, is_quick, open_agent
from games.play.table import STRIKES, Table
from games.rules.deal import derive_seed
from games.rules.match import Match, replay, unpack_log
from games.rules.ruleset import Ruleset
from games.services.lease import ClaimedMatch

FALLBACK_AGENT = "house:greedy"
"""The published brain that decides for a seat that failed to."""


def open_table(claimed: ClaimedMatch, *, only_quick: bool = False) -> Table:
    """Set a table where the match stands, with its agents opened (or only quick ones); close it with `close_table`."""
    ruleset = Ruleset.from_code(claimed.ruleset)
    match = replay(ruleset, claimed.seed, unpack_log(claimed.log)) if claimed.log else Match(ruleset, claimed.seed)
    strikes = {int(seat): int(count) for seat, count in claimed.clocks.get("strikes", {}).items()}
    names = tuple(seat.name for seat in claimed.seats)
    agents: list[Agent | None] = []
    table = Table(
        match, agents, lambda seat: open_agent(_order(claimed, ruleset, seat, FALLBACK_AGENT, names)), strikes
    )
    try:
        for seat in claimed.seats:
            is_lost = strikes.get(seat.seat, 0) >= STRIKES
            is_ours = not is_awaited(seat.agent) and not is_lost and (is_quick(seat.agent) or not only_quick)
            agents.append(open_agent(_order(claimed, ruleset, seat.seat, seat.agent, names)) if is_ours else None)
    except Exception:
        close_table(table)
        raise
    return table


def close_table(table: Table) -> None:
    for agent in table.agents:
        close_agent(agent)


def _order(claimed: ClaimedMatch, ruleset: Ruleset, seat: int, agent: str, names: tuple[str, ...]) -> SeatOrder:
    bot_seed = int.from_bytes(derive_seed(claimed.seed, f"agent {claimed.id} {seat}")[:8], "big")
    return SeatOrder(agent, seat, ruleset, bot_seed, claimed.id, names)
