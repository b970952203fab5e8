"""Rulesets: 64 of them, each with a code of its own."""

from typing import Any

import pytest

from games.rules.ruleset import Ruleset, RulesetError, all_rulesets


def test_there_are_64_and_codes_lead_back() -> None:
    assert len(set(all_rulesets())) == 64
    assert len({ruleset.code for ruleset in all_rulesets()}) == 64
    for ruleset in all_rulesets():
        assert Ruleset.from_code(ruleset.code) == ruleset
        assert Ruleset.from_dict(ruleset.to_dict()) == ruleset


@pytest.mark.parametrize(
    ("ruleset", "code"),
    [
        pytest.param(Ruleset(), "en3", id="the plainest"),
        pytest.param(
            Ruleset(4, "de", False, "cumulative", "golden_round"), "de4-nozero-cumulative-golden", id="all of it"
        ),
        pytest.param(Ruleset(3, "ru", scoring="cumulative"), "ru3-cumulative", id="cumulative"),
    ],
)
def test_code(ruleset: Ruleset, code: str) -> None:
    assert ruleset.code == code


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param({"players": 5}, "players is 5, but must be one of 3, 4", id="players"),
        pytest.param({"players": True}, "players is True", id="a truth is no number"),
        pytest.param({"edition": "it"}, "edition is 'it'", id="edition"),
        pytest.param({"zero_gold": 1}, "zero_gold is 1", id="a number is no truth"),
        pytest.param({"scoring": None}, "scoring is None", id="scoring"),
        pytest.param({"decider": ["shared"]}, "decider is", id="decider"),
    ],
)
def test_what_is_no_ruleset(change: dict[str, Any], message: str) -> None:
    with pytest.raises(RulesetError, match=message):
        Ruleset.from_dict(Ruleset().to_dict() | change)


def test_parts_and_codes_that_are_missing() -> None:
    with pytest.raises(RulesetError, match="names decider, edition, players, scoring, zero_gold"):
        Ruleset.from_dict({"players": 3})
    with pytest.raises(RulesetError, match="names"):
        Ruleset.from_dict([])
    with pytest.raises(RulesetError, match="There is no ruleset 'en5'"):
        Ruleset.from_code("en5")
