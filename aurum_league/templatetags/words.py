"""In templates: what the site itself wrote, in the reader's language."""

from django import template

from aurum_league.common.refusals import say_sentence

register = template.Library()


@register.filter
def said(text: str) -> str:
    """A sentence of the site translated; what people wrote stays as it is."""
    return say_sentence(text)
