"""Every address of the site, walked from the resolver, and the parameters each of them takes."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.urls import URLPattern, URLResolver, get_resolver, reverse

from tests.security.site import Site

PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>")


@dataclass(frozen=True)
class Address:
    name: str
    parameters: tuple[str, ...]

    def fill_in(self, site: Site, subject: str = "-") -> str:
        known = {**site.values, **site.subjects[subject]}
        return reverse(self.name, kwargs={name: known[name] for name in self.parameters})


def list_addresses() -> dict[str, Address]:
    """All that have a name, the admin's apart: those are one policy, and their number depends on what is registered."""
    found = (_name(pattern, route) for pattern, route, space in _walk(get_resolver().url_patterns) if space != "admin")
    return {address.name: address for address in found if address}


def list_admin_addresses() -> dict[str, Address]:
    found = (_name(pattern, route, "admin:") for pattern, route, space in _walk(get_resolver().url_patterns) if space)
    return {address.name: address for address in found if address}


def _walk(
    patterns: Sequence[URLPattern | URLResolver], route: str = "", space: str = ""
) -> Iterator[tuple[URLPattern, str, str]]:
    for pattern in patterns:
        here = route + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, here, space or pattern.namespace or "")
        else:
            yield pattern, here, space


def _name(pattern: URLPattern, route: str, prefix: str = "") -> Address | None:
    if not pattern.name:
        return None
    parameters = tuple(first or second for first, second in PARAMETER.findall(route))
    return Address(prefix + pattern.name, parameters)
