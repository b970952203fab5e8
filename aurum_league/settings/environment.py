"""The one module that reads the environment: every variable the site knows, with its meaning and default."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from aurum_league.common.errors import LeagueError

T = TypeVar("T")
TEST_FOLDER = "test"
CHECKOUT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Variable:
    meaning: str
    default: str = ""


VARIABLES: dict[str, Variable] = {
    "AURUM_DATA": Variable("folder of the embedded services, uploads and the generated secret key", "var"),
    "AURUM_EMBEDDED": Variable("which embedded binaries come first: wheels or system", "wheels"),
    "DATABASE_URL": Variable("a Postgres server to use instead of the embedded one, as the role the site runs as"),
    "DATABASE_OWNER_URL": Variable("the same database as the role that owns its tables: for migrations only"),
    "STATEMENT_SECONDS": Variable(
        "after how long Postgres gives up a statement; web processes set 20 themselves", "600"
    ),
    "REDIS_URL": Variable("a Redis or Valkey server to use instead of the embedded one"),
    "DJANGO_SETTINGS_MODULE": Variable("which settings overlay to use", "aurum_league.settings.embedded"),
    "SECRET_KEY": Variable("Django's secret key; generated and kept in AURUM_DATA on the embedded default"),
    "ALLOWED_HOSTS": Variable("host names the site answers to, separated by commas"),
    "SITE_URL": Variable("the address people see, such as https://aurum.example.org"),
    "TRUSTED_PROXIES": Variable("how many proxies of yours stand before the site, each adding to X-Forwarded-For", "0"),
    "EMAIL_URL": Variable("server for e-mail, such as smtp+tls://user:password@host:587; empty prints to the console"),
    "EMAIL_FROM": Variable("sender of the site's e-mail", "Aurum League <noreply@localhost>"),
    "BEACON": Variable(
        "where rounds of drand's chain quicknet come from: a relay's address up to the chain, or a file of rounds"
    ),
    "FIRST_ADMIN": Variable("name and e-mail of the administrator that a site without one gets at its start"),
    "METRICS_TOKEN": Variable("bearer token that opens /metrics; without it only this machine may read them"),
    "LOG_FORMAT": Variable("console or json", "console"),
    "LOG_LEVEL": Variable("DEBUG, INFO, WARNING or ERROR", "INFO"),
    "HOST": Variable("address the site listens on", "127.0.0.1"),
    "PORT": Variable("port the site listens on", "8000"),
    "WEB_PROCESSES": Variable("processes that answer requests; 0 takes the number of cores, at most 4", "0"),
    "WORKER_CONCURRENCY": Variable("processes of one Celery worker; 0 takes the number of cores", "0"),
    "LEASE_SECONDS": Variable("how long a worker may be silent before its matches are given to others", "30"),
    "PROMETHEUS_MULTIPROC_DIR": Variable("set by the supervisor: the folder where web processes add up their metrics"),
    "PYTEST_XDIST_WORKER": Variable("set by the test runner, to keep parallel test processes apart", "gw0"),
    "XDG_RUNTIME_DIR": Variable("the system's folder for sockets, used when AURUM_DATA's path is too long for one"),
}


def read_text(name: str) -> str:
    return os.environ.get(name, "").strip() or VARIABLES[name].default


def read_list(name: str) -> list[str]:
    return [item.strip() for item in read_text(name).split(",") if item.strip()]


def read_choice(name: str, *choices: str) -> str:
    return _one_of(name, {choice: choice for choice in choices})


def read_number(name: str, lowest: int, highest: int) -> int:
    text = read_text(name)
    if not text.isascii() or not text.isdigit() or not lowest <= int(text) <= highest:
        raise LeagueError(
            "variable_invalid",
            "%(name)s is %(value)s.",
            "Set it to a whole number from %(least)s to %(most)s.",
            name=name,
            value=repr(text),
            least=lowest,
            most=highest,
        )
    return int(text)


def require_text(name: str) -> str:
    value = read_text(name)
    if not value:
        raise LeagueError(
            "variable_missing",
            "The environment variable %(name)s is missing: %(meaning)s.",
            "Set it, then start again; docs/OPERATIONS.md lists them all.",
            name=name,
            meaning=VARIABLES[name].meaning,
        )
    return value


def read_data_folder() -> Path:
    return (CHECKOUT / Path(read_text("AURUM_DATA")).expanduser()).absolute()


def enter_test_folder() -> None:
    """From here on, in this process and its children, the data folder is one that only tests use."""
    folder = read_data_folder()
    if folder.name != TEST_FOLDER:
        os.environ["AURUM_DATA"] = str(folder / TEST_FOLDER)


def enter_own_folder(folder: Path, **variables: str) -> None:
    """From here on, in this process and its children: embedded services in this folder, whatever was set before."""
    for name in ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL"):
        os.environ.pop(name, None)
    os.environ |= {**variables, "AURUM_DATA": str(folder)}
    os.environ["DJANGO_SETTINGS_MODULE"] = VARIABLES["DJANGO_SETTINGS_MODULE"].default


def hide_owner() -> dict[str, str]:
    """The environment for programs of the site: all of it but the way in as the owner of the database."""
    return {name: value for name, value in os.environ.items() if name != "DATABASE_OWNER_URL"}


def share_metrics(folder: Path) -> None:
    """From here on, and before any metric is made: this process counts in the folder, with others of its site."""
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)


def limit_statements(seconds: int) -> None:
    """From here on, and before settings are read: nobody who asks this process waits longer for one statement."""
    os.environ["STATEMENT_SECONDS"] = str(seconds)


def use_default_settings() -> None:
    """For programs that set Django up themselves: the default overlay, unless another one was chosen."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", VARIABLES["DJANGO_SETTINGS_MODULE"].default)


def read_test_process() -> int:
    """The number of this test process among those that run side by side."""
    return int(read_text("PYTEST_XDIST_WORKER").removeprefix("gw"))


def _one_of(name: str, values: dict[str, T]) -> T:
    text = read_text(name)
    if text not in values:
        raise LeagueError(
            "variable_invalid",
            "%(name)s is %(value)s.",
            "Set it to one of: %(names)s.",
            name=name,
            value=repr(text),
            names=list(values),
        )
    return values[text]
