"""Reads one address for outgoing e-mail into the values that Django wants."""

from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from aurum_league.common.errors import LeagueError

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
