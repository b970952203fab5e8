"""Agents by name: what each kind is, and that the text in rows and records is read and written without a loss."""

import re

import pytest

from games.play.agents import GUEST, AgentKind, AgentRef, SeatOrder, UnknownAgent, is_quick, open_agent
from games.rules.ruleset import Ruleset
from tests.architecture.sources import CHECKOUT, list_python


@pytest.mark.parametrize(
    ("text", "kind", "is_awaited", "public"),
    [
        pytest.param("house:counting", AgentKind.HOUSE, False, "house:counting", id="a house brain"),
        pytest.param("version:12", AgentKind.VERSION, False, "version:12", id="an upload"),
        pytest.param("connected:5", AgentKind.CONNECTED, True, "connected", id="a bot that connects"),
        pytest.param("person:7", AgentKind.PERSON, True, "person", id="a person"),
        pytest.param("person:guest", AgentKind.PERSON, True, "person", id="a guest"),
    ],
)
def test_text_and_reference_agree(text: str, kind: AgentKind, is_awaited: bool, public: str) -> None:
    agent = AgentRef.parse(text)
    assert str(agent) == text and agent.kind == kind and text.startswith(kind.prefix)
    assert (agent.is_awaited, agent.remembers_nothing, agent.public) == (is_awaited, not is_awaited, public)


def test_nobody_else_takes_a_text_apart() -> None:
    """The beginning of an agent's text is known in games/play/agents.py alone."""
    apart = re.compile(r"""["'](person|house|version|connected):(["'%{]|\w+["'])""")
    known = CHECKOUT / "games" / "play" / "agents.py"
    found = [
        f"{path.relative_to(CHECKOUT)}: {line.strip()}"
        for path in list_python("games", "bots", "tournaments")
        if path != known and "migrations" not in path.parts
        for line in path.read_text().splitlines()
        if apart.search(line) and "sha256" not in line
    ]
    assert found == []


def test_guest_has_no_number() -> None:
    assert AgentRef.parse("person:guest") == GUEST
    with pytest.raises(ValueError, match="guest"):
        _ = GUEST.number


@pytest.mark.parametrize("text", ["person:7", "nobody:1", "house"], ids=["awaited", "unregistered", "no id"])
def test_only_registered_kinds_are_quick(text: str) -> None:
    assert not is_quick(AgentRef.parse(text))


def test_unknown_kind_is_named() -> None:
    with pytest.raises(UnknownAgent, match="'nobody:1'"):
        open_agent(SeatOrder(AgentRef.parse("nobody:1"), 0, Ruleset(), 1))
