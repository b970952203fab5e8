"""Designs from finite fields where annealing is slow or impossible: Kirkman and Mendelsohn systems, whist for nine."""

from collections.abc import Sequence

from tournaments.rules.designs.starter import Matchday, Starter, Table


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
