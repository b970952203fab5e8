"""`aurum bot play`: files, commands and house bots against each other on shared deals, with a crosstable."""

import argparse
import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table

from aurum_league.cli.bot import require_sandbox
from aurum_league.cli.bot_matches import (
    Fail,
    Played,
    find_saved_seed,
    is_file,
    list_seatings,
    list_sittings,
    open_field,
    play_all,
    read_saved,
)
from aurum_league.cli.main import CommandError, add_ruleset_options, make_bar, read_ruleset
from aurum_league.cli.play import read_seed
from bots.agents.uploaded import find_quantile
from bots.runners.streams import show_text
from games.rules.ruleset import Ruleset

if TYPE_CHECKING:
    from tournaments.rules.means import MeanInterval

HELP = "play bots against each other: files in the site's sandbox, commands, house bots; shared deals, every seating"
MATCHES, MATCHES_UNTIL_SURE = 30, 10_000
MOST_MATCHES = 1_000_000
MOST_CONTESTANTS = 8
MOST_PROCESSES = 64
SECONDS_BETWEEN_LOOKS = 1.0
FEWEST_BLOCKS = 10
"""Before so many deals an interval is not trusted to be narrow enough to stop."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "bots",
        nargs="+",
        metavar="BOT",
        help='your bot first: a .py, .zip or .wasm file, "cmd:./program --option", or a house bot such as counting',
    )
    parser.add_argument("--players", type=int, choices=(3, 4), default=3, help="with 4 a bot is its own partner")
    add_ruleset_options(parser)
    parser.add_argument(
        "--matches",
        type=int,
        metavar="N",
        help=f"at least so many matches (default: {MATCHES}; with --until-sure {MATCHES_UNTIL_SURE:,} at the most)",
    )
    parser.add_argument("-j", dest="processes", type=int, default=1, metavar="N", help="so many at once (default: 1)")
    parser.add_argument(
        "--until-sure",
        type=float,
        metavar="POINTS",
        help="stop when the first bot's share of wins is known to so many points to each side",
    )
    parser.add_argument("--save", metavar="FILE", help="write every match there; a run that was broken off goes on")
    parser.add_argument("--json", action="store_true", help="what came out as JSON, for scripts")
    parser.add_argument("--stderr", action="store_true", help="show what your bot wrote to stderr in one match")
    parser.add_argument("--seed", metavar="HEX", help="up to 64 hexadecimal digits; the same deals again")


def run(arguments: argparse.Namespace) -> int:
    names, ruleset = arguments.bots, read_ruleset(arguments, arguments.players)
    matches = _count_matches(arguments)
    save = Path(arguments.save) if arguments.save else None
    seed = (find_saved_seed(save) if save and arguments.seed is None else None) or read_seed(arguments.seed)
    if any(is_file(name) for name in names):
        require_sandbox()
    console = Console(highlight=False, quiet=arguments.json)
    score = Score(names, ruleset)
    with ExitStack() as stack:
        arena = open_field(stack, names, ruleset, seed)
        console.print(f"seed {seed.hex()}", soft_wrap=True)
        saved = read_saved(save, arena) if save else []
        done = {played.sitting for played in saved}
        for played in saved:
            score.add(played)
        sittings = list(list_sittings(ruleset, len(names), matches))
        left = [sitting for sitting in sittings if sitting not in done]
        if saved:
            console.print(f"{len(saved)} matches are in {save} already; {len(left)} are left")
        out = stack.enter_context(save.open("a", encoding="utf-8")) if save else None
        show = stack.enter_context(show_running(Console(stderr=True), score, len(sittings)))
        if not score.is_sure(arguments.until_sure):
            for played in play_all(arena, left, arguments.processes):
                score.add(played)
                _write(out, played)
                show()
                if score.is_sure(arguments.until_sure):
                    break
    if arguments.json:
        print(json.dumps({"seed": seed.hex(), **score.to_dict()}))
    for part in score.draw():
        console.print(part, soft_wrap=isinstance(part, str))
    if arguments.until_sure is not None and not score.is_sure(arguments.until_sure):
        console.print(f"not sure to {arguments.until_sure:g} points yet: give more --matches", soft_wrap=True)
    score.print_failures(console)
    if arguments.stderr:
        console.print(f"\nstderr of one match:\n{show_text(score.stderr) or 'empty'}", markup=False, soft_wrap=True)
    return 0


@contextmanager
def show_running(console: Console, score: "Score", total: int) -> Iterator[Callable[[], None]]:
    """What to call after each match: the bar, and about once a second what is known by now; nothing but on a screen."""
    if not console.is_terminal:
        yield lambda: None
        return
    progress = make_bar(console)
    task = progress.add_task("playing", total=total, completed=len(score.matches))
    drawn = time.monotonic()
    with Live(progress, console=console, transient=True) as live:

        def show() -> None:
            nonlocal drawn
            progress.update(task, completed=len(score.matches))
            if time.monotonic() - drawn > SECONDS_BETWEEN_LOOKS:
                live.update(Group(*score.draw(), progress))
                drawn = time.monotonic()

        yield show


def _count_matches(arguments: argparse.Namespace) -> int:
    """How many are wanted at least; CommandError for what cannot be played."""
    if not 2 <= len(arguments.bots) <= MOST_CONTESTANTS:
        raise CommandError(f"Name your bot and its opponents, {MOST_CONTESTANTS} bots at the most.")
    matches: int | None = arguments.matches
    if matches is None:
        matches = MATCHES if arguments.until_sure is None else MATCHES_UNTIL_SURE
    if not 1 <= matches <= MOST_MATCHES:
        raise CommandError(f"--matches is a number from 1 to {MOST_MATCHES}.")
    if not 1 <= arguments.processes <= MOST_PROCESSES:
        raise CommandError(f"-j is a number from 1 to {MOST_PROCESSES}.")
    if arguments.until_sure is not None and not 0 < arguments.until_sure <= 50:
        raise CommandError("--until-sure is a number of percentage points from 0 to 50, such as 5.")
    return matches


def _write(out: IO[str] | None, played: Played) -> None:
    """Each match is on the disk before the next is counted, so that a run can be broken off anywhere."""
    if out is not None:
        out.write(played.record + "\n")
        out.flush()


class Score:
    """Shares of the first place and who came in before whom; matches on one deal are one block."""

    def __init__(self, names: Sequence[str], ruleset: Ruleset) -> None:
        self.names = names
        self.ruleset = ruleset
        self.seatings = len(list_seatings(ruleset, len(names)))
        self.wins: dict[int, list[tuple[float, int]]] = defaultdict(list)
        self.ahead: dict[tuple[int, int], list[tuple[float, int]]] = defaultdict(list)
        self.used: dict[int, list[float]] = defaultdict(list)
        self.fuel: dict[int, list[int]] = defaultdict(list)
        self.failures: dict[int, list[Fail]] = defaultdict(list)
        self.forfeits: Counter[int] = Counter()
        self.matches: list[int] = []
        self.stderr = ""

    def add(self, played: Played) -> None:
        block, seats = played.sitting.block, played.sitting.seats
        self.matches.append(block)
        first = [seat for seat, place in enumerate(played.places) if place == 1]
        for one in set(seats):
            own = [seat for seat, number in enumerate(seats) if number == one]
            self.wins[one].append((len(set(own) & set(first)) / len(first), block))
            for other in set(seats) - {one}:
                pairs = [(played.places[a], played.places[b]) for a in own for b, n in enumerate(seats) if n == other]
                self.ahead[one, other].append((sum((a < b) + (a == b) / 2 for a, b in pairs) / len(pairs), block))
        for number, used in played.used.items():
            self.used[number] += used
        for number, fuel in played.fuel.items():
            self.fuel[number] += fuel
        for fail in played.failures:
            self.failures[seats[fail.seat]].append(fail)
        self.forfeits.update({seats[seat] for seat in played.forfeits})
        self.stderr = self.stderr or played.stderr

    def is_sure(self, points: float | None) -> bool:
        """Looked at after whole deals only: half of one would favour a seat."""
        if points is None or not self.matches or len(self.matches) % self.seatings:
            return False
        interval = find_interval(self.wins[0])
        if interval.low is None or interval.high is None or interval.observations < FEWEST_BLOCKS:
            return False
        return (interval.high - interval.low) / 2 <= points / 100

    def even(self, number: int) -> float:
        """The share of wins among equals: at a table of two bots the second holds two seats of three."""
        if self.ruleset.players == 4:
            return 1 / 2
        return 2 / 3 if len(self.names) == 2 and number == 1 else 1 / 3

    def draw(self) -> Iterator[RenderableType]:
        """What is known by now, from the first match on."""
        others = [*self.names[1:], *(self.names[1:] if len(self.names) == 2 else ())]
        deals = len(set(self.matches))
        yield f"{len(self.matches)} matches on {deals} deals, {self.ruleset.code}, against {' and '.join(others)}"
        if not self.matches:
            return
        yield f"won {tell_interval(find_interval(self.wins[0]))}; even is {_percent(self.even(0))}"
        yield self._tell_use(0)
        if len(self.names) > 2:
            yield self._draw_crosstable()

    def to_dict(self) -> dict[str, Any]:
        """The same for programs; `ahead` is by the other's place in `bots`."""
        bots = [
            {
                "name": name,
                "won": _tell_bounds(find_interval(self.wins[one])),
                "even": self.even(one),
                "ahead": {
                    str(two): _tell_bounds(find_interval(rows)) for (a, two), rows in self.ahead.items() if a == one
                },
                "failed_decisions": len(self.failures[one]),
                "forfeits": self.forfeits[one],
            }
            for one, name in enumerate(self.names)
        ]
        return {
            "ruleset": self.ruleset.code,
            "matches": len(self.matches),
            "deals": len(set(self.matches)),
            "bots": bots,
        }

    def print_failures(self, console: Console) -> None:
        own = self.failures[0]
        strangers = sum(map(len, self.failures.values())) - len(own)
        if strangers:
            console.print(f"failed decisions of others: {strangers}")
        if own:
            verdicts = Counter(fail.verdict for fail in own).most_common()
            told = ", ".join(f"{verdict} {number}" for verdict, number in verdicts)
            console.print(f"forfeits {self.forfeits[0]}; failed decisions: {told}. The first of them:")
            print_fail(console, own[0])

    def _tell_use(self, number: int) -> str:
        """A module is charged fuel, which is the same every time; a Python bot CPU time, a command the clock's."""
        if self.fuel[number]:
            return f"fuel a decision: {_quantiles(self.fuel[number], '{:,.0f}')}"
        if not self.used[number]:
            return "a house bot's time is not measured"
        clock = "time" if self.names[number].startswith("cmd:") else "CPU time"
        return f"{clock} a decision: {_quantiles([1000 * seconds for seconds in self.used[number]], '{:.2g} ms')}"

    def _draw_crosstable(self) -> Table:
        """Who came in before whom; the diagonal is empty."""
        table = Table(title="ahead of, in % with 95 % intervals", title_justify="left")
        table.add_column("bot")
        table.add_column("won")
        for name in self.names:
            table.add_column(Path(name).name)
        for one, name in enumerate(self.names):
            cells = [
                tell_share(find_interval(self.ahead[one, other])) if (one, other) in self.ahead else ""
                for other in range(len(self.names))
            ]
            table.add_row(Path(name).name, tell_share(find_interval(self.wins[one])), *cells)
        return table


def find_interval(rows: Sequence[tuple[float, int]]) -> "MeanInterval":
    from tournaments.rules.means import interval_of_mean

    return interval_of_mean([value for value, _ in rows], [block for _, block in rows])


def _tell_bounds(interval: "MeanInterval") -> dict[str, float | None]:
    return {"mean": interval.mean, "low": interval.low, "high": interval.high}


def tell_interval(interval: "MeanInterval") -> str:
    if interval.low is None or interval.high is None:
        return _percent(interval.mean)
    return f"{_percent(interval.mean)}, 95 % from {_percent(interval.low)} to {_percent(interval.high)}"


def tell_share(interval: "MeanInterval") -> str:
    """The same in per cent for a cell of a table, in two lines: four contestants fit a terminal of 80 columns."""
    share, *bounds = (
        f"{100 * max(0.0, min(1.0, value)):.1f}"
        for value in (interval.mean, interval.low, interval.high)
        if value is not None
    )
    return "\n".join((share, "\N{EN DASH}".join(bounds))) if bounds else share


def _quantiles(used: Sequence[float], template: str) -> str:
    told = (
        f"{name} {template.format(find_quantile(used, share) or 0)}" for name, share in (("p50", 0.5), ("p99", 0.99))
    )
    return ", ".join(told)


def print_fail(console: Console, fail: Fail) -> None:
    console.print(show_text(fail.detail), markup=False)
    for title, text in (("answered", fail.answered), ("stderr", fail.stderr)):
        if text:
            console.print(f"{title}: {show_text(text.rstrip())}", markup=False, soft_wrap=True)


def _percent(share: float) -> str:
    return f"{100 * max(0.0, min(1.0, share)):.1f} %"
