"""OpenSpiel's hearts, a trick-taking game in C++, as a yardstick; used where it is installed, never installed by us."""

import random
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from aurum_league.cli.benchmarks.speed import Work

HANDS_A_BATCH = 5


def is_installed() -> bool:
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
