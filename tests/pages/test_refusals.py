"""Refusals in the reader's language: an error has its template and its values, and each template is translated."""

import ast
import pickle
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from django.utils.translation import override, trans_real

from aurum_league.common.errors import LeagueError, Sentence
from aurum_league.common.pages import say_refusal, say_sentence
from aurum_league.operations.demo import DEMO_WORDS
from bots.brains import BRAINS
from bots.models import BotState
from bots.services.registration import BotStep, next_bot_state
from games.rules.ruleset import Ruleset, RulesetError
from tests.pages.test_translations import LANGUAGES, forms_of, messages_of
from tournaments.rules.lifecycle import Step, next_state
from tournaments.rules.pairing import TableKind
from tournaments.rules.spec import check_points

CHECKOUT = Path(__file__).parents[2]
SENTENCES_OF = {
    "LeagueError": (1, 2),
    "ArchiveError": (1,),
    "Problem": (1,),
    "RulesetError": (0,),
    "Sentence": (0,),
    "_mistake": (0, 1),
    "_too_much": (0,),
    "_exceeded": (0, 1),
}
"""What makes an error, and which of its arguments are sentences."""

ENGLISH_ONLY = ("api", "management", "migrations")
"""Parts of an app whose own sentences no page shows."""

ON_PAGES = ("games", "bots", "tournaments", "aurum_league/accounts")
PLACEHOLDER = re.compile(r"%\((\w+)\)s")
FINISHED = "%(sentence)s"
"""The template of a text that was finished elsewhere; the play page has words of its own by the code of the rules."""


@dataclass(frozen=True)
class Told:
    """A sentence in a call that makes an error: its template, or what stands there instead of one."""

    template: str | None
    is_marked: bool
    source: str


@dataclass(frozen=True)
class MadeError:
    place: str
    is_on_pages: bool
    told: tuple[Told, ...]
    values: frozenset[str] | None
    """The names of the values in this call; None where they are handed through."""


def is_on_pages(path: Path) -> bool:
    parts = path.relative_to(CHECKOUT)
    return any(parts.is_relative_to(part) for part in ON_PAGES) and not set(ENGLISH_ONLY) & set(parts.parts)


@cache
def list_made() -> tuple[MadeError, ...]:
    made = []
    for app in ("aurum_league", "games", "bots", "tournaments"):
        for path in sorted((CHECKOUT / app).rglob("*.py")):
            tree = ast.parse(path.read_text())
            made += [read_call(path, call, names) for call, names in list_calls(tree)]
    return tuple(made)


def list_calls(tree: ast.Module) -> Iterator[tuple[ast.Call, dict[str, list[ast.expr]]]]:
    """Calls that make an error, with the values that names have in the function around them."""
    inside: dict[ast.Call, dict[str, list[ast.expr]]] = {}
    for scope in ast.walk(tree):
        if not isinstance(scope, ast.Module | ast.FunctionDef):
            continue
        names: dict[str, list[ast.expr]] = {}
        for node in ast.walk(scope):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                names.setdefault(node.targets[0].id, []).append(node.value)
        for node in ast.walk(scope):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SENTENCES_OF:
                inside[node] = names
    yield from inside.items()


def read_call(path: Path, call: ast.Call, names: dict[str, list[ast.expr]]) -> MadeError:
    maker = str(getattr(call.func, "id", ""))
    arguments = [argument for number in SENTENCES_OF[maker] for argument in call.args[number : number + 1]]
    given = {keyword.arg for keyword in call.keywords}
    values = None if None in given or maker == "Problem" else frozenset(map(str, given - {"status"}))
    told = tuple(one for argument in arguments for one in read_sentences(argument, names))
    return MadeError(f"{path.relative_to(CHECKOUT)}:{call.lineno}", is_on_pages(path), told, values)


def read_sentences(said: ast.expr, names: dict[str, list[ast.expr]]) -> Iterator[Told]:
    """What an argument says; nothing for a sentence that was made elsewhere and is handed on."""
    match said:
        case ast.Constant(value=str(text)):
            yield Told(text, text in ("", FINISHED), ast.unparse(said))
        case ast.Call(func=ast.Name(id="N_"), args=[ast.Constant(value=str(text))]):
            yield Told(text, True, ast.unparse(said))
        case ast.IfExp(body=body, orelse=otherwise):
            yield from read_sentences(body, names)
            yield from read_sentences(otherwise, names)
        case ast.Name(id=name):
            for value in names.get(name, ()):
                yield from read_sentences(value, {})
        case ast.Attribute() | ast.Call(func=ast.Name(id="Sentence")):
            pass
        case _:
            yield Told(None, False, ast.unparse(said))


def test_calls_are_read() -> None:
    [made] = [made for made in list_made() if any(told.template == "A stage has no format." for told in made.told)]
    assert made.place.startswith("tournaments/rules/spec.py:") and made.is_on_pages and made.values == frozenset()
    assert len([made for made in list_made() if made.is_on_pages]) > 200


def test_every_sentence_is_a_template() -> None:
    finished = [f"{made.place}: {told.source}" for made in list_made() for told in made.told if told.template is None]
    assert finished == [], "give a template and its values"


def test_every_template_has_its_values() -> None:
    wrong = []
    for made in list_made():
        if made.values is None or not made.told:
            continue
        needed = {name for told in made.told for name in PLACEHOLDER.findall(told.template or "")}
        if needed != made.values:
            wrong.append(f"{made.place}: needs {sorted(needed)} and has {sorted(made.values)}")
    assert wrong == []


def test_every_sentence_on_pages_is_marked_for_the_translators() -> None:
    shown = [made for made in list_made() if made.is_on_pages]
    assert [f"{made.place}: {told.source}" for made in shown for told in made.told if not told.is_marked] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_of_a_service_can_be_said_in_every_language(language: str) -> None:
    translated = {message.id for message in messages_of(language) if all(forms_of(message))}
    missing = {
        f"{made.place}: {told.template}"
        for made in list_made()
        if made.is_on_pages
        for told in made.told
        if told.template not in translated | {"", FINISHED}
    }
    assert sorted(missing) == [], f"run `make messages` and translate {len(missing)} sentences"


def test_no_page_shows_an_error_as_services_word_it() -> None:
    pages = [path for app in ("games", "bots", "tournaments") for path in (CHECKOUT / app / "pages").rglob("*.py")]
    pages.append(CHECKOUT / "aurum_league" / "accounts" / "pages.py")
    shown = [path.name for path in pages if re.search(r"str\(error\)|error\.(message|fix)\b", path.read_text())]
    assert shown == [], "use say_refusal(error)"


@pytest.fixture
def german(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A reader of German, with sentences of this test's own."""
    texts = {
        "Version %(number)s has not passed the check.": "Version %(number)s hat die Prüfung nicht bestanden.",
        "A tournament that is %(state)s does not allow this: %(step)s.": "Im Zustand „%(state)s“ geht nicht: %(step)s.",
        "It is possible while it is: %(possible)s.": "Es geht nur in: %(possible)s.",
        "A bot that is %(state)s cannot %(step)s.": "Bei einem Bot im Zustand „%(state)s“ geht nicht: %(step)s.",
        "Entrants %(names)s must be kept apart, but %(why)s.": "Getrennt bleiben %(names)s, aber %(why)s.",
        "no draw of matchday %(number)s was found that does so": "Spieltag %(number)s lässt es nicht zu",
        "All 100 % of it": "Alle 100 % davon",
        "Draft": "Entwurf",
        "Drawn": "Ausgelost",
        "Paused": "Angehalten",
        "Playing": "Läuft",
        "Retired": "Im Ruhestand",
        "pause": "anhalten",
        "change the draw": "Auslosung ändern",
        "Choose another.": "Wähle einen anderen.",
    }
    monkeypatch.setattr(trans_real.translation("de"), "_catalog", texts)
    with override("de"):
        yield


def refuse_step() -> LeagueError:
    with pytest.raises(LeagueError) as refused:
        next_state("draft", Step.EDIT_DRAW)
    return refused.value


def refuse_pause() -> LeagueError:
    with pytest.raises(LeagueError) as refused:
        next_bot_state(BotState.RETIRED, BotStep.PAUSE)
    return refused.value


WHY = Sentence("no draw of matchday %(number)s was found that does so", number=3)
APART = "Entrants %(names)s must be kept apart, but %(why)s."
UNKNOWN = "%(never)s 100 % seen"
REFUSALS = [
    pytest.param(
        LeagueError("code", "Version %(number)s has not passed the check.", number=7),
        "Version 7 has not passed the check.",
        "Version 7 hat die Prüfung nicht bestanden.",
        id="value",
    ),
    pytest.param(
        refuse_step(),
        "A tournament that is draft does not allow this: edit draw."
        " It is possible while it is: drawn, paused, playing.",
        "Im Zustand „Entwurf“ geht nicht: Auslosung ändern. Es geht nur in: Ausgelost, Angehalten, Läuft.",
        id="states and steps are words too",
    ),
    pytest.param(
        refuse_pause(),
        "A bot that is retired cannot pause.",
        "Bei einem Bot im Zustand „Im Ruhestand“ geht nicht: anhalten.",
        id="so are the choices of a model",
    ),
    pytest.param(
        LeagueError("code", APART, names=["1 and 2", "3 and 4"], why=WHY),
        "Entrants 1 and 2, 3 and 4 must be kept apart, but no draw of matchday 3 was found that does so.",
        "Getrennt bleiben 1 and 2, 3 and 4, aber Spieltag 3 lässt es nicht zu.",
        id="a sentence within a sentence",
    ),
    pytest.param(
        LeagueError("code", "This name is reserved.", "Choose another."),
        "This name is reserved. Choose another.",
        "This name is reserved. Wähle einen anderen.",
        id="half",
    ),
    pytest.param(LeagueError("code", FINISHED, sentence=UNKNOWN), UNKNOWN, UNKNOWN, id="what nobody knows stays"),
    pytest.param(
        LeagueError("code", "A bot of %(state)s state.", state=BotState.RETIRED),
        "A bot of retired state.",
        "A bot of retired state.",
        id="no half-translated sentence",
    ),
    pytest.param(
        LeagueError("code", "All 100 % of it"), "All 100 % of it", "Alle 100 % davon", id="per cent without values"
    ),
]


@pytest.mark.parametrize(("error", "english", "said"), REFUSALS)
def test_a_refusal_is_said_in_german(german: None, error: LeagueError, english: str, said: str) -> None:
    assert say_refusal(error) == said
    assert str(error) == english, "the API and logs speak English whoever reads"


@pytest.mark.parametrize(("error", "english", "said"), REFUSALS)
def test_an_error_survives_a_pickle(german: None, error: LeagueError, english: str, said: str) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.code, str(copy), copy.message, copy.fix) == (error.code, english, error.message, error.fix)
    assert (copy.status, say_refusal(copy)) == (error.status, said)


@pytest.mark.parametrize(("error", "english", "said"), REFUSALS)
def test_english_stays_word_for_word(error: LeagueError, english: str, said: str) -> None:
    # A page that was asked before leaves its language behind.
    with override("en"):
        assert say_refusal(error) == english


def test_a_value_is_never_taken_for_a_template() -> None:
    with pytest.raises(RulesetError) as refused:
        Ruleset.from_code("%(code)s %d")
    error = LeagueError("unknown_ruleset", refused.value.sentence)
    assert error.message.startswith("There is no ruleset '%(code)s %d'.")
    with override("de"):
        assert "'%(code)s %d'" in say_refusal(error) and not say_refusal(error).startswith("There is")


def test_what_other_code_raised_is_kept_as_text() -> None:
    with pytest.raises(LeagueError) as refused:
        check_points(TableKind.SOLO3, (0, 1, 2))
    assert isinstance(refused.value.message.values["error"], str)
    assert refused.value.message.values["error"] in refused.value.message


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_site_wrote_itself_can_be_said_too(language: str) -> None:
    written = [DEMO_WORDS, *(brain.description for brain in BRAINS)]
    with override(language):
        assert [text for text in written if say_sentence(text) == text] == []


def test_what_people_wrote_stays() -> None:
    with override("de"):
        assert say_sentence("Ours since 1999: 100 % of %(it)s") == "Ours since 1999: 100 % of %(it)s"
        assert say_sentence("") == ""
