"""The look: cards and marks that exist, colours that can be read, templates that keep the house rules."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django import forms
from django.contrib.staticfiles import finders
from django.template import Context, Template
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils.translation import override

from aurum_league.templatetags import cards
from tests.pages.design_pages import PAGES, render_page

CHECKOUT = Path(__file__).parents[2]
STATIC = CHECKOUT / "aurum_league" / "static"
TEMPLATES = CHECKOUT / "templates"
SHEETS = sorted((STATIC / "css").glob("*.css"))
ALL_CSS = "\n".join(sheet.read_text() for sheet in SHEETS)
METALS = "BCPSZ"
CARDS = [f"{metal}{rank}" for metal in METALS for rank in range(1, 11)] + [f"G{rank}" for rank in range(9)]
FIRST_LOAD_BYTES = 150_000
WIDEST = 120
def read_sprite(name: str) -> dict[str, ElementTree.Element]:
    tree = ElementTree.parse(STATIC / "svg" / name)
    return {element.attrib["id"]: element for element in tree.iter() if "id" in element.attrib}


def read_shapes(symbol: ElementTree.Element) -> str:
    return "".join(ElementTree.tostring(child, encoding="unicode") for child in symbol)


class TestSprite:
    SPRITE = read_sprite("cards.svg")

    def test_every_card_has_a_symbol(self) -> None:
        assert {f"card-{code}" for code in [*CARDS, "back", "slot"]} <= set(self.SPRITE)

    def test_a_card_shows_its_own_metal_and_rank(self) -> None:
        for code in CARDS:
            assert [use.attrib["href"] for use in self.SPRITE[f"card-{code}"]] == [
                f"#face-{code[0]}",
                f"#rank-{code[1:]}",
            ]

    @pytest.mark.parametrize("letter", METALS + "G")
    def test_a_face_carries_mark_and_letter(self, letter: str) -> None:
        face = self.SPRITE[f"face-{letter}"]
        assert [text.text for text in face.iter() if text.tag.endswith("text")] == [letter]
        assert {use.attrib["href"] for use in face.iter() if use.tag.endswith("use")} == {f"#mark-{letter}"}

    def test_marks_differ_in_shape(self) -> None:
        assert len({read_shapes(self.SPRITE[f"mark-{letter}"]) for letter in METALS + "G"}) == 6

    @pytest.mark.parametrize("name", ["cards.svg", "icons.svg"])
    def test_references_inside_a_sprite_resolve(self, name: str) -> None:
        ids = read_sprite(name)
        assert {href for href in re.findall(r'href="#([^"]+)"', (STATIC / "svg" / name).read_text())} <= set(ids)

    def test_the_seal_of_the_icons_is_the_one_on_the_backs_of_cards(self) -> None:
        drawn = {ElementTree.tostring(read_sprite(name)["seal"]).strip() for name in ("cards.svg", "icons.svg")}
        assert len(drawn) == 1


class TestCardTags:
    def test_a_card_is_drawn_from_the_sprite_and_named(self) -> None:
        drawn = Template('{% load cards %}{% card "Z10" "small" %}').render(Context())
        assert 'href="/static/svg/cards.svg#card-Z10"' in drawn
        assert 'aria-label="Zinc 10"' in drawn

    def test_an_unnamed_card_is_hidden_from_screen_readers(self) -> None:
        assert 'aria-hidden="true"' in cards.card("B7", is_named=False)

    @pytest.mark.parametrize("code", ["", "B0", "B11", "G9", "X3", "b7", "B7 ", "B07", '"><script>'])
    def test_what_is_no_card_is_refused(self, code: str) -> None:
        with pytest.raises(ValueError, match="is not a card"):
            cards.card(code)

    @pytest.mark.parametrize("letter", ["", "X", "BC"])
    def test_what_is_no_metal_is_refused(self, letter: str) -> None:
        with pytest.raises(ValueError, match="is not a metal"):
            cards.metal(letter)


def read_tokens() -> dict[str, tuple[str, str]]:
    """Each colour token in light and in dark."""
    tokens = {}
    for name, value in re.findall(r"--([\w-]+):\s*([^;]+);", (STATIC / "css" / "tokens.css").read_text()):
        colours = re.findall(r"#[0-9a-f]{6}", value)
        if colours and len(colours) <= 2:
            tokens[name] = (colours[0], colours[-1])
    return tokens


def measure_luminance(colour: str) -> float:
    channels = [int(colour[start:stop], 16) / 255 for start, stop in pairwise((1, 3, 5, 7))]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def measure_contrast(one: str, other: str) -> float:
    light, dark = sorted((measure_luminance(one), measure_luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def list_text_pairs() -> Iterator[tuple[str, str]]:
    grounds = ("page", "surface", "sunken")
    inks = ("ink", "ink-soft", "link", "bismuth", "copper", "phosphorus", "silver", "zinc", "gold-mark")
    yield from ((ink, ground) for ink in inks for ground in grounds)
    yield from ((tone, f"{tone}-wash") for tone in ("success", "warning", "error", "info"))
    yield from ((f"card-{name}", "card-face") for name in ("ink", "bismuth", "copper", "phosphorus", "silver", "zinc"))
    yield from ((f"card-{name}", "card-gold") for name in ("ink", "gold-mark", "gold-ink"))
    yield from (("bar-ink", "bar"), ("bar-soft", "bar"), ("bar-gold", "bar"), ("bar-ink", "bar-raised"))
    yield from (
        ("on-gold", "gold"),
        ("on-gold", "gold-strong"),
        ("ink", "gold-wash"),
        ("felt-ink", "felt"),
    )


class TestColours:
    @pytest.mark.parametrize(("ink", "ground"), list(list_text_pairs()))
    def test_text_can_be_read_in_both_themes(self, ink: str, ground: str) -> None:
        tokens = read_tokens()
        for theme in (0, 1):
            assert measure_contrast(tokens[ink][theme], tokens[ground][theme]) >= 4.5

    @pytest.mark.parametrize("edge", ["line-strong", "focus"])
    def test_edges_of_controls_can_be_seen_in_both_themes(self, edge: str) -> None:
        tokens = read_tokens()
        for theme in (0, 1):
            assert measure_contrast(tokens[edge][theme], tokens["surface"][theme]) >= 3


class TestStylesheets:
    def test_every_property_used_is_defined(self) -> None:
        used = set(re.findall(r"var\((--[\w-]+)\s*\)", ALL_CSS))
        assert used <= set(re.findall(r"(--[\w-]+):", ALL_CSS))

    def test_the_sprite_takes_its_colours_from_tokens_that_exist(self) -> None:
        used = set(re.findall(r"var\((--[\w-]+)", (STATIC / "svg" / "cards.svg").read_text()))
        assert used <= set(re.findall(r"(--[\w-]+):", (STATIC / "css" / "tokens.css").read_text()))

    def test_colours_are_named_in_the_tokens_alone(self) -> None:
        """The admin loads no sheet of the site but its own, which gives unfold's names the colours of the league."""
        others = [sheet for sheet in SHEETS if sheet.name not in ("tokens.css", "admin.css")]
        named = {sheet.name: re.findall(r"#[0-9a-fA-F]{3,8}\b(?=[^{]*;)", sheet.read_text()) for sheet in others}
        assert {name: found for name, found in named.items() if found} == {}

    def test_what_every_page_loads_stays_small(self) -> None:
        base = (TEMPLATES / "base.html").read_text()
        shared = [sheet for sheet in SHEETS if f"css/{sheet.name}" in base]
        assert len(shared) > 3
        assert sum(sheet.stat().st_size for sheet in shared) < 40_000

    def test_nothing_is_fetched_from_elsewhere(self) -> None:
        assert re.findall(r"@import|https?:|//", re.sub(r"/\*.*?\*/", "", ALL_CSS, flags=re.S)) == []


class TestTemplates:
    @pytest.mark.parametrize(
        "path", sorted(TEMPLATES.rglob("*.html")), ids=lambda path: str(path.relative_to(TEMPLATES))
    )
    def test_nothing_that_the_content_policy_forbids(self, path: Path) -> None:
        text = path.read_text()
        assert re.findall(r"""\sstyle=["']|<style\b|\son[a-z]+=["']|javascript:""", text) == []
        assert re.findall(r"<script(?![^>]*(?:\bsrc=|application/json))", text) == []

    @pytest.mark.parametrize(
        "path", sorted(TEMPLATES.rglob("*.html")), ids=lambda path: str(path.relative_to(TEMPLATES))
    )
    def test_lines_are_no_wider_than_code(self, path: Path) -> None:
        assert [line for line in path.read_text().splitlines() if len(line) > WIDEST] == []

    @pytest.mark.parametrize("path", sorted((TEMPLATES / "cotton").glob("*.html")), ids=lambda path: path.stem)
    def test_a_component_says_how_it_is_used(self, path: Path) -> None:
        assert path.read_text().startswith("{% comment %}")

    def test_icons_that_are_named_exist(self) -> None:
        named = set()
        for path in TEMPLATES.rglob("*.html"):
            named |= set(re.findall(r"""(?:\{% icon |\bicon=)"([a-z_]+)["]""", path.read_text()))
        assert named <= set(read_sprite("icons.svg"))


def render_component(component: str, /, **attributes: object) -> str:
    passed = " ".join(f':{key}="{key}"' for key in attributes)
    return Template(f"{{% cotton {component} {passed} %}}{{% endcotton %}}").render(Context(attributes))


class TestPages:
    @pytest.mark.parametrize("name", list(PAGES))
    def test_first_load_is_light(self, name: str) -> None:
        html = render_page(name)
        files = set(re.findall(r'(?:href|src)="/static/([^"#?]+)', html))
        paths = [finders.find(file) for file in files]
        assert None not in paths
        assert len(html.encode()) + sum(Path(str(path)).stat().st_size for path in paths) < FIRST_LOAD_BYTES

    @pytest.mark.parametrize("language", ["en", "fr", "de", "ru"])
    def test_the_page_says_its_language(self, language: str) -> None:
        with override(language):
            assert f'<html lang="{language}">' in render_page("home.html")

    def test_the_section_one_is_in_is_marked(self) -> None:
        html = render_to_string("base.html", request=RequestFactory().get("/leagues/demo/"))
        assert re.findall(r'<a href="([^"]+)" aria-current="page">', html) == ["/leagues/"]

    def test_the_page_for_our_own_faults_needs_no_request(self) -> None:
        assert "Something broke on our side" in render_to_string("500.html")

    def test_a_name_cannot_break_out_of_a_component(self) -> None:
        scroll = render_component("table-scroll", label='"><script>alert(1)</script>')
        assert "&lt;script&gt;" in scroll
        assert "<script>" not in scroll


class EntryForm(forms.Form):
    name = forms.CharField(help_text="As it is shown.")


class TestForms:
    def test_help_and_error_are_tied_to_the_field(self) -> None:
        html = render_component("fields", form=EntryForm({"name": ""}))
        described = re.search(r'aria-describedby="([^"]+)"', html)
        assert described is not None
        assert 'aria-invalid="true"' in html
        assert all(f'id="{identifier}"' in html for identifier in described[1].split())
