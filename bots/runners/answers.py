"""Reading one line of a bot as a JSON object, whatever the line holds."""

import json
import math
from typing import Any

# Enough to see what went wrong; the largest line would fill a page.
MOST_SHOWN = 2_000


class MalformedAnswerError(ValueError):
    """The sentence says what is wrong with the line."""


def _refuse_constant(name: str) -> float:
    raise MalformedAnswerError(f"{name} is not JSON.")


def _parse_finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise MalformedAnswerError("A number is too large.")
    return number


_decoder = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_parse_finite)


def _check_text(payload: dict[str, Any]) -> None:
    """Escapes can name what neither UTF-8 nor the database can hold."""
    try:
        text = json.dumps(payload, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise MalformedAnswerError("A string holds half of a surrogate pair.") from error
    if b"\\u0000" in text:
        raise MalformedAnswerError("A string holds the character NUL.")


def show_text(text: str) -> str:
    """A bot's words for a page or a terminal: whatever is no visible character, a newline apart, as an escape."""
    return "".join(mark if mark.isprintable() or mark == "\n" else ascii(mark)[1:-1] for mark in text)


def show_bytes(written: bytes) -> str:
    """Any bytes as text that a database and a page can hold: what is no UTF-8 and no visible character as an escape."""
    shown = show_text(written[:MOST_SHOWN].decode(errors="backslashreplace"))
    left = len(written) - MOST_SHOWN
    return f"{shown} […] ({left:,} bytes more)" if left > 0 else shown


def parse_answer(line: bytes) -> dict[str, Any]:
    """Raises MalformedAnswerError, and nothing else."""
    try:
        payload = _decoder.decode(line.decode())
    except MalformedAnswerError:
        raise
    except UnicodeDecodeError as error:
        raise MalformedAnswerError("The line is not UTF-8.") from error
    except RecursionError as error:
        raise MalformedAnswerError("The line is nested too deeply.") from error
    except ValueError as error:
        raise MalformedAnswerError(f"The line is not JSON: {error}.") from error
    if not isinstance(payload, dict):
        raise MalformedAnswerError("The line is not a JSON object.")
    if b"\\u" in line:
        _check_text(payload)
    return payload
