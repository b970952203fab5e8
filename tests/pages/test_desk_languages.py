"""An organiser's desk in every language: no text of a page is left in English where the catalogue has another."""

import html
import re
from functools import cache

import pytest
from babel.messages.pofile import read_po
from django.conf import settings
from django.test import Client

from tests.pages.desk import DESK, sign_in
from tests.pages.events import make_tournament
from tests.pages.test_translations import path_of

pytestmark = pytest.mark.django_db
PAGES = (
    "",
    "entries/",
    "entries/list/",
    "entries/rules/",
    "times/",
    "draw/",
    "changes/",
    "matches/",
    "print/",
    "tell/",
)
OTHERS = ("/desk/", "/desk/tournaments/new/", "/desk/tournaments/new/?preset=swiss_weekend", "/tournaments/test-cup/")
LANGUAGES = [code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE]


@cache
def read_catalogue(language: str) -> dict[str, str]:
    """Texts without values by their English, where the translation is another."""
    with path_of(language, "po").open("rb") as file:
        plain = [
            (one.id, one.string)
            for one in read_po(file)
            if isinstance(one.id, str) and isinstance(one.string, str) and not one.context
        ]
    return {text: said for text, said in plain if text and said != text and "%(" not in text}


def list_texts(page: str) -> set[str]:
    body = re.sub(r"<(script|style).*?</\1>", " ", page, flags=re.S)
    return {" ".join(html.unescape(text).split()) for text in re.findall(r">([^<]+)<", body)}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("state", ["open", "drawn", "playing"])
def test_no_page_of_the_desk_stays_english(client: Client, language: str, state: str) -> None:
    sign_in(client, make_tournament(state, is_rated=False, needs_check_in=True, description="x"))
    catalogue = read_catalogue(language)
    left = {}
    for address in (*(f"{DESK}{page}" for page in PAGES), *OTHERS):
        answer = client.get(address, headers={"accept-language": language})
        assert answer.status_code == 200, address
        if said := sorted(list_texts(answer.content.decode()) & catalogue.keys()):
            left[address] = said
    assert left == {}
