"""The whole site as anybody starts it, on a data folder of its own, and newcomers who look at it in browsers."""

import os
import re
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from playwright.sync_api import Browser, Page, expect

from tests.server import start_program

CHECKOUT = Path(__file__).parents[2]
PHONE, DESK = (390, 844), (1280, 900)
SIZES = {"desk": DESK, "phone": PHONE}
SECONDS_TO_START = 180
SECONDS_FOR_MAIL = 60
LOG = "site.log"
PASSWORD = "four-metals-and-gold"
expect.set_options(timeout=20_000)
START_DEMO = (
    "import django; django.setup(); "
    "from aurum_league.operations.demo import start_demo; print(start_demo().slug)"
)


@dataclass(frozen=True)
class LeagueSite:
    """Web, workers and beat under their supervisor."""

    address: str
    environment: dict[str, str] = field(repr=False)

    def start_demo(self) -> str:
        """The path of the demo tournament, which the site's own workers play from now on."""
        command = [sys.executable, "-c", START_DEMO]
        slug = subprocess.check_output(command, cwd=CHECKOUT, env=self.environment, text=True)
        return f"/tournaments/{slug.strip()}/"

    def read_link(self, address: str) -> str:
        """The link in the newest mail to an address, out of what the site prints."""
        ends_at = time.monotonic() + SECONDS_FOR_MAIL
        while time.monotonic() < ends_at:
            printed = Path(self.environment["AURUM_DATA"], LOG).read_text(errors="replace")
            mail = printed.rpartition(f"To: {address}")[2] if f"To: {address}" in printed else ""
            if found := re.search(r"http://\S+/confirm-email/\S+", mail):
                return found[0]
            time.sleep(0.3)
        raise AssertionError(f"no mail to {address}")


@contextmanager
def run_league_site() -> Iterator[LeagueSite]:
    """Started by the command that everybody uses; gone with its folder afterwards."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="aurum-site-", ignore_cleanup_errors=True) as folder:
        ours = {"AURUM_DATA": folder, "PORT": str(port), "DJANGO_SETTINGS_MODULE": "aurum_league.settings.embedded"}
        inherited = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
        site = LeagueSite(f"http://127.0.0.1:{port}", inherited | ours | {"LOG_LEVEL": "ERROR"})
        command = [sys.executable, "manage.py", "up"]
        with Path(folder, LOG).open("wb") as log:
            program = start_program(command, env=site.environment, stdout=log, stderr=log)
        try:
            wait_for(site, program)
            yield site
        finally:
            program.terminate()
            program.wait(30)


def wait_for(site: LeagueSite, program: subprocess.Popen[bytes]) -> None:
    ends_at = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < ends_at and program.poll() is None:
        try:
            if httpx.get(f"{site.address}/readyz").status_code == 200:
                return
        except httpx.HTTPError:
            pass
        time.sleep(0.3)
    raise AssertionError("the site does not start")


def meet_newcomer(browser: Browser, size: tuple[int, int], complaints: list[str]) -> Page:
    """Somebody with a browser of their own; whatever goes wrong in it is noted."""
    width, height = size
    is_phone = size == PHONE
    context = browser.new_context(
        viewport={"width": width, "height": height}, has_touch=is_phone, is_mobile=is_phone, locale="en-GB"
    )
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    context.on("response", lambda answer: complaints.append(answer.url) if answer.status >= 500 else None)
    return context.new_page()


def sign_up(page: Page, site: LeagueSite, role: str) -> str:
    """The name that they took."""
    name = f"{role}-{secrets.token_hex(3)}"
    page.goto(site.address)
    page.get_by_role("link", name="Sign in").click()
    page.get_by_role("link", name="sign up").click()
    page.get_by_label("Username").fill(name)
    page.get_by_label("Email").fill(f"{name}@example.org")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password (again)").fill(PASSWORD)
    page.get_by_role("button", name="Sign Up").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(name)
    return name


def confirm_address(page: Page, site: LeagueSite, name: str) -> None:
    """By the link in the mail, which a site without a mail server prints."""
    page.goto(site.read_link(f"{name}@example.org"))
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_text(f"You have confirmed {name}@example.org")).to_be_visible()
    page.goto(site.address)


def find_overflow(page: Page) -> int:
    """How many pixels the page is wider than the screen."""
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))
