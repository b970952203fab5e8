"""Pages of long lists: an address that asks for a page that is not there gets the nearest one."""

from collections.abc import Sequence
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest

LONGEST_NUMBER = 6


def read_page_number(request: HttpRequest) -> int:
    """The page that the address asks for; 1 where that is no number of a page."""
    asked = request.GET.get("page", "")
    return max(1, int(asked)) if asked.isdecimal() and len(asked) <= LONGEST_NUMBER else 1


def cut_page(request: HttpRequest, rows: QuerySet[Any] | Sequence[Any], size: int) -> Page:
    return Paginator(rows, size).get_page(read_page_number(request))
