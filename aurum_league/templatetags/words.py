"""In templates: the site's own words in the reader's language, people's as safe HTML, and what waits for the reader."""

from django import template
from django.template import Context
from django.utils.safestring import SafeString

from aurum_league.common.pages import plain_text, render_markdown, say_sentence
from aurum_league.common.telling import read_push_key
from games.selectors.sitters import count_awaiting

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


@register.simple_tag(takes_context=True)
def awaiting_tables(context: Context) -> int:
    """0 for a stranger, who asks the database nothing; a page without a request has no reader."""
    user = getattr(context.get("request"), "user", None)
    return count_awaiting(user.pk) if user is not None and user.is_authenticated else 0


@register.simple_tag
def push_key() -> str:
    return read_push_key()
