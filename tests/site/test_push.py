"""Web push against a push service of the tests: it decrypts what it gets, checks who sent it, and may say "gone"."""

import base64
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from aurum_league.common.telling import encrypt, is_push_service, read_push_key, send_notices, subscribe, tell
from aurum_league.models import PushSubscription

pytestmark = pytest.mark.django_db


def encode(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def point_of(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


@dataclass
class Browser:
    """What a browser keeps to itself, and how it reads a message (RFC 8291, section 4)."""

    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    auth: bytes = b"0123456789abcdef"

    @property
    def keys(self) -> dict[str, str]:
        return {"p256dh": encode(point_of(self.key.public_key())), "auth": encode(self.auth)}

    def read(self, body: bytes) -> bytes:
        salt, length = body[:16], body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        info = b"WebPush: info\0" + point_of(self.key.public_key()) + sender
        secret = HKDF(hashes.SHA256(), 32, self.auth, info).derive(shared)
        key = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(secret)
        nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(secret)
        return AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\0")[:-1]


@dataclass
class Service:
    address: str
    got: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    status: int = 201


@pytest.fixture
def service(settings: Any) -> Iterator[Service]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            push.got.append((dict(self.headers.items()), body))
            self.send_response(push.status)
            self.end_headers()

        def log_message(self, *arguments: Any) -> None:
            """Silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    push = Service(f"http://127.0.0.1:{server.server_port}")
    settings.PUSH_SERVICES = (push.address,)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield push
    server.shutdown()
    thread.join()
    server.server_close()


def tell_ada(ada: User) -> None:
    tell([ada], kind="turn", subject="It is your turn", text="A table waits.", url="/play/7/")
    send_notices()


def test_what_is_told_reaches_the_browser_and_nobody_else_reads_it(service: Service) -> None:
    ada, browser = User.objects.create_user("ada"), Browser()
    subscribe(user=ada, endpoint=f"{service.address}/ada", **browser.keys)
    tell_ada(ada)
    ((headers, body),) = service.got
    told = json.loads(browser.read(body))
    assert told == {"title": "It is your turn", "body": "A table waits.", "url": "/play/7/", "kind": "turn"}
    assert b"turn" not in body and headers["Content-Encoding"] == "aes128gcm"
    check_sender(headers["Authorization"], service.address)


def check_sender(authorisation: str, audience: str) -> None:
    token, key = authorisation.removeprefix("vapid t=").split(", k=")
    head, claims, signature = token.split(".")
    both = decode(signature)
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(key))
    encoded = encode_dss_signature(int.from_bytes(both[:32], "big"), int.from_bytes(both[32:], "big"))
    public.verify(encoded, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    assert key == read_push_key() and json.loads(decode(claims))["aud"] == audience


@pytest.mark.parametrize(("status", "left"), [(404, 0), (410, 0), (500, 1), (201, 1)])
def test_a_browser_that_has_gone_is_forgotten(service: Service, status: int, left: int) -> None:
    ada = User.objects.create_user("ada")
    subscribe(user=ada, endpoint=f"{service.address}/ada", **Browser().keys)
    service.status = status
    tell_ada(ada)
    assert PushSubscription.objects.count() == left


@pytest.mark.parametrize(
    ("endpoint", "is_known"),
    [
        ("https://fcm.googleapis.com/fcm/send/x", True),
        ("https://web.push.apple.com/x", True),
        ("http://fcm.googleapis.com/fcm/send/x", False),
        ("https://fcm.googleapis.com.evil.example/x", False),
        ("https://fcm.googleapis.com@127.0.0.1/x", False),
        ("https://fcm.googleapis.com:8443/x", False),
        ("https://127.0.0.1/x", False),
        ("https://evil.example/https://fcm.googleapis.com", False),
        ("https://evil.example/.push.apple.com", False),
        ("https://evil.example#.push.apple.com", False),
        ("https://evil.example?.push.apple.com", False),
        ("https://evil.example\\.push.apple.com/", False),
        ("https://[", False),
        ("https://[::1]/x", False),
        ("https://localhost/.push.apple.com", False),
        ("https://127.0.0.1:6379\r\n.push.apple.com", False),
        ("file:///etc/passwd", False),
        ("", False),
    ],
)
def test_messages_go_to_push_services_alone(endpoint: str, is_known: bool) -> None:
    assert is_push_service(endpoint) == is_known


def test_a_page_subscribes_and_unsubscribes(client: Client, service: Service) -> None:
    ada, browser = User.objects.create_user("ada"), Browser()
    client.force_login(ada)
    sent = {"endpoint": f"{service.address}/ada", **browser.keys}
    assert client.post(reverse("push"), sent).json() == {"is_on": True}
    assert client.post(reverse("push"), {**sent, "auth": "x"}).json()["code"] == "push_keys_invalid"
    assert client.post(reverse("push"), {**sent, "p256dh": "é"}).json()["code"] == "push_keys_invalid"
    assert client.post(reverse("push"), {**sent, "endpoint": "https://x.org"}).json()["code"] == "push_service_unknown"
    client.force_login(User.objects.create_user("berta"))
    client.post(reverse("push"), {**sent, "is_off": "1"})
    assert PushSubscription.objects.get().user == ada, "nobody unsubscribes another"
    client.force_login(ada)
    client.post(reverse("push"), {**sent, "is_off": "1"})
    assert not PushSubscription.objects.exists()


def test_a_person_has_ten_browsers_at_most(service: Service) -> None:
    ada = User.objects.create_user("ada")
    for number in range(12):
        subscribe(user=ada, endpoint=f"{service.address}/{number}", **Browser().keys)
    assert PushSubscription.objects.count() == 10
    assert not PushSubscription.objects.filter(endpoint=f"{service.address}/0").exists()


def test_two_messages_never_look_alike() -> None:
    keys = Browser().keys
    assert encrypt(b"same", **keys) != encrypt(b"same", **keys)


class TestInstalled:
    def test_the_worker_keeps_a_shell_that_exists(self, client: Client) -> None:
        script = client.get(reverse("service_worker")).content.decode()
        shell = json.loads(script.split("const SHELL = ")[1].split(";\n")[0])
        assert reverse("offline") in shell and "showNotification" in script
        assert client.get(reverse("offline")).status_code == 200

    def test_the_manifest_names_its_icons(self, client: Client) -> None:
        told = client.get(reverse("manifest")).json()
        assert {icon["sizes"] for icon in told["icons"]} == {"192x192", "512x512"}
        assert told["display"] == "standalone"
        assert client.get(reverse("touch_icon")).status_code == 302
