"""Structured logs: one event a line, with the request id or match id that was bound around it."""

from typing import Any

import structlog

SHARED_PROCESSORS: list[structlog.typing.Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.StackInfoRenderer(),
]
PROCESSORS: list[structlog.typing.Processor] = [
    structlog.stdlib.filter_by_level,
    *SHARED_PROCESSORS,
    structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
]
"""One list however often it is configured, because loggers that are in use keep the one they began with."""


def make_logging(style: str, level: str) -> dict[str, Any]:
    """Configures structlog and answers Django's LOGGING, so that both write the same lines."""
    structlog.configure(
        processors=PROCESSORS,
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    # Plain, because the usual traceback shows the values of variables, and seeds and hands are among them.
    plain = structlog.dev.plain_traceback
    renderer: list[structlog.typing.Processor] = [
        structlog.dev.ConsoleRenderer(colors=False, exception_formatter=plain)
    ]
    if style == "json":
        renderer = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    formatter = {
        "()": structlog.stdlib.ProcessorFormatter,
        "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderer],
        "foreign_pre_chain": SHARED_PROCESSORS,
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": formatter},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            "django.server": {"handlers": ["console"], "propagate": False},
            # A line or two for every task and every request; what went wrong in them is logged all the same.
            "celery": {"level": "WARNING"},
            "django_structlog": {"level": "ERROR"},
            "django_celery_beat": {"level": "WARNING"},
        },
    }
