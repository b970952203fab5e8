"""Formats beside JSON that some operations answer in; their bodies are made by the views themselves."""

from typing import Any

from rest_framework.renderers import BaseRenderer, JSONRenderer


class _Made(BaseRenderer):
    """Stands for a format in the negotiation; errors are answered as JSON all the same."""

    charset = None

    def render(self, data: Any, media: str | None = None, context: Any = None) -> bytes:
        response = (context or {}).get("response")
        if response is not None:
            response["Content-Type"] = "application/json"
        return JSONRenderer().render(data)


class AnyText(_Made):
    media_type = "text/plain"
    format = "text"


class AnyLines(_Made):
    media_type = "application/x-ndjson"
    format = "ndjson"


class AnyTable(_Made):
    media_type = "text/csv"
    format = "csv"
