"""Pictures one zooms into: drawn by the server, and again by uPlot once somebody asks."""

import json
from collections.abc import Iterator

import pytest
from django.template import RequestContext, Template
from django.test import RequestFactory
from django.utils.safestring import SafeString
from playwright.sync_api import Browser, Page, expect

from tests.pages.test_design_in_browser import DESK, PHONE, SITE, browser, open_pages, pytestmark
from tournaments.pictures.curves import Axes, BandPoint, draw_history
from tournaments.pictures.stages import BracketBox, BracketSeat, draw_bracket

__all__ = ["browser", "pytestmark"]
PAGE = """{% extends "base.html" %}
{% block content %}<h1>History</h1>{% include "pictures/zoomable.html" %}{% endblock %}
{% block scripts %}{% include "pictures/zoom_script.html" %}{% endblock %}"""
POINTS = [BandPoint(at, 1500 + at % 70, 1400 + at % 50, 1600 + at % 30) for at in range(1, 300)]
ROWS = [{"sequence": at, "number": value, "low": low, "high": high} for at, value, low, high in POINTS]


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    context = {
        "picture": SafeString(draw_history(POINTS, Axes("Rating", "matches", "rating"))),
        "title": "Rating",
        **{"x": "sequence", "line": "number", "low": "low", "high": "high"},
        "labels": "match|rating|from|to",
        "csv": "/rows.csv",
        "json": "/rows.json",
    }
    page = Template(PAGE).render(RequestContext(RequestFactory().get("/"), context))
    return {"/history/": page, "/rows.json": json.dumps(ROWS)}


@pytest.fixture(params=[pytest.param(DESK, id="desk"), pytest.param(PHONE, id="phone")])
def page(browser: Browser, pages: dict[str, str], request: pytest.FixtureRequest) -> Iterator[Page]:
    page = open_pages(browser, pages, request.param, "dark")
    page.goto(f"{SITE}/history/")
    yield page
    page.context.close()


def test_zooming_and_back(page: Page) -> None:
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    assert page.locator("svg.picture-history").is_visible()
    assert page.evaluate("typeof uPlot") == "undefined", "nothing is loaded before somebody asks"
    page.get_by_role("button", name="Zoom", exact=True).click()
    chart = page.locator(".uplot canvas")
    chart.wait_for()
    whole = chart.screenshot()
    page.get_by_role("button", name="Zoom in").click()
    near = chart.screenshot()
    assert near != whole
    page.get_by_role("button", name="Later").click()
    assert chart.screenshot() not in (whole, near)
    page.get_by_role("button", name="Whole").click()
    assert chart.screenshot() == whole
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    assert complaints == []


def test_rows_that_do_not_come_leave_the_picture(browser: Browser, pages: dict[str, str]) -> None:
    del pages["/rows.json"]
    page = open_pages(browser, pages, DESK, "light")
    page.goto(f"{SITE}/history/")
    button = page.get_by_role("button", name="Zoom", exact=True)
    button.click()
    expect(page.locator("[data-zoom-open]")).to_be_enabled(timeout=60_000)
    assert page.locator("svg.picture-history").is_visible() and button.is_enabled()
    page.context.close()


def test_a_bracket_grows_and_fits_again(browser: Browser) -> None:
    seats = tuple(BracketSeat(name) for name in ("Ada", "Bo", "Cy"))
    boxes = [BracketBox(f"W{wave}.1", wave, seats) for wave in range(1, 9)]
    body = '{% extends "base.html" %}{% block head %}'
    body += '<link rel="stylesheet" href="/static/css/events.css">{% endblock %}'
    body += '{% block content %}<h1>Cup</h1><div class="panel picture-scroll">{{ picture }}</div>'
    body += '{% include "pictures/magnify.html" %}{% endblock %}'
    context = {"picture": SafeString(draw_bracket(boxes, "Cup"))}
    told = Template(body).render(RequestContext(RequestFactory().get("/"), context))
    page = open_pages(browser, {"/cup/": told}, PHONE, "light")
    page.goto(f"{SITE}/cup/")
    measure = "() => document.querySelector('.picture-bracket').getBoundingClientRect().width"
    first = page.evaluate(measure)
    assert first > 1000, "wider than a phone, and scrolled in its place"
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    page.get_by_role("button", name="Whole").click()
    whole = page.evaluate(measure)
    assert whole < 400
    page.get_by_role("button", name="Zoom in").click()
    assert page.evaluate(measure) == pytest.approx(1.25 * whole, rel=0.01)
    page.context.close()
