"""What cannot be run here is at least consistent: compose file, example environment, manual and settings."""

import re
import shutil
import subprocess
import tomllib
from typing import Any

import pytest
import yaml
from django.core.management import get_commands
from setuptools import find_packages  # type: ignore[import-untyped]

from aurum_league.settings.environment import VARIABLES
from tests.architecture.sources import CHECKOUT

OURS = ("web", "worker", "live", "patient", "beat")
TARGETS = (
    *("run", "demo", "setup", "test", "lint", "types", "lock", "bench", "bench-api", "bench-tables", "chaos", "soak"),
    *("messages", "clean"),
)
IMAGES = {"PYTHON_IMAGE", "CADDY_IMAGE", "POSTGRES_IMAGE", "VALKEY_IMAGE"}
SERVERS_OWN = {"POSTGRES_USER", "POSTGRES_DB", "POSTGRES_PASSWORD", "SITE_ADDRESS", "WEB_UPSTREAM"}


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return yaml.safe_load((CHECKOUT / "docker-compose.yml").read_text())


def test_compose_names_the_services(compose: dict[str, Any]) -> None:
    assert set(compose["services"]) == {"proxy", "db", "redis", "migrate", *OURS}


@pytest.mark.parametrize("name", ["proxy", "db", "redis", *OURS])
def test_compose_service(compose: dict[str, Any], name: str) -> None:
    service = compose["services"][name]
    assert service["healthcheck"]["test"], "every service has a health check"
    assert set(service.get("environment", {})) <= {*VARIABLES, *SERVERS_OWN}
    assert name == "proxy" or all(published.startswith("127.0.0.1:") for published in service.get("ports", []))
    if name in OURS:
        assert {"SECRET_KEY", "ALLOWED_HOSTS", "SITE_URL", "DATABASE_URL", "REDIS_URL"} <= set(service["environment"])
        assert service["environment"]["DJANGO_SETTINGS_MODULE"] == "aurum_league.settings.server"
        assert service["command"][1] == "manage.py"
        assert service["command"][2] in get_commands()
        assert service["command"][4] == name
        done = {"migrate": "service_completed_successfully"}
        for other, on in service["depends_on"].items():
            assert on["condition"] == done.get(other, "service_healthy")


def test_only_migrations_speak_to_the_database_as_its_owner(compose: dict[str, Any]) -> None:
    owner = {name: "DATABASE_OWNER_URL" in one.get("environment", {}) for name, one in compose["services"].items()}
    assert [name for name, is_owner in owner.items() if is_owner] == ["migrate"]
    addresses = compose["services"]["migrate"]["environment"]
    assert "aurum_site:" in addresses["DATABASE_URL"] and "aurum:" in addresses["DATABASE_OWNER_URL"]
    assert compose["services"]["web"]["command"][-1] == "--skip-migrations"


def test_compose_waits_for_no_unknown_service(compose: dict[str, Any]) -> None:
    for service in compose["services"].values():
        assert set(service.get("depends_on", {})) <= set(compose["services"])
        named = {mount.split(":")[0] for mount in service.get("volumes", []) if not mount.startswith("./")}
        assert named <= set(compose["volumes"])


def test_compose_variables_are_in_the_example(compose: dict[str, Any]) -> None:
    asked = set(re.findall(r"\$\{(\w+)", (CHECKOUT / "docker-compose.yml").read_text()))
    offered = set(re.findall(r"^#? ?(\w+)=", (CHECKOUT / ".env.example").read_text(), re.MULTILINE))
    assert asked <= offered
    assert offered <= {*VARIABLES, *IMAGES, "POSTGRES_PASSWORD", "SITE_PASSWORD"}


def test_neither_image_nor_wheel_holds_instruments() -> None:
    assert {"benchmarks", "tests"} <= set((CHECKOUT / ".dockerignore").read_text().split())
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())
    packages = find_packages(str(CHECKOUT), include=project["tool"]["setuptools"]["packages"]["find"]["include"])
    assert {package.partition(".")[0] for package in packages} == {"aurum_league", "games", "bots", "tournaments"}


def test_image_runs_as_a_named_user_that_is_not_root() -> None:
    lines = (CHECKOUT / "Dockerfile").read_text().splitlines()
    users = [line.split()[1] for line in lines if line.startswith("USER ")]
    assert users and users[-1] not in ("root", "0")
    assert any(f"useradd --uid 10001 --create-home --shell /usr/sbin/nologin {users[-1]}" in line for line in lines)
    set_in_image = set(re.findall(r"\b([A-Z_]{4,})=", "\n".join(lines)))
    assert set_in_image - {"PATH", "PYTHONUNBUFFERED", *IMAGES} <= set(VARIABLES)


@pytest.mark.parametrize("name", sorted(VARIABLES))
def test_every_variable_is_documented(name: str) -> None:
    manual = (CHECKOUT / "docs" / "OPERATIONS.md").read_text()
    row = next((line for line in manual.splitlines() if line.startswith(f"| `{name}` ")), "")
    assert VARIABLES[name].meaning in row
    assert f"`{VARIABLES[name].default}`" in row or not VARIABLES[name].default


def test_only_one_module_reads_the_environment() -> None:
    allowed = {"aurum_league/settings/environment.py"}
    setdefault_only = re.compile(r'os\.environ\.setdefault\("DJANGO_SETTINGS_MODULE"')
    found = set()
    for path in CHECKOUT.glob("aurum_league/**/*.py"):
        text = setdefault_only.sub("", path.read_text())
        if re.search(r"os\.environ|os\.getenv", text):
            found.add(str(path.relative_to(CHECKOUT)))
    assert found <= allowed


@pytest.mark.skipif(not shutil.which("make"), reason="make is not installed")
@pytest.mark.parametrize("target", TARGETS)
def test_help_lists_every_target(target: str) -> None:
    done = subprocess.run(["make", "help"], cwd=CHECKOUT, capture_output=True, text=True, check=True)
    assert re.search(rf"^{target} +\S", done.stdout, re.MULTILINE)


def test_ci_calls_make_test_and_nothing_cleverer() -> None:
    assert (CHECKOUT / ".ci" / "run").read_text().splitlines()[-1] == "exec make test"
