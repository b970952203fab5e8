"""The pages that the tests of the look render, without a server or a database."""

from typing import Any

from django.template.loader import render_to_string
from django.test import RequestFactory

PAGES: dict[str, dict[str, Any]] = {
    "home.html": {},
    "400.html": {},
    "403.html": {},
    "403_csrf.html": {},
    "404.html": {},
    "429.html": {},
    "500.html": {},
    "sealed.html": {"matches_left": 3, "back_url": "/tournaments/"},
    "styleguide.html": {},
}


def render_page(name: str) -> str:
    return render_to_string(name, PAGES[name], request=RequestFactory().get("/"))
