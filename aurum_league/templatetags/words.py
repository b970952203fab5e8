"""In templates: what the site itself wrote, in the reader's language; and what people wrote, as safe HTML."""

from django import template
from django.utils.safestring import SafeString

from aurum_league.common.pages import plain_text, render_markdown, say_sentence

register = template.Library()


@register.filter
def said(text: str) -> str:
    """A sentence of the site translated; what people wrote stays as it is."""
    return say_sentence(text)


@register.filter
def markdown(text: str) -> SafeString:
    return render_markdown(text)


@register.filter
def plain(text: str) -> str:
    """The words of a text in Markdown, without its marks."""
    return plain_text(text)
