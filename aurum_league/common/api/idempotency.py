"""Bodies that the API takes: JSON of bounded size and depth, and a POST that is sent again happens once."""

import hashlib
import io
import json
import re
from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import wraps
from typing import IO, Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.db import transaction
from django.utils import timezone
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.access import person_of
from aurum_league.common.errors import LeagueError
from aurum_league.models import KeptAnswer

MOST_DEPTH = 20
"""Nothing that the API takes is deeper than six."""

STRING = re.compile(rb'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
BRACKET = re.compile(rb"[\[{\]}]")
HALF = re.compile("[\ud800-\udfff]")


class BoundedJSONParser(JSONParser):
    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        body = stream.read(most + 1)
        if len(body) > most:
            raise RequestDataTooBig
        if is_too_deep(body):
            raise ParseError(f"The JSON is nested more than {MOST_DEPTH} deep.")
        read = super().parse(io.BytesIO(body), media_type, {"encoding": "utf-8"})
        if b"\\u" in body and not can_be_stored(read):
            raise ParseError("The JSON has text that cannot be stored: \\u0000, or half of a pair of \\u escapes.")
        return read


def can_be_stored(value: Any) -> bool:
    if isinstance(value, dict):
        return all(map(can_be_stored, value)) and all(map(can_be_stored, value.values()))
    if isinstance(value, list):
        return all(map(can_be_stored, value))
    return not isinstance(value, str) or ("\0" not in value and not HALF.search(value))


def is_too_deep(body: bytes) -> bool:
    """Counted in the text itself: a parser would have climbed down already."""
    if body.count(b"[") + body.count(b"{") <= MOST_DEPTH:
        return False
    depth = 0
    for bracket in BRACKET.finditer(STRING.sub(b"", body)):
        depth += 1 if bracket[0] in b"[{" else -1
        if depth > MOST_DEPTH:
            return True
    return False


LONGEST_KEY = 64
KEPT_FOR = timedelta(days=7)
Handler = Callable[..., Response]


def answer_once(handler: Handler) -> Handler:
    """Wrap a view's `post`: key, deed and answer are stored in one transaction, or none of them.

    A second request with the same key waits for the first. A refusal stores nothing: it may be tried again.
    """

    @wraps(handler)
    def post(view: Any, request: Request, *args: Any, **kwargs: Any) -> Response:
        key = request.headers.get("Idempotency-Key")
        if key is None:
            return handler(view, request, *args, **kwargs)
        _check(key)
        digest = _digest(request)
        with transaction.atomic():
            person = person_of(request)
            kept, is_new = KeptAnswer.objects.get_or_create(user=person, key=key, defaults={"digest": digest})
            if not is_new:
                return _repeat(kept, digest)
            response = handler(view, request, *args, **kwargs)
            kept.status = response.status_code
            kept.body = _without_secrets(json.loads(JSONRenderer().render(response.data) or "null"))
            kept.save(update_fields=("status", "body"))
        return response

    return post


def forget_old_answers() -> int:
    """Delete answers that nobody will ask for again; their keys can be used anew. How many there were."""
    return KeptAnswer.objects.filter(created_at__lt=timezone.now() - KEPT_FOR).delete()[0]


def _without_secrets(body: Any) -> Any:
    """A token is shown once and stored nowhere: an answer that is repeated has null in its place."""
    if not isinstance(body, dict):
        return body
    return {name: None if name == "token" else value for name, value in body.items()}


def _check(key: str) -> None:
    if not 1 <= len(key) <= LONGEST_KEY or not (key.isascii() and key.isprintable()):
        raise LeagueError(
            "bad_idempotency_key",
            "An Idempotency-Key has 1 to %(longest)s printable signs.",
            longest=LONGEST_KEY,
        )


def _digest(request: Request) -> str:
    about = f"{request.method} {request.get_full_path()} {request.content_type}\n".encode()
    return hashlib.sha256(about + request.body).hexdigest()


def _repeat(kept: KeptAnswer, digest: str) -> Response:
    if kept.digest != digest:
        raise LeagueError(
            "idempotency_key_reused",
            "This Idempotency-Key was used for another request.",
            "Choose a new one.",
            status=422,
        )
    return Response(kept.body, status=kept.status, headers={"Idempotency-Replayed": "true"})
