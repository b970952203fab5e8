"""Pictures: pure functions from values to SVG text that prints and needs no JavaScript; here the pieces they share."""

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any
from xml.sax.saxutils import escape, quoteattr

Value = str | float | int


def element(name: str, *children: str, **attributes: Value) -> str:
    """An element; `class_` and `text_anchor` become `class` and `text-anchor`. Children are SVG already."""
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}={quoteattr(number(value))}" for key, value in attributes.items()
    )
    return f"<{name}{written}>{''.join(children)}</{name}>" if children else f"<{name}{written}/>"


def text(x: float, y: float, words: str, **attributes: Value) -> str:
    """Words at a point, in the size and colour of the whole picture."""
    return element("text", escape(words), x=x, y=y, **attributes)


def tooltip(words: str) -> str:
    """What is shown under the pointer, and said of the element around it."""
    return element("title", escape(words))


def line(x1: float, y1: float, x2: float, y2: float, **attributes: Value) -> str:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke="currentColor", **attributes)


def path(points: Iterable[tuple[float, float]], *, is_closed: bool = False, **attributes: Value) -> str:
    """A line through points; filled only where `fill` says so."""
    drawn = "L".join(f"{number(x)},{number(y)}" for x, y in points)
    return element("path", d=f"M{drawn}{'Z' if is_closed else ''}", **{"fill": "none", **attributes})


def picture(width: float, height: float, title: str, kind: str, *children: str) -> str:
    """A whole picture that scales with its place, in the colour of its text; `title` is what a screen reader says."""
    return element(
        "svg",
        tooltip(title),
        *children,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=width,
        height=height,
        fill="currentColor",
        font_size=12,
        role="img",
        aria_label=title,
        class_=f"picture picture-{kind}",
    )


def number(value: Value) -> str:
    """Hundredths are finer than any screen; they keep the text short."""
    return value if isinstance(value, str) else f"{value:.2f}".rstrip("0").rstrip(".")


def list_rows(values: Iterable[Any]) -> list[dict[str, Any]]:
    """Dataclasses, named tuples and mappings as flat rows; what is nested gets joined names such as `shown_low`."""
    return [_flatten(value) for value in values]


def _flatten(value: Any, prefix: str = "") -> dict[str, Any]:
    row: dict[str, Any] = {}
    for key, part in (_fields_of(value) or {}).items():
        name = f"{prefix}{key}"
        row |= {name: part} if _fields_of(part) is None else _flatten(part, f"{name}_")
    return row


def _fields_of(value: Any) -> Mapping[str, Any] | None:
    """The parts of a value by name; None for one that has no parts."""
    if hasattr(value, "_asdict"):
        return dict(value._asdict())
    if is_dataclass(value) and not isinstance(value, type):
        return {part.name: getattr(value, part.name) for part in fields(value)}
    return value if isinstance(value, Mapping) else None
