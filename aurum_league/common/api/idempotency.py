"""Idempotency-Key: a POST that is sent again, because its answer was lost, happens once and gets the same answer."""

import hashlib
import json
from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any

from django.db import transaction
from django.utils import timezone
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.access import person_of
from aurum_league.common.errors import LeagueError
from aurum_league.models import KeptAnswer

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
