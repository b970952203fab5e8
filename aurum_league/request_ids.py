"""Gives every answer the id under which its request is logged, so that a report can name it."""

from typing import Any

import structlog
from django.dispatch import receiver
from django.http import HttpResponseBase
from django_structlog import signals


@receiver(signals.bind_extra_request_finished_metadata)
@receiver(signals.update_failure_response)
def add_request_id(response: HttpResponseBase, logger: Any, **details: Any) -> None:
    response.headers["X-Request-ID"] = structlog.contextvars.get_merged_contextvars(logger)["request_id"]
