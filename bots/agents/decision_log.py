"""What an upload did at its seat, decision by decision: its time or fuel and its words, kept small for its author."""

import json
import zlib
from collections.abc import Sequence
from dataclasses import astuple, dataclass, field

ROOM = 250_000
"""Characters of what it says that are kept of a seat: four seats of one match have a million."""
CUT = " […]"


@dataclass(frozen=True, slots=True)
class LoggedDecision:
    """`counter` is how many actions the view showed; `action` is None where it failed and the house decided.

    `wall_us` is known of a process, `fuel` of a module.
    """

    counter: int
    action: str | None
    verdict: str
    cpu_us: int
    wall_us: int | None
    fuel: int | None
    said: str

    @property
    def milliseconds(self) -> float:
        return round(self.cpu_us / 1000, 2)


@dataclass(slots=True)
class DecisionLog:
    """`last_words` is what was said after the last decision."""

    decisions: list[LoggedDecision] = field(default_factory=list)
    last_words: str = ""
    room: int = ROOM

    def fit(self, said: str) -> str:
        """As much of it as there is room for, with a mark where it is cut."""
        if len(said) > self.room:
            said, self.room = said[: self.room] + CUT if self.room else "", 0
        else:
            self.room -= len(said)
        return said

    def pack(self) -> bytes:
        rows = [astuple(decision) for decision in self.decisions]
        text = json.dumps([rows, self.last_words], ensure_ascii=False, separators=(",", ":"))
        return zlib.compress(text.encode(errors="replace"))


def join_logs(packed: Sequence[bytes]) -> DecisionLog:
    """The pieces of one seat, in order, as one."""
    log = DecisionLog()
    for piece in packed:
        rows, last_words = json.loads(zlib.decompress(piece))
        log.decisions += [LoggedDecision(*row) for row in rows]
        log.last_words += last_words
    return log
