"""Which answers to strangers may be repeated, and until when: agreed between a view and the middleware that repeats."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rest_framework.request import Request

KEY = "aurum.repeat"
"""Where a view leaves word in the request's environment, which it shares with every middleware."""

ReadVersion = Callable[[], str | None]


@dataclass(frozen=True, slots=True)
class Repeat:
    """`version` names what the answer was made from, and was read before it was made.

    Without `read_version` the answer is repeated for a moment only; with it, for as long as that says the same.
    """

    version: str = ""
    read_version: ReadVersion | None = None


def allow_repeat(request: Request, repeat: Repeat) -> None:
    request.META[KEY] = repeat


def find_repeat(environment: dict[str, Any]) -> Repeat | None:
    repeat = environment.get(KEY)
    return repeat if isinstance(repeat, Repeat) else None


def is_strangers(environment: dict[str, Any]) -> bool:
    """Whether nothing in the request says who asks: all such requests for one address are answered alike."""
    return "HTTP_AUTHORIZATION" not in environment and not environment.get("HTTP_COOKIE")
