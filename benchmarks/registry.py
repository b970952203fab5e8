"""Every instrument: its name, a sentence, its function and its options."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from benchmarks.report import Survey

DEFAULT = "rules"


@dataclass(frozen=True, slots=True)
class Knob:
    """A flag; its default tells its type, and False makes it a switch."""

    name: str
    default: int | float | str
    help: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Instrument:
    """`function` is `module:name` within this package, which is imported only when it is asked for."""

    name: str
    help: str
    function: str
    options: tuple[Knob, ...] = ()

    def load(self) -> Callable[..., Survey]:
        module, _, name = self.function.partition(":")
        loaded: Any = getattr(import_module(f"benchmarks.{module}"), name)
        return loaded


FOLDER = Knob("folder", "", "where the data is kept for the next time")
ENTRANTS = Knob("entrants", 1000, "entrants of the large field")

INSTRUMENTS: tuple[Instrument, ...] = (
    Instrument(
        "rules",
        "the rules on one core, beside themselves uncompiled and beside others",
        "rules:measure_rules",
        (
            Knob("against", "", "compare the rules with OpenSpiel, if installed", ("open-spiel",)),
            Knob("runs", 5, "medians of so many runs"),
            Knob("seconds", 1.0, "CPU seconds of a run"),
        ),
    ),
    Instrument(
        "forecast",
        "the forecast of a tournament beside whole tournaments with the real formats",
        "formats:measure_forecast",
        (Knob("tournaments", 400, "of each kind"),),
    ),
    Instrument(
        "seatings",
        "seats for the stored doubles, in which left and right cancel",
        "designs:measure_seatings",
        (
            Knob("first", 4, "fewest entrants"),
            Knob("last", 64, "most entrants"),
            Knob("sweeps", 300, "sweeps of one cooling"),
        ),
    ),
    Instrument(
        "learn",
        "the learning environment beside OpenSpiel and RLCard",
        "learn:measure_learn",
        (Knob("seconds", 1.5, "CPU time of a loop"),),
    ),
    Instrument(
        "coverage",
        "what the intervals of ratings cover, in simulated pools of known strengths",
        "coverage:measure_coverage",
        (
            Knob("pools", 300, "a scenario"),
            Knob("scenario", "", "part of a scenario's name, such as '7 free'"),
            Knob("seed", 1, "of chance"),
        ),
    ),
    Instrument(
        "points",
        "which points say most of two brains, a deal of the real engine being one observation",
        "points:measure_points",
        (
            Knob("deals", 300, "of each pair, in six seatings"),
            Knob("pairs", "", "such as counting+greedy,counting+learnt; all where not given"),
            Knob("seed", 1, "of chance"),
        ),
    ),
    Instrument(
        "scores",
        "how many matches the official rating saves by what scores say of winning, on the real engine",
        "scores:measure_scores",
        (
            Knob("deals", 2000, "of the pool, in three seatings"),
            Knob("names", "", "brains, such as greedy,counting-15,learnt; seven where not given"),
            Knob("file", "", "matches played before, as `aurum rate` reads them"),
            Knob("draws", 16, "of each number of matches"),
            Knob("seed", 1, "of chance"),
        ),
    ),
    Instrument(
        "calibration",
        "whether the official rating's chances to win hold in matches it has not seen, on the real engine",
        "points:measure_calibration",
        (
            Knob("deals", 1000, "to learn from, in three seatings, and as many to judge by"),
            Knob("names", "", "brains, such as random,greedy,counting-15; seven where not given"),
            Knob("seed", 1, "of chance"),
        ),
    ),
    Instrument(
        "levels",
        "the levels people choose from on the rating scale, on matches of the real engine",
        "points:measure_levels",
        (
            Knob("deals", 40, "of the pool, in three seatings"),
            Knob("names", "greedy,counting,learner,learnt,champion", "brains, weakest first, or such as learner-60"),
            Knob("seed", 1, "of chance"),
        ),
    ),
    Instrument(
        "rulings",
        "how often each ruling of ours matters, counted on matches of house bots",
        "rulings:measure_rulings",
        (Knob("matches", 200, "matches in each book for three, and for four"), Knob("seed", 1, "of chance")),
    ),
    Instrument(
        "sandbox", "what it costs to run an uploaded bot, Python or a module, in a minute", "sandbox:measure_sandbox"
    ),
    Instrument(
        "wasm",
        "what a WebAssembly bot costs, and whether modules decide alike beside a load",
        "wasm:measure_wasm",
        (
            Knob("modules", "", "files to compare without and with a load, parted by commas"),
            Knob("decisions", 10_000, "of each module, twice"),
        ),
    ),
    Instrument(
        "queue",
        "a tournament through Celery and Postgres, and how much of it is the game",
        "queue:measure_queue",
        (
            Knob("matches", 10_000, "matches of the tournament, about"),
            Knob("plain", 500, "matches of the measure: one task, one transaction each"),
        ),
    ),
    Instrument(
        "lag",
        "the queue by workers far from Postgres and Redis, beside the same workers near them",
        "lag:measure_lag",
        (
            Knob("matches", 10_000, "of each tournament, about"),
            Knob("milliseconds", 50.0, "from a question to its answer on the far line"),
            Knob("workers", 2, "processes that play"),
        ),
    ),
    Instrument(
        "upgrade",
        "a database of the first release, migrated while that release claims, settles and reads",
        "upgrade:measure_upgrade",
        (Knob("matches", 100_000, "in the database before"),),
    ),
    Instrument(
        "crowd",
        "what the database is asked for a match by any number of light workers, which play nothing",
        "crowd:measure_crowd",
        (
            Knob("matches", 20_000, "of each load, about"),
            Knob("workers", "1,8", "how many, one load after the other"),
            Knob("batch", 1000, "matches claimed together, at most"),
            Knob("seconds", 0.0, "for which a worker does nothing with a batch"),
            Knob("bouncer", False, "workers reach Postgres through pgbouncer, where it is installed"),
        ),
    ),
    Instrument(
        "pages",
        "time and queries of the public pages, with the demo and with a large field",
        "pages:measure_pages",
        (
            Knob("demo", False, "the demo alone, without a large field beside it"),
            ENTRANTS,
            Knob("matches", 100_000, "matches of the large field, about"),
            Knob("tournaments", 1, "of the same field, sharing the matches"),
            FOLDER,
            Knob("only", "", "measure addresses that hold this word"),
        ),
    ),
    Instrument(
        "evening",
        "every page of the day of one event with many people at real tables",
        "evening:measure_evening",
        (
            ENTRANTS,
            Knob("views", 20, "of each page; the first finds nothing kept"),
            Knob("only", "", "measure addresses that hold this word"),
        ),
    ),
    Instrument(
        "api",
        "the API beside a trivial view, on the tournament of `make demo`",
        "api:measure_api",
        (Knob("runs", 5, "medians of so many runs"), Knob("seconds", 2.0, "of a run")),
    ),
    Instrument(
        "tables",
        "people at tables who decide every second, on a running site of this database",
        "tables:measure_tables",
        (
            Knob("address", "http://127.0.0.1:8000", "of the site"),
            Knob("tables", 100, "of one person and three house bots each"),
            Knob("seconds", 30.0, "how long they play"),
        ),
    ),
    Instrument(
        "watchers",
        "watchers of one live page: what they cost, and how soon each sees a result",
        "watchers:measure_watchers",
        (Knob("watchers", 200, "open streams"), Knob("results", 30, "matches settled one by one")),
    ),
    Instrument(
        "doors",
        "pages while a thousand streams are open and bodies come a byte at a time",
        "doors:measure_doors",
        (
            Knob("streams", 1000, "that listen"),
            Knob("bodies", 200, "that are sent slowly, at any time"),
            Knob("seconds", 20.0, "of reading pages, without them and beside them"),
        ),
    ),
    Instrument(
        "sleepers",
        "the pace of a tournament beside another owner's bots that let the referee wait",
        "doors:measure_sleepers",
        (
            Knob("bots", 100, "of one owner, each with an upload of its own"),
            Knob("matches", 3, "of each"),
            Knob("seconds", 20.0, "of each measure, without them and beside them"),
            Knob("nap", 9.0, "seconds for which they sleep before each decision"),
            Knob("turns", 3, "measures of either kind"),
        ),
    ),
    Instrument(
        "silence",
        "the pace of a tournament while Redis hangs, and while it is gone",
        "doors:measure_silence",
        (Knob("seconds", 20.0, "of each measure"),),
    ),
    Instrument(
        "plans",
        "what the site asks of a database with many matches, and which index serves it",
        "pages:measure_plans",
        (
            ENTRANTS,
            Knob("matches", 1_000_000, "matches of the large field, about"),
            Knob("tournaments", 10, "of the same field, sharing the matches"),
            FOLDER,
        ),
    ),
    Instrument(
        "ratings",
        "fit, replay and standings in memory, in CPU time",
        "ratings:measure_ratings",
        (Knob("matches", 1_000_000, "matches that are fitted and replayed"),),
    ),
    Instrument(
        "rebuild",
        "rating, rebuilding and fitting on a database, beside bare openskill",
        "ratings:measure_rebuild",
        (Knob("matches", 20_000, "simulated matches"), Knob("players", 500, "who play them")),
    ),
    Instrument("farms", "what farming a rating gains, in simulated matches", "farms:measure_farms"),
    Instrument(
        "pairing",
        "the queue of quick pairing with many who wait",
        "farms:measure_pairing",
        (Knob("waiting", 1000, "people in the queue"), Knob("runs", 20, "median and slowest of so many")),
    ),
    Instrument(
        "formats",
        "schedules and the Swiss draw of a large field, beside yardsticks",
        "formats:measure_formats",
        (Knob("entrants", 10_000, "of the shift and of the Swiss"),),
    ),
    Instrument(
        "designs",
        "search for starters of schedules, as many coolings as it takes",
        "designs:measure_designs",
        (
            Knob("family", "single", "which schedules", ("single", "double", "whist")),
            Knob("first", 8, "fewest entrants"),
            Knob("last", 8, "most entrants"),
            Knob("coolings", 50, "most coolings for each number of entrants"),
            Knob("steps", 400_000, "steps of one cooling"),
            Knob("seed", 1, "of the search"),
            Knob("out", "", "a file for the starters, a line each"),
        ),
    ),
    Instrument(
        "chaos",
        "a tournament while its processes are killed, and whether anything is lost",
        "chaos:measure_chaos",
        (
            Knob("matches", 10_000, "matches of the tournament, about"),
            Knob("seconds", 120.0, "how long faults strike"),
            Knob("patience", 400.0, "how long the rest may take afterwards"),
            Knob("lease", 30, "seconds of a worker's lease; faults come as much faster"),
            Knob("slack", 0.0, "seconds more for promises, where the machine is busy"),
            Knob("seed", -1, "which faults, when; below 0, a fresh one that is told"),
            Knob("workers", 2, "programs that play, of one process each"),
            Knob("milliseconds", 0.0, "from a question to its answer, between the programs and their servers"),
        ),
    ),
    Instrument(
        "soak",
        "play and reading for half an hour, and whether anything grows",
        "soak:measure_soak",
        (Knob("minutes", 30.0, "how long"), Knob("every", 10.0, "seconds between two samples")),
    ),
)
BY_NAME = {instrument.name: instrument for instrument in INSTRUMENTS}
