"""Requests from the schema, as somebody in particular: what Schemathesis makes, sent to the application itself."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@dataclass
class Tally:
    requests: int = 0
    statuses: dict[int, int] = field(default_factory=dict)


def list_operations(schema: dict[str, Any]) -> Iterator[Any]:
    """Every operation that the WSGI application answers; streams never end by themselves."""
    loaded = schemathesis.openapi.from_dict(schema)
    loaded.app = get_wsgi_application()
    for result in loaded.get_all_operations():
        operation: Any = result.ok()  # type: ignore[union-attr]
        if not operation.path.startswith("/live/"):
            yield operation


def send_requests(
    operation: Any, headers: dict[str, str], count: int, tally: Tally, *, there: dict[str, Any] | None = None
) -> None:
    """So many requests to one operation; raises where an answer is not what the schema says.

    `there` names things that exist, by parameter of the address: every other request is about them, for a made-up
    address is refused before much is tried.
    """

    @given(case=operation.as_strategy(), is_there=st.booleans())
    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def send(case: Any, is_there: bool) -> None:
        if is_there and there:
            case.path_parameters |= {name: there[name] for name in case.path_parameters}
        # Credentials that the schema lets it make up are refused; who asks is said by the caller.
        case.headers.pop("Authorization", None)
        response = case.call(headers=headers)
        tally.requests += 1
        tally.statuses[response.status_code] = tally.statuses.get(response.status_code, 0) + 1
        case.validate_response(response, checks=CHECKS)

    with _one_connection():
        send()


@contextmanager
def _one_connection() -> Iterator[None]:
    """Requests share the connection of the test, as those of Django's own test client do."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in signals:
            signal.connect(close_old_connections)
