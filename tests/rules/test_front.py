"""The front of the rules as an author of bots uses it: a match played, seen, written down and verified."""

import subprocess
import sys

import pytest

import games.rules
from games.rules import (
    IllegalAction,
    Match,
    RecordFault,
    Ruleset,
    View,
    all_rulesets,
    dump_record,
    load_record,
    make_record,
    replay,
    rules_in_force,
    verify,
)

SEED = bytes(range(32))


def play_first_legal(match: Match) -> None:
    """A bot in three lines: whoever is awaited does the first thing they may."""
    while not match.is_over:
        seat = match.awaiting()[0]
        match.apply_text(seat, View(match, seat).legal_texts()[0])


@pytest.mark.parametrize("ruleset", all_rulesets(), ids=lambda ruleset: ruleset.code)
def test_a_match_is_played_recorded_and_verified(ruleset: Ruleset) -> None:
    match = Match(ruleset, SEED)
    play_first_legal(match)
    line = dump_record(make_record(match, with_seed=True))
    assert verify(load_record(line)).result == match.result
    assert replay(ruleset, SEED, match.log).result == match.result


def test_what_is_wrong_is_said() -> None:
    match = Match(Ruleset.from_code("en4"), SEED)
    with pytest.raises(IllegalAction, match="play G0"):
        match.apply_text(match.awaiting()[0], "play G0")
    play_first_legal(match)
    record = make_record(match)
    record["result"]["totals"][0] += 1
    with pytest.raises(RecordFault, match="totals"):
        verify(record)


def test_a_view_is_what_a_bot_is_sent() -> None:
    match = Match(Ruleset.from_code("en3-nozero"), SEED)
    told = View(match, 0).to_dict()
    assert told["legal"] == list(View(match, 0).legal_texts())
    assert told["round"]["hand_sizes"] == [12, 12, 12]


def test_the_rules_in_words() -> None:
    texts = [rule.text for rule in rules_in_force(Ruleset.from_code("en3-nozero"))]
    assert any("out of the game" in text for text in texts)


@pytest.mark.parametrize("name", games.rules.__all__)
def test_everything_in_front_is_documented_there(name: str) -> None:
    assert hasattr(games.rules, name)
    assert f"`{name}" in (games.rules.__doc__ or "")


def test_the_rules_load_nothing_heavy() -> None:
    """A bot's process pays for what it imports: no Django, no numbers library."""
    code = "import sys, games.rules; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60)
    assert not {"django", "celery", "numpy", "redis", "psycopg", "httpx"} & set(done.stdout.split())
