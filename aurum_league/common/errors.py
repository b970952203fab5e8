"""The coded error that a caller can act on; anything else that is raised is a bug of ours."""

from collections.abc import Mapping
from enum import StrEnum
from functools import partial
from typing import Self


def N_(template: str) -> str:
    """Marks a text for the translators; whoever shows it looks its translation up."""
    return template


class Sentence(str):
    """English with its values filled in, which keeps template and values so that a page can say it in another language.

    A value is text, a number, a sentence, a list of those, or a word of ours: whatever has a `label`, as choices have.
    """

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, /, **values: object) -> Self:
        if isinstance(template, cls):
            return template
        # Rows and exceptions are kept as text: a sentence may outlive them.
        kept = {
            name: value if isinstance(value, str | int | float | list) else str(value) for name, value in values.items()
        }
        sentence = super().__new__(cls, fill_template(template, {name: _list(value) for name, value in kept.items()}))
        sentence.template, sentence.values = template, kept
        return sentence

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, object]]:
        return (self.template,), dict(self.values)


class Word(str):
    """A value that reads `code` in English; other languages have a translation of `label`."""

    label: str

    def __new__(cls, code: str, label: str) -> Self:
        word = super().__new__(cls, code)
        word.label = label
        return word

    def __reduce__(self) -> tuple[type[Self], tuple[str, str]]:
        return type(self), (str(self), self.label)


class LabelledEnum(StrEnum):
    """Words of pure code: members are written `DRAFT = "draft", N_("Draft")`, as choices are."""

    label: str

    def __new__(cls, value: str, label: str = "") -> Self:
        member = str.__new__(cls, value)
        member._value_, member.label = value, label
        return member


def fill_template(template: str, values: Mapping[str, object]) -> str:
    """A text without values is taken as it stands, so that it may have signs of percent."""
    return template % values if "%(" in template else template


def _list(value: object) -> object:
    return ", ".join(map(str, value)) if isinstance(value, list) else value


class LeagueError(Exception):
    """Carries a stable code, a sentence for people, what to do about it and the HTTP status it deserves.

    Both texts are templates filled by the same values: `LeagueError("no_bot", N_("There is no bot %(name)s."), name=…)`
    What only the API or a terminal shows stays English and is not marked with `N_`.
    """

    def __init__(self, code: str, message: str, fix: str = "", /, *, status: int = 400, **values: object) -> None:
        self.code = code
        self.message = Sentence(message, **values)
        self.fix = Sentence(fix, **values)
        self.status = status
        super().__init__(self.message)

    def __str__(self) -> str:
        return f"{self.message} {self.fix}".strip()

    def __reduce__(self) -> tuple[partial["LeagueError"], tuple[str, Sentence, Sentence]]:
        return partial(type(self), status=self.status), (self.code, self.message, self.fix)
