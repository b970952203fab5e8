"""The agent of an uploaded bot: what it is told, and what its author is shown when it fails."""

import json
from pathlib import Path
from typing import Any

import pytest

from bots.agents.conformance import LOCAL_BOT, check_bot
from bots.agents.uploaded import SandboxedAgent
from bots.brains import make_brain
from bots.runners.budget import Limits
from games.play.agents import AgentFault, SeatOrder, close_agent
from games.play.table import Table
from games.rules.match import Match
from games.rules.ruleset import Ruleset
from games.rules.view import view
from tests.bots.conftest import SOURCES

RULESET = Ruleset()
ANSWERS_ONCE = """
import sys
for line in sys.stdin.buffer:
    if b'"decide"' in line:
        sys.stdout.buffer.write({answer})
        sys.stdout.buffer.flush()
        sys.exit(0)
"""
ORDER = SeatOrder(LOCAL_BOT, 0, RULESET, 7, 42, ("A", "B", "C"))


def play_to_the_end(agent: SandboxedAgent) -> Match:
    match = Match(RULESET, bytes(32))
    others = [make_brain("random", seat) for seat in (1, 2)]
    table = Table(match, [agent, *others], lambda seat: make_brain("greedy", seat))
    assert table.advance() == ()
    assert table.failures == []
    return match


def test_a_bot_is_told_all_that_happened_and_how_the_match_ended() -> None:
    agent = SandboxedAgent(ORDER, SOURCES / "farewell.py")
    match = play_to_the_end(agent)
    close_agent(agent)
    told = [json.loads(line) for line in agent.stderr.splitlines()]
    assert [message["type"] for message in told[:2]] == ["hello", "match_start"]
    events = [event for message in told if message["type"] == "happened" for event in message["events"]]
    assert [event["counter"] for event in events] == list(range(len(match.log)))
    assert told[-1]["type"] == "match_end" and told[-1]["forfeits"] == []
    assert match.result is not None and told[-1]["result"]["totals"] == list(match.result.totals)


@pytest.mark.parametrize(
    "last_deed",
    [
        pytest.param("while True: pass", id="spins"),
        pytest.param("time.sleep(600)", id="sleeps"),
        pytest.param("while True: print('more' * 1000)", id="floods stdout"),
        pytest.param("while True: sys.stderr.write('e' * 10000)", id="floods stderr"),
    ],
)
def test_a_bot_that_will_not_go_holds_nobody_up(tmp_path: Path, last_deed: str) -> None:
    source = (SOURCES / "any_legal.py").read_text()
    (tmp_path / "main.py").write_text(f"import sys, time\n{source}\n{last_deed}\n")
    agent = SandboxedAgent(ORDER, tmp_path)
    play_to_the_end(agent)
    # Were it waited for, the limit of every test would end this one.
    close_agent(agent)


@pytest.mark.parametrize(
    ("answer", "verdict", "shown"),
    [
        pytest.param("b'play B7\\n'", "protocol", "play B7", id="no JSON"),
        pytest.param("b'[1]\\n'", "protocol", "[1]", id="no object"),
        pytest.param("b'\\xff\\x00{\\n'", "protocol", r"\xff\x00{", id="no text"),
        pytest.param("b'{}\\n{}\\n'", "protocol", "{}\n{}\n", id="two lines"),
        pytest.param("b'{'", "crash", "{", id="half a line"),
        pytest.param("b'<script>' * 9000", "output", "[…] (", id="too long"),
        pytest.param('b\'{"action": "play G9"}\\n\'', "illegal", '{"action": "play G9"}', id="illegal"),
    ],
)
def test_the_author_sees_what_the_bot_wrote(tmp_path: Path, answer: str, verdict: str, shown: str) -> None:
    (tmp_path / "main.py").write_text(ANSWERS_ONCE.format(answer=answer))
    agent = SandboxedAgent(ORDER, tmp_path)
    with pytest.raises(AgentFault) as failed:
        agent.choose(view(Match(RULESET, bytes(32)), 0))
    assert (failed.value.verdict, '"type":"decide"' in failed.value.asked) == (verdict, True)
    assert shown in failed.value.answered
    assert len(failed.value.answered) < 2_100


REPORTS_ALL = """
import sys
for line in sys.stdin:
    print(line, end="", file=sys.stderr)
    if '"decide"' in line:
        sys.exit(1)
"""


def read_told(stderr: str) -> dict[str, dict[str, Any]]:
    return {message["type"]: message for message in map(json.loads, stderr.splitlines())}


def test_nothing_tells_a_check_from_a_match(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(REPORTS_ALL)
    with pytest.raises(AgentFault) as failed:
        SandboxedAgent(ORDER, tmp_path).choose(view(Match(RULESET, bytes(32)), 0))
    played = read_told(failed.value.stderr)
    checks = []
    for _ in range(2):
        fault = check_bot(tmp_path, names=("A", "B", "C", "D")).fault
        assert fault is not None
        checks.append(read_told(fault.stderr))
    for told in checks:
        assert {kind: set(message) for kind, message in told.items()} == {
            kind: set(message) for kind, message in played.items()
        }
        start = told["match_start"]
        assert told["hello"]["bot"] == start["seats"][start["seat"]] == "A"
        assert len(set(start["seats"])) == len(start["seats"]) and set(start["seats"]) < {"A", "B", "C", "D"}
        assert start["match"] == told["decide"]["match"] > 1_000 and int(start["chance"], 16) > 1_000
    assert played["match_start"]["match"] not in (ORDER.match, checks[0]["match_start"]["match"])
    for key in ("match", "chance"):
        assert checks[0]["match_start"][key] != checks[1]["match_start"][key]
    hands = [told["decide"]["view"]["round"]["hand"] for told in checks]
    assert hands[0] != hands[1], "a deal that is always the same is as good as a sign"


def test_a_sleeper_gets_no_new_time_with_a_new_process(tmp_path: Path) -> None:
    """Three strikes and the seat is lost; after the first the others must not be waited for."""
    (tmp_path / "main.py").write_text("import time\ntime.sleep(600)\n")
    agent = SandboxedAgent(ORDER, tmp_path, Limits(bank_wall=0.5))
    seen = view(Match(RULESET, bytes(32)), 0)
    for _ in range(3):
        with pytest.raises(AgentFault) as failed:
            agent.choose(seen)
        assert failed.value.verdict == "timeout_wall"
        assert "on the wall" in failed.value.detail
        assert agent._left.bank_wall == 0


def test_a_traceback_names_the_author_s_files_and_none_of_ours(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("import cards\ninput()\ncards.play()\n")
    (tmp_path / "cards.py").write_text("import json\n\n\ndef play():\n    json.loads('{')\n")
    agent = SandboxedAgent(ORDER, tmp_path)
    with pytest.raises(AgentFault) as failed:
        agent.choose(view(Match(RULESET, bytes(32)), 0))
    stderr = failed.value.stderr
    assert 'File "main.py", line 3' in stderr and 'File "cards.py", line 5, in play' in stderr
    assert "python3" in stderr and 'File "/' not in stderr and "bot_main" not in stderr
