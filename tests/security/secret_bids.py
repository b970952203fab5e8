"""Tables that differ in nothing but what seat 1 has laid face down, and what of an answer may differ all the same.

Two matches of one seed can differ in a secret only while three players bid. So every card of its hand in turn is that
bid, in one and the same match, and all else stays: each two of these tables are a pair.
"""

import re
from collections.abc import Callable, Iterable
from itertools import combinations
from typing import Any

from games.models import Match, MatchState
from games.rules.cards import names_in
from games.rules.match import Match as Play
from games.rules.match import pack_log
from games.rules.ruleset import Ruleset

RULESET = Ruleset.from_code("en3")
SEEDS = [number.to_bytes(32, "big") for number in range(1, 7)]
PAIRS_A_DEAL = 66
"""Twelve cards that seat 1 can bid, two by two."""

OWN_MARKS = (
    rb'"now": "[^"]*"',
    rb'"request_id": "[^"]*"',
    rb'name="csrfmiddlewaretoken" value="[^"]*"',
    rb"csrf_?[tT]oken[^,}<]*",
    rb"\d\d:\d\d:\d\d[.\d]*",
    rb"\s*(\d+ match(es)? a minute|Waiting for players or workers)[^<]*",
)
"""The clock and the pace it counts, the request's number and the CSRF mask, which is drawn anew each time."""


def list_bids(seed: bytes, seat: int = 1) -> list[str]:
    return [f"bid {name}" for name in names_in(Play(RULESET, seed).dealt.hands[seat])]


def lay(match_id: int, seed: bytes, bid: str | None, *, also: Iterable[tuple[int, str]] = ()) -> None:
    """The table waits for seat 0 and for whoever has not bid; seat 1 has, and nobody may know what."""
    play = Play(RULESET, seed)
    for seat, text in ((1, bid), *also):
        if text:
            play.apply_text(seat, text)
    Match.objects.filter(pk=match_id).update(
        seed=seed, log=pack_log(play.log), state=MatchState.WAITING, awaited=list(play.awaiting())
    )


def without_own_marks(answer: Any) -> bytes:
    body = answer.content
    context = answer.context or {}
    marks = [answer.headers.get("X-Request-ID", ""), str(context.get("csrf_token", ""))]
    if ticket := context.get("ticket"):
        marks += [ticket.text, ticket.commitment]
    for mark in marks:
        body = body.replace(mark.encode(), b"") if mark else body
    return without_clock(body)


def without_clock(body: bytes) -> bytes:
    for pattern in OWN_MARKS:
        body = re.sub(pattern, b"", body)
    return body


def find_differences(seeds: Iterable[bytes], tell: Callable[[bytes, str], dict[str, bytes]]) -> tuple[int, set[str]]:
    """What is told of each table, pair by pair: how many pairs there were, and the names under which they differ."""
    pairs, differing = 0, set()
    for seed in seeds:
        told = [tell(seed, bid) for bid in list_bids(seed)]
        for first, second in combinations(told, 2):
            pairs += 1
            differing |= {name for name in first if first[name] != second[name]}
    return pairs, differing
