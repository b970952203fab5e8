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
