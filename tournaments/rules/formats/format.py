"""The one interface of all formats: a frozen value holding its options, asked for the next matchday."""

from random import Random
from typing import ClassVar, Protocol

from tournaments.rules.formats.situation import Situation
from tournaments.rules.pairing import Draw, Finished, Problem, TableKind, Waiting


class Format(Protocol):
    """A way to pair entrants. Instances are frozen dataclasses; their fields are the organiser's options.

    Formats keep no state: everything follows from the situation and the generator passed in, so the same call
    gives the same draw again. Nothing that was played is undone; withdrawals and late entries only change what
    is drawn next.
    """

    name: ClassVar[str]
    needs_results: ClassVar[bool]
    """False where all matchdays can be drawn ahead, by appending each draw to the history as pending."""

    @property
    def kind(self) -> TableKind: ...

    def find_problems(self, situation: Situation) -> tuple[Problem, ...]:
        """What stands against drawing this field with these options; empty if the draw can be made."""
        ...

    def plan_length(self, entrants: int) -> int | None:
        """How many matchdays a field of this size takes; None where only the results can tell, or it runs on."""
        ...

    def draw(self, situation: Situation, rng: Random) -> Draw | Waiting | Finished:
        """The next matchday. Raises ImpossibleDraw where a wish cannot be kept, saying which."""
        ...
