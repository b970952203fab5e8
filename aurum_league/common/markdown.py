"""What organisers write, as safe HTML: a small Markdown without raw HTML, without pictures, its links unfollowed."""

from collections.abc import Sequence
from typing import Any

from django.utils.safestring import SafeString
from markdown_it import MarkdownIt
from markdown_it.token import Token

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
