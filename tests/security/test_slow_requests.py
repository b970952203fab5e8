"""Requests that are sent by halves, too slowly or too large keep no page from anybody and end by themselves."""

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import httpx
import pytest
from django.contrib.auth.models import User
from uvicorn import Server

from aurum_league import asgi
from aurum_league.accounts.access import create_token
from aurum_league.supervision.web import make_config
from aurum_league.web import answers, limits, protocol

HALF_SENT = 60
WAIT_SECONDS = 60.0
PATHS = ("/rules/", "/accounts/login/", "/play/", "/api/v1/tournaments/", "/live/home/")
HALF = (
    "POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n"
    # With this cookie Django looks for its twin in the body, and waits for it.
    "Cookie: csrftoken=abcdefghijklmnopqrstuvwxyz012345\r\n"
    "Content-Type: application/x-www-form-urlencoded\r\n\r\na="
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def port() -> Iterator[int]:
    """The site's own server as `manage.py up` starts it, in this process."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = Server(make_config())
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        yield listening.getsockname()[1]
        server.should_exit = server.force_exit = True
        thread.join()


def connect(port: int, sent: bytes, window: int = 0) -> socket.socket:
    """With a `window`, so much at most is under way that was not read."""
    client = socket.socket()
    client.settimeout(WAIT_SECONDS)
    if window:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
    client.connect(("127.0.0.1", port))
    client.sendall(sent)
    return client


def wait_until(holds: Callable[[], bool]) -> None:
    ends_at = time.monotonic() + WAIT_SECONDS
    while not holds():
        assert time.monotonic() < ends_at
        time.sleep(0.02)


def read_answer(client: socket.socket) -> bytes:
    """All that comes until the other side hangs up."""
    told = b""
    try:
        while piece := client.recv(65_536):
            told += piece
    except ConnectionResetError:
        pass
    client.close()
    return told


def test_the_protocol_is_loaded_before_django() -> None:
    """As a web process does: one that needs Django's settings there does not start at all."""
    load = "import sys, aurum_league.web.protocol; sys.exit('django' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", load]).returncode == 0


PIECE = b"x" * 65_536
LONG_BYTES = 200_000_000
"""More than every buffer between two programs of one machine holds."""

DOWNLOAD_BYTES = 200 * len(PIECE)


@pytest.fixture
def long_answers(port: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[set[int]]:
    """One page is a download of thirteen megabytes, one is short, and every other has hardly an end.

    Gives those that are being written; the server stays until there are none.
    """
    sizes = {"/short/": len(PIECE), "/download/": DOWNLOAD_BYTES}
    stopped = threading.Event()
    under_way: set[int] = set()

    def answer(environ: Any, start_response: Any) -> Iterator[bytes]:
        under_way.add(id(environ))
        try:
            start_response("200 OK", [("Content-Type", "text/plain")])
            for _ in range(sizes.get(environ["PATH_INFO"], LONG_BYTES) // len(PIECE)):
                if stopped.is_set():
                    return
                yield PIECE
        finally:
            under_way.discard(id(environ))

    monkeypatch.setattr(asgi.pages, "wsgi", answer)
    yield under_way
    stopped.set()
    wait_until(lambda: not under_way)


@contextmanager
def reading_slowly(port: int, path: str, readers: int) -> Iterator[None]:
    """Readers at ten kilobytes a second each, twice the pace below which they would be cut off."""
    head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
    clients = [connect(port, head, window=8_192) for _ in range(readers)]
    leaves = threading.Event()

    def read() -> None:
        while not leaves.wait(0.1):
            for client in clients:
                with suppress(BlockingIOError, ConnectionResetError):
                    client.recv(1_000, socket.MSG_DONTWAIT)

    thread = threading.Thread(target=read)
    thread.start()
    try:
        yield
    finally:
        leaves.set()
        thread.join()
        for client in clients:
            client.close()


def test_whoever_reads_just_fast_enough_holds_no_thread(port: int, long_answers: set[int]) -> None:
    """A download of thirteen megabytes would take each of them twenty minutes, and every thread as long."""
    with reading_slowly(port, "/download/", 2 * asgi.THREADS):
        answer = httpx.get(f"http://127.0.0.1:{port}/short/", timeout=WAIT_SECONDS)
    assert answer.content == PIECE
    wait_until(lambda: answers.waiting.in_all == 0)


def test_long_answers_that_nobody_reads_are_broken_off_before_the_disk_is_full(
    port: int, long_answers: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "MOST_OF_ALL", DOWNLOAD_BYTES)
    with reading_slowly(port, "/long/", 1):
        wait_until(lambda: answers.waiting.in_all > DOWNLOAD_BYTES // 2 and not long_answers)
        assert answers.waiting.in_all <= DOWNLOAD_BYTES
        answer = httpx.get(f"http://127.0.0.1:{port}/short/", timeout=WAIT_SECONDS)
    assert answer.content == PIECE
    wait_until(lambda: answers.waiting.in_all == 0)


def test_whoever_reads_slowly_holds_no_thread(
    port: int, long_answers: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """More readers than threads, and none of them takes a byte: everybody else still gets a page."""
    monkeypatch.setattr(protocol, "READ_SECONDS", 0.5)
    head = b"GET /download/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    readers = [connect(port, head, window=8_192) for _ in range(2 * asgi.THREADS)]
    answer = httpx.get(f"http://127.0.0.1:{port}/short/", timeout=WAIT_SECONDS)
    assert answer.content == PIECE
    wait_until(lambda: not long_answers and answers.waiting.in_all == 0)
    for reader in readers:
        assert len(read_answer(reader)) < DOWNLOAD_BYTES, "cut off"


def test_whoever_reads_at_a_fair_pace_gets_all(
    port: int, long_answers: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "READ_SECONDS", 0.5)
    with httpx.stream("GET", f"http://127.0.0.1:{port}/long/", timeout=WAIT_SECONDS) as answer:
        taken = 0
        for piece in answer.iter_bytes():
            taken += len(piece)
    assert taken == LONG_BYTES // len(PIECE) * len(PIECE)


def test_half_sent_bodies_keep_no_page_from_anybody(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "GRACE_SECONDS", 10 * WAIT_SECONDS)
    clients = [connect(port, HALF.format(path=PATHS[n % len(PATHS)]).encode()) for n in range(HALF_SENT)]
    for path in ("/healthz", "/rules/", "/api/v1/tournaments"):
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=WAIT_SECONDS) as browser:
            assert browser.get(path, follow_redirects=True).status_code == 200
    for client in clients:
        client.close()


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        pytest.param(HALF.format(path="/rules/").encode(), b"408", id="a body that stops"),
        pytest.param(HALF.format(path="/play/").encode(), b"408", id="at a table"),
        pytest.param(HALF.format(path="/api/v1/bots/").encode(), b"408", id="for the API"),
        pytest.param(b"GET /rules/ HTTP/1.1\r\nHost: a\r\nX-A: b", b"", id="a head that stops"),
        pytest.param(b"\r\n\r\n", b"", id="nothing but ends of lines"),
        pytest.param(b"", b"", id="nothing"),
    ],
)
def test_what_stops_is_ended(port: int, monkeypatch: pytest.MonkeyPatch, sent: bytes, status: bytes) -> None:
    monkeypatch.setattr(limits, "GRACE_SECONDS", 0.3)
    monkeypatch.setattr(protocol, "HEAD_SECONDS", 0.3)
    assert read_answer(connect(port, sent))[9:12] == status


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        pytest.param(b"Content-Length: 4000001\r\n\r\n", b"413", id="a length past the limit"),
        pytest.param(b"Content-Length: 9999999999999999999\r\n\r\n", b"400", id="a length past all numbers"),
        pytest.param(b"Transfer-Encoding: chunked\r\n\r\n" + b"3d0901\r\n" + b"x" * 4_000_001, b"413", id="in pieces"),
        pytest.param(b"X: " + b"y" * 40_000 + b"\r\n\r\n", b"431", id="a head that is too long"),
        pytest.param(b"X: " + b"y" * 400_000, b"431", id="a head without an end"),
        pytest.param(b"X: y\r\n" * 101 + b"\r\n", b"431", id="too many headers"),
    ],
)
def test_what_is_too_large_is_refused(port: int, sent: bytes, status: bytes) -> None:
    assert read_answer(connect(port, b"POST /rules/ HTTP/1.1\r\nHost: 127.0.0.1\r\n" + sent))[9:12] == status


def test_a_body_in_pieces_is_read(port: int) -> None:
    """By the API, which says that it is no JSON; unread, it would be an empty body."""
    user = User.objects.create_user("ann")
    _, token = create_token(user=user, name="test", scopes=["bots"])

    def pieces() -> Iterator[bytes]:
        yield b'{"name": '
        yield b"nothing"

    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    answer = httpx.post(f"http://127.0.0.1:{port}/api/v1/bots", content=pieces(), headers=headers, timeout=WAIT_SECONDS)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


def test_a_query_that_is_no_ascii_is_refused(port: int) -> None:
    client = connect(port, b"GET /rules/?a=\xff\xfe HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
    assert read_answer(client)[9:12] == b"400"


@pytest.mark.parametrize("charset", ["punycode", "utf-7", "UTF-16", "idna", "unicode_escape", '"cp037"', "undefined"])
def test_text_is_utf_8_and_nothing_else(port: int, charset: str) -> None:
    """300 KB of punycode kept a thread for eight seconds, and nine times as long for thrice as much."""
    body = b'--x\r\nContent-Disposition: form-data; name="login"\r\n\r\n' + b"9" * 20_000 + b"\r\n--x--\r\n"
    for form in (f"; charset={charset}", f";CharSet = {charset}", f"; charset*=utf-8''{charset}"):
        kind = f"multipart/form-data; boundary=x{form}"
        for method, path in (
            ("POST", "/accounts/login/"),
            ("POST", "/api/v1/bots"),
            ("GET", "/players/?q=a"),
            ("POST", "/play/"),
        ):
            headers = {"Content-Type": kind}
            answer = httpx.request(
                method, f"http://127.0.0.1:{port}{path}", content=body, headers=headers, timeout=WAIT_SECONDS
            )
            assert answer.status_code == 400 and "cannot be understood" in answer.text


def test_utf_8_may_be_named(port: int) -> None:
    headers = {"Content-Type": "application/json; charset=UTF-8"}
    answer = httpx.post(f"http://127.0.0.1:{port}/api/v1/bots", content=b"{}", headers=headers, timeout=WAIT_SECONDS)
    assert answer.status_code == 401
