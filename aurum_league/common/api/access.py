"""Who may ask the API for what, and how often: scopes of tokens and throttles."""

import ipaddress
import time
from functools import cache
from typing import Any

import structlog
from django.conf import settings
from django.contrib.auth.models import User
from redis import Redis, RedisError
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import BaseThrottle

from aurum_league.common.breaker import make_redis_options
from aurum_league.common.errors import LeagueError

SCOPES: dict[str, str] = {
    "read": "read what its owner may read",
    "play": "sit at tables, decide and resign",
    "bots": "register bots and versions, ask for scrimmages and tests",
    "organise": "create and run leagues and tournaments",
}


class HasScope(BasePermission):
    """Anybody may read what is public. Writing takes a person, and a token that holds the view's `scope`.

    A person signed in by a browser holds every scope; a view that sets `is_private` is not for strangers at all.
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        is_read = request.method in SAFE_METHODS
        if not request.user.is_authenticated:
            return is_read and not getattr(view, "is_private", False)
        require_scope(request, *(("read",) if is_read else (view.scope, *view.other_scopes)))
        return True


def require_scope(request: Request, *scopes: str) -> None:
    """A coded error where the request came with a token that holds none of these."""
    held = getattr(request.auth, "scopes", ())
    if request.auth is not None and not set(scopes) & set(held):
        wanted = " or ".join(scopes)
        raise LeagueError(
            "missing_scope",
            "This token lacks the scope %(scope)s.",
            "Make a token that has it.",
            status=403,
            scope=wanted,
        )


def person_of(request: Request) -> User:
    """Who is asking, where the permission has let only people through."""
    if not isinstance(request.user, User):
        raise NotAuthenticated
    return request.user


WINDOW_SECONDS = 60
DAY_SECONDS = 86_400
STRANGERS = "anonymous"
KEY = "aurum:throttle:{name}:{scope}:{window}"

log = structlog.get_logger()


class ScopeThrottle(BaseThrottle):
    """Counts in whole minutes; rates are in REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], `anonymous` for strangers."""

    def allow_request(self, request: Request, view: Any) -> bool:
        if request.user.is_anonymous:
            return is_stranger_within_rate(self.get_ident(request))
        scope = "read" if request.method in SAFE_METHODS else getattr(view, "scope", "") or "read"
        return is_within_rate(self._name(request), scope, api_settings.DEFAULT_THROTTLE_RATES[scope])

    def wait(self) -> float:
        return seconds_left()

    def _name(self, request: Request) -> str:
        return getattr(request.auth, "digest", "")[:32] or f"user-{request.user.pk}"


def seconds_left() -> float:
    """Until the next minute is counted."""
    return WINDOW_SECONDS - time.time() % WINDOW_SECONDS


def is_stranger_within_rate(address: str) -> bool:
    return is_within_rate(name_address(address), STRANGERS, api_settings.DEFAULT_THROTTLE_RATES[STRANGERS])


def name_address(text: str) -> str:
    """Whoever has one address of IPv6 has its whole network of 64 bits."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return text
    if isinstance(address, ipaddress.IPv4Address) or address.ipv4_mapped:
        return str(getattr(address, "ipv4_mapped", None) or address)
    return str(ipaddress.ip_network((address, 64), strict=False))


def is_within_rate(name: str, scope: str, rate: float | None, *, window: int = WINDOW_SECONDS) -> bool:
    """Count one request of this name. While Redis is away nobody is counted: better read freely than not at all."""
    if rate is None:
        return True
    key = KEY.format(name=name, scope=scope, window=int(time.time()) // window)
    # Held by name: of the clients that the first threads of a process make at once all but one are dropped, and a
    # dropped client closes its connections under the pipeline that uses them.
    counter = connect_counter(str(settings.CACHES["default"]["LOCATION"]))
    try:
        with counter.pipeline(transaction=False) as steps:
            steps.incr(key)
            steps.expire(key, 2 * window, nx=True)
            count = int(steps.execute()[0])
    except (RedisError, OSError) as error:
        log.warning("throttle_uncounted", error=type(error).__name__)
        return True
    return count <= rate


@cache
def connect_counter(address: str) -> Redis:
    return Redis.from_url(address, **make_redis_options())
