"""The picture of an event for links: letters for every name, and a PNG that is one."""

import zlib

import pytest
from django.test import Client

from tests.pages.events import make_tournament, read_page
from tournaments.pictures.card import HEIGHT, LETTERS, NIGHT, WIDTH, draw_card, spell


def read_png(picture: bytes) -> list[bytes]:
    """The dots of each line; whatever is no PNG of one byte a dot fails."""
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    chunks, at = {}, 8
    while at < len(picture):
        length = int.from_bytes(picture[at : at + 4])
        name, body = picture[at + 4 : at + 8], picture[at + 8 : at + 8 + length]
        assert int.from_bytes(picture[at + 8 + length : at + 12 + length]) == zlib.crc32(name + body)
        chunks[name], at = body, at + 12 + length
    assert int.from_bytes(chunks[b"IHDR"][:4]) == WIDTH
    lines = zlib.decompress(chunks[b"IDAT"])
    assert len(lines) == HEIGHT * (WIDTH + 1)
    return [lines[start + 1 : start + 1 + WIDTH] for start in range(0, len(lines), WIDTH + 1)]


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        pytest.param("Grüße & Co.", "GRUSSE & CO.", id="accents"),
        pytest.param("Клубный вечер", "KLUBNYI VECHER", id="Cyrillic"),
        pytest.param("Ĳssel № 5", "IJSSEL NO 5", id="signs of several letters"),
        pytest.param("棋 club \x00", "CLUB", id="what cannot be drawn"),
    ],
)
def test_every_name_can_be_spelt(text: str, spelled: str) -> None:
    assert spell(text) == spelled
    assert set(spelled) <= LETTERS.keys() | {" "}


@pytest.mark.parametrize("title", ["", "Cup", "A very long name of an event that goes on and on for eighty letters"])
def test_a_card_is_a_png_and_keeps_its_margin(title: str) -> None:
    lines = read_png(draw_card(title, "Playing", [(title, 2.0), ("Bob", -1.0)] * 4))
    assert all(line[-60:] == bytes([NIGHT]) * 60 for line in lines[20:])
    assert any(set(line) != {NIGHT} for line in lines[150:220])


@pytest.mark.django_db
def test_a_page_names_its_card(client: Client) -> None:
    make_tournament("playing", description="**Bold** words")
    page = read_page(client, "/tournaments/test-cup/")
    assert '<meta property="og:image" content="http://testserver/tournaments/test-cup/card.png">' in page
    assert '<meta property="og:description" content="Bold words">' in page
    answer = client.get("/tournaments/test-cup/card.png")
    assert answer["Content-Type"] == "image/png"
    read_png(answer.content)


@pytest.mark.django_db
def test_a_draft_shows_nobody_its_card(client: Client) -> None:
    make_tournament("draft")
    assert client.get("/tournaments/test-cup/card.png").status_code == 404
