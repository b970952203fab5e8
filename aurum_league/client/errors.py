"""What the site refuses, as one kind of exception, and how long it asks to wait."""

from typing import Any

import httpx

LONGEST_PAUSE = 60.0


class ClientError(Exception):
    """The site will not: the sentence says why; the code is the site's, the request id is what to name to its staff."""

    def __init__(
        self, code: str, message: str, *, details: dict[str, Any] | None = None, request_id: str = "", status: int = 0
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = details or {}
        self.request_id = request_id
        self.status = status


def read_error(answer: httpx.Response) -> ClientError:
    """From an answer whose body was read; one that is not of the site's making has its status as code."""
    known = answer.headers.get("X-Request-ID", "")
    try:
        body = answer.json()
        return ClientError(
            str(body.get("code", answer.status_code)),
            str(body.get("message") or body.get("detail")),
            details=body.get("details"),
            request_id=str(body.get("request_id") or known),
            status=answer.status_code,
        )
    except (ValueError, AttributeError):
        sentence = f"The site answered {answer.status_code}."
        return ClientError(str(answer.status_code), sentence, request_id=known, status=answer.status_code)


def read_pause(answer: httpx.Response, otherwise: float, *, longest: float = LONGEST_PAUSE) -> float:
    told = answer.headers.get("Retry-After", "")
    return min(float(told) if told.isdigit() else otherwise, longest)
