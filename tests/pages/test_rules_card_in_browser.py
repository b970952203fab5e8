"""The rules card on paper: one sheet in every language, since translations are longer than the English."""

import pytest
from django.conf import settings
from django.test import Client

from tests.browser import needs_chromium, open_browser
from tests.pages.test_design_in_browser import DESK, SITE, open_pages

pytestmark = [needs_chromium("nobody has printed the card"), pytest.mark.django_db]

LONGEST = ("/rules/card/de4-golden/", "/rules/card/ru4-golden/")


def test_a_card_is_one_sheet_in_every_language() -> None:
    with open_browser() as browser:
        for language, _ in settings.LANGUAGES:
            headers = {"accept-language": language}
            pages = {path: Client().get(path, headers=headers).content.decode() for path in LONGEST}
            page = open_pages(browser, pages, DESK, "light")
            for path in LONGEST:
                page.goto(SITE + path)
                assert page.pdf(format="A4").count(b"/Type /Page\n") == 1, f"{path} in {language}"
            page.context.close()
