"""Answers the addresses that machines ask (health, metrics) before any other middleware has a say."""

from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import sync_and_async_middleware

from aurum_league.health import healthz, readyz
from aurum_league.metrics import metrics

PROBES: dict[str, Callable[[HttpRequest], HttpResponse]] = {
    "/healthz": healthz,
    "/readyz": readyz,
    "/metrics": metrics,
}


@sync_and_async_middleware
def answer_probes(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Orchestrators call by address, without TLS: host names and redirects must not stand in their way."""
    if iscoroutinefunction(get_response):
        # The async stack serves live streams only.
        return get_response

    def middleware(request: HttpRequest) -> HttpResponse:
        probe = PROBES.get(request.path_info)
        return probe(request) if probe else get_response(request)

    return middleware
