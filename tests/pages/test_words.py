"""Numbers in words, as pages say them."""

import pytest
from django.utils import translation

from tournaments.pages.words import say_signed


@pytest.mark.parametrize(
    ("value", "language", "words"),
    [
        pytest.param(2.34, "en", "+2.3", id="more"),
        pytest.param(-2.36, "en", "-2.4", id="less"),
        pytest.param(-0.04, "en", "0.0", id="less, but nothing after rounding"),
        pytest.param(0.04, "en", "0.0", id="more, but nothing after rounding"),
        pytest.param(1.5, "de", "+1,5", id="a comma"),
    ],
)
def test_differences(value: float, language: str, words: str) -> None:
    with translation.override(language):
        assert say_signed(value) == words
