"""Signing in: how often a password may be guessed, and which browsers are known to an account already."""

import secrets
from typing import Any

import structlog
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.userkit import filter_users_by_email, get_user_by_username
from allauth.core.internal import ratelimit
from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.http import HttpRequest, HttpResponse

from aurum_league.accounts.sessions import name_network

SALT = "aurum.known-device"
KNOWN_SECONDS = 365 * 86_400
MOST_ACCOUNTS = 5
"""Of one browser; whoever signs in with more is a stranger to the oldest again."""

NOBODY = "nobody:"
log = structlog.get_logger()

Device = tuple[str, list[int]]
"""A name made by chance, and the accounts that have signed in there."""


def read_device(request: HttpRequest) -> Device:
    """As its signed cookie says; one without a name where there is none, or somebody has written it himself."""
    try:
        name, accounts = signing.loads(
            request.COOKIES.get(settings.DEVICE_COOKIE_NAME, ""), salt=SALT, max_age=KNOWN_SECONDS
        )
    except (signing.BadSignature, ValueError, TypeError):
        return "", []
    return name, accounts


def remember_device(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """The cookie opens nothing: it only says that this browser's guesses are counted apart from strangers'."""
    name, accounts = read_device(request)
    known = [user.pk, *(account for account in accounts if account != user.pk)][:MOST_ACCOUNTS]
    response.set_cookie(
        settings.DEVICE_COOKIE_NAME,
        signing.dumps((name or secrets.token_urlsafe(12), known), salt=SALT),
        max_age=KNOWN_SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


class SignInAdapter(DefaultAccountAdapter):
    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Before any password is compared: guesses of strangers are counted by account and by address.

        Those of a browser that has signed in to this account before are counted by themselves, so that nobody
        can lock an owner out; such a browser has few guesses too.
        """
        key = self._get_login_attempts_cache_key(request, **credentials)
        device, accounts = read_device(request)
        action = "login_failed"
        if key in map(str, accounts):
            action, key = "login_failed_known", f"{key}:{device}"
        self._login_failed_rl_usage = ratelimit.consume(request, app="allauth.account", action=action, key=key)
        if not self._login_failed_rl_usage:
            raise self.validation_error("too_many_login_attempts")

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """The account, by whichever of its names it is called: else each would have guesses of its own."""
        email, name = credentials.get("email", ""), credentials.get("username", "")
        found = filter_users_by_email(email, prefer_verified=True) if email else []
        owner = found[0] if found else (get_user_by_username(name) if name else None)
        return str(owner.pk) if owner else f"{NOBODY}{(email or name).lower()}"

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """Without what was typed: people type passwords into the wrong field."""
        key = self._get_login_attempts_cache_key(request, **credentials)
        account = None if key.startswith(NOBODY) else int(key)
        log.warning("sign_in_failed", account=account, network=name_network(request.META.get("REMOTE_ADDR", "")))

    def post_login(self, request: HttpRequest, user: Any, **details: Any) -> HttpResponse:
        response = super().post_login(request, user, **details)
        log.info("signed_in", account=user.pk, network=name_network(request.META.get("REMOTE_ADDR", "")))
        remember_device(request, response, user)
        return response
