"""Every page in a real browser, under the policy it was sent with: nothing of ours breaks it."""

import mimetypes
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import pytest
from django.contrib.staticfiles import finders
from playwright.sync_api import Page, Route

from tests.browser import needs_chromium, open_browser
from tests.security.site import Site
from tests.security.test_attacks import list_shown

pytestmark = needs_chromium("breaches of the content policy are not looked for")
SITE = "http://testserver"
TELLS = """addEventListener("securitypolicyviolation", (broken) => {
  console.error(`breach ${broken.violatedDirective} ${broken.blockedURI}`);
});"""


def serve(page: Page, answers: dict[str, Any]) -> None:
    def answer(route: Route) -> None:
        path = urlparse(route.request.url).path
        if path in answers:
            return route.fulfill(body=answers[path].content, headers=dict(answers[path].headers))
        file = finders.find(path.removeprefix("/static/")) if path.startswith("/static/") else None
        if file is None:
            return route.fulfill(status=404)
        return route.fulfill(body=Path(str(file)).read_bytes(), content_type=mimetypes.guess_type(path)[0])

    page.route("**/*", answer)


def is_page(answer: Any) -> bool:
    return not answer.streaming and answer.headers["Content-Type"].startswith("text/html")


@pytest.mark.timeout(900)
@pytest.mark.parametrize("role", ["anonymous", "author", "organiser"])
def test_no_page_breaks_the_policy(site: Site, role: str) -> None:
    answers = {path: answer for path, answer in list_shown(site, role) if is_page(answer)}
    assert len(answers) > 20
    breaches: list[tuple[str, str]] = []
    with open_browser() as browser:
        page = browser.new_page()
        page.add_init_script(TELLS)
        page.on("console", lambda said: breaches.append((page.url, said.text)) if "breach" in said.text else None)
        serve(page, answers)
        for path in answers:
            page.goto(SITE + path, wait_until="load")
    assert breaches == []


def test_a_breach_would_be_seen(site: Site) -> None:
    (path, answer), *_ = [shown for shown in list_shown(site, "anonymous") if is_page(shown[1])]
    answer.content = answer.content.replace(b"</main>", b'<p style="color: red">x</p></main>')
    breaches: list[str] = []
    with open_browser() as browser:
        page = browser.new_page()
        page.add_init_script(TELLS)
        page.on("console", lambda said: breaches.append(said.text) if "breach" in said.text else None)
        serve(page, {path: answer})
        page.goto(SITE + path, wait_until="load")
    assert breaches and "style" in breaches[0]
