"""What pages share: fields of forms made from serializers, refusals in the reader's language, Markdown as safe HTML."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from markdown_it import MarkdownIt
from markdown_it.token import Token
from rest_framework import serializers
from rest_framework.fields import empty

from aurum_league.common.errors import LeagueError, Sentence, fill_template

SHOWN_AS: tuple[tuple[type[serializers.Field], type[forms.Field]], ...] = (
    (serializers.ChoiceField, forms.ChoiceField),
    (serializers.BooleanField, forms.BooleanField),
    (serializers.IntegerField, forms.IntegerField),
    (serializers.FloatField, forms.FloatField),
    (serializers.DateTimeField, forms.DateTimeField),
    (serializers.FileField, forms.FileField),
    # A short name that nobody can have is refused by the service, in words that say what such a name is.
    (serializers.CharField, forms.CharField),
)
BOUNDS = ("max_length", "min_length", "min_value", "max_value")


def shown_field(serializer: type[serializers.Serializer], name: str, **words: Any) -> Any:
    """The form field for a field of the API, or for one item of a list; `words` are the page's own.

    What the API has a default for stands in the form already. Only texts, times and ticks may be left out there.
    """
    taken = serializer().fields[name]
    if isinstance(taken, serializers.ListField):
        taken = taken.child
    kind = next(shown for declared, shown in SHOWN_AS if isinstance(taken, declared))
    if isinstance(taken, serializers.ChoiceField):
        words = {"choices": list(taken.choices.items()), **words}
        if {str(value) for value, _label in words["choices"]} != {str(value) for value in taken.choices}:
            raise ValueError(f"{serializer.__name__}.{name} takes other choices than the page shows.")
    if taken.default is not empty and taken.default:
        words = {"initial": taken.default, **words}
    bounds = {bound: getattr(taken, bound) for bound in BOUNDS if getattr(taken, bound, None) is not None}
    if twice := bounds.keys() & words.keys():
        raise ValueError(f"{serializer.__name__}.{name} says itself: {', '.join(sorted(twice))}.")
    return kind(**{"required": _is_needed(taken)} | bounds | words)


def _is_needed(taken: serializers.Field) -> bool:
    return not (isinstance(taken, serializers.BooleanField) or getattr(taken, "allow_blank", False) or taken.allow_null)


def say_refusal(error: LeagueError) -> str:
    """The sentence and what to do about it."""
    return " ".join(filter(None, (say_sentence(error.message), say_sentence(error.fix))))


class Refused(PermissionDenied):
    """A refusal in words that its reader may see; of any other the page of 403 tells nothing."""


def show_refused(request: HttpRequest, exception: Exception) -> HttpResponse:
    refusal = str(exception) if isinstance(exception, Refused) else ""
    return render(request, "403.html", {"refusal": refusal}, status=403)


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


FIRST_HEADING = 3
"""Pages have their own first and second headings."""


def render_markdown(text: str) -> SafeString:
    """HTML of a text that anybody may have written; what is no Markdown of ours stands as it was typed."""
    # The renderer escapes all text, and tags are not recognised: nothing of the text reaches the page as markup.
    return SafeString(_MARKDOWN.render(text.replace("\x00", "")))


def plain_text(text: str) -> str:
    """The words alone, on one line: for lists, mails and previews."""
    words = [
        _words_of(token) for token in _MARKDOWN.parse(text.replace("\x00", "")) if token.type in ("inline", "fence")
    ]
    return " ".join(filter(None, words))


def _words_of(token: Token) -> str:
    parts = [child.content if child.content else " " for child in token.children or [token] if child.nesting == 0]
    return " ".join("".join(parts).split())


def _open_link(self: Any, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    tokens[index].attrSet("rel", "nofollow ugc noopener")
    return str(self.renderToken(tokens, index, options, env))


def _heading(self: Any, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    level = min(6, int(tokens[index].tag[1]) - 1 + FIRST_HEADING)
    tokens[index].tag = f"h{level}"
    return str(self.renderToken(tokens, index, options, env))


def _make() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False, "breaks": True, "maxNesting": 20})
    made.disable(["image", "html_block", "html_inline", "entity"])
    made.enable(["table", "strikethrough"])
    made.add_render_rule("link_open", _open_link)
    for rule in ("heading_open", "heading_close"):
        made.add_render_rule(rule, _heading)
    return made


_MARKDOWN = _make()
