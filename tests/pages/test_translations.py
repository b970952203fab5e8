"""Every text in every language: none missing or doubtful, placeholders and plurals whole, catalogues compiled."""

import io
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po
from django.conf import settings
from django.test import Client
from django.utils.translation import ngettext, override
from django.utils.translation.template import templatize

from aurum_league.management.commands.makemessages import Command

CHECKOUT = Path(__file__).parents[2]
PACKAGES = ("aurum_league", "games", "bots", "tournaments")
LANGUAGES = [code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
PLURAL_FORMS = {"fr": 2, "de": 2, "ru": 4}
PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|%%|\{\w+\}")
KEYWORDS: dict[str, tuple[int | tuple[int, str], ...] | None] = {
    **dict.fromkeys(("gettext", "gettext_lazy", "gettext_noop", "_", "N_")),
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}

Key = tuple[str | None, str]


def key_of(message_id: str | tuple[str, ...] | list[str], context: str | None) -> Key:
    return context or None, message_id if isinstance(message_id, str) else message_id[0]


@cache
def collect_texts() -> dict[Key, str]:
    """Each text that the code marks for translation, with a file that has it; needs no GNU gettext."""
    sources = [(path, "python", path.read_bytes()) for name in PACKAGES for path in (CHECKOUT / name).rglob("*.py")]
    # What Django makes of a template is no valid Python, but the tolerant reader of JavaScript finds the calls in it.
    for path in (CHECKOUT / "templates").rglob("*.html"):
        sources.append((path, "javascript", templatize(path.read_text(), str(path)).encode()))
    return {
        key_of(message, context): str(path.relative_to(CHECKOUT))
        for path, method, content in sources
        for _, message, _, context in extract(method, io.BytesIO(content), keywords=KEYWORDS)
    }


def path_of(language: str, suffix: str) -> Path:
    return CHECKOUT / "aurum_league" / "locale" / language / "LC_MESSAGES" / f"django.{suffix}"


@cache
def read_catalogue(language: str) -> Catalog:
    with path_of(language, "po").open("rb") as file:
        return read_po(file, locale=language)


def messages_of(language: str) -> list[Message]:
    return [message for message in read_catalogue(language) if message.id]


def forms_of(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())


def read_compiled(content: bytes) -> dict[Key, tuple[str, ...]]:
    messages = [message for message in read_mo(io.BytesIO(content)) if message.id]
    return {key_of(message.id, message.context): forms_of(message) for message in messages}


def test_texts_are_found_in_templates_and_code() -> None:
    texts = collect_texts()
    assert texts[None, "Bismuth"].endswith(".py")
    assert texts[None, "How to play Aurum"].endswith(".html")
    assert (None, "%(number)s tournament") in texts


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_translation_is_missing(language: str) -> None:
    translated = {key_of(message.id, message.context) for message in messages_of(language) if all(forms_of(message))}
    missing = {text: file for text, file in collect_texts().items() if text not in translated}
    assert not missing, f"run `make messages` and translate {len(missing)} texts: {missing}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_translated_that_nobody_says(language: str) -> None:
    translated = {key_of(message.id, message.context) for message in messages_of(language)}
    assert translated - collect_texts().keys() == set(), "run `make messages`"


def test_texts_marked_for_later_are_collected_too() -> None:
    assert "--keyword=N_" in Command.xgettext_options


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_translation_is_doubtful(language: str) -> None:
    assert [message.id for message in messages_of(language) if message.fuzzy] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_placeholders_are_kept(language: str) -> None:
    broken = []
    for message in messages_of(language):
        source = message.id if isinstance(message.id, str) else message.id[-1]
        wanted = Counter(PLACEHOLDER.findall(source))
        broken += [(source, form) for form in forms_of(message) if Counter(PLACEHOLDER.findall(form)) != wanted]
    assert broken == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_translation_can_break_the_page_around_it(language: str) -> None:
    """Texts stand in attributes too, where a straight quote would end them."""
    forms = [form for message in messages_of(language) for form in forms_of(message)]
    assert [form for form in forms if set('"<>') & set(form)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_plurals_have_every_form_of_their_language(language: str) -> None:
    assert read_catalogue(language).num_plurals == PLURAL_FORMS[language]
    plurals = [message for message in messages_of(language) if message.pluralizable]
    assert plurals
    assert [message.id for message in plurals if len(forms_of(message)) != PLURAL_FORMS[language]] == []


@pytest.mark.parametrize(
    ("language", "number", "text"),
    [
        pytest.param("fr", 0, "0 tournoi", id="French counts nothing as one"),
        pytest.param("fr", 2, "2 tournois", id="French two"),
        pytest.param("de", 0, "0 Turniere", id="German nothing"),
        pytest.param("de", 1, "1 Turnier", id="German one"),
        pytest.param("ru", 1, "1 турнир", id="Russian one"),
        pytest.param("ru", 21, "21 турнир", id="Russian twenty-one as one"),
        pytest.param("ru", 3, "3 турнира", id="Russian few"),
        pytest.param("ru", 11, "11 турниров", id="Russian eleven as many"),
        pytest.param("ru", 5, "5 турниров", id="Russian many"),
    ],
)
def test_numbers_choose_their_form(language: str, number: int, text: str) -> None:
    with override(language):
        assert ngettext("%(number)s tournament", "%(number)s tournaments", number) % {"number": number} == text


@pytest.mark.parametrize("language", LANGUAGES)
def test_compiled_catalogue_is_up_to_date(language: str) -> None:
    wanted = io.BytesIO()
    write_mo(wanted, read_catalogue(language))
    compiled = path_of(language, "mo").read_bytes()
    assert read_compiled(compiled) == read_compiled(wanted.getvalue()), "run `make messages`"


@pytest.mark.parametrize(
    ("language", "title"),
    [
        pytest.param("en", "How to play Aurum", id="English"),
        pytest.param("fr", "Comment jouer à Aurum", id="French"),
        pytest.param("de", "So spielt man Aurum", id="German"),
        pytest.param("ru", "Как играть в «Аурум»", id="Russian"),
    ],
)
def test_a_browser_is_answered_in_its_language(client: Client, language: str, title: str) -> None:
    # A request leaves its language behind, and the next test may render without one.
    with override("en"):
        page = client.get("/rules/", headers={"accept-language": language}).content.decode()
    assert f'<html lang="{language}"' in page
    assert title in page
