"""Refusals in the reader's language: every sentence that a service can raise is known to the pages."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils.translation import override, trans_real

from aurum_league.common.errors import LeagueError
from aurum_league.common.refusals import PATTERNS, PLAIN, say_refusal
from aurum_league.operations.demo import DEMO_WORDS
from bots.brains import BRAINS
from games.pages.words import SENTENCES as SAID_BY_CODE

CHECKOUT = Path(__file__).parents[2]
SENTENCES_OF = {
    "LeagueError": (1, 2),
    "ArchiveError": (1,),
    "Problem": (1,),
    "RulesetError": (0,),
    "_mistake": (0, 1),
    "_too_much": (0,),
    "_exceeded": (0, 1),
}
"""What makes an error, and which of its arguments are sentences."""

NEVER_ON_PAGES = ("api", "management", "migrations")
NOT_FOUND = 404
"""Pages answer it by the page for what is not there, which has its own words."""


def list_sources() -> Iterator[Path]:
    for app in ("games", "bots", "tournaments"):
        for path in (CHECKOUT / app).rglob("*.py"):
            if not set(NEVER_ON_PAGES) & set(path.relative_to(CHECKOUT).parts):
                yield path
    yield CHECKOUT / "aurum_league" / "tokens.py"


def list_raised(tree: ast.AST) -> Iterator[tuple[ast.Call, dict[str, list[ast.expr]]]]:
    """Calls that make an error, with the values that names have where it is made."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for scope in (*functions, tree):
        values: dict[str, list[ast.expr]] = {}
        for node in ast.walk(scope):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                values.setdefault(node.targets[0].id, []).append(node.value)
        for node in ast.walk(scope):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SENTENCES_OF:
                yield node, values


def list_sentences(made: ast.expr, values: dict[str, list[ast.expr]]) -> Iterator[str]:
    """What the expression says, with a letter for each value; nothing for what was made elsewhere."""
    match made:
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr(values=parts):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in parts)
        case ast.IfExp(body=body, orelse=otherwise):
            yield from list_sentences(body, values)
            yield from list_sentences(otherwise, values)
        case ast.Name(id=name):
            for value in values.get(name, ()):
                yield from list_sentences(value, {})


def is_elsewhere(call: ast.Call) -> bool:
    code = call.args[0].value if isinstance(call.args[0], ast.Constant) else None
    statuses = [keyword.value for keyword in call.keywords if keyword.arg == "status"] + call.args[3:4]
    is_not_found = any(isinstance(status, ast.Constant) and status.value == NOT_FOUND for status in statuses)
    return code in SAID_BY_CODE or is_not_found


def is_known(sentence: str) -> bool:
    """Whether it is said as it stands, or by one whose values stand where this one has some."""
    found = (pattern.fullmatch(sentence) for pattern in PATTERNS.values())
    fits = any(all("X" in value for value in one.groups()) for one in found if one)
    return not sentence or sentence in PLAIN or fits


def is_written(text: str) -> bool:
    return text in PLAIN or any(pattern.fullmatch(text) for pattern in PATTERNS.values())


def test_every_sentence_of_a_service_can_be_said_in_every_language() -> None:
    unknown = {
        f"{path.relative_to(CHECKOUT)}: {sentence}"
        for path in list_sources()
        for call, values in list_raised(ast.parse(path.read_text()))
        if not is_elsewhere(call)
        for number in SENTENCES_OF[str(getattr(call.func, "id", ""))]
        for argument in call.args[number : number + 1]
        for sentence in list_sentences(argument, values)
        if not is_known(sentence)
    }
    assert sorted(unknown) == [], "add them to aurum_league/common/sentences/"


def test_no_page_shows_an_error_as_services_word_it() -> None:
    pages = [path for path in list_sources() if "pages" in path.parts]
    assert [path.name for path in pages if "str(error)" in path.read_text()] == [], "use say_refusal(error)"


def test_nothing_is_translated_that_nobody_says() -> None:
    said = {
        sentence
        for path in list_sources()
        for call, values in list_raised(ast.parse(path.read_text()))
        for argument in call.args
        for sentence in list_sentences(argument, values)
    }
    said |= {DEMO_WORDS, *(brain.description for brain in BRAINS)}
    idle = [text for text in PLAIN if text not in said]
    idle += [text for text, pattern in PATTERNS.items() if not any(map(pattern.fullmatch, said))]
    assert sorted(idle) == []


@pytest.fixture
def german(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A reader of German, with sentences of this test's own."""
    texts = {
        "Version %(number)s has not passed the check.": "Version %(number)s hat die Prüfung nicht bestanden.",
        "A tournament that is %(state)s does not allow this: %(step)s.": "Im Zustand „%(state)s“ geht nicht: %(step)s.",
        "It is possible while it is: %(possible)s.": "Es geht nur in: %(possible)s.",
        "Draft": "Entwurf",
        "Drawn": "Ausgelost",
        "Playing": "Läuft",
        "enter players late": "spät melden",
        "Choose another.": "Wähle einen anderen.",
    }
    monkeypatch.setattr(trans_real.translation("de"), "_catalog", texts)
    with override("de"):
        yield


@pytest.mark.parametrize(
    ("message", "fix", "said"),
    [
        pytest.param(
            "Version 7 has not passed the check.", "", "Version 7 hat die Prüfung nicht bestanden.", id="value"
        ),
        pytest.param(
            "A tournament that is draft does not allow this: enter late.",
            "It is possible while it is: drawn, playing.",
            "Im Zustand „Entwurf“ geht nicht: spät melden. Es geht nur in: Ausgelost, Läuft.",
            id="states and steps are words too",
        ),
        pytest.param(
            "This name is reserved.", "Choose another.", "This name is reserved. Wähle einen anderen.", id="half"
        ),
        pytest.param("%(never)s 100 % seen", "", "%(never)s 100 % seen", id="what nobody knows stays"),
    ],
)
def test_a_refusal_is_said_in_german(german: None, message: str, fix: str, said: str) -> None:
    assert say_refusal(LeagueError("code", message, fix)) == said


def test_what_the_site_wrote_itself_can_be_said_too() -> None:
    assert [text for text in (DEMO_WORDS, *(brain.description for brain in BRAINS)) if not is_written(text)] == []


def test_english_stays_word_for_word() -> None:
    sentence = "A tournament that is draft does not allow this: enter late."
    # A page that was asked before leaves its language behind.
    with override("en"):
        assert say_refusal(LeagueError("wrong_state", sentence)) == sentence
