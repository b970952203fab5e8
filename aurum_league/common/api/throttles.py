"""Throttles: so many requests a minute for each token or address and scope, counted once for all processes."""

import time
from typing import Any

from django.core.cache import cache
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import BaseThrottle

WINDOW_SECONDS = 60


class ScopeThrottle(BaseThrottle):
    """Counts in whole minutes; rates are in REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], `anonymous` for strangers."""

    def allow_request(self, request: Request, view: Any) -> bool:
        scope = "read" if request.method in SAFE_METHODS else getattr(view, "scope", "") or "read"
        rate = api_settings.DEFAULT_THROTTLE_RATES["anonymous" if request.user.is_anonymous else scope]
        if rate is None:
            return True
        window = int(time.time()) // WINDOW_SECONDS
        return _count(f"throttle:{self._name(request)}:{scope}:{window}") <= int(rate)

    def wait(self) -> float:
        return WINDOW_SECONDS - time.time() % WINDOW_SECONDS

    def _name(self, request: Request) -> str:
        token = getattr(request.auth, "digest", "")[:32]
        return token or str(request.user.pk or self.get_ident(request))


def _count(key: str) -> int:
    try:
        return cache.incr(key)
    except ValueError:
        return 1 if cache.add(key, 1, 2 * WINDOW_SECONDS) else cache.incr(key)
