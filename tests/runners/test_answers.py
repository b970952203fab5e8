"""One line of a bot, whatever it holds, is a JSON object or a malformed answer."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.runners.streams import MalformedAnswerError, parse_answer

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"))
SCALARS = st.none() | st.booleans() | st.integers() | TEXT
JSON = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner), max_leaves=5)
few = settings(max_examples=50, deadline=None)


@few
@given(st.dictionaries(TEXT, JSON), st.booleans())
def test_objects_are_read_as_they_were_written(payload: dict[str, object], is_ascii: bool) -> None:
    assert parse_answer(json.dumps(payload, ensure_ascii=is_ascii).encode()) == payload


@few
@given(st.binary())
def test_any_bytes_are_an_object_or_malformed(line: bytes) -> None:
    try:
        assert isinstance(parse_answer(line), dict)
    except MalformedAnswerError as error:
        assert str(error)


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(b'{"a": -Infinity}', id="constant"),
        pytest.param(b'{"a": 1e400}', id="overflow"),
        pytest.param(b'{"a": {"b": ["\\udfff"]}}', id="half a surrogate pair, deep"),
        pytest.param(b'{"\\u0000": 1}', id="NUL in a key"),
        pytest.param(b"[" * 60_000, id="deep"),
        pytest.param(b'{"a": %s}' % (b"1" * 5_000), id="more digits than Python converts"),
    ],
)
def test_what_cannot_be_stored_is_malformed(line: bytes) -> None:
    with pytest.raises(MalformedAnswerError):
        parse_answer(line)


def test_whole_surrogate_pair_is_a_character() -> None:
    assert parse_answer(b'{"a": "\\ud83c\\udccf"}') == {"a": "\N{PLAYING CARD BLACK JOKER}"}
