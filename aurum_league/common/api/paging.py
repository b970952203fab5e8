"""Cursor pages: each page says where the next begins, so that rows added meanwhile shift nothing."""

import base64
import binascii
import json
from collections.abc import Callable
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Field, Model, Q
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from aurum_league.common.errors import LeagueError

DEFAULT_LIMIT = 50
MOST = 200
LONGEST_CURSOR = 400
RANKED = "rank"
FARTHEST = 10_000_000

Row = TypeVar("Row")


class CursorPages(BasePagination):
    """The view's `orderings` names the columns that can never be null by which its rows may be ordered."""

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        self.request = request
        limit = _read_limit(request.query_params.get("limit"))
        self.ordering = _read_ordering(request.query_params.get("ordering"), view.orderings)
        column, sign = self.ordering.removeprefix("-"), "-" if self.ordering.startswith("-") else ""
        if cursor := request.query_params.get("cursor"):
            queryset = queryset.filter(_after(queryset.model, column, sign, _decode(cursor, self.ordering)))
        keys = dict.fromkeys((f"{sign}{column}", f"{sign}id"))
        rows = list(queryset.order_by(*keys)[: limit + 1])
        self.last = rows[limit - 1] if len(rows) > limit else None
        return rows[:limit]

    def get_paginated_response(self, data: Any) -> Response:
        return Response({"results": data, "next": self._next()})

    def _next(self) -> str | None:
        if self.last is None:
            return None
        column = self.ordering.removeprefix("-")
        value = self.last._meta.get_field(column).value_to_string(self.last)
        return _link(self.request, [self.ordering, value, self.last.pk])

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        following = {
            "type": ["string", "null"],
            "format": "uri",
            "description": "the next page; null on the last",
            "example": None,
        }
        return {
            "type": "object",
            "required": ["results", "next"],
            "properties": {"results": schema, "next": following},
        }

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        choices = [f"{sign}{name}" for name in view.orderings for sign in ("", "-")]
        return [
            *_page_parameters(),
            _parameter("ordering", "a column; `-` before it turns it round", type="string", enum=choices),
        ]


class RankedPages(CursorPages):
    """Of a ranking that is read by lines, by a function of offset and limit."""

    def read_page(self, read_lines: Callable[[int, int], list[Row]], request: Request) -> list[Row]:
        self.request = request
        limit = _read_limit(request.query_params.get("limit"))
        cursor = request.query_params.get("cursor")
        begin = _decode(cursor, RANKED)[1] if cursor else 0
        if begin > FARTHEST:
            raise LeagueError("bad_cursor", "This cursor is not one of ours.", "Start again.")
        rows = read_lines(begin, limit + 1)
        self.last = begin + limit if len(rows) > limit else None
        return rows[:limit]

    def _next(self) -> str | None:
        return None if self.last is None else _link(self.request, [RANKED, "", self.last])

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        return _page_parameters()


def _page_parameters() -> list[dict[str, Any]]:
    return [
        _parameter("limit", "rows a page", type="integer", minimum=1, maximum=MOST, default=DEFAULT_LIMIT),
        _parameter("cursor", "where the page begins; take it from `next`", type="string"),
    ]


def _link(request: Request, position: list[Any]) -> str:
    """The address of the page that begins after a position."""
    text = json.dumps(position, separators=(",", ":"))
    cursor = base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")
    return replace_query_param(request.build_absolute_uri(), "cursor", cursor)


def _parameter(name: str, description: str, **schema: Any) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": False, "description": description, "schema": schema}


def _read_limit(text: str | None) -> int:
    if text is None:
        return DEFAULT_LIMIT
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= MOST):
        raise LeagueError("bad_limit", "limit must be a whole number from 1 to %(most)s.", most=MOST)
    return int(text)


def _read_ordering(text: str | None, orderings: tuple[str, ...]) -> str:
    """Without one, the view's first column, newest or highest first where that is its number."""
    if text is None:
        return "-id" if orderings[0] == "id" else orderings[0]
    if text.removeprefix("-") not in orderings:
        raise LeagueError("bad_ordering", "Rows can be ordered by: %(names)s.", names=list(orderings))
    return text


def _decode(cursor: str, ordering: str) -> tuple[Any, int]:
    padded = cursor[:LONGEST_CURSOR] + "=" * (-len(cursor) % 4)
    try:
        told = json.loads(base64.urlsafe_b64decode(padded.encode()))
    except (binascii.Error, ValueError):
        told = None
    match told:
        case [str(made_for), str(value), int(pk)] if made_for == ordering and "\0" not in value and 0 <= pk < 2**63:
            return value, pk
    raise LeagueError("bad_cursor", "This cursor is not one of ours, or not for this ordering.", "Start again.")


def _after(model: type[Model], column: str, sign: str, position: tuple[Any, int]) -> Q:
    step = "lt" if sign else "gt"
    text, pk = position
    try:
        field = model._meta.get_field(column)
        assert isinstance(field, Field)
        value = field.to_python(text)
    except ValidationError:
        raise LeagueError("bad_cursor", "This cursor is not one of ours.", "Start again.") from None
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise LeagueError("bad_cursor", "This cursor is not one of ours.", "Start again.")
    return Q(**{f"{column}__{step}": value}) | Q(**{column: value, f"id__{step}": pk})
