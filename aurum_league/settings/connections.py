"""Addresses of Postgres, Redis and outgoing mail in every dialect that is spoken, and an installation's key."""

import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlsplit, urlunsplit

from aurum_league.common.errors import LeagueError
from aurum_league.embedded.layout import DATABASE, OWNER_ROLE, POSTGRES_PORT, SITE_ROLE, Layout, Wanted, find_layout
from aurum_league.settings.environment import read_data_folder, read_text

CELERY_DATABASE = 0
CACHE_DATABASE = 1
LIVE_DATABASE = 2
REDIS_SCHEMES = ("redis", "rediss", "unix")
POSTGRES_SCHEMES = ("postgres", "postgresql")


def read_layout() -> Layout:
    return find_layout(read_data_folder(), read_text("XDG_RUNTIME_DIR"))


def read_wanted() -> Wanted:
    return Wanted(postgres=not read_text("DATABASE_URL"), valkey=not read_text("REDIS_URL"))


def database_url() -> str:
    """As the site: a role that can neither change nor delete what must stay."""
    if given := read_text("DATABASE_URL"):
        return _checked("DATABASE_URL", given, POSTGRES_SCHEMES)
    return _embedded_url(SITE_ROLE)


def owner_database_url() -> str:
    """As the owner of the tables, who migrates; the same role where only one address is given."""
    if read_wanted().postgres:
        return _embedded_url(OWNER_ROLE)
    if given := read_text("DATABASE_OWNER_URL"):
        return _checked("DATABASE_OWNER_URL", given, POSTGRES_SCHEMES)
    return database_url()


def _embedded_url(role: str) -> str:
    """Percent-encoded host for a socket's folder: the one form that dj-database-url and dbshell both understand."""
    return f"postgres://{role}@{quote(str(read_layout().run), safe='')}:{POSTGRES_PORT}/{DATABASE}"


def make_postgres_waits(statement_seconds: int) -> dict[str, Any]:
    """No wait without an end: not for a connection, nor an answer, nor a line that was cut without a word.

    A line that is quiet is asked after ten seconds whether it stands, and is given up after ten more.
    """
    return {
        "connect_timeout": 5,
        "keepalives": 1,
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 2,
        "tcp_user_timeout": 10_000,
        "options": f"-c jit=off -c statement_timeout={statement_seconds}s",
    }


def redis_url(database: int) -> str:
    """For redis-py and Django's cache."""
    given = read_text("REDIS_URL")
    if not given:
        return f"unix://{quote(str(read_layout().valkey_socket))}?db={database}"
    parts = urlsplit(_checked("REDIS_URL", given, REDIS_SCHEMES))
    if parts.scheme == "unix":
        return f"unix://{parts.path}?db={database}"
    return urlunsplit((parts.scheme, parts.netloc, f"/{database}", parts.query, ""))


def celery_broker_url() -> str:
    """Celery names a socket and its database in words of its own."""
    parts = urlsplit(redis_url(CELERY_DATABASE))
    if parts.scheme != "unix":
        return urlunsplit(parts)
    return f"redis+socket://{parts.path}?virtual_host={parse_qs(parts.query)['db'][0]}"


def _checked(name: str, url: str, schemes: tuple[str, ...]) -> str:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in schemes and bool(parts.netloc or parts.path) and (parts.port or 1) > 0
    except ValueError:
        usable = False
    if not usable:
        example = "postgres://user:password@host:5432/database" if name.startswith("DATABASE") else "redis://host:6379"
        raise LeagueError(
            "variable_invalid",
            "%(name)s is not an address that can be used.",
            "Write it as %(example)s.",
            name=name,
            example=example,
        )
    return url


CONSOLE = "django.core.mail.backends.console.EmailBackend"
SMTP = "django.core.mail.backends.smtp.EmailBackend"
DEFAULT_PORTS = {"smtp": 25, "smtp+tls": 587, "smtp+ssl": 465}


@dataclass(frozen=True)
class Mail:
    backend: str = CONSOLE
    host: str = ""
    port: int = 0
    user: str = ""
    password: str = ""
    use_tls: bool = False
    use_ssl: bool = False


def parse_mail_url(url: str) -> Mail:
    """An empty address prints e-mail to the console."""
    if not url:
        return Mail()
    try:
        parts = urlsplit(url)
        port = parts.port or DEFAULT_PORTS[parts.scheme]
        host = parts.hostname or ""
    except (ValueError, KeyError):
        host = ""
    if not host:
        raise LeagueError(
            "variable_invalid",
            "EMAIL_URL is not an address that can be used.",
            "Write it as smtp+tls://user:password@host:587, or with smtp or smtp+ssl.",
        )
    return Mail(
        backend=SMTP,
        host=host,
        port=port,
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        use_tls=parts.scheme == "smtp+tls",
        use_ssl=parts.scheme == "smtp+ssl",
    )


def load_or_make_secret(folder: Path) -> str:
    file = folder / "secret_key"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not file.exists():
            _write_once(file, secrets.token_urlsafe(48))
        return file.read_text().strip()
    except OSError as error:
        raise LeagueError(
            "data_folder_unwritable",
            "The folder %(folder)s cannot be used: %(error)s.",
            "Free some space or point AURUM_DATA at a folder you may write to.",
            folder=folder,
            error=error.strerror,
        ) from error


def _write_once(file: Path, secret: str) -> None:
    """Of two processes that start at once, one key wins and both read it."""
    draft = file.with_name(f"{file.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "w") as stream:
            stream.write(secret)
        try:
            os.link(draft, file)
        except FileExistsError:
            return
    finally:
        draft.unlink()


PROVIDERS: dict[str, tuple[str, dict[str, Any], str]] = {
    "github": ("GITHUB_KEYS", {"SCOPE": ["user:email"]}, "https://github.com"),
    "google": ("GOOGLE_KEYS", {"SCOPE": ["email"], "OAUTH_PKCE_ENABLED": True}, "https://accounts.google.com"),
    "discord": ("DISCORD_KEYS", {"SCOPE": ["identify", "email"]}, "https://discord.com"),
}
"""By whom people may sign in: the variable of the keys, what is asked for, and where people are sent."""


def read_sign_in_keys() -> dict[str, tuple[str, str]]:
    """Client id and secret of each provider that the operator has keys of."""
    found = {}
    for provider, (variable, _, _) in PROVIDERS.items():
        client, _colon, secret = read_text(variable).partition(":")
        if bool(client) != bool(secret):
            raise LeagueError(
                "variable_invalid",
                "%(name)s holds no client id and secret.",
                "Write them as id:secret, or leave it empty.",
                name=variable,
            )
        if client and secret:
            found[provider] = client, secret
    return found


def make_providers(keys: dict[str, tuple[str, str]], github_url: str) -> dict[str, Any]:
    """For SOCIALACCOUNT_PROVIDERS; keys never lie in the database."""
    made: dict[str, Any] = {}
    for provider, (client, secret) in keys.items():
        app = {"client_id": client, "secret": secret, "key": ""}
        made[provider] = {**PROVIDERS[provider][1], "APPS": [app]}
    if "github" in made and github_url:
        made["github"]["GITHUB_URL"] = github_url
    return made


def list_provider_origins(keys: dict[str, tuple[str, str]], github_url: str) -> list[str]:
    return [github_url.rstrip("/") if name == "github" and github_url else PROVIDERS[name][2] for name in keys]
