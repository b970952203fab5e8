"""The site on the test database for people in browsers: a web server and a worker that can be killed and started."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser import needs_chromium
from tests.server import WebServer, start_program

T = TypeVar("T")
AT_A_TABLE = [
    needs_chromium("nobody plays in a browser"),
    pytest.mark.django_db(transaction=True),
    pytest.mark.filterwarnings("ignore::celery.exceptions.AlwaysEagerIgnored"),
    pytest.mark.timeout(1200),
]
PHONE, DESK = (390, 844), (1280, 1000)
WORKER = """
import time, django
django.setup()
from games.models import RunnerNeed
from games.services.play import play_ready_matches
from games.services.clocks import sweep_matches
while True:
    sweep_matches()
    for _ in range(30):
        play_ready_matches(needs=RunnerNeed.HOUSE, is_live=True)
        time.sleep(0.03)
"""
ASKS_ALWAYS = "if (location.protocol === 'http:') localStorage.setItem('play-ask-always', 'on')"
"""Asked before every trick about the bids, also where a change could gain nothing."""

NO_PAUSE = "if (location.protocol === 'http:') localStorage.setItem('play-pace', '0')"


class PlaySite:
    """A web server on a port of its own and a worker, both of the test database."""

    def __init__(self) -> None:
        self.web = WebServer()
        self.address = self.web.address
        self.worker: subprocess.Popen[bytes] | None = None

    def start_worker(self) -> None:
        self.worker = start_program([sys.executable, "-c", WORKER], env=self.web.environment)

    def kill(self) -> None:
        self.web.kill()
        if self.worker:
            self.worker.kill()
            self.worker.wait()


@contextmanager
def run_site() -> Iterator[PlaySite]:
    site = PlaySite()
    try:
        site.start_worker()
        site.web.start()
        yield site
    finally:
        site.kill()


def apart(deed: Callable[[], T]) -> T:
    """Do something with the database in a thread of its own: the browser's event loop keeps Django from it here."""

    def run() -> T:
        try:
            return deed()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as other_thread:
        return other_thread.submit(run).result()


def sign_in(context: BrowserContext, site: PlaySite, user: User) -> None:
    client = Client()
    apart(lambda: client.force_login(user))
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": site.address}])


def meet_person(
    browser: Browser, complaints: list[str], size: tuple[int, int] = DESK, language: str = "en"
) -> BrowserContext:
    """A browser of somebody's own, in which bots do not pause; whatever goes wrong in it is noted."""
    width, height = size
    is_phone = size == PHONE
    context = browser.new_context(
        viewport={"width": width, "height": height}, has_touch=is_phone, is_mobile=is_phone, locale=language
    )
    context.add_init_script(NO_PAUSE)
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    return context


def sit_down(
    page: Page, site: PlaySite, *, players: int = 3, start: str = "now", strength: str = "greedy", edition: str = "en"
) -> None:
    page.goto(f"{site.address}/play/")
    page.locator("select[name=edition]").evaluate("(choice, edition) => (choice.value = edition)", edition)
    page.locator(f"input[name=players][value='{players}']").check()
    chosen = page.locator(f"input[name=strength][value={strength}]").first
    chosen.evaluate("one => { const more = one.closest('details'); if (more) more.open = true; }")
    chosen.check(force=True)
    page.locator(f"button[value={start}]:not([form])").last.click()
