"""Training: gradients are right, whole numbers answer as the floats do, and the same seed makes the same weights."""

import argparse
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from bots.brains.features import ALL_FEATURES, OWN_FEATURES
from bots.brains.learnt import LearntPolicy, Outlook, best_value
from bots.brains.net import VALUE_UNIT, Net
from bots.training.calibrate import fit_scale
from bots.training.compare import Row, find_interval, make_maker, play_deals, tell_rows
from bots.training.fit import Trainer, TrainingBatch, make_batch
from bots.training.train import Manner, SelfPlay, Training
from games.rules.match import Match
from games.rules.ruleset import Ruleset, all_rulesets
from games.rules.view import view


def play_some(players: int, matches: int = 2) -> SelfPlay:
    policy = LearntPolicy(Net(Trainer(OWN_FEATURES, 1, 5).whole_numbers()))
    table = SelfPlay(players, policy, Manner(), 3)
    for _ in range(matches):
        table.play_match()
    return table


def make_one(table: SelfPlay, outputs: int) -> TrainingBatch:
    samples, features = (table.own, OWN_FEATURES) if outputs == 1 else (table.whole, ALL_FEATURES)
    active, starts, worths = samples.as_arrays()
    return make_batch(active, starts, worths[:, :outputs], np.arange(len(starts) - 1), features)


@pytest.mark.parametrize("players", [3, 4])
def test_every_decision_has_its_worth(players: int) -> None:
    table = play_some(players)
    for samples, features in ((table.own, OWN_FEATURES), (table.whole, ALL_FEATURES)):
        active, starts, worths = samples.as_arrays()
        assert len(starts) - 1 == len(worths) > 50
        assert active.min() >= 0 and active.max() < features
        assert worths.shape[1] == table.sides
        for start, end in pairwise(starts):
            assert len(set(active[start:end].tolist())) == end - start, "a feature holds once"


def test_the_slope_is_the_slope(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against differences, on weights of every layer."""
    batch = make_one(play_some(3), 1)
    trainer = Trainer(OWN_FEATURES, 1, 2)
    slopes: dict[str, np.ndarray] = {}
    monkeypatch.setattr(trainer, "descend", lambda found, rate: slopes.update(found))
    before = trainer.learn(batch, 0.0)
    trainer.weights = {name: value.astype(np.float64) for name, value in trainer.weights.items()}
    for name, slope in slopes.items():
        place = np.unravel_index(np.argmax(np.abs(slope)), slope.shape)
        trainer.weights[name][place] += 1e-4
        after = trainer.learn(TrainingBatch(batch.told, batch.worths), 0.0)
        trainer.weights[name][place] -= 2e-4
        under = trainer.learn(TrainingBatch(batch.told, batch.worths), 0.0)
        trainer.weights[name][place] += 1e-4
        assert (after - under) / 2e-4 == pytest.approx(float(slope[place]), rel=0.05), name
    assert before > 0


def test_learning_lowers_the_error() -> None:
    batch = make_one(play_some(4, matches=6), 2)
    trainer = Trainer(ALL_FEATURES, 2, 4)
    errors = [trainer.learn(batch, 1e-3) for _ in range(40)]
    assert errors[-1] < 0.8 * errors[0]


def test_whole_numbers_answer_as_the_floats_do() -> None:
    trainer = Trainer(OWN_FEATURES, 1, 6)
    policy = LearntPolicy(Net(trainer.whole_numbers()))
    match = Match(Ruleset.from_code("en3"), bytes(32))
    seen = view(match, match.round.turn)
    told = best_value(policy, seen)
    best = max(range(policy.count), key=lambda place: policy.values[place])
    policy.features.look(match.round, seen.seat, 0)
    policy.features.add_action(match.round, seen.seat, policy.actions[best])
    active = np.array([policy.features.active[place] for place in range(policy.features.count)])
    batch = make_batch(active, np.array([0, len(active)]), np.zeros((1, 1)), np.array([0]), OWN_FEATURES)
    assert told == pytest.approx(float(trainer.run(batch.told)[2][0, 0]), abs=0.03)
    assert policy.values[best] / VALUE_UNIT == told


def test_a_weight_that_does_not_fit_is_refused() -> None:
    trainer = Trainer(OWN_FEATURES, 1, 6)
    trainer.weights["rows"][0, 0] = 1000
    with pytest.raises(ValueError, match="smaller rate"):
        trainer.whole_numbers()


def train(folder: Path, rounds: int) -> dict[str, bytes]:
    told = argparse.Namespace(
        players=3, folder=folder, minutes=60, rounds=rounds, matches=4, rate=1e-3, least_rate=1e-4, seed=9
    )
    Training(told).run()
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix == ".npz"}


def test_the_same_seed_makes_the_same_weights(tmp_path: Path) -> None:
    one, other = (train(tmp_path / name, 3) for name in ("one", "other"))
    assert set(one) == {"learnt3.npz", "champion3.npz", "learnt3.checkpoint.npz", "champion3.checkpoint.npz"}
    for name in ("learnt3.npz", "champion3.npz"):
        with np.load(tmp_path / "one" / name) as first, np.load(tmp_path / "other" / name) as second:
            assert all(np.array_equal(first[key], second[key]) for key in first.files)
    assert len((tmp_path / "one" / "log.jsonl").read_text().splitlines()) == 3
    assert other


@pytest.mark.parametrize("name", ["learnt@{}", "champion:4@{}", "champion:4", "search:2", "seeing:4"])
def test_bots_are_compared_and_the_log_is_gone_on_with(tmp_path: Path, name: str) -> None:
    if "@" in name:
        train(tmp_path, 1)
    log = tmp_path / "compare.jsonl"
    asked = name.format(tmp_path), "random", [Ruleset.from_code("en3")]
    first = list(play_deals(*asked, range(1), bytes(32), log))
    both = list(play_deals(*asked, range(2), bytes(32), log))
    assert [(row.deal, row.side) for row in both] == [(deal, side) for deal in (0, 1) for side in (0, 1, 2)]
    assert [row.share for row in both[:3]] == [row.share for row in first]
    assert len(log.read_text().splitlines()) == 6
    assert all(0 <= row.share <= 1 and row.decisions[0] > 0 and row.cpu[0] > 0 for row in both)
    assert "in 2 deals, even 33.3" in tell_rows("en3", both)


def test_a_bot_that_is_none_is_refused() -> None:
    with pytest.raises(KeyError):
        make_maker("grandmaster")


def test_an_interval_is_over_deals() -> None:
    """Three matches of a deal are one observation: won once each time, nothing is left to chance."""
    rows = [Row("one", "other", "en3", deal, side, float(side == 0), (1, 1), (0, 0))
            for deal in range(4) for side in range(3)]  # fmt: skip
    assert find_interval(rows) == pytest.approx((1 / 3, 0, 4))
    wider = find_interval([*rows, Row("one", "other", "en3", 9, 0, 1.0, (1, 1), (0, 0))])
    assert wider[1] == pytest.approx(2.776 * 0.298 / 5**0.5, rel=1e-3)


def test_a_scale_rises() -> None:
    draw = np.random.default_rng(1)
    values = draw.random(5000)
    values_told, shares = fit_scale(np.column_stack([values, draw.random(5000) < 0.2 + 0.6 * values]))
    assert (np.diff(shares) >= 0).all() and (np.diff(values_told) > 0).all()
    assert np.abs(shares - (0.2 + 0.6 * values_told)).max() < 0.1


@pytest.mark.parametrize("ruleset", all_rulesets()[::7], ids=lambda ruleset: ruleset.code)
def test_an_outlook_is_a_share(ruleset: Ruleset) -> None:
    match = Match(ruleset, bytes(32))
    assert 0 <= Outlook(ruleset.players).win_chance(view(match, match.round.turn)) <= 1
