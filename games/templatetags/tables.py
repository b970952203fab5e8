"""In templates: how many tables wait for whoever reads the page, and the key by which a browser lets itself be told."""

from django import template
from django.template import Context

from aurum_league.common.push import read_push_key
from games.selectors.sitters import count_awaiting

register = template.Library()


@register.simple_tag(takes_context=True)
def awaiting_tables(context: Context) -> int:
    """0 for a stranger, who asks the database nothing; a page without a request has no reader."""
    user = getattr(context.get("request"), "user", None)
    return count_awaiting(user.pk) if user is not None and user.is_authenticated else 0


@register.simple_tag
def push_key() -> str:
    return read_push_key()
