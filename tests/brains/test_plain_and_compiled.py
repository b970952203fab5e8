"""The counting policy decides the same plain and compiled, where it is compiled at all."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from bots.brains import policy, tally
from games.rules.match import Match
from games.rules.ruleset import Ruleset
from games.rules.view import view

FOLDER = Path(policy.__file__).parent
IS_COMPILED = not str(policy.__file__).endswith(".py")


def load_plain(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"bots.brains.{name}", FOLDER / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(not IS_COMPILED, reason="the house bots are not compiled here")
@pytest.mark.parametrize("code", ["en3", "de4"])
def test_plain_and_compiled_decide_alike(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plain_tally = load_plain("tally")
    monkeypatch.setitem(sys.modules, "bots.brains.tally", plain_tally)
    plain_policy = load_plain("policy")
    for number in range(20):
        match = Match(Ruleset.from_code(code), bytes([number] * 32))
        while not match.is_over:
            seat = match.round.turn
            seen = view(match, seat)
            hands = [seen.hand if other == seat else 0 for other in range(match.players)]
            plain = plain_policy.choose_action(plain_tally.Tally(), seen.imagine(hands), seat, seen.set_aside)
            compiled = policy.choose_action(tally.Tally(), seen.imagine(hands), seat, seen.set_aside)
            assert plain == compiled
            match.apply(seat, compiled)
