"""Measures the rules on one core: driven from Python, in their own loop, as whole matches; and OpenSpiel's hearts."""

import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.machinery import FileFinder, SourceFileLoader
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from types import ModuleType
from typing import Any

from aurum_league.cli.main import CommandError, progress_bar
from benchmarks.report import Figure, Survey, at_least_times
from games.play.table import play_match
from games.rules.actions import BID_OF, CHANGE, GOLD, KEEP, OVER, swap_action
from games.rules.cards import ALL_METALS, GOLD_RANKS, HAND_SIZE, METALS, deck
from games.rules.deal import derive_seed
from games.rules.match import Match
from games.rules.playout import random_rounds
from games.rules.record import make_record
from games.rules.round import Round
from games.rules.ruleset import Ruleset
from games.rules.view import View

_RULES = Path(__file__).parent.parent / "games" / "rules"


def is_compiled() -> bool:
    """Whether the rules in use are the compiled ones."""
    return not str(load_module("round").__file__).endswith(".py")


def load_module(name: str) -> ModuleType:
    """The module `games.rules.<name>` that is in use."""
    return import_module(f"games.rules.{name}")


def load_plain(name: str) -> ModuleType:
    """The module `games.rules.<name>` from its source, whether or not a compiled one is in use."""
    return _plain_modules()[f"games.rules.{name}"] if is_compiled() else load_module(name)


def _plain_modules() -> dict[str, ModuleType]:
    if not _loaded:
        import_module("games.rules.round")
        in_use = {name: module for name, module in sys.modules.items() if name.split(".")[:2] == ["games", "rules"]}
        for name in in_use:
            del sys.modules[name]
        sys.path_hooks.insert(0, source_only)
        sys.path_importer_cache.pop(str(_RULES), None)
        try:
            for path in sorted(_RULES.glob("[a-z]*.py")):
                import_module(f"games.rules.{path.stem}")
            _loaded.update({name: module for name, module in sys.modules.items() if name.startswith("games.rules")})
        finally:
            sys.path_hooks.remove(source_only)
            sys.path_importer_cache.pop(str(_RULES), None)
            for name in _loaded:
                del sys.modules[name]
            sys.modules.update(in_use)
            # Importing also hangs the package on its parent, where `import games.rules.x as x` would find it.
            sys.modules["games"].rules = in_use["games.rules"]  # type: ignore[attr-defined]
    return _loaded


_loaded: dict[str, ModuleType] = {}


def source_only(path: str) -> FileFinder:
    """A path hook for `sys.path_hooks` under which the rules are found as plain Python alone."""
    if Path(path) != _RULES:
        raise ImportError(path)
    return FileFinder(path, (SourceFileLoader, [".py"]))


Work = Callable[[], int]
"""Does a batch of work and answers how many units that were."""

PLAIN = "plain rules, Python agents"
COMPILED = "compiled rules, Python agents"
PLAYOUTS = "compiled rules, playouts in their own loop"
MATCHES = "whole matches, views and record made"
HEARTS_PYTHON = "OpenSpiel hearts, driven from Python"
HEARTS_CPP = "OpenSpiel hearts, evaluate_bots in C++"
UNITS = {PLAYOUTS: "rounds/s", HEARTS_CPP: "hands/s"}

PLAYERS = 4
HANDS_A_BATCH = 5
ROUNDS_A_BATCH = 20
PLAYOUTS_A_BATCH = 5_000
ALL_GOLD = (1 << GOLD_RANKS) - 1

# The bits up to a place, the place included.
UP_TO = [(2 << place) - 1 for place in range(BID_OF)]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One speed is to be at least so many times another."""

    name: str
    times: float
    other: str


COMPARISONS = (
    Comparison(PLAIN, 2.5, HEARTS_PYTHON),
    Comparison(COMPILED, 2, PLAIN),
    Comparison(COMPILED, 6, HEARTS_PYTHON),
    Comparison(PLAYOUTS, 10, HEARTS_CPP),
    Comparison(MATCHES, 0.25, COMPILED),
)


def measure_rules(*, against: str, runs: int, seconds: float) -> Survey:
    if runs < 1 or not 0 < seconds <= 60:
        raise CommandError("--runs is at least 1, --seconds more than 0 and at most 60.")
    works = list_own_works()
    notes = [] if is_compiled() else ["The rules are not compiled here: they run as plain Python."]
    if against and has_open_spiel():
        works |= {HEARTS_PYTHON: hearts_from_python(), HEARTS_CPP: hearts_in_cpp()}
    elif against:
        notes.append("OpenSpiel (the package open_spiel) is not installed here: there is nothing to compare with.")
    with progress_bar("measuring", len(works) * runs) as advance:
        speeds = measure_medians(works, runs, seconds, advance)
    return Survey(f"The rules on one core, medians of {runs} runs", list_figures(speeds), notes)


def list_own_works() -> dict[str, Work]:
    works = {PLAIN: rounds_with_agents(load_plain("round"))}
    if is_compiled():
        works |= {COMPILED: rounds_with_agents(load_module("round")), PLAYOUTS: playouts()}
    return works | {MATCHES: whole_matches()}


def list_figures(speeds: dict[str, float]) -> list[Figure]:
    """The speeds, each followed by the goals that can be told from them."""
    figures = []
    for name, speed in speeds.items():
        unit = UNITS.get(name, "decisions/s")
        figures.append(Figure(name, "speed", speed, unit))
        for goal in COMPARISONS:
            if goal.name == name and goal.other in speeds:
                times = speed / speeds[goal.other]
                figures.append(Figure(name, f"beside {goal.other}", speed, unit, at_least_times(goal.times), times))
    return figures


def measure_speed(work: Work, seconds: float) -> float:
    """Units a second of this process's CPU time, which other load on the machine disturbs less than the clock."""
    units = 0
    start = time.process_time()
    end = start
    while end - start < seconds:
        units += work()
        end = time.process_time()
    return units / (end - start)


def measure_medians(
    works: dict[str, Work], runs: int, seconds: float, advance: Callable[[int], object]
) -> dict[str, float]:
    """The median of several runs of each; runs take turns, so that a slow moment hits all alike."""
    speeds: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(runs):
        for name, work in works.items():
            speeds[name].append(measure_speed(work, seconds))
            advance(1)
    return {name: median(values) for name, values in speeds.items()}


class RandomAgent:
    """A random agent in plain Python: what a bot costs at least. It sees views, or whole rounds where no table is.

    It takes the first legal action from a random place down, which is not quite uniform, but needs no list of them.
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed).random

    def choose(self, view: View | Round) -> int:
        legal = view.legal
        if view.phase == CHANGE:
            return self.change_bid(legal) if self.random() < 0.5 else KEEP
        return (legal & UP_TO[int(self.random() * BID_OF)] or legal).bit_length() - 1

    def change_bid(self, legal: int) -> int:
        gold = self.pick_bit(legal >> GOLD & ALL_GOLD, GOLD_RANKS)
        return swap_action(gold, self.pick_bit(legal >> BID_OF, 4), self.pick_bit(legal & ALL_METALS, METALS))

    def pick_bit(self, mask: int, width: int) -> int:
        return (mask & UP_TO[int(self.random() * width)] or mask).bit_length() - 1


def rounds_with_agents(round_module: ModuleType) -> Work:
    """Decisions of rounds that Python deals and plays on the Round of this module, plain or compiled."""
    make_round = round_module.Round
    choose = RandomAgent(0).choose
    draw_key = random.Random(1).random
    bits = [1 << card for card in deck(PLAYERS)]

    def work() -> int:
        decisions = 0
        for number in range(ROUNDS_A_BATCH):
            bits.sort(key=lambda bit: draw_key())
            hands = [sum(bits[seat * HAND_SIZE : (seat + 1) * HAND_SIZE]) for seat in range(PLAYERS)]
            round_ = make_round(PLAYERS, hands, number % PLAYERS, True)
            while round_.phase != OVER:
                round_.apply(choose(round_))
                decisions += 1
        return decisions

    return work


def playouts() -> Work:
    """Rounds that the rules deal and play out in their own loop."""
    rng = random.Random(2)

    def work() -> int:
        random_rounds(PLAYERS, PLAYOUTS_A_BATCH, rng.getrandbits(63))
        return PLAYOUTS_A_BATCH

    return work


def whole_matches() -> Work:
    """Decisions of three-player matches dealt from seeds, with a view for every decision and a record at the end."""
    agents = [RandomAgent(seat) for seat in range(3)]
    ruleset = Ruleset(3)
    number = 0

    def work() -> int:
        nonlocal number
        number += 1
        match = Match(ruleset, derive_seed(bytes(32), f"bench {number}"))
        play_match(match, agents)
        make_record(match)
        return len(match.log)

    return work


def has_open_spiel() -> bool:
    """A trick-taking game in C++ as a yardstick; used where it is installed, never installed by us."""
    return find_spec("pyspiel") is not None


def hearts_from_python() -> Work:
    """Decisions of hands that Python deals and plays, as `rounds_with_agents` does with ours."""
    game: Any = import_module("pyspiel").load_game("hearts")
    rng = random.Random(1)

    def work() -> int:
        decisions = 0
        for _ in range(HANDS_A_BATCH):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    cards, odds = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(rng.choices(cards, odds)[0])
                else:
                    actions = state.legal_actions()
                    state.apply_action(actions[int(rng.random() * len(actions))])
                    decisions += 1
        return decisions

    return work


def hearts_in_cpp() -> Work:
    """Hands that OpenSpiel deals and plays in its own loop, `evaluate_bots` with its uniform random bots."""
    pyspiel: Any = import_module("pyspiel")
    game = pyspiel.load_game("hearts")
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(4)]
    rng = random.Random(2)

    def work() -> int:
        for _ in range(HANDS_A_BATCH):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, rng.getrandbits(30))
        return HANDS_A_BATCH

    return work
