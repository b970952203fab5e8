"""Setting a public site up: a few answers become an environment file with keys, checks of what they name, and the
first administrator."""

import os
import re
import secrets
import socket
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from allauth.account import app_settings as account_settings
from allauth.account.models import EmailAddress
from allauth.account.utils import user_pk_to_url_str
from django.contrib.auth.models import Group, User
from django.core.mail import get_connection, send_mail
from django.db import connection, transaction
from django.urls import reverse

from aurum_league.common.errors import LeagueError
from aurum_league.operations.checks import Check
from aurum_league.settings.connections import parse_mail_url

SIZES = {"small": (2, 1), "medium": (4, 2), "large": (4, 0)}
"""Web processes and processes of a worker; 0 takes the number of cores."""

LINE = re.compile(r"^(?:# )?([A-Z_]+)=(.*)$")


@dataclass(frozen=True)
class Answers:
    """What an operator is asked; `mail` may be empty, then mails are printed into the log."""

    address: str
    admin: str
    email: str
    mail: str
    size: str


def check_answers(answers: Answers) -> None:
    """Refuse, before anything is written, what could not work."""
    parts = urlsplit(answers.address)
    if parts.scheme != "https" or not parts.hostname or parts.path.strip("/") or parts.query or parts.port:
        raise LeagueError(
            "address_invalid",
            "%(address)s is no address of a site.",
            "Write it as https://aurum.example.org.",
            address=answers.address or "''",
        )
    if not re.fullmatch(r"[\w.@+-]{2,150}", answers.admin):
        raise LeagueError("name_invalid", "The administrator needs a name of letters and digits, two at least.")
    if not re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s]+", answers.email):
        raise LeagueError("email_invalid", "%(email)s is no address of e-mail.", email=answers.email or "''")
    if answers.size not in SIZES:
        raise LeagueError("size_invalid", "A site is one of: %(sizes)s.", sizes=list(SIZES))
    parse_mail_url(answers.mail)


def make_variables(answers: Answers) -> dict[str, str]:
    """The variables that follow from the answers, keys and passwords among them."""
    host = urlsplit(answers.address).hostname or ""
    web, worker = SIZES[answers.size]
    return {
        "SECRET_KEY": secrets.token_urlsafe(48),
        "POSTGRES_PASSWORD": secrets.token_urlsafe(24),
        "SITE_PASSWORD": secrets.token_urlsafe(24),
        "ALLOWED_HOSTS": host,
        "SITE_URL": f"https://{host}",
        "TRUSTED_PROXIES": "1",
        "EMAIL_URL": answers.mail,
        "EMAIL_FROM": f"Aurum League <noreply@{host}>",
        "METRICS_TOKEN": secrets.token_urlsafe(24),
        "WEB_PROCESSES": str(web),
        "WORKER_CONCURRENCY": str(worker),
        "FIRST_ADMIN": f"{answers.admin} {answers.email}",
    }


def write_environment(file: Path, example: Path, variables: Mapping[str, str]) -> list[str]:
    """Fill the example in and write it for its owner alone; which of the values that stood there were kept.

    Keys and passwords that a site already runs with are never replaced: the database knows only the old one.
    """
    kept = {}
    if file.exists():
        kept = {m[1]: m[2] for line in file.read_text().splitlines() if (m := LINE.match(line)) and line[0] != "#"}
        kept = {name: value for name, value in kept.items() if value}
    values = {**variables, **kept}
    lines = []
    for line in example.read_text().splitlines():
        found = LINE.match(line)
        name = found[1] if found else ""
        lines.append(f"{name}={values.pop(name)}" if name in values else line)
    lines += [f"{name}={value}" for name, value in values.items()]
    draft = file.with_name(f"{file.name}.{os.getpid()}")
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as stream:
        stream.write("\n".join(lines) + "\n")
    draft.replace(file)
    return sorted(kept)


def check_surroundings(answers: Answers) -> Iterator[Check]:
    """What can be known before the site runs: whether its name is found, and whether mail goes out."""
    host = urlsplit(answers.address).hostname or ""
    try:
        found = sorted({str(each[4][0]) for each in socket.getaddrinfo(host, 443, type=socket.SOCK_STREAM)})
        yield Check(True, f"{host} is found at {', '.join(found)}.")
    except OSError:
        yield Check(False, f"{host} is not found: let its DNS name this machine before you start, or no TLS is given.")
    if not answers.mail:
        yield Check(False, "No mail server is named: mails are printed into the log.", is_needed=False)
        return
    try:
        send_test_mail(answers.email, answers.mail)
        yield Check(True, f"A mail to {answers.email} was handed to {parse_mail_url(answers.mail).host}.")
    except OSError as error:
        yield Check(False, f"The mail server did not take a mail: {error}.")


def send_test_mail(address: str, mail_url: str | None = None) -> None:
    """One mail by the site's own settings, or by those of an address; an OSError where the server does not take it."""
    sender = None
    options = None
    if mail_url is not None:
        mail = parse_mail_url(mail_url)
        sender = f"Aurum League <{mail.user if '@' in mail.user else address}>"
        options = get_connection(
            mail.backend,
            host=mail.host,
            port=mail.port,
            username=mail.user,
            password=mail.password,
            use_tls=mail.use_tls,
            use_ssl=mail.use_ssl,
            timeout=10,
        )
    text = "If you read this, mail from the site arrives."
    send_mail("Aurum League: a test", text, sender, [address], connection=options)


ADMIN_LOCK = 0x41444D
MAIL_TEXT = """The site {site} is up, and you are its administrator {name}.

Choose a password: {link}
"""


def make_first_admin(wanted: str, site: str) -> bool:
    """`name address` becomes the administrator of a site that has none, and gets a link to choose a password by mail.

    False where there is an administrator already. Web processes of several machines may ask at once: one makes it.
    """
    name, _, address = wanted.partition(" ")
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [ADMIN_LOCK])
        if not address or User.objects.filter(is_superuser=True).exists():
            return False
        user = User.objects.create_user(name, address, is_staff=True, is_superuser=True)
        user.groups.set(Group.objects.filter(name__in=("organiser", "staff")))
        EmailAddress.objects.create(user=user, email=address, primary=True, verified=False)
    key = account_settings.PASSWORD_RESET_TOKEN_GENERATOR().make_token(user)
    link = site.rstrip("/") + reverse("account_reset_password_from_key", args=[user_pk_to_url_str(user), key])
    send_mail("Aurum League: your site is up", MAIL_TEXT.format(site=site, name=name, link=link), None, [address])
    return True

