"""Refusals in the reader's language: services and the API speak English, pages say the same in four languages."""

from django.utils.translation import gettext

from aurum_league.common.errors import LeagueError, Sentence, fill_template


def say_refusal(error: LeagueError) -> str:
    """The sentence and what to do about it."""
    return " ".join(filter(None, (say_sentence(error.message), say_sentence(error.fix))))


def say_sentence(english: str) -> str:
    """A sentence with its values, or a text without any; one that has no translation stays English as a whole."""
    if not english:
        return ""
    if not isinstance(english, Sentence):
        return gettext(english)
    if (said := gettext(english.template)) == english.template:
        return str(english)
    return fill_template(said, {name: say_value(value) for name, value in english.values.items()})


def say_value(value: object) -> object:
    """Names and numbers stay; states, steps and sentences within a sentence are words of the language."""
    if isinstance(value, list):
        return ", ".join(str(say_value(one)) for one in value)
    if isinstance(value, Sentence):
        return say_sentence(value)
    label = getattr(value, "label", None)
    # Choices have labels that translate themselves.
    return value if label is None else gettext(label) if isinstance(label, str) else str(label)
