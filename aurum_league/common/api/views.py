"""The base of every view of the API: documented, filtered, cut to some fields, in its formats; and long streams."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.db import connection
from django.db.models import QuerySet
from django_filters import (  # type: ignore[import-untyped]
    BooleanFilter,
    CharFilter,
    ChoiceFilter,
    FilterSet,
    IsoDateTimeFilter,
    NumberFilter,
)
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from aurum_league.common.api.paging import CursorPages
from aurum_league.common.cache import CacheRule, allow_caching, find_cache_rule
from aurum_league.common.errors import LeagueError
from aurum_league.common.parquet import PARQUET

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")


async def in_thread(work: Callable[Arguments, Answer], *args: Arguments.args, **kwargs: Arguments.kwargs) -> Answer:
    """Do database work in a thread and give its connection back: a stream needs none meanwhile."""

    def run() -> Answer:
        try:
            return work(*args, **kwargs)
        finally:
            if not connection.in_atomic_block:
                connection.close()

    return await sync_to_async(run)()


def is_wanted() -> bool:
    """False once this task was told to end: Python 3.11's `wait_for` can swallow that while a client connects."""
    task = asyncio.current_task()
    return task is None or not task.cancelling()


__all__ = ["BooleanFilter", "CharFilter", "ChoiceFilter", "FilterSet", "IsoDateTimeFilter", "NumberFilter"]


class _Made(BaseRenderer):
    """Stands for a format in the negotiation; errors are answered as JSON all the same."""

    charset = None

    def render(self, data: Any, media: str | None = None, context: Any = None) -> bytes:
        response = (context or {}).get("response")
        if response is not None:
            response["Content-Type"] = "application/json"
        return JSONRenderer().render(data)


class AnyText(_Made):
    media_type = "text/plain"
    format = "text"


class AnyLines(_Made):
    media_type = "application/x-ndjson"
    format = "ndjson"


class AnyTable(_Made):
    media_type = "text/csv"
    format = "csv"


class AnyParquet(_Made):
    media_type = PARQUET
    format = "parquet"


FIELDS = OpenApiParameter(
    "fields", str, description="names of the fields wanted, separated by commas; all of them where it is left out"
)


class SparseSerializer(serializers.Serializer):
    """Reads `fields` from the request in its context; only the outermost serializer is thinned out."""

    def get_fields(self) -> dict[str, Any]:
        fields = super().get_fields()
        request = self.context.get("request")
        is_outermost = self.parent is None or (
            isinstance(self.parent, serializers.ListSerializer) and not self.parent.parent
        )
        wanted = request.query_params.get("fields") if request is not None and is_outermost else None
        if wanted is None:
            return fields
        names = {name for name in wanted.split(",") if name}
        if unknown := sorted(names - set(fields)):
            raise LeagueError(
                "bad_fields",
                "There is no field %(name)s.",
                "There are: %(names)s.",
                name=repr(unknown[0][:40]),
                names=list(fields),
            )
        return {name: field for name, field in fields.items() if name in names}


View = TypeVar("View", bound=Callable[..., Any])

IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="1 to 64 signs of your choice; sent again with the same request it gets the first answer again",
)
JSON = "application/json"


def operation(
    *,
    id: str,
    summary: str,
    answer: Any,
    example: Any,
    description: str = "",
    status: int = 200,
    media: str = JSON,
    request: Any = None,
    request_example: Any = None,
    parameters: Sequence[OpenApiParameter] = (),
    is_once: bool | None = None,
) -> Callable[[View], View]:
    """Document one method of a view. Lists give the example of one row; errors are added for every operation alike.

    `is_once` says whether the method is wrapped in `answer_once`; one that takes a body is, unless told otherwise.
    """
    shown = [OpenApiExample("answer", example, media_type=media, response_only=True, status_codes=[str(status)])]
    if request_example is not None:
        shown.append(OpenApiExample("request", request_example, request_only=True))
    extra = [*parameters]
    one = getattr(answer, "child", answer)
    if _is_sparse(one):
        extra.append(FIELDS)
    if request is not None if is_once is None else is_once:
        extra.append(IDEMPOTENCY_KEY)
    return extend_schema(
        operation_id=id,
        summary=summary,
        description=description or f"{summary}.",
        request=request,
        responses={(status, media): OpenApiResponse(answer, description=summary)},
        parameters=extra,
        examples=shown,
    )


def _is_sparse(answer: Any) -> bool:
    return isinstance(answer, SparseSerializer) or (isinstance(answer, type) and issubclass(answer, SparseSerializer))


class LeagueView(APIView):
    """A token needs `scope`, or one of `other_scopes`, to write here; `is_private` closes reading to strangers too.

    What a stranger is told may be sent to the next one for a moment, unless `is_cacheable` says no.
    """

    scope = ""
    other_scopes: tuple[str, ...] = ()
    is_private = False
    is_cacheable = True

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        if self.is_cacheable and find_cache_rule(request.META) is None:
            allow_caching(request, CacheRule())
        return super().finalize_response(request, response, *args, **kwargs)

    def read_body(self, request: Request, form: type[Serializer]) -> dict[str, Any]:
        """What was sent, checked by a serializer."""
        checked = form(data=request.data)
        checked.is_valid(raise_exception=True)
        return checked.validated_data


class LeagueList(LeagueView, ListAPIView):
    """Rows of a selector, in pages; `orderings` names columns that are never null."""

    pagination_class = CursorPages
    orderings: tuple[str, ...] = ("id",)

    def show_page(self, rows: QuerySet[Any]) -> Response:
        """One page of these rows; a view whose rows depend on its address sets an empty `queryset` for the schema."""
        page = self.paginate_queryset(self.filter_queryset(rows))
        return self.get_paginated_response(self.get_serializer(page, many=True).data)
