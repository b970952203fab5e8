"""The contract between the league and a bot: one set of JSON messages, for uploaded and connected bots alike."""

from bots.contract.block import BLOCK_VERSION, BlockWriter
from bots.contract.messages import (
    CONTRACT,
    ContractError,
    Message,
    TimeLeft,
    draw_match_number,
    make_closed,
    make_decide,
    make_happened,
    make_hello,
    make_match_end,
    make_match_start,
    make_ready,
    read_action,
    read_number,
    tell_events,
)

__all__ = [
    "BLOCK_VERSION",
    "CONTRACT",
    "BlockWriter",
    "ContractError",
    "Message",
    "TimeLeft",
    "draw_match_number",
    "make_closed",
    "make_decide",
    "make_happened",
    "make_hello",
    "make_match_end",
    "make_match_start",
    "make_ready",
    "read_action",
    "read_number",
    "tell_events",
]
