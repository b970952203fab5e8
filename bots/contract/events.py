"""Events: the actions of a match in notation and in order, as far as one seat may see them."""

from collections.abc import Iterator, Sequence
from typing import Any

from games.rules.actions import BID, CHANGE, DECLINED_GOLD, KEEP, PLAY
from games.rules.notation import action_text
from games.rules.view import View


def tell_events(view: View, since: int) -> list[dict[str, Any]]:
    """Every visible action from number `since` on. While three players bid in secret, none of the round's is."""
    events: list[dict[str, Any]] = []
    start = 0
    for done in view.rounds[: view.round_count]:
        if start + len(done.log) > since:
            events += _tell_round(view.players, done.log, start, done.end_reason == DECLINED_GOLD)
        start += len(done.log)
    if view.result is None:
        events += _tell_round(view.players, view.log[view.log_start : view.log_end], start, False)
    return [event for event in events if event["counter"] >= since]


def _tell_round(players: int, log: Sequence[int], start: int, is_stopped: bool) -> Iterator[dict[str, Any]]:
    last = len(log) - 1
    for index, entry in enumerate(log):
        action = entry >> 2
        if index < players:
            phase = BID
        elif action < KEEP or (is_stopped and index == last):
            phase = PLAY
        else:
            phase = CHANGE
        yield {"counter": start + index, "seat": entry & 3, "action": action_text(phase, action)}
