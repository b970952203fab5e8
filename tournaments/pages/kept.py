"""Parts of pages that are rendered once for everybody and kept as long as nothing they show has changed."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from aurum_league.common.kept import keep, read_kept

KEPT_SECONDS = 300


def render_kept(
    request: HttpRequest,
    key: str,
    template: str,
    make_context: Callable[[], dict[str, Any]],
    seconds: int = KEPT_SECONDS,
) -> SafeString:
    """The part in the reader's language; what it shows must follow from the key alone.

    A context with `is_incomplete` set is rendered, but not kept.
    """
    key = f"{key}-{get_language()}"
    known: SafeString | None = read_kept(key)
    if known is None:
        context = make_context()
        known = render_to_string(template, context, request)
        if not context.get("is_incomplete"):
            keep(key, known, seconds)
    return known
