"""The one Chromium of all tests in a browser, and the loud line where there is none."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, sync_playwright

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first is the same engine without windows, and takes two thirds of the processor time."""

CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)


def needs_chromium(loss: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(CHROMIUM is None, reason=f"no Chromium on this machine: {loss}")


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Closed at the end: the plugin's own keeps an event loop running, and Django then refuses the database."""
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-dev-shm-usage"]
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        try:
            yield chromium
        finally:
            chromium.close()
