"""The example match in the documentation is what the code sends today, to the letter."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bots.brains import make_brain
from bots.contract import (
    TimeLeft,
    make_decide,
    make_happened,
    make_hello,
    make_match_end,
    make_match_start,
)
from games.rules.actions import action_text
from games.rules.match import Match
from games.rules.ruleset import Ruleset
from games.rules.view import view

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLE = DOCS / "bot_match.jsonl"
# The shortest of four hundred.
SEED = (24).to_bytes(32, "big")
NAMES = ("Lodestone", "Random", "Greedy")
TIME = TimeLeft(2.0, 10.0)
HEADING = "Views after the first are left out here.\n```\n"


def tell_example() -> Iterator[dict[str, Any]]:
    """Everything that is sent to the bot at seat 0 of one match, and every answer of it."""
    ruleset = Ruleset()
    match = Match(ruleset, SEED)
    agents = [make_brain(name, seat) for seat, name in enumerate(("greedy", "random", "greedy"))]
    yield {"to": make_hello(NAMES[0], clock="wall")}
    yield {"to": make_match_start(match=7, ruleset=ruleset, seat=0, names=NAMES, chance=42)}
    told = 0
    while match.result is None:
        seat = match.round.turn
        seen = view(match, seat)
        action = agents[seat].choose(seen)
        if seat == 0:
            if seen.log_end > told:
                yield {"to": make_happened(7, seen, told)}
                told = seen.log_end
            yield {"to": make_decide(7, seen, TIME)}
            yield {"from": {"action": action_text(seen.phase, action)}}
        match.apply(seat, action)
    yield {"to": make_happened(7, view(match, 0), told)}
    yield {"to": make_match_end(7, 0, match.result, [])}


def shorten_example(lines: list[dict[str, Any]]) -> str:
    """The same for readers: `>` to the bot, `<` from it, and the view in the first question only."""
    shown = []
    has_view = False
    for line in lines:
        [(way, message)] = line.items()
        if message.get("type") == "decide" and has_view:
            message = {**message, "view": "…"}
        has_view = has_view or message.get("type") == "decide"
        shown.append(f"{'>' if way == 'to' else '<'} {json.dumps(message, ensure_ascii=False)}\n")
    return "".join(shown)


def split_manual() -> tuple[str, str, str]:
    """The manual before, in and after its example."""
    before, _, rest = (DOCS / "BOTS.md").read_text().partition(HEADING)
    example, _, after = rest.partition("```\n")
    return before, example, after


def test_the_manual_shows_the_same_match() -> None:
    assert split_manual()[1] == shorten_example(list(tell_example()))


def test_the_example_match_is_what_the_code_sends() -> None:
    stored = [json.loads(line) for line in EXAMPLE.read_text().splitlines()]
    assert stored == list(tell_example())
    kinds = {line["to"]["type"] for line in stored if "to" in line}
    assert kinds == {"hello", "match_start", "happened", "decide", "match_end"}


def test_the_documentation_names_every_message_verdict_and_command() -> None:
    text = (DOCS / "BOTS.md").read_text()
    kinds = ["hello", "match_start", "happened", "decide", "match_end", "ready", "closed"]
    verdicts = ["illegal", "timeout_cpu", "timeout_wall", "crash", "protocol", "output", "memory", "platform"]
    commands = ["aurum bot new", "aurum bot check", "aurum bot play", "aurum bot connect"]
    assert [word for word in (*kinds, *verdicts) if f"`{word}`" not in text] == []
    assert [command for command in commands if command not in text] == []


if __name__ == "__main__":
    before, _, after = split_manual()
    example = shorten_example(list(tell_example()))
    (DOCS / "BOTS.md").write_text(f"{before}{HEADING}{example}```\n{after}")
    EXAMPLE.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in tell_example()))
