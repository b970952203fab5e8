"""The base of every view of the API."""

from typing import Any

from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from aurum_league.common.api.paging import CursorPages


class LeagueView(APIView):
    """`scope` is what a token needs to write here; `is_private` closes reading to strangers too."""

    scope = ""
    is_private = False

    def read_body(self, request: Request, form: type[Serializer]) -> dict[str, Any]:
        """What was sent, checked by a serializer."""
        checked = form(data=request.data)
        checked.is_valid(raise_exception=True)
        return checked.validated_data


class LeagueList(LeagueView, ListAPIView):
    """Rows of a selector, in pages; `orderings` names columns that are never null."""

    pagination_class = CursorPages
    orderings: tuple[str, ...] = ("id",)
