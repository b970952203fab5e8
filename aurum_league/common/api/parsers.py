"""JSON that the API takes: of bounded size and depth, refused with a sentence before anything walks through it."""

import io
import re
from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

MOST_DEPTH = 20
"""Nothing that the API takes is deeper than six."""

STRING = re.compile(rb'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
BRACKET = re.compile(rb"[\[{\]}]")


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
        return super().parse(io.BytesIO(body), media_type, dict(parser_context or {}))


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
