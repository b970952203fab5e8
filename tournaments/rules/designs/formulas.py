"""A starter, whose few tables stand for a schedule, and the closed formulas that need no search."""

from collections.abc import MutableSequence, Sequence
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


def longest_shift3(n: int) -> int:
    """How many matchdays `shift3` gives without a repeat."""
    third, surplus = divmod(n, 3)
    if surplus:
        return third // 3
    return third if third % 2 else third // 2


def shift3(n: int, matchdays: int) -> list[Matchday]:
    """Tables of three from three thirds that slide past each other: no pair meets twice up to `longest_shift3`.

    Seats turn with the matchday. The one or two surplus entrants stand in for one who rests, another each matchday.
    """
    m = n // 3
    a, b, c = (list(range(start, start + m)) * 3 for start in (0, m, 2 * m))
    days: list[Matchday] = []
    for r in range(matchdays):
        first = a[:m]
        for k in range(n - 3 * m):
            first[(r + k * (m // 2)) % m] = 3 * m + k
        columns = (first, b[r : r + m], c[2 * r : 2 * r + m])
        turn = r % 3
        days.append(list(zip(*columns[turn:], *columns[:turn], strict=True)))
    return days


def longest_shift4(n: int) -> int:
    """How many matchdays `shift4` gives in which nobody meets anybody twice in any role."""
    quarter, surplus = divmod(n, 4)
    if surplus:
        return quarter // 4
    return quarter if quarter % 6 in (1, 5) else quarter // 3


def shift4(n: int, matchdays: int) -> list[Matchday]:
    """Tables of four from four quarters that slide past each other, with the three partnerships in turn."""
    m = n // 4
    quarters = [list(range(start, start + m)) * 4 for start in (0, m, 2 * m, 3 * m)]
    days: list[Matchday] = []
    for r in range(matchdays):
        first = quarters[0][:m]
        for k in range(n - 4 * m):
            first[(r + k * (m // 3)) % m] = 4 * m + k
        columns = [first] + [quarters[k][k * r : k * r + m] for k in (1, 2, 3)]
        order = ((0, 1, 2, 3), (1, 2, 0, 3), (2, 0, 1, 3))[r % 3]
        turned = [order[(k + r // 3) % 4] for k in range(4)]
        days.append(list(zip(*(columns[k] for k in turned), strict=True)))
    return days


def circle(n: int) -> list[Matchday]:
    """Every pair of n sides once, first side first: first and second turns differ by one at most, by none for odd n.

    Those meet who stand equally far from whoever rests, on a circle of odd length; the last side of an even field
    stands outside and meets the one who would rest. Resting moves on by nearly a quarter of the circle, so that the
    distance to the next opponent changes by nearly half of it, and turns alternate.
    """
    odd = n - 1 if n % 2 == 0 else n
    half = odd // 2
    stride = half * (half + 1)
    days: list[Matchday] = []
    for r in range(odd):
        resting = r * stride % odd
        day: Matchday = []
        for step in range(1, half + 1):
            x, y = (resting + step) % odd, (resting - step) % odd
            day.append((x, y) if (y - x) % odd <= half else (y, x))
        if odd < n:
            day.append((resting, odd) if r % 2 else (odd, resting))
        days.append(day)
    return days


def is_prime(q: int) -> bool:
    return q > 1 and all(q % d for d in range(2, int(q**0.5) + 1))


def has_kirkman3q(n: int) -> bool:
    return n % 3 == 0 and n // 3 % 6 == 1 and is_prime(n // 3)


def primitive_root(q: int) -> int:
    return next(g for g in range(2, q) if len({pow(g, k, q) for k in range(q - 1)}) == q - 1)


def kirkman3q(n: int) -> Starter:
    """Ray-Chaudhuri and Wilson's system on three copies of the field of q = n / 3 elements, q a prime 1 modulo 6."""
    q = n // 3
    t = (q - 1) // 6
    g = primitive_root(q)
    power = [pow(g, k, q) for k in range(6 * t)]

    def line(k: int) -> Table:
        return tuple(copy * q + power[(k + 2 * t * copy) % (6 * t)] for copy in range(3))

    base: list[Table] = [(0, q, 2 * q)]
    for copy in range(3):
        base += [(copy * q + power[k], copy * q + power[k + 2 * t], copy * q + power[k + 4 * t]) for k in range(t)]
    base += [line(k) for k in range(6 * t) if k // t % 2 == 1]
    return Starter(q, 3, 0, (tuple(base),), tuple(line(k) for k in range(6 * t) if k // t % 2 == 0))


def has_mendelsohn(n: int) -> bool:
    return n % 6 == 1 and is_prime(n)


def mendelsohn(n: int) -> Starter:
    """Everybody once before and once after everybody else, for a prime n = 1 modulo 6.

    With w a cube root of unity the cosets {x, xw, xww} are the tables, and their steps x(w - 1) are all different.
    """
    g = primitive_root(n)
    third = (n - 1) // 3
    power = [pow(g, k, n) for k in range(n - 1)]
    return Starter(n, 1, 0, (tuple((power[k], power[k + third], power[k + 2 * third]) for k in range(third)),))


def triple_kirkman(days: Sequence[Matchday]) -> list[Matchday]:
    """A Kirkman system on three copies of the points of another: each matchday becomes three, and one joins copies."""
    points = 3 * len(days[0])
    tripled: list[Matchday] = [
        [
            (x + points * i, y + points * ((i + step) % 3), z + points * ((i + 2 * step) % 3))
            for x, y, z in day
            for i in range(3)
        ]
        for day in days
        for step in range(3)
    ]
    return [*tripled, [(x, x + points, x + 2 * points) for x in range(points)]]


def whist9() -> Starter:
    """Whist for nine, which the integers modulo 9 do not allow: over the field of nine elements a + bi modulo 3.

    Opposite at a table sit x and -x; the second table is the first times the primitive element 1 + i.
    """
    first = ((1, 0), (0, 2), (2, 0), (0, 1))
    second = tuple(((a - b) % 3, (a + b) % 3) for a, b in first)
    bases = tuple(
        tuple(tuple((a + s) % 3 * 3 + (b + t) % 3 for a, b in table) for table in (first, second))
        for s in range(3)
        for t in range(3)
    )
    return Starter(1, 9, 0, bases)
