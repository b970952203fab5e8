"""Closed formulas that need no search: shifts for large fields, and the circle for two sides."""

from tournaments.rules.designs.starter import Matchday


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
