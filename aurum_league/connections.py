"""Addresses of Postgres and Redis, from the environment or of the embedded servers, in every dialect that is spoken."""

from urllib.parse import parse_qs, quote, urlsplit, urlunsplit

from aurum_league.common.errors import LeagueError
from aurum_league.embedded.layout import DATABASE, POSTGRES_PORT, ROLE, Layout, Wanted, find_layout
from aurum_league.environment import read_data_folder, read_text

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
    """Percent-encoded host for a socket's folder: the one form that dj-database-url and dbshell both understand."""
    if given := read_text("DATABASE_URL"):
        return _checked("DATABASE_URL", given, POSTGRES_SCHEMES)
    return f"postgres://{ROLE}@{quote(str(read_layout().run), safe='')}:{POSTGRES_PORT}/{DATABASE}"


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
        example = "postgres://user:password@host:5432/database" if name == "DATABASE_URL" else "redis://host:6379"
        raise LeagueError("variable_invalid", f"{name} is not an address that can be used.", f"Write it as {example}.")
    return url
