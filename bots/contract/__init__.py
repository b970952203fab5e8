"""The contract between the league and a bot: one set of JSON messages, for uploaded and connected bots alike."""

from bots.contract.events import tell_events
from bots.contract.messages import (
    CONTRACT,
    TimeLeft,
    make_decide,
    make_happened,
    make_hello,
    make_match_end,
    make_match_start,
)
from bots.contract.replies import ContractError, read_action

__all__ = [
    "CONTRACT",
    "ContractError",
    "TimeLeft",
    "make_decide",
    "make_happened",
    "make_hello",
    "make_match_end",
    "make_match_start",
    "read_action",
    "tell_events",
]
