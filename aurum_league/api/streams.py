"""Streams in the schema: they run on the async stack, where the generator does not look."""

from typing import Any

LINES = "application/x-ndjson"
AFTER = {
    "name": "after",
    "in": "query",
    "required": False,
    "description": "resume after this number; without it, or where it is no longer known, the full state comes first",
    "schema": {"type": "integer", "minimum": 0, "maximum": 999_999_999},
}


def _stream(id: str, summary: str, description: str, example: str, security: list[Any], *slugs: str) -> dict[str, Any]:
    addressed = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$"}}
        for name in slugs
    ]
    content = {LINES: {"schema": {"type": "string"}, "examples": {"answer": {"value": example}}}}
    return {
        "get": {
            "operationId": id,
            "summary": summary,
            "description": f"{description} An empty line comes every few seconds while there is nothing to say.",
            "tags": ["streams"],
            "parameters": [*addressed, AFTER],
            "security": security,
            "responses": {"200": {"description": summary, "content": content}},
        }
    }


STREAMS = {
    "/live/api/v1/tournaments/{slug}/events": _stream(
        "stream_events",
        "Everything that happens to a tournament, as it happens",
        "One JSON object a line: first `state` with the standings, then every `event` with its number.",
        '{"type":"state","number":7,"tournament":{},"standings":{}}\n{"type":"event","number":8,"kind":"released"}\n',
        [{}],
        "slug",
    ),
    "/live/bot/stream": _stream(
        "stream_bot",
        "What a connected bot is asked and told",
        "One JSON message of the bots' contract a line, numbered by `seq`; the newest stream of a bot replaces others.",
        '{"type":"hello"}\n{"type":"ready","seq":12}\n',
        [{"bot_token": []}],
    ),
}


def add_streams(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """A hook of the schema generator."""
    result["paths"] |= {path: dict(operations) for path, operations in STREAMS.items()}
    return result
