"""The base of every view of the API."""

from typing import Any

from django.db.models import QuerySet
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from aurum_league.common.api.paging import CursorPages
from aurum_league.common.api.repeats import Repeat, allow_repeat, find_repeat


class LeagueView(APIView):
    """A token needs `scope`, or one of `other_scopes`, to write here; `is_private` closes reading to strangers too.

    What a stranger is told may be repeated to the next one for a moment, unless `is_repeatable` says no.
    """

    scope = ""
    other_scopes: tuple[str, ...] = ()
    is_private = False
    is_repeatable = True

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        if self.is_repeatable and find_repeat(request.META) is None:
            allow_repeat(request, Repeat())
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
