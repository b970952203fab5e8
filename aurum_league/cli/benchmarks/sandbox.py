"""What the sandbox of uploaded bots costs, as a table with its goals."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from aurum_league.cli.terminal import CommandError
from bots.runners.bench import BenchRow, bench_sandbox
from bots.runners.errors import RunnerError


def show_costs(console: Console) -> int:
    """Measure and print; raises CommandError on a machine that cannot hold an uploaded bot."""
    try:
        rows = bench_sandbox()
    except RunnerError as error:
        raise CommandError(str(error)) from None
    console.print(draw_costs(rows))
    return 0


def draw_costs(rows: Sequence[BenchRow]) -> Table:
    table = Table(title="the sandbox, medians", title_justify="left")
    table.add_column("what")
    table.add_column("measured", justify="right")
    table.add_column("unit")
    table.add_column("goal at most", justify="right")
    table.add_column("")
    for row in rows:
        verdict = "reached" if row.value <= row.goal else "missed"
        table.add_row(row.name, f"{row.value:,.1f}", row.unit, f"{row.goal:g}", verdict)
    return table
