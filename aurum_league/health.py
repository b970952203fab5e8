"""/healthz: this process answers; /readyz: everything it needs answers too; both as JSON."""

from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache

from aurum_league.checks import READINESS


@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "ok"})


@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """Status 503 while something needed is missing; the sandbox is not, since people and house bots play without it."""
    results = {name: check() for name, check in READINESS.items()}
    is_ready = all(result.passed for result in results.values() if result.is_needed)
    body = {
        "status": "ready" if is_ready else "not ready",
        "checks": {name: {"passed": result.passed, "sentence": result.sentence} for name, result in results.items()},
    }
    return JsonResponse(body, status=200 if is_ready else 503)
