"""What the schema says about every operation alike: how it can be refused, and by which code."""

from typing import Any

ERROR = {"$ref": "#/components/schemas/Error"}
READ_ERRORS = {
    "400": ("invalid", "The request is not understood."),
    "401": ("bad_token", "The token is missing, unknown, revoked or expired."),
    "403": ("forbidden", "It is not yours to see or do, or the token lacks the scope."),
    "404": ("not_found", "There is no such thing, or none that you may see."),
    "406": ("not_acceptable", "It cannot be answered in the format asked for."),
    "429": ("throttled", "Too many requests; Retry-After says how many seconds to wait."),
}
WRITE_ERRORS = READ_ERRORS | {
    "409": ("wrong_state", "It cannot be done as things stand."),
    "413": ("too_large", "The request is larger than allowed."),
    "415": ("unsupported_media_type", "The request is in a format that is not taken."),
    "422": ("idempotency_key_reused", "It is understood, but cannot be done as it is asked."),
    "503": ("sandbox_unsafe", "A part of the site that is needed for it is not there now."),
}
METHODS = ("get", "post", "put", "patch", "delete")


def add_errors(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """A hook of the schema generator: every operation can be refused in the one shape."""
    for path in result["paths"].values():
        for method, operation in path.items():
            if method in METHODS:
                for status in READ_ERRORS if method == "get" else WRITE_ERRORS:
                    operation["responses"].setdefault(status, {"$ref": f"#/components/responses/Error{status}"})
    result["components"]["schemas"]["Error"] = _error_schema()
    result["components"]["responses"] = {
        f"Error{status}": _error_response(status, code, sentence) for status, (code, sentence) in WRITE_ERRORS.items()
    }
    return result


def _error_response(status: str, code: str, sentence: str) -> dict[str, Any]:
    example = {"code": code, "message": sentence, "details": {}, "request_id": "0b8f6c1e-8f0e-4a35-9d6e-2f3f1f6b7a10"}
    response: dict[str, Any] = {"description": sentence}
    response["content"] = {"application/json": {"schema": ERROR, "example": example}}
    if status == "429":
        response["headers"] = {"Retry-After": {"description": "seconds to wait", "schema": {"type": "integer"}}}
    return response


def _error_schema() -> dict[str, Any]:
    text = {"type": "string"}
    return {
        "type": "object",
        "description": "What every refusal looks like; docs/API.md lists the codes.",
        "required": ["code", "message", "details", "request_id"],
        "additionalProperties": False,
        "properties": {
            "code": {**text, "description": "stable, for programs"},
            "message": {**text, "description": "a sentence for people"},
            "details": {
                "type": "object",
                "description": "what is wrong, by field; `fix`, where it is there, says what to do",
                "additionalProperties": {"oneOf": [text, {"type": "array", "items": text}]},
            },
            "request_id": {**text, "description": "name it when you report a problem"},
        },
    }


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
