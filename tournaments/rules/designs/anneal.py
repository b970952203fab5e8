"""Simulated annealing on pair-orbit counts: finds base matchdays. Plain Python; anneal.pxd lets Cython compile it."""

from array import array
from math import exp

from tournaments.rules.designs.formulas import Ints

COUNT_CAP = 16
FAR = 64
HOT, COLD = 0.7, 0.15
COOLING_STEPS = 200
MODULUS = 2147483647
MULTIPLIER = 48271


class Annealing:
    """A set of base matchdays under improvement.

    `place` lists the points of each base matchday, the first `seated` of them at tables of `size`, the rest with a
    bye. `orbit[p * entrants + q]` names the orbit of a pair; at tables of four, seats one apart are opponents and
    count in a second run of `orbits` numbers. `costs` prices every count below COUNT_CAP, orbit by orbit; `count`
    holds what is counted before the first table. Points of unequal `group` never trade a bye.
    """

    def __init__(
        self,
        place: Ints,
        size: int,
        entrants: int,
        seated: int,
        group: Ints,
        orbit: Ints,
        costs: Ints,
        count: Ints,
        seed: int,
    ) -> None:
        self.place = place
        self.size = size
        self.entrants = entrants
        self.seated = seated
        self.group = group
        self.orbit = orbit
        self.costs = costs
        self.orbits = len(count) // 2
        self.cap = len(costs) // len(count)
        self.state = seed % (MODULUS - 1) + 1
        self.count = count
        self.cost = 0
        for o in range(2 * self.orbits):
            self.cost += costs[o * self.cap + count[o]]
        for position in range(len(place)):
            self.cost += self.tally_earlier(position)

    def tally_earlier(self, here: int) -> int:
        """Count the pairs of a position with those before it at its table; returns the change of cost."""
        spot = here % self.entrants
        if spot >= self.seated:
            return 0
        change = 0
        for other in range(here - spot % self.size, here):
            change += self.count_pair(here, other, 1)
        return change

    def tally(self, here: int, sign: int) -> int:
        """Count (1) or discount (-1) the pairs of a position with its table; returns the change of cost."""
        spot = here % self.entrants
        if spot >= self.seated:
            return 0
        first = here - spot % self.size
        change = 0
        for other in range(first, first + self.size):
            if other != here:
                change += self.count_pair(here, other, sign)
        return change

    def count_pair(self, here: int, other: int, sign: int) -> int:
        o = self.orbit[self.place[here] * self.entrants + self.place[other]]
        if self.size == 4 and (here + other) % 2 == 1:
            o += self.orbits
        before = self.count[o]
        after = before + sign
        self.count[o] = after
        row = o * self.cap
        change: int = self.costs[row + min(after, self.cap - 1)] - self.costs[row + min(before, self.cap - 1)]
        return change

    def swap(self, i: int, j: int) -> int:
        """Let two positions of one base matchday trade their points; returns the change of cost."""
        change = self.tally(i, -1) + self.tally(j, -1)
        held = self.place[i]
        self.place[i] = self.place[j]
        self.place[j] = held
        return change + self.tally(i, 1) + self.tally(j, 1)

    def can_swap(self, i: int, j: int) -> bool:
        a, b = i % self.entrants, j % self.entrants
        if a < self.seated and b < self.seated:
            return a // self.size != b // self.size
        return a != b and self.group[self.place[i]] == self.group[self.place[j]]

    def draw_number(self) -> int:
        self.state = self.state * MULTIPLIER % MODULUS
        return self.state

    def run(self, steps: int) -> int:
        """Cool down once over so many steps; `place` ends as the best met, whose cost is returned (0 is perfect)."""
        accept = array("d", [0.0] * FAR)
        best = array("i", self.place)
        best_cost = self.cost
        total = len(self.place)
        stride = max(1, steps // COOLING_STEPS)
        temperature = HOT
        for step in range(steps):
            if best_cost == 0:
                break
            if step % stride == 0:
                for k in range(FAR):
                    accept[k] = exp(-k / temperature) * MODULUS
                temperature *= (COLD / HOT) ** (1.0 / COOLING_STEPS)
            i = self.draw_number() % total
            j = i - i % self.entrants + self.draw_number() % self.entrants
            if not self.can_swap(i, j):
                continue
            change = self.swap(i, j)
            if change > 0 and (change >= FAR or self.draw_number() >= accept[change]):
                self.swap(i, j)
                continue
            self.cost += change
            if self.cost < best_cost:
                best_cost = self.cost
                for k in range(total):
                    best[k] = self.place[k]
        for k in range(total):
            self.place[k] = best[k]
        return best_cost
