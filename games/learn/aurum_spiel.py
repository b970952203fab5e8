"""Aurum for OpenSpiel: importing this module registers `python_aurum`, so that its algorithms run on it.

Needs the extra `[learn]`. One episode is one round by default, `rounds=match` plays a whole match. Chance deals card by
card, so that every deal is a walk through the tree; three players bid one after another without seeing each other's.
"""

from typing import Any

import numpy as np
import pyspiel

from games.learn.spaces import ACTIONS, BITS, Change, list_actions, observe_view, to_rules, unpack
from games.rules.cards import HAND_SIZE, deck
from games.rules.deal import Deal
from games.rules.match import Match
from games.rules.ruleset import Ruleset
from games.rules.view import view

LONGEST = 2000
MOST_POINTS = 60.0

_TYPE = pyspiel.GameType(
    short_name="python_aurum",
    long_name="Aurum",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=4,
    min_num_players=3,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=False,
    parameter_specification={"ruleset": "en3", "episode": "round"},
)


class AurumGame(pyspiel.Game):
    """`ruleset` is a code such as `de4-nozero`; `episode` is `round`, paid in points, or `match`, paid in places."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        told = params or {}
        self.ruleset = Ruleset.from_code(told.get("ruleset", "en3"))
        self.is_match = told.get("episode", "round") == "match"
        players = self.ruleset.players
        info = pyspiel.GameInfo(
            num_distinct_actions=ACTIONS, max_chance_outcomes=51, num_players=players, min_utility=0.0,
            max_utility=1.0 if self.is_match else MOST_POINTS, utility_sum=None, max_game_length=LONGEST,
        )  # fmt: skip
        super().__init__(_TYPE, info, told)

    def new_initial_state(self) -> "AurumState":
        return AurumState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "AurumObserver":
        return AurumObserver()


class DealtCards:
    """Deals that chance has drawn, one round after another; lots fall as they lie, since no seed draws them."""

    def __init__(self, first_seat: int, players: int) -> None:
        self.first_seat = first_seat
        self.players = players
        self.cards: list[list[int]] = []

    def deal(self, round_number: int) -> Deal:
        """Nobody has a card until chance has dealt them all."""
        drawn = self.cards[round_number - 1] if round_number <= len(self.cards) else []
        hands = [0] * self.players
        for place, card in enumerate(drawn[: HAND_SIZE * self.players]):
            hands[place // HAND_SIZE] |= 1 << card
        return Deal(tuple(hands), sum(1 << card for card in drawn[HAND_SIZE * self.players :]))

    def draw_lots(self, sides: Any) -> list[int]:
        return sorted(sides)


class AurumState(pyspiel.State):
    """Chance deals a round, seats play it; `match` has the rounds so far and, once dealt, the one being played."""

    def __init__(self, game: AurumGame) -> None:
        super().__init__(game)
        self.ruleset = game.ruleset
        self.is_match = game.is_match
        self.drawn: list[int] = []
        self.first_seat = -1
        self.done: list[tuple[int, int]] = []
        self.changes = [Change() for _ in range(self.ruleset.players)]
        self.match: Match | None = None
        self.rounds = 0

    @property
    def is_dealing(self) -> bool:
        return not self.is_terminal() and len(self.drawn) < self._wanted()

    def _wanted(self) -> int:
        return len(deck(self.ruleset.players)) * (self.rounds + 1)

    def current_player(self) -> int:
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        if self.is_dealing or self.match is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(self.match.round.turn)

    def is_terminal(self) -> bool:
        if self.match is None:
            return False
        return self.match.result is not None or (not self.is_match and self.rounds > 0)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """First who is the first player, then card after card."""
        if self.first_seat < 0:
            outcomes = list(range(self.ruleset.players))
        else:
            gone = set(self.drawn[self._wanted() - len(deck(self.ruleset.players)) :])
            outcomes = [card for card in deck(self.ruleset.players) if card not in gone]
        return [(outcome, 1.0 / len(outcomes)) for outcome in outcomes]

    def _legal_actions(self, player: int) -> list[int]:
        assert self.match is not None
        return list_actions(view(self.match, player), self.changes[player])

    def _apply_action(self, action: int) -> None:
        if self.is_dealing or self.match is None:
            self._deal(action)
            return
        seat = self.match.round.turn
        whole = to_rules(view(self.match, seat), self.changes[seat], action)
        if whole is None:
            return
        self.match.apply(seat, whole)
        self.done.append((seat, whole))
        self.rounds = len(self.match.rounds)

    def _deal(self, action: int) -> None:
        if self.first_seat < 0:
            self.first_seat = action
            return
        self.drawn.append(action)
        if len(self.drawn) == self._wanted():
            self._open()

    def _open(self) -> None:
        """Play again what was played, with the new round dealt."""
        size = len(deck(self.ruleset.players))
        deals = DealtCards(self.first_seat, self.ruleset.players)
        deals.cards = [self.drawn[start : start + size] for start in range(0, len(self.drawn), size)]
        self.match = Match(self.ruleset, None, deals)
        for seat, whole in self.done:
            self.match.apply(seat, whole)

    def returns(self) -> list[float]:
        players = range(self.ruleset.players)
        sides = self.ruleset.sides
        if not self.is_terminal() or self.match is None:
            return [0.0 for _ in players]
        if not self.is_match:
            return [float(self.match.rounds[0].outcome.scores[seat % sides].total) for seat in players]
        assert self.match.result is not None
        first = self.match.result.places[0]
        return [1.0 / len(first) if seat % sides in first else 0.0 for seat in players]

    def _action_to_string(self, player: int, action: int) -> str:
        return f"{player}:{action}"

    def __str__(self) -> str:
        return f"{self.ruleset.code} {self.first_seat} {self.drawn} {self.done} {self.changes}"


class AurumObserver:
    """What a seat sees, as the bits of spaces.py; all that has happened before its eyes, as text."""

    def __init__(self) -> None:
        self.tensor = np.zeros(BITS, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: AurumState, player: int) -> None:
        self.tensor.fill(0)
        if state.match is not None and not state.is_dealing:
            change = state.changes[player]
            self.tensor[:] = unpack(observe_view(view(state.match, player), change.spent, change.whose))

    def string_from(self, state: AurumState, player: int) -> str:
        if state.match is None or state.is_dealing:
            return "dealing"
        seen = view(state.match, player)
        change = state.changes[player]
        told = seen.to_dict()
        return f"{told} {change.spent} {change.whose}"


pyspiel.register_game(_TYPE, AurumGame)
