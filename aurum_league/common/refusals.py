"""Refusals in the reader's language: services and the API speak English, pages say the same in four languages."""

import re

from django.utils.translation import gettext

from aurum_league.common.errors import LeagueError
from aurum_league.common.sentences import bots, games, house, tournaments
from aurum_league.common.sentences.words import WORDS

PLACEHOLDER = re.compile(r"%\((\w+)\)s")
SENTENCES = (*games.SENTENCES, *bots.SENTENCES, *tournaments.SENTENCES, *house.SENTENCES)


def make_pattern(sentence: str) -> re.Pattern[str]:
    """What the sentence looks like once its values are filled in."""
    parts = PLACEHOLDER.split(sentence)
    shaped = [f"(?P<{part}>.+?)" if number % 2 else re.escape(part) for number, part in enumerate(parts)]
    return re.compile("".join(shaped), re.DOTALL)


# The most exact first: some sentences are hardly more than their values.
PATTERNS = {
    sentence: make_pattern(sentence)
    for sentence in sorted(SENTENCES, key=lambda one: len(PLACEHOLDER.sub("", one)), reverse=True)
    if PLACEHOLDER.search(sentence)
}
PLAIN = frozenset(SENTENCES) - PATTERNS.keys()


def say_refusal(error: LeagueError) -> str:
    """The sentence and what to do about it."""
    return " ".join(filter(None, (say_sentence(error.message), say_sentence(error.fix))))


def say_sentence(english: str) -> str:
    """A sentence of a service with its values; one that has no translation stays as it is."""
    if english in PLAIN:
        return gettext(english)
    for sentence, pattern in PATTERNS.items():
        if (found := pattern.fullmatch(english)) and (said := gettext(sentence)) != sentence:
            return said % {name: say_value(name, value) for name, value in found.groupdict().items()}
    return english


def say_value(name: str, value: str) -> str:
    """Names and numbers stay; states and steps are words of the language."""
    words = WORDS.get(name, {})
    return ", ".join(gettext(words[part]) if part in words else part for part in value.split(", "))
