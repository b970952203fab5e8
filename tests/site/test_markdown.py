"""Markdown of organisers: what it may say, and that nothing of it becomes markup of the page."""

import pytest

from aurum_league.common.pages import plain_text, render_markdown


@pytest.mark.parametrize(
    ("text", "html"),
    [
        pytest.param("**bold** *it*", "<p><strong>bold</strong> <em>it</em></p>", id="marks"),
        pytest.param("# Title", "<h3>Title</h3>", id="headings stand below those of the page"),
        pytest.param("a\nb", "<p>a<br />\nb</p>", id="lines stay lines"),
        pytest.param("<script>x</script>", "<p>&lt;script&gt;x&lt;/script&gt;</p>", id="tags are text"),
        pytest.param("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>", id="no script"),
        pytest.param("[x](data:text/html;base64,PHM+)", "<p>[x](data:text/html;base64,PHM+)</p>", id="no data"),
        pytest.param(
            '[x](https://a.org/"onclick=)',
            '<p><a href="https://a.org/%22onclick=" rel="nofollow ugc noopener">x</a></p>',
            id="an address stays in its attribute",
        ),
        pytest.param(
            "![x](https://a.org/i.png)",
            '<p>!<a href="https://a.org/i.png" rel="nofollow ugc noopener">x</a></p>',
            id="no pictures from elsewhere",
        ),
        pytest.param("a\x00b", "<p>ab</p>", id="no NUL"),
    ],
)
def test_rendering(text: str, html: str) -> None:
    assert render_markdown(text).strip() == html


def test_deep_nesting_is_cut_short_quickly() -> None:
    assert render_markdown("> " * 4000 + "x")
    assert render_markdown("[" * 4000)


def test_plain_words() -> None:
    assert plain_text("# Cup\n\n**Bring** [snacks](https://a.org)\n- one\n- two") == "Cup Bring snacks one two"
