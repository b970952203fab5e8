"""What stands before Django's views: whole requests, names on log lines, probes, and the admin's own content policy."""

import asyncio
import io
import ipaddress
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any

import structlog
from a2wsgi.wsgi import build_environ
from asgiref.sync import iscoroutinefunction
from csp.constants import UNSAFE_EVAL, UNSAFE_INLINE
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.decorators import sync_and_async_middleware
from django.utils.deprecation import MiddlewareMixin
from django_structlog import signals

from aurum_league.operations.checks import healthz, readyz
from aurum_league.operations.metrics import metrics


def name_client(scope: Any, trusted: int) -> Any:
    """The scope with the client's own address where so many proxies have each added the one before them.

    Where fewer have, the request did not come by way of all of them, and the address it came from stands.
    """
    if not trusted:
        return scope
    forwarded = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
    hops = b",".join(forwarded).decode("latin1").split(",")
    address = read_address(hops[-trusted]) if len(hops) >= trusted else ""
    return {**scope, "client": (address, 0)} if address else scope


def read_address(text: str) -> str:
    """With or without a port; empty for what is no address."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        return ""


Answer = tuple[int, list[tuple[bytes, bytes]], bytes]


class WholeRequests:
    """An ASGI application around a WSGI one, for requests that are here whole and answers that are no streams."""

    def __init__(self, wsgi: Callable[..., Iterable[bytes]], threads: int) -> None:
        self.wsgi = wsgi
        self.threads = ThreadPoolExecutor(threads, thread_name_prefix="whole")

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        body = (await receive()).get("body", b"")
        environ = build_environ(scope, io.BytesIO(body))  # type: ignore[arg-type]
        loop = asyncio.get_running_loop()
        run = copy_context().run
        status, headers, content = await loop.run_in_executor(self.threads, run, self._answer, environ)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": content})

    def _answer(self, environ: Any) -> Answer:
        started: list[tuple[int, list[tuple[bytes, bytes]]]] = []

        def start(status: str, headers: list[tuple[str, str]], failure: object = None) -> None:
            encoded = [(name.lower().encode("latin1"), value.encode("latin1")) for name, value in headers]
            started.append((int(status[:3]), encoded))

        pieces = self.wsgi(environ, start)
        try:
            content = b"".join(pieces)
        finally:
            getattr(pieces, "close", lambda: None)()
        return *started[-1], content


@receiver(signals.bind_extra_request_finished_metadata)
@receiver(signals.update_failure_response)
def add_request_id(response: HttpResponseBase, logger: Any, **details: Any) -> None:
    response.headers["X-Request-ID"] = structlog.contextvars.get_merged_contextvars(logger)["request_id"]


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


class MatchOnLogLines(MiddlewareMixin):
    """Whatever is said while a page or the API answers about a match names it; behind the one that binds requests."""

    def process_view(self, request: HttpRequest, view: object, rest: object, named: dict[str, Any]) -> None:
        if "match_id" in named:
            structlog.contextvars.bind_contextvars(match_id=named["match_id"])


# Unfold builds its menus with Alpine.js, which evaluates attributes; no inline script is needed.
ADMIN_SOURCES = {"script-src": [UNSAFE_EVAL], "style-src": [UNSAFE_INLINE]}


class AdminPolicyMiddleware(MiddlewareMixin):
    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        match = request.resolver_match
        if match and match.app_name == "admin":
            response._csp_update = ADMIN_SOURCES  # type: ignore[attr-defined]
        return response


# What a page of ours never asks a browser for; passkeys are asked for by our own pages alone.
DENIED = (
    *("accelerometer", "browsing-topics", "camera", "display-capture", "geolocation", "gyroscope"),
    *("magnetometer", "microphone", "midi", "payment", "serial", "usb"),
)
PERMISSIONS = ", ".join([*(f"{name}=()" for name in DENIED), "publickey-credentials-get=(self)"])


@sync_and_async_middleware
def deny_devices(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    if iscoroutinefunction(get_response):

        async def deny(request: HttpRequest) -> HttpResponseBase:
            return _with_permissions(await get_response(request))

        return deny
    return lambda request: _with_permissions(get_response(request))


def _with_permissions(response: HttpResponseBase) -> HttpResponseBase:
    response.headers.setdefault("Permissions-Policy", PERMISSIONS)
    return response
