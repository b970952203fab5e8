"""Kirkman triple systems from prime fields: every pair exactly once, for fields of three times a prime 1 modulo 6."""

from tournaments.rules.designs.starter import Starter, Table


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

    base = [(0, q, 2 * q)]
    for copy in range(3):
        base += [(copy * q + power[k], copy * q + power[k + 2 * t], copy * q + power[k + 4 * t]) for k in range(t)]
    base += [line(k) for k in range(6 * t) if k // t % 2 == 1]
    return Starter(q, 3, 0, (tuple(base),), tuple(line(k) for k in range(6 * t) if k // t % 2 == 0))
