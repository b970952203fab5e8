"""The picture of an event that other sites show beside a link to it: a PNG drawn here, with letters of its own."""

import struct
import unicodedata
import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

WIDTH, HEIGHT = 1200, 630
PALETTE = ((21, 27, 38), (241, 233, 216), (226, 176, 74), (185, 192, 203), (52, 64, 79))
NIGHT, INK, GOLD, SOFT, LINE = range(len(PALETTE))
ROWS, MARGIN = 5, 70
LETTER_WIDTH, LETTER_HEIGHT = 6, 8
"""Of a letter with the gap beside and below it, in dots."""
LETTERS = {
    **dict(zip("01234", ("3E5149453E", "00427F4000", "4261514946", "2141454B31", "1814127F10"), strict=True)),
    **dict(zip("56789", ("2745454539", "3C4A494930", "0171090503", "3649494936", "064949291E"), strict=True)),
    **dict(zip("ABCDE", ("7E1111117E", "7F49494936", "3E41414122", "7F4141221C", "7F49494941"), strict=True)),
    **dict(zip("FGHIJ", ("7F09090901", "3E4149497A", "7F0808087F", "00417F4100", "2040413F01"), strict=True)),
    **dict(zip("KLMNO", ("7F08142241", "7F40404040", "7F020C027F", "7F0408107F", "3E4141413E"), strict=True)),
    **dict(zip("PQRST", ("7F09090906", "3E4151215E", "7F09192946", "4649494931", "01017F0101"), strict=True)),
    **dict(zip("UVWXY", ("3F4040403F", "1F2040201F", "3F4038403F", "6314081463", "0708700807"), strict=True)),
    **dict(zip("Z-.:,", ("6151494543", "0808080808", "0060600000", "0036360000", "0050300000"), strict=True)),
    **dict(zip("&+!?'", ("3649552250", "08083E0808", "00005F0000", "0201510906", "0005030000"), strict=True)),
    **dict(zip("/#()%", ("2010080402", "147F147F14", "001C224100", "0041221C00", "2313086462"), strict=True)),
}
"""Five columns of seven dots each, the lowest bit on top."""
CYRILLIC = "АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ"
SOUNDS = "A B V G D E E ZH Z I I K L M N O P R S T U F KH TS CH SH SHCH _ Y _ E YU YA"
LATIN = dict(zip(CYRILLIC, SOUNDS.split(), strict=True))
Dots = NDArray[np.uint8]


def spell(text: str) -> str:
    """In letters that can be drawn: accents are left out, Cyrillic is written in Latin, all else is a space."""
    latin = "".join(LATIN.get(sign, sign) for sign in text.upper()).replace("_", "")
    plain = unicodedata.normalize("NFKD", latin.replace("ß", "SS")).upper()
    kept = "".join(sign if sign in LETTERS else " " for sign in plain if not unicodedata.combining(sign))
    return " ".join(kept.split())


def draw_card(title: str, subtitle: str, rows: Sequence[tuple[str, float]]) -> bytes:
    """A title, a line below it, and up to five names with a bar each, from 0 to 1."""
    dots = np.zeros((HEIGHT, WIDTH), np.uint8)
    dots[:14] = GOLD
    _write(dots, MARGIN, 60, spell(title), 9, INK)
    _write(dots, MARGIN, 160, spell(subtitle), 5, GOLD)
    for number, (name, share) in enumerate(rows[:ROWS]):
        top = 240 + 70 * number
        _write(dots, MARGIN, top, spell(name)[:22], 5, INK)
        dots[top : top + 35, 760 : WIDTH - MARGIN] = LINE
        dots[top : top + 35, 760 : 760 + round((WIDTH - MARGIN - 760) * min(max(share, 0.0), 1.0))] = GOLD
    _write(dots, MARGIN, HEIGHT - 45, "AURUM LEAGUE", 3, SOFT)
    return _write_png(dots)


def _write(dots: Dots, x: int, y: int, text: str, size: int, colour: int) -> None:
    """Smaller where it would not fit, and cut where even small letters do not."""
    room = WIDTH - MARGIN - x
    size = max(3, min(size, room // max(1, len(text) * LETTER_WIDTH)))
    for number, sign in enumerate(text[: room // (LETTER_WIDTH * size)]):
        if sign in LETTERS:
            left = x + number * LETTER_WIDTH * size
            area = dots[y : y + 7 * size, left : left + 5 * size]
            area[_find_dots(sign).repeat(size, 0).repeat(size, 1)] = colour


def _find_dots(sign: str) -> NDArray[np.bool_]:
    columns = np.frombuffer(bytes.fromhex(LETTERS[sign]), np.uint8)
    return (columns[None, :] >> np.arange(7)[:, None]) & 1 == 1


def _write_png(dots: Dots) -> bytes:
    """One byte a dot, each the number of a colour (PNG, colour type 3)."""
    lines = np.concatenate([np.zeros((HEIGHT, 1), np.uint8), dots], axis=1)
    head = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 3, 0, 0, 0)
    parts = ((b"IHDR", head), (b"PLTE", bytes(np.ravel(PALETTE).astype(np.uint8))))
    data = (b"IDAT", zlib.compress(lines.tobytes(), 9))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, body) for name, body in (*parts, data, (b"IEND", b"")))


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
