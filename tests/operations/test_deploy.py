"""What lies in deploy/ is what the tools themselves take, names only metrics that exist, and gives no more rights than
it needs; and a site set up by five answers has an administrator who can come in."""

import io
import json
import os
import re
import shutil
import socket
import subprocess
import threading
from pathlib import Path
from typing import Any

import kubernetes_validate  # type: ignore[import-untyped]
import pytest
import yaml
from django.contrib.auth.models import User
from django.core.mail import EmailMessage
from django.core.management import call_command
from django.test import Client

from aurum_league.common.errors import LeagueError
from aurum_league.operations.metrics import MEANINGS
from aurum_league.operations.setup import Answers, check_answers, make_first_admin, make_variables, write_environment
from aurum_league.settings.environment import CHECKOUT, VARIABLES
from aurum_league.supervision.supervisor import NAMES

DEPLOY = CHECKOUT / "deploy"
METRIC = re.compile(r"\b(?:aurum|django)_[a-z_]+")
BROUGHT_BY_THE_ADAPTER = {"aurum_matches_ready"}
KUBERNETES = "1.35"


def run(*command: str | Path, **variables: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **variables}, cwd=DEPLOY)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def needs(tool: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(not shutil.which(tool), reason=f"{tool} is not installed here")


@needs("caddy")
@pytest.mark.parametrize("address", ["https://aurum.example.org", "localhost"])
def test_caddy_takes_its_file(tmp_path: Path, address: str) -> None:
    text = (DEPLOY / "Caddyfile").read_text()
    if tuple(map(int, re.findall(r"\d+", run("caddy", "version"))[:2])) < (2, 7):
        # Older ones know the same by another name.
        text = re.sub(r"request_buffers \S+", "buffer_requests", text)
    (tmp_path / "Caddyfile").write_text(text)
    run("caddy", "validate", "--adapter", "caddyfile", "--config", tmp_path / "Caddyfile", SITE_ADDRESS=address)


@needs("promtool")
def test_promtool_takes_alerts_and_their_tests() -> None:
    run("promtool", "check", "rules", "prometheus/alerts.yml")
    run("promtool", "test", "rules", "prometheus/alerts_test.yml")
    run("promtool", "check", "config", "--syntax-only", "prometheus/prometheus.yml")


@needs("systemd-analyze")
def test_systemd_takes_the_units(tmp_path: Path) -> None:
    for file in (DEPLOY / "systemd").iterdir():
        # The program of the unit is not installed here; every other word is judged.
        (tmp_path / file.name).write_text(file.read_text().replace("/opt/aurum-league/.venv/bin/python", "/bin/true"))
    units = [f"aurum@{name}.service" for name in NAMES]
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *units, "aurum.target"],
        capture_output=True, text=True, env={**os.environ, "SYSTEMD_UNIT_PATH": f"{tmp_path}:"},
    )  # fmt: skip
    ours = [line for line in done.stderr.splitlines() if "aurum" in line]
    assert not ours, done.stderr


def test_every_program_has_its_unit_and_its_deployment() -> None:
    target = (DEPLOY / "systemd" / "aurum.target").read_text()
    assert set(re.findall(r"aurum@(\w+)\.service", target)) == set(NAMES)
    deployed = {each["metadata"]["name"] for each in read_manifests() if each["kind"] == "Deployment"}
    assert deployed == set(NAMES)


def read_manifests() -> list[dict[str, Any]]:
    wanted = yaml.safe_load((DEPLOY / "kubernetes" / "kustomization.yaml").read_text())["resources"]
    return [each for name in wanted for each in yaml.safe_load_all((DEPLOY / "kubernetes" / name).read_text())]


@pytest.mark.parametrize("manifest", read_manifests(), ids=lambda each: f"{each['kind']} {each['metadata']['name']}")
def test_kubernetes_takes_the_manifest(manifest: dict[str, Any]) -> None:
    kubernetes_validate.validate(manifest, KUBERNETES, strict=True)
    pod = manifest["spec"].get("template", {}).get("spec") if manifest["kind"] in ("Deployment", "Job") else None
    if pod is None:
        return
    assert pod["securityContext"]["runAsNonRoot"] and not pod["automountServiceAccountToken"]
    for container in pod["containers"]:
        rights = container["securityContext"]
        assert rights["readOnlyRootFilesystem"] and rights["capabilities"] == {"drop": ["ALL"]}
        assert not rights["allowPrivilegeEscalation"]
        assert container["resources"]["limits"]["memory"]
        if manifest["kind"] == "Deployment":
            assert container["livenessProbe"]


def test_the_secrets_and_settings_of_kubernetes_are_variables_of_the_site() -> None:
    made = yaml.safe_load((DEPLOY / "kubernetes" / "kustomization.yaml").read_text())
    literals = [each.partition("=")[0] for each in made["configMapGenerator"][0]["literals"]]
    secret = re.findall(r"^(\w+)=", (DEPLOY / "kubernetes" / "secret.env.example").read_text(), re.M)
    owner = re.findall(r"^(\w+)=", (DEPLOY / "kubernetes" / "owner.env.example").read_text(), re.M)
    assert {*literals, *secret, *owner} <= set(VARIABLES)
    holders = {
        each["metadata"]["name"]
        for each in read_manifests()
        for container in each.get("spec", {}).get("template", {}).get("spec", {}).get("containers", [])
        if {"secretRef": {"name": "aurum-owner"}} in container["envFrom"]
    }
    assert holders == {"migrate"}, "nobody else can own the tables"
    assert {"SECRET_KEY", "ALLOWED_HOSTS", "SITE_URL", "DATABASE_URL", "REDIS_URL"} <= {*literals, *secret}


@pytest.mark.django_db
@pytest.mark.parametrize("file", ["prometheus/alerts.yml", "grafana/aurum.json", "kubernetes/policies.yaml"])
def test_every_metric_named_exists(file: str, client: Client) -> None:
    client.get("/rules/")
    told = client.get("/metrics").content.decode()
    there = set(re.findall(r"^# TYPE (\w+) ", told, re.M)) | set(MEANINGS)
    for name in set(METRIC.findall((DEPLOY / file).read_text())) - BROUGHT_BY_THE_ADAPTER:
        assert name in there or re.sub(r"_(bucket|count|sum)$", "", name) in there, name


def test_the_dashboard_shows_every_metric_of_ours() -> None:
    panels = json.loads((DEPLOY / "grafana" / "aurum.json").read_text())["panels"]
    shown = {name for panel in panels for target in panel["targets"] for name in METRIC.findall(target["expr"])}
    assert set(MEANINGS) <= shown


IMAGES = ("PYTHON_IMAGE", "CADDY_IMAGE", "POSTGRES_IMAGE", "VALKEY_IMAGE")
DOCKER = """#!/bin/sh
[ "$1" = pull ] && exit 0
name=${5%:*}
printf 'elsewhere/%s@sha256:%064d\\n%s@sha256:%064d\\n' "$name" 9 "$name" "$NEWEST"
"""


def test_images_are_pinned_by_their_digest(tmp_path: Path) -> None:
    """No registry answers where this is tested: what stands for docker says one digest for all."""
    compose = (CHECKOUT / "docker-compose.yml").read_text() + (CHECKOUT / "Dockerfile").read_text()
    script = (DEPLOY / "pin-images").read_text()
    for name, image in re.findall(r"(\w+_IMAGE)=(\S+?)[\s\"]", script):
        assert f"${{{name}:-{image}}}" in compose, "what is pinned is what is run"
    assert set(re.findall(r"(?:image: |FROM )\$\{(\w+)", compose)) == set(IMAGES)
    (python,) = re.findall(r"PYTHON_IMAGE=(\S+)", script)
    assert f"ARG PYTHON_IMAGE={python}\n" in compose
    file = tmp_path / ".env"
    file.write_text("SECRET_KEY=x\n# POSTGRES_IMAGE=postgres:18\nCADDY_IMAGE=caddy:2.10\n")
    refused = subprocess.run([DEPLOY / "pin-images", "--check", file], capture_output=True, text=True)
    assert refused.returncode == 1 and [line.split()[0] for line in refused.stderr.splitlines()] == list(IMAGES)
    (tmp_path / "docker").write_text(DOCKER)
    (tmp_path / "docker").chmod(0o755)
    for newest in ("7", "8"):
        run(DEPLOY / "pin-images", file, PATH=f"{tmp_path}:{os.environ['PATH']}", NEWEST=newest)
        run(DEPLOY / "pin-images", "--check", file)
        lines = file.read_text().splitlines()
        assert lines[0] == "SECRET_KEY=x" and len(lines) == 1 + len(IMAGES)
        assert all(line.endswith(f"@sha256:{newest:0>64}") for line in lines[1:]), "run again, it takes newer ones"


ANSWERS = Answers("https://aurum.example.org", "agnes", "agnes@example.org", "", "small")


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        pytest.param({"address": "http://aurum.example.org"}, "address_invalid", id="no TLS"),
        pytest.param({"address": "aurum.example.org"}, "address_invalid", id="no scheme"),
        pytest.param({"address": "https://aurum.example.org/league"}, "address_invalid", id="a path"),
        pytest.param({"admin": "a b"}, "name_invalid", id="a name with a space"),
        pytest.param({"email": "agnes"}, "email_invalid", id="no e-mail"),
        pytest.param({"mail": "mail.example.org"}, "variable_invalid", id="no address of a mail server"),
        pytest.param({"size": "huge"}, "size_invalid", id="no size"),
    ],
)
def test_what_cannot_work_is_refused_before_anything_is_written(changed: dict[str, str], code: str) -> None:
    with pytest.raises(LeagueError) as refused:
        check_answers(Answers(**{**vars(ANSWERS), **changed}))
    assert refused.value.code == code


def test_environment_is_private_complete_and_keeps_what_a_site_runs_with(tmp_path: Path) -> None:
    file, example = tmp_path / ".env", CHECKOUT / ".env.example"
    assert write_environment(file, example, make_variables(ANSWERS)) == []
    assert file.stat().st_mode & 0o777 == 0o600
    first = dict(re.findall(r"^(\w+)=(.*)$", file.read_text(), re.M))
    compose = (CHECKOUT / "docker-compose.yml").read_text()
    assert {name for name in re.findall(r"\$\{(\w+):\?", compose) if not first.get(name)} == set()
    again = Answers(**{**vars(ANSWERS), "mail": "smtp+tls://agnes:pw@mail.example.org"})
    kept = write_environment(file, example, make_variables(again))
    second = dict(re.findall(r"^(\w+)=(.*)$", file.read_text(), re.M))
    assert "SECRET_KEY" in kept and second["SECRET_KEY"] == first["SECRET_KEY"]
    assert second["EMAIL_URL"] == again.mail


class MailServer(threading.Thread):
    """Speaks enough SMTP to take one mail."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.taken = b""

    def run(self) -> None:
        with self.listener:
            connection, _ = self.listener.accept()
        with connection, connection.makefile("rb") as lines:
            connection.sendall(b"220 test\r\n")
            for line in lines:
                if line.lower().startswith(b"data"):
                    connection.sendall(b"354 go on\r\n")
                    while (part := lines.readline()) != b".\r\n":
                        self.taken += part
                connection.sendall(b"221 bye\r\n" if line.lower().startswith(b"quit") else b"250 ok\r\n")


def test_setup_asks_writes_sends_and_says_what_is_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    server = MailServer()
    server.start()
    options = {**vars(ANSWERS), "address": "https://localhost.localdomain", "mail": f"smtp://127.0.0.1:{server.port}"}
    call_command("setup", file=tmp_path / ".env", **options)
    server.join(30)
    said = capsys.readouterr().out
    assert b"Aurum League: a test" in server.taken, said
    assert said.index("deploy/pin-images") < said.index("docker compose up -d")
    assert "agnes@example.org gets a link" in said
    assert server.taken and "SECRET_KEY=" in (tmp_path / ".env").read_text()


@pytest.mark.parametrize(
    ("options", "file", "sentence"),
    [
        pytest.param({"size": None}, ".env", "Without a terminal give it as --size", id="nobody to ask"),
        pytest.param({}, "none/.env", "cannot be written: No such file", id="no such folder"),
        pytest.param({}, ".", "cannot be written: Is a directory", id="a folder"),
    ],
)
def test_what_keeps_setup_from_writing_is_one_sentence(
    options: dict[str, Any], file: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    with pytest.raises(LeagueError, match=sentence):
        call_command("setup", file=tmp_path / file, **vars(ANSWERS) | options)


@pytest.mark.django_db
def test_first_administrator_chooses_a_password_and_there_is_only_one(
    mailoutbox: list[EmailMessage], client: Client
) -> None:
    assert make_first_admin("agnes agnes@example.org", "https://aurum.example.org")
    assert not make_first_admin("berta berta@example.org", "https://aurum.example.org")
    assert User.objects.get(is_superuser=True).username == "agnes"
    (link,) = re.findall(r"https://aurum.example.org(\S+)", str(mailoutbox[0].body))[-1:]
    form = client.get(link, follow=True)
    password = "five-metals-and-gold"
    client.post(form.redirect_chain[-1][0], {"password1": password, "password2": password})
    assert User.objects.get(username="agnes").check_password(password)
