"""/metrics for Prometheus: open to the bearer of METRICS_TOKEN and to this machine itself, to nobody else."""

import ipaddress
import secrets

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from aurum_league.environment import read_text
from aurum_league.league_metrics import LeagueCollector

PROXY_HEADERS = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Via")


def make_registry() -> CollectorRegistry:
    """What this process counts; where a site has several web processes, what they all count, added up."""
    folder = read_text("PROMETHEUS_MULTIPROC_DIR")
    found = CollectorRegistry() if folder else REGISTRY
    if folder:
        MultiProcessCollector(found, folder)
    found.register(LeagueCollector())
    return found


registry = make_registry()


@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    if not (_bears_token(request) or _is_local(request)):
        return JsonResponse({"code": "metrics_closed", "message": "Metrics need the bearer token."}, status=403)
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


def _bears_token(request: HttpRequest) -> bool:
    token = settings.METRICS_TOKEN
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    return bool(token) and secrets.compare_digest(given.encode(), token.encode())


def _is_local(request: HttpRequest) -> bool:
    """A proxy on this machine also calls from loopback, on behalf of the world."""
    if any(header in request.headers for header in PROXY_HEADERS):
        return False
    try:
        return ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
