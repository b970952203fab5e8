"""The admin's words in every language: no app, model, column, field, choice, help text or action is left in English."""

from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.options import BaseModelAdmin
from django.contrib.admin.utils import flatten_fieldsets, get_fields_from_path, help_text_for_field, label_for_field
from django.contrib.auth.models import User
from django.db.models import Field, Model
from django.http import HttpRequest
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils.translation import gettext, override

from aurum_league.common.admin import THEME_WORDS
from tests.pages.events import make_tournament
from tournaments.models import FixtureMatch
from tournaments.services.decisions import rerun_matches

APPS = ("aurum_league", "games", "bots", "tournaments")
ENGLISH = settings.LANGUAGE_CODE
LANGUAGES = [code for code, _ in settings.LANGUAGES if code != ENGLISH]
SAME = {
    "fr": {
        *("aurum league", "id", "agent", "archive", "archives", "bot", "bots", "description", "division", "format"),
        *("mode", "mu", "options"),
        *("pause", "place", "places", "points", "position", "qualification", "score", "sigma", "table"),
        *("phrase", "session", "sessions", "trace", "traces", "verdict", "version"),
    },
    "de": {
        *("aurum league", "id", "agent", "bot", "bots", "format", "mu", "name", "pause", "position"),
        *("rating", "ratings", "sigma", "status", "team", "teams", "text", "version"),
    },
    "ru": {"aurum league", "id"},
}
"""What is spelt in a language as in English, but for capitals."""

Word = tuple[str, Any]
"""Where something is shown, and its name there, which is lazy."""


def name_of(column: Any) -> str:
    return column if isinstance(column, str) else column.__name__


def make_request() -> HttpRequest:
    request = RequestFactory().get("/")
    request.user = User(is_staff=True, is_superuser=True)
    return request


def words_of_field(model: type[Model], path: str) -> Iterator[Word]:
    """Its name and its choices; none for the far end of somebody else's foreign key."""
    field = get_fields_from_path(model, path)[-1]
    if isinstance(field, Field):
        where = f"{field.model._meta.label}.{field.name}"
        yield where, field.verbose_name
        yield from ((f"{where}={value}", label) for value, label in field.flatchoices)


def words_of_fields(place: BaseModelAdmin) -> Iterator[Word]:
    fieldsets, here = place.get_fieldsets(make_request()), type(place).__name__
    yield from ((f"{here}: set {number} of fields", title) for number, (title, _) in enumerate(fieldsets))
    for name in flatten_fieldsets(fieldsets):
        yield f"{here}: field {name_of(name)}", label_for_field(name, place.model, place)
        if isinstance(name, str) and not hasattr(place, name):
            yield from words_of_field(place.model, name)
            yield f"{here}: help with {name}", help_text_for_field(name, place.model)


def words_of_place(model: type[Model], place: admin.ModelAdmin) -> Iterator[Word]:
    here = type(place).__name__
    yield f"{here}: search", place.search_help_text
    yield from words_of_fields(place)
    for column in place.list_display:
        yield f"{here}: column {name_of(column)}", label_for_field(column, model, place)
    for path in place.list_filter:
        yield from words_of_field(model, str(path))
    for action in filter(None, place.get_actions(make_request()).values()):
        yield f"{here}: action {action[1]}", action[2]
    for inline in place.inlines:
        rows = inline(model, admin.site)
        yield f"{here}: rows {inline.__name__}", rows.verbose_name_plural
        yield from words_of_fields(rows)


def words_of_admin() -> Iterator[Word]:
    yield from ((f"theme: {word}", gettext(word)) for word in THEME_WORDS)
    for app in map(apps.get_app_config, APPS):
        yield f"app {app.label}", app.verbose_name
        for model in app.get_models():
            yield f"model {model._meta.label}", model._meta.verbose_name
            yield f"models {model._meta.label}", model._meta.verbose_name_plural
            if model in admin.site._registry:
                yield from words_of_place(model, admin.site._registry[model])


@cache
def say_words(language: str) -> dict[str, str]:
    with override(language):
        return {where: str(word).casefold() for where, word in words_of_admin() if word}


def find_untranslated(language: str) -> dict[str, str]:
    translated = say_words(language)
    return {where: word for where, word in say_words(ENGLISH).items() if translated[where] == word}


class Labels(HTMLParser):
    """The words in heads of columns and in labels of fields."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.depth = 0
        self.found: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.depth += tag in ("th", "label")

    def handle_endtag(self, tag: str) -> None:
        self.depth -= tag in ("th", "label")

    def handle_data(self, data: str) -> None:
        if self.depth:
            self.found.add(data.strip(": \n\u00a0").casefold())


def list_pages() -> Iterator[str]:
    """Every list, and the page of a row where there is one."""
    for model, place in admin.site._registry.items():
        if model._meta.app_label in APPS:
            name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
            yield reverse(f"{name}_changelist")
            row = model._default_manager.order_by("pk").only("pk").last()
            if row is not None and place.list_display_links is not None:
                yield reverse(f"{name}_change", args=[row.pk])


def test_words_of_every_kind_are_found() -> None:
    words = say_words(ENGLISH)
    assert words["model games.Match"] == "match"
    assert words["tournaments.Stage.cut"] == "cut"
    assert words["games.Match.state=void"] == "void"
    assert words["MatchResultAdmin: column show_match"] == "match"
    assert words["MatchSeatInline: field side"] == "side"
    assert words["MatchAdmin: help with priority"] == "higher is played earlier"
    assert words["EntrantAdmin: action withdraw"] == "withdraw"


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_named_in_english_alone(language: str) -> None:
    missing = {where: word for where, word in find_untranslated(language).items() if word not in SAME[language]}
    assert missing == {}, "name it with gettext_lazy, translate it, or add it to what is spelt alike"


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_spelt_alike_is_still_shown(language: str) -> None:
    assert SAME[language] - set(find_untranslated(language).values()) == set()


@pytest.mark.django_db
def test_pages_head_columns_and_fields_in_the_language_of_their_reader(client: Client) -> None:
    tournament = make_tournament("finished")
    match = FixtureMatch.objects.filter(stage__tournament=tournament).earliest("match_id")
    rerun_matches(tournament_id=tournament.id, match_ids=[match.match_id], reason="look again")
    client.force_login(User.objects.create_superuser("warden"))
    for language in LANGUAGES:
        translated = set(say_words(language).values())
        english = set(say_words(ENGLISH).values()) - translated
        seen = set()
        for address in list_pages():
            # A request leaves its language behind, and the next test may render without one.
            with override(ENGLISH):
                page = client.get(address, headers={"accept-language": language})
            found = Labels(page.content.decode()).found
            assert (language, address, found & english) == (language, address, set())
            seen |= found & translated
        assert len(seen) > 50, seen
