"""PettingZoo, Gymnasium and OpenSpiel by their own tests, on every ruleset, and what they must not show."""

import warnings
from collections.abc import Iterator

import numpy as np
import pytest

pytest.importorskip("pettingzoo")
pytest.importorskip("pyspiel")

import pyspiel
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from bots.brains import make_brain
from games.learn import aurum_spiel, aurum_v1
from games.learn.aurum_gym import AurumGym
from games.learn.spaces import Change, from_rules, list_actions, to_rules, to_text
from games.rules.actions import action_text, legal_actions
from games.rules.cards import cards_in
from games.rules.match import Match
from games.rules.ruleset import all_rulesets
from games.rules.view import view

CODES = [ruleset.code for ruleset in all_rulesets()]


@pytest.fixture(autouse=True)
def hear_no_advice() -> Iterator[None]:
    """PettingZoo advises plain arrays where a mask goes with them; every other warning is an error."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*Observation.*", module="pettingzoo.*")
        yield


@pytest.mark.parametrize("code", CODES)
def test_pettingzoo_takes_every_ruleset(code: str) -> None:
    api_test(aurum_v1.env(code), num_cycles=60)
    seed_test(lambda: aurum_v1.env(code), num_cycles=30)
    parallel_api_test(aurum_v1.parallel_env(code), num_cycles=60)
    parallel_seed_test(lambda: aurum_v1.parallel_env(code), num_cycles=30)


@pytest.mark.parametrize("code", CODES)
def test_openspiel_takes_every_ruleset(code: str) -> None:
    assert aurum_spiel.AurumGame is not None
    game = pyspiel.load_game(f"python_aurum(ruleset={code},episode=round)")
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


def test_openspiel_plays_a_whole_match() -> None:
    game = pyspiel.load_game("python_aurum(ruleset=de3,episode=match)")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


class MaskedGym(AurumGym):
    """As Gymnasium's checker samples any action, one that is not legal is taken as the first that is."""

    def step(self, action: np.int64 | int) -> tuple[np.ndarray, float, bool, bool, dict[str, object]]:
        _, mask = self.episode.observe(self.seat)
        return super().step(action if mask[action] else int(np.flatnonzero(mask)[0]))


@pytest.mark.parametrize("code", ["en3", "ru4-cumulative"])
def test_gymnasium_takes_it(code: str) -> None:
    check_env(MaskedGym(lambda seed: make_brain("greedy", seed), code), skip_render_check=True)


def test_three_bid_at_once_in_the_parallel_form() -> None:
    table = aurum_v1.parallel_env("en3")
    seen, _ = table.reset(seed=4)
    bids = {name: int(np.flatnonzero(told["action_mask"])[0]) for name, told in seen.items()}
    table.step(bids)
    round_ = table.inner.episode.match.round
    assert [round_.bids[seat] for seat in range(3)] == list(bids.values())


def test_a_secret_bid_changes_no_observation() -> None:
    """Seat by seat the first bid is laid before the others bid: whatever it is, they see the same."""
    told = set()
    for pick in range(12):
        table = aurum_v1.raw_env("en3")
        table.reset(seed=8)
        bidder = table.agent_selection
        table.step(int(np.flatnonzero(table.observe(bidder)["action_mask"])[pick]))
        told.add(
            tuple(table.observe(name)["observation"].tobytes() for name in table.possible_agents if name != bidder)
        )
    assert len(told) == 1


@pytest.mark.parametrize("code", ["en3", "fr4", "de4-nozero"])
def test_every_action_of_the_contract_has_its_steps(code: str) -> None:
    """Through the codec and back, by number and by text, for all that is legal along a match."""
    ruleset = next(ruleset for ruleset in all_rulesets() if ruleset.code == code)
    match = Match(ruleset, bytes(range(32)))
    brains = [make_brain("counting", seat) for seat in range(ruleset.players)]
    while not match.is_over:
        seat = match.round.turn
        seen = view(match, seat)
        for whole in legal_actions(seen.phase, seen.legal):
            by_number, by_text = Change(), Change()
            *steps, last = from_rules(seat, ruleset.players, whole)
            for step in steps:
                assert step in list_actions(seen, by_number)
                assert to_rules(seen, by_number, step) is None
                assert to_text(seen, by_text, step) is None
            assert to_rules(seen, by_number, last) == whole
            assert to_text(seen, by_text, last) == action_text(seen.phase, whole)
        match.apply(seat, brains[seat].choose(seen))


def test_what_is_not_legal_is_refused_with_what_is() -> None:
    match = Match(all_rulesets()[0], bytes(32))
    seen = view(match, match.round.turn)
    with pytest.raises(ValueError, match="60 is not legal now; legal are"):
        to_rules(seen, Change(), 60)
    assert list_actions(seen, Change()) == list(cards_in(seen.hand))


@pytest.mark.parametrize("reward", ["match", "points", lambda match, seat: float(len(match.rounds))])
def test_rewards_can_be_chosen(reward: object) -> None:
    table = aurum_v1.raw_env("en3", reward=reward)  # type: ignore[arg-type]
    table.reset(seed=2)
    paid = 0.0
    while not all(table.terminations.values()):
        mask = table.observe(table.agent_selection)["action_mask"]
        table.step(int(np.flatnonzero(mask)[0]))
        paid += sum(table.rewards.values())
    assert paid == pytest.approx(1.0) if reward == "match" else paid > 1


def test_an_unknown_reward_is_refused() -> None:
    with pytest.raises(ValueError, match="A reward is one of match, points"):
        aurum_v1.raw_env("en3", reward="fame")
