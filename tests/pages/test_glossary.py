"""The catalogues against the glossary: what a player of an edition reads here is what the box says.

glossary.json has, for a pattern of English, what its translations must contain (`unless` a text that begins so means
something else, or does without the word), and words that no text has, each with what the book says instead.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.pages.test_translations import LANGUAGES, PLACEHOLDER, forms_of, messages_of

GLOSSARY: dict[str, Any] = json.loads((Path(__file__).parent / "glossary.json").read_text(encoding="utf-8"))
TERMS: list[dict[str, Any]] = GLOSSARY["terms"]
NEVER = [(language, *word) for language, words in GLOSSARY["never"].items() for word in words.items()]
TRANSLATING = (Path(__file__).parents[2] / "docs" / "TRANSLATING.md").read_text(encoding="utf-8")


def has_word(pattern: str, text: str) -> bool:
    """A name in a placeholder is no word of a text."""
    return re.search(pattern, PLACEHOLDER.sub("", text), re.IGNORECASE) is not None


def texts_of(language: str) -> list[tuple[str, str]]:
    """Each English text with each form of its translation."""
    return [
        (message.id if isinstance(message.id, str) else message.id[0], form)
        for message in messages_of(language)
        for form in forms_of(message)
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("term", TERMS, ids=lambda term: term["english"])
def test_a_word_of_the_books_is_used(language: str, term: dict[str, Any]) -> None:
    texts = [(source, form) for source, form in texts_of(language) if has_word(term["english"], source)]
    assert texts, "the pattern finds no text any more"
    wrong = [(source, form) for source, form in texts if not has_word(term[language], form)]
    assert [(source, form) for source, form in wrong if not source.startswith(tuple(term["unless"]))] == []


@pytest.mark.parametrize(("language", "pattern", "instead"), NEVER)
def test_a_word_that_the_books_do_not_have_is_not_used(language: str, pattern: str, instead: str) -> None:
    assert [form for _, form in texts_of(language) if has_word(pattern, form)] == [], f"say {instead}"


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term["english"])
def test_an_exception_still_excuses_a_text(term: dict[str, Any]) -> None:
    sources = [source for source, _ in texts_of(LANGUAGES[0])]
    assert [start for start in term["unless"] if not any(source.startswith(start) for source in sources)] == []


@pytest.mark.parametrize("word", GLOSSARY["documented"])
def test_the_document_has_the_word(word: str) -> None:
    assert word in TRANSLATING
