"""Coded errors of the bots' endpoints in the API's one shape."""

from typing import Any

import structlog
from django.http import JsonResponse
from rest_framework.response import Response
from rest_framework.views import APIView

from aurum_league.common.errors import LeagueError


def error_body(error: LeagueError) -> dict[str, Any]:
    request_id = structlog.contextvars.get_contextvars().get("request_id", "")
    return {
        "code": error.code,
        "message": error.message,
        "details": {"fix": error.fix} if error.fix else {},
        "request_id": request_id,
    }


def refuse(error: LeagueError, **headers: str) -> JsonResponse:
    return JsonResponse(error_body(error), status=error.status, headers=headers)


class BotApiView(APIView):
    """A view whose coded errors are answers."""

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, LeagueError):
            return Response(error_body(exc), status=exc.status)
        return super().handle_exception(exc)
