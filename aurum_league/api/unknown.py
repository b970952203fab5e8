"""What an address of the API that does not exist answers: an error in the one shape."""

from typing import Any

from rest_framework.exceptions import NotFound
from rest_framework.request import Request

from aurum_league.common.api.views import LeagueView


class UnknownAddress(LeagueView):
    schema = None
    permission_classes = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise NotFound("There is nothing at this address.")
