"""The first session of docs/API.md, run as it is written."""

import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest
from django.core.wsgi import get_wsgi_application
from django.db import connections
from pytest_django import DjangoDbBlocker

from aurum_league.common.api.scopes import SCOPES
from aurum_league.tokens import create_token
from tests.api.conftest import World
from tests.architecture.sources import CHECKOUT


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def session(played: World, django_db_blocker: DjangoDbBlocker) -> Iterator[dict[str, str]]:
    """A server of its own on what was committed, and an organiser's token for it."""
    with django_db_blocker.unblock():
        _, token = create_token(user=played.organiser, name="first session", scopes=SCOPES)
        server = make_server("127.0.0.1", 0, get_wsgi_application(), handler_class=_Quiet)

        def serve() -> None:
            server.serve_forever()
            connections.close_all()

        thread = threading.Thread(target=serve)
        thread.start()
        yield {"SITE": f"http://127.0.0.1:{server.server_port}", "TOKEN": token}
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.django_db
@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed")
def test_first_session(session: dict[str, str]) -> None:
    written = re.search(r"```bash session\n(.*?)```", (CHECKOUT / "docs" / "API.md").read_text(), re.DOTALL)
    assert written
    done = subprocess.run(
        ["bash", "-e", "-c", written.group(1)],
        env={"PATH": os.environ["PATH"], **session},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    assert '"lines":[{"place":1' in done.stdout
    assert "}304\n" in done.stdout
    assert "match,stage,matchday,table,number,side,entrants,place" in done.stdout
    assert '"format":"aurum-record"' in done.stdout
    assert done.stdout.count('"slug":"my-first-cup"') == 3
    assert '"player":"house-greedy_1"' in done.stdout
