"""`aurum ladder`: rotated deals, the order of the house bots, and an honest verdict."""

import argparse

import pytest

from aurum_league.cli import ladder
from aurum_league.cli.main import CommandError
from games.rules.ruleset import Ruleset
from tournaments.rules.crosstable import MeanInterval


def parse(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    ladder.add_arguments(parser)
    return parser.parse_args(arguments)


@pytest.mark.parametrize("code", ["en3", "en4"])
def test_equal_bots_share_a_block_evenly(code: str) -> None:
    """A bot without luck against itself wins every deal exactly once over all rotations."""
    step = ladder.Rung(Ruleset.from_code(code), "counting", "counting")
    for number in range(5):
        assert sum(ladder.play_block(step, bytes([number] * 32))) == pytest.approx(1)


STEPS = [("greedy", "random"), ("counting", "greedy"), ("learner", "counting"), ("learnt", "learner")]


@pytest.mark.parametrize("code", ["en3", "en4"])
@pytest.mark.parametrize(("better", "other"), STEPS)
def test_each_step_is_clearly_better(code: str, better: str, other: str) -> None:
    ruleset = Ruleset.from_code(code)
    interval = ladder.play_step(ladder.Rung(ruleset, better, other), bytes(32), 60, lambda steps: None)
    assert ladder.judge_step(interval, 1 / ruleset.sides) == "better"


def test_prints_the_table_with_its_seed(capsys: pytest.CaptureFixture[str]) -> None:
    assert ladder.run(parse("random", "greedy", "--players", "3", "--blocks", "5", "--seed", "ab")) == 0
    told = capsys.readouterr().out
    assert "ab" in told.splitlines()[0]
    assert "two random" in told


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        pytest.param(0.34, 0.5, "better", id="clear of even"),
        pytest.param(0.3, 0.5, "level", id="even lies within"),
        pytest.param(0.1, 0.2, "worse", id="below even"),
        pytest.param(None, None, "", id="no interval, no claim"),
    ],
)
def test_the_verdict_is_the_interval(low: float | None, high: float | None, verdict: str) -> None:
    assert ladder.judge_step(MeanInterval(0.4, low, high, None, 9), 1 / 3) == verdict


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["greedy"], id="one bot"),
        pytest.param(["greedy", "grandmaster"], id="unknown bot"),
        pytest.param(["random", "greedy", "--blocks", "1"], id="one deal"),
    ],
)
def test_refuses_what_is_no_ladder(arguments: list[str]) -> None:
    with pytest.raises(CommandError):
        ladder.run(parse(*arguments))
