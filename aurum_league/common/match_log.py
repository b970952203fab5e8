"""Names the match in every line that is logged while it is dealt with."""

from collections.abc import Iterator
from contextlib import contextmanager

import structlog


@contextmanager
def bind_match(match_id: int | str) -> Iterator[None]:
    with structlog.contextvars.bound_contextvars(match_id=str(match_id)):
        yield
