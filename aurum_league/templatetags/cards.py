"""Template tags for cards (`B7`, `G3`), gold coins, the marks of the metals, and icons: `{% load cards %}`."""

import re

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy

register = template.Library()

CARD_SPRITE = "svg/cards.svg"
ICON_SPRITE = "svg/icons.svg"
FACE_SPRITE = "svg/faces.svg"
FACE_DOWN = "back"
EMPTY_PLACE = "slot"
METALS = {
    "B": gettext_lazy("Bismuth"),
    "C": gettext_lazy("Copper"),
    "P": gettext_lazy("Phosphorus"),
    "S": gettext_lazy("Silver"),
    "Z": gettext_lazy("Zinc"),
    "G": gettext_lazy("Gold"),
}
CARD = re.compile(r"[BCPSZ](?:[1-9]|10)|G[0-8]")
SIZES = ("small", "medium", "large")


@register.filter
def card_name(code: str) -> str:
    """`B7` as words; raises ValueError for what is no card."""
    if code == FACE_DOWN:
        return gettext("Face-down card")
    if code == EMPTY_PLACE:
        return gettext("No card")
    if not CARD.fullmatch(code):
        raise ValueError(f"{code!r} is not a card: write its letter and rank, as in B7, Z10 or G0")
    return f"{METALS[code[0]]} {code[1:]}"


@register.simple_tag
def card(code: str, size: str = "medium", is_named: bool = True) -> SafeString:
    """A card, `back` or `slot`. Unnamed, it is hidden from screen readers: for a button with a label of its own."""
    if size not in SIZES:
        raise ValueError(f"{size!r} is not a card size: {', '.join(SIZES)}")
    name = card_name(code)
    classes = f"card card-{size}" + (" card-slot" if code == EMPTY_PLACE else "")
    return draw_symbol(CARD_SPRITE, f"card-{code}", classes, name if is_named else "")


@register.simple_tag
def coin(rank: int | str, is_named: bool = True) -> SafeString:
    """A gold card as a coin, for collections and the supply."""
    name = card_name(f"G{rank}")
    return draw_symbol(CARD_SPRITE, f"coin-{rank}", "coin", name if is_named else "")


@register.simple_tag
def mark(letter: str) -> SafeString:
    """The mark of a metal alone; the letter must stand beside it."""
    return draw_symbol(CARD_SPRITE, f"mark-{check_letter(letter)}", "mark")


@register.simple_tag
def metal(letter: str) -> SafeString:
    """Mark, name and letter of a metal in running text, so that colour is never the only sign."""
    letter = check_letter(letter)
    return format_html(
        '<span class="metal metal-{}">{} {} ({})</span>', letter.lower(), mark(letter), METALS[letter], letter
    )


@register.simple_tag
def icon(name: str, label: str = "") -> SafeString:
    """An icon of the icon sprite; give a label where no text stands beside it."""
    return draw_symbol(ICON_SPRITE, name, "icon", label)


@register.simple_tag
def face(brain: str) -> SafeString:
    """The face of a house bot, by the name of its brain."""
    return draw_symbol(FACE_SPRITE, brain, "icon", "")


@register.simple_tag
def seal() -> SafeString:
    """The sign of the league; from the icons, so that a page without cards need not fetch theirs."""
    return draw_symbol(ICON_SPRITE, "seal", "seal")


@register.simple_tag
def card_sprite() -> str:
    """Address of the sprite, for scripts that draw cards: append `#card-B7`."""
    return static(CARD_SPRITE)


def check_letter(letter: str) -> str:
    if letter not in METALS:
        raise ValueError(f"{letter!r} is not a metal: {', '.join(METALS)}")
    return letter


def draw_symbol(sprite: str, symbol: str, classes: str, label: str = "") -> SafeString:
    """An empty label hides the drawing from screen readers, for use beside text that says the same."""
    href = f"{static(sprite)}#{symbol}"
    if not label:
        return format_html('<svg class="{}" aria-hidden="true"><use href="{}"></use></svg>', classes, href)
    return format_html('<svg class="{}" role="img" aria-label="{}"><use href="{}"></use></svg>', classes, label, href)
