"""One connection to the site's API: requests that are tried again when that is safe, pages, and lines as they come."""

import json
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

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


ANSWER_SECONDS = 30.0
# The site says something every seven seconds; silence for three times as long is a dead connection.
SILENCE_SECONDS = 21.0
MOST_TRIES = 5
UNREACHABLE = "unreachable"
"""The code where no site answered at all."""
# Codes of the site, and statuses of a proxy before it, which have no other code.
WORTH_WAITING = frozenset({"throttled", "502", "503", "504"})
API = "/api/v1"

Row = dict[str, Any]


class Closing:
    """Used as a context: leaving it closes what it asks by."""

    _http: httpx.Client

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.close()


class Connection(Closing):
    """With a token, or as a stranger without. `sleep` is passed in so that waiting can be tested without it."""

    def __init__(
        self,
        url: str,
        token: str = "",
        *,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._http = httpx.Client(
            base_url=url.rstrip("/"), headers=headers, timeout=ANSWER_SECONDS, transport=transport
        )
        self._sleep = sleep

    def read(self, address: str, **params: Any) -> Any:
        return self._ask("GET", f"{API}/{address}", params=_wanted(params)).json()

    def read_text(self, address: str) -> str:
        return self._ask("GET", f"{API}/{address}").text

    def read_pages(self, address: str, **params: Any) -> Iterator[Any]:
        """Every row of a list, page by page as they are needed."""
        page = self.read(address, **params)
        yield from page["results"]
        while page["next"]:
            # Only what it asks, not where: the token goes to no other host than the one it was given for.
            page = self.read(address, **dict(httpx.URL(page["next"]).params))
            yield from page["results"]

    def read_lines(self, address: str) -> Iterator[Any]:
        """Every line of an export as it comes, without keeping the rest."""
        with self._http.stream("GET", f"{API}/{address}") as answer:
            _require_success(answer)
            yield from (json.loads(line) for line in answer.iter_lines() if line)

    def follow(self, address: str, after: int | None = None) -> Iterator[Any]:
        """Every message of a stream, for ever: a connection that is lost is made again and resumes where it broke."""
        pause = 1.0
        while True:
            params = {} if after is None else {"after": after}
            timeout = httpx.Timeout(ANSWER_SECONDS, read=SILENCE_SECONDS)
            with (
                suppress(httpx.HTTPError),
                self._http.stream("GET", f"/live{API}/{address}", params=params, timeout=timeout) as answer,
            ):
                _require_success(answer)
                for line in answer.iter_lines():
                    if line:
                        message = json.loads(line)
                        after, pause = message["number"], 1.0
                        yield message
            self._sleep(pause)
            pause = min(2 * pause, SILENCE_SECONDS)

    def send(self, address: str, body: Row | None = None, *, method: str = "POST") -> Any:
        """Do something. Under a key of its own it happens once, however often it has to be sent."""
        headers = {"Idempotency-Key": secrets.token_hex(16)} if method == "POST" else {}
        return self._ask(method, f"{API}/{address}", json=body or {}, headers=headers).json()

    def upload(self, address: str, file: tuple[str, bytes], fields: dict[str, str]) -> Any:
        headers = {"Idempotency-Key": secrets.token_hex(16)}
        return self._ask("POST", f"{API}/{address}", files={"upload": file}, data=fields, headers=headers).json()

    def _ask(self, method: str, address: str, **request: Any) -> httpx.Response:
        for tried in range(MOST_TRIES):
            is_last = tried == MOST_TRIES - 1
            try:
                answer = self._http.request(method, address, **request)
            except httpx.TransportError as error:
                if is_last:
                    raise ClientError(UNREACHABLE, f"The site does not answer: {error}.") from error
                self._sleep(0.5 * 2**tried)
                continue
            if answer.is_success:
                return answer
            refusal = read_error(answer)
            if is_last or refusal.code not in WORTH_WAITING:
                raise refusal
            self._sleep(read_pause(answer, 0.5 * 2**tried))
        raise AssertionError("the last try ends in an answer or an error")


def _wanted(params: dict[str, Any]) -> dict[str, Any]:
    """Without what was left out; truth as the API writes it."""
    return {
        name: str(value).lower() if isinstance(value, bool) else value
        for name, value in params.items()
        if value is not None
    }


def _require_success(answer: httpx.Response) -> None:
    if not answer.is_success:
        answer.read()
        raise read_error(answer)
