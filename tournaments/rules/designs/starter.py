"""A starter: base matchdays whose points move on by one each matchday, so that a few tables stand for a schedule."""

from collections.abc import MutableSequence
from dataclasses import dataclass

Ints = MutableSequence[int]
Table = tuple[int, ...]
Matchday = list[Table]


@dataclass(frozen=True, slots=True)
class Starter:
    """Points 0 to modulus * classes - 1 move within their class of `modulus`; the `fixed` points after them stay.

    `transversals` are tables with one point of each class, each of which developed is one whole matchday.
    """

    modulus: int
    classes: int
    fixed: int
    base: tuple[tuple[Table, ...], ...]
    transversals: tuple[Table, ...] = ()

    @property
    def points(self) -> int:
        return self.modulus * self.classes + self.fixed

    def move(self, point: int, by: int) -> int:
        if point >= self.modulus * self.classes:
            return point
        value = point % self.modulus
        return point - value + (value + by) % self.modulus

    def develop(self) -> list[Matchday]:
        """Every matchday of the schedule as tables of points; a point at no table has a bye."""
        moved = [[self.move(point, by) for point in range(self.points)] for by in range(self.modulus)]
        matchdays = [
            [tuple(shift[point] for point in table) for table in tables] for tables in self.base for shift in moved
        ]
        matchdays += [[tuple(shift[point] for point in table) for shift in moved] for table in self.transversals]
        return matchdays
