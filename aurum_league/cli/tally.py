"""What `aurum play` counts over its matches, by side, and shows as a table."""

from rich.table import Table

from games.rules.match import Match
from games.rules.ruleset import Ruleset


class MatchTally:
    """Wins, shared first places, places, nuggets and points of every side."""

    def __init__(self, names: list[str], ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.names = [" + ".join(names[side :: ruleset.sides]) for side in range(ruleset.sides)]
        self.matches = 0
        self.wins = [0] * ruleset.sides
        self.shared = [0] * ruleset.sides
        self.places = [0.0] * ruleset.sides
        self.nuggets = [0] * ruleset.sides
        self.totals = [0] * ruleset.sides

    def add(self, match: Match) -> None:
        """Count a match that is over; those who share a place count the mean of the places they fill."""
        result = match.result
        assert result is not None
        self.matches += 1
        ahead = 0
        for group in result.places:
            for side in group:
                self.places[side] += ahead + (len(group) + 1) / 2
            ahead += len(group)
        best = result.places[0]
        for side in best:
            (self.wins if len(best) == 1 else self.shared)[side] += 1
        for side in range(self.ruleset.sides):
            self.nuggets[side] += result.nuggets[side]
            self.totals[side] += result.totals[side]

    def table(self) -> Table:
        count = f"{self.matches} match" + ("es" if self.matches != 1 else "")
        table = Table(title=f"{count}, {self.ruleset.code}", title_justify="left")
        table.add_column("side", justify="right")
        table.add_column("agent")
        for heading in ("wins", "shared", "wins %", "mean place", "nuggets", "mean points"):
            table.add_column(heading, justify="right")
        for side, name in enumerate(self.names):
            table.add_row(
                str(side),
                name,
                str(self.wins[side]),
                str(self.shared[side]),
                f"{100 * self.wins[side] / self.matches:.1f}",
                f"{self.places[side] / self.matches:.2f}",
                str(self.nuggets[side]),
                f"{self.totals[side] / self.matches:.1f}",
            )
        return table
