"""The one shape of every error that the API answers: code, message, details by field, request id."""

import logging
from typing import Any

import structlog
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.core.signals import got_request_exception
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from aurum_league.common.errors import LeagueError

log = logging.getLogger("django.request")

CODES: dict[type[exceptions.APIException], str] = {
    exceptions.NotAuthenticated: "not_authenticated",
    exceptions.AuthenticationFailed: "bad_token",
    exceptions.PermissionDenied: "forbidden",
    exceptions.NotFound: "not_found",
    exceptions.MethodNotAllowed: "method_not_allowed",
    exceptions.NotAcceptable: "not_acceptable",
    exceptions.UnsupportedMediaType: "unsupported_media_type",
    exceptions.Throttled: "throttled",
    exceptions.ParseError: "malformed",
    exceptions.ValidationError: "invalid",
}
"""Codes of what the framework itself refuses; every other code is that of a LeagueError."""

SERVER_ERROR = "server_error"
TOO_LARGE = "too_large"


def error_body(code: str, message: str, details: dict[str, Any] | None = None) -> dict[str, Any]:
    request_id = structlog.contextvars.get_contextvars().get("request_id", "")
    return {"code": code, "message": message, "details": details or {}, "request_id": request_id}


def league_error_body(error: LeagueError) -> dict[str, Any]:
    """Lists that its sentences name, such as the legal actions, are there as data too."""
    lists = {name: [str(one) for one in value] for name, value in error.fix.values.items() if isinstance(value, list)}
    return error_body(error.code, error.message, {**({"fix": error.fix} if error.fix else {}), **lists})


def answer_api_error(error: Exception, context: dict[str, Any]) -> Response:
    """Called by the framework for whatever a view raises; an unknown error is logged and told without its text."""
    set_rollback()
    if isinstance(error, LeagueError):
        return Response(league_error_body(error), status=error.status)
    if isinstance(error, RequestDataTooBig):
        return Response(error_body(TOO_LARGE, "The request is larger than allowed."), status=413)
    known = _as_api_error(error)
    if known is None:
        return _answer_unknown(error, context)
    return Response(_api_error_body(known), status=known.status_code, headers=_headers(known))


def _as_api_error(error: Exception) -> exceptions.APIException | None:
    if isinstance(error, Http404):
        return exceptions.NotFound()
    if isinstance(error, PermissionDenied):
        return exceptions.PermissionDenied()
    return error if isinstance(error, exceptions.APIException) else None


def _api_error_body(error: exceptions.APIException) -> dict[str, Any]:
    code = next((name for kind, name in CODES.items() if isinstance(error, kind)), "error")
    if isinstance(error, exceptions.ValidationError):
        return error_body(code, "Some fields cannot be taken as they are.", _by_field(error.detail))
    return error_body(code, str(error.detail))


def _by_field(detail: Any) -> dict[str, Any]:
    """Nested problems under dotted names, so that every value is a list of sentences."""
    if not isinstance(detail, dict):
        return {"body": [str(one) for one in detail]}
    flat: dict[str, list[str]] = {}
    for name, problems in detail.items():
        nested = isinstance(problems, dict) or any(isinstance(one, dict | list) for one in problems)
        if nested:
            parts = problems if isinstance(problems, dict) else dict(enumerate(problems))
            flat |= {f"{name}.{inner}": told for inner, told in _by_field(parts).items()}
        else:
            flat[str(name)] = [str(one) for one in problems]
    return flat


def _headers(error: exceptions.APIException) -> dict[str, str]:
    headers = {}
    if challenge := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    if wait := getattr(error, "wait", None):
        headers["Retry-After"] = str(int(wait) + 1)
    return headers


def _answer_unknown(error: Exception, context: dict[str, Any]) -> Response:
    request = context["request"]
    log.error("Internal Server Error: %s", request.path, exc_info=error)
    got_request_exception.send(sender=None, request=request._request)
    return Response(error_body(SERVER_ERROR, "Something went wrong on our side. It is noted."), status=500)
