"""Signing in: how often a password may be guessed, which browsers an account knows, and the second factor of roles."""

import base64
import hashlib
import secrets
from collections.abc import Callable
from typing import Any

import structlog
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.authentication import get_authentication_records
from allauth.account.internal.flows.login import record_authentication
from allauth.account.internal.userkit import filter_users_by_email, get_user_by_username
from allauth.core.internal import ratelimit
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.adapter import get_adapter as get_mfa_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from asgiref.sync import iscoroutinefunction
from cryptography.fernet import Fernet, MultiFernet
from django import forms
from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.decorators import sync_and_async_middleware
from django.utils.http import urlencode

from aurum_league.accounts.access import FACTORS, end_tokens, has_role, second_factor_needed
from aurum_league.accounts.sessions import end_sessions, name_network
from aurum_league.accounts.traces import note_traces
from aurum_league.common.api.errors import league_error_body
from aurum_league.common.api.idempotency import is_too_deep

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


def remember_device(request: HttpRequest, response: HttpResponse, user: User) -> str:
    """The cookie opens nothing: it only says that this browser's guesses are counted apart from strangers'.

    Answers with the name of the device.
    """
    name, accounts = read_device(request)
    name = name or secrets.token_urlsafe(12)
    known = [user.pk, *(account for account in accounts if account != user.pk)][:MOST_ACCOUNTS]
    response.set_cookie(
        settings.DEVICE_COOKIE_NAME,
        signing.dumps((name, known), salt=SALT),
        max_age=KNOWN_SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return name


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
        device = remember_device(request, response, user)
        note_traces(user_id=user.pk, device=device, address=request.META.get("REMOTE_ADDR", ""))
        return response

    def is_safe_url(self, url: str | None) -> bool:
        """What is no address at all ("http://[") is not safe either, where the library would raise."""
        try:
            return bool(super().is_safe_url(url))
        except ValueError:
            return False


ALWAYS_OPEN = ("/accounts/", "/account/sessions/", "/i18n/", "/static/")
"""Where somebody sets up a factor, proves it, or leaves."""


@sync_and_async_middleware
def guard_roles(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Every request of a session, wherever it leads, the admin and the API too; tokens are asked where they are read.

    What is asked here was read with the session: it costs no query, and holds from the moment a role is given.
    """
    if iscoroutinefunction(get_response):
        # The async stack serves live streams only, which know nobody.
        return get_response

    def middleware(request: HttpRequest) -> HttpResponseBase:
        wanted = find_barrier(request)
        if wanted is None:
            response: HttpResponseBase = get_response(request)
            return response
        if request.path_info.startswith("/api/"):
            return JsonResponse(league_error_body(second_factor_needed()), status=403)
        if request.headers.get("HX-Request"):
            return HttpResponse(headers={"HX-Redirect": wanted})
        return HttpResponseRedirect(wanted)

    return middleware


def find_barrier(request: HttpRequest) -> str | None:
    """Where this request is sent instead; None where nothing stands in its way."""
    session: Any = request.session
    if not session.session_key or not session.keys():
        return None
    if session.has_factor and request.path_info == reverse("account_reauthenticate"):
        # A password alone would take the factor off again.
        query = request.META.get("QUERY_STRING", "")
        return _prove(request.user) + (f"?{query}" if query else "")
    if not settings.SECOND_FACTOR_REQUIRED or not session.has_role:
        return None
    if not session.has_factor:
        request.second_factor_wanted = True  # type: ignore[attr-defined]
        return None if request.path_info.startswith(ALWAYS_OPEN) else reverse("mfa_index")
    if request.path_info.startswith(ALWAYS_OPEN) or has_proven(request):
        return None
    return f"{_prove(request.user)}?{urlencode({'next': request.get_full_path()})}"


def has_proven(request: HttpRequest) -> bool:
    return any(record.get("method") == "mfa" for record in get_authentication_records(request, request.user))


def _prove(user: Any) -> str:
    has_codes = Authenticator.objects.filter(user=user).exclude(type=Authenticator.Type.WEBAUTHN).exists()
    return reverse("mfa_reauthenticate" if has_codes else "mfa_reauthenticate_webauthn")


def welcome_factor(request: HttpRequest, user: User, authenticator: Authenticator, **details: object) -> None:
    """Whoever adds a factor has just proven it; with the first, all ends that was opened without one."""
    if authenticator.type not in FACTORS:
        return
    record_authentication(request, user, "mfa", id=authenticator.pk, type=authenticator.type)
    if Authenticator.objects.filter(user=user, type__in=FACTORS).count() == 1:
        end_tokens(user)
        end_sessions(user, kept=request.session.session_key)


class SecondFactorAdapter(DefaultMFAAdapter):
    """Secrets of the factors are sealed with the site's key: a dump of the database makes no codes."""

    def encrypt(self, text: str) -> str:
        return _seal().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        return _seal().decrypt(encrypted_text.encode()).decode()

    def can_delete_authenticator(self, authenticator: Authenticator) -> bool:
        """The last factor stays where the role asks for one."""
        others = Authenticator.objects.filter(user=authenticator.user_id, type__in=FACTORS).exclude(pk=authenticator.pk)
        return not (settings.SECOND_FACTOR_REQUIRED and has_role(authenticator.user) and not others.exists())


class CredentialField(forms.JSONField):
    """What a browser says of a passkey: an object and no deeper than one, and never shown again."""

    def to_python(self, value: Any) -> Any:
        if is_too_deep(str(value).encode(errors="replace")):
            raise get_mfa_adapter().validation_error("incorrect_code")
        return super().to_python(value)

    def bound_data(self, data: Any, initial: Any) -> None:
        return None


class CarefulForm(forms.Form):
    """Where the library falls over what somebody has put together himself, it is a wrong answer like any other."""

    credential = CredentialField(widget=forms.HiddenInput)

    def _clean_fields(self) -> None:
        self._refuse_nonsense(super()._clean_fields)  # type: ignore[misc]

    def _clean_form(self) -> None:
        self._refuse_nonsense(super()._clean_form)  # type: ignore[misc]

    def _refuse_nonsense(self, clean: Callable[[], None]) -> None:
        try:
            clean()
        except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
            self.add_error(None, get_mfa_adapter().validation_error("incorrect_code"))


class AddPasskeyForm(CarefulForm, AddWebAuthnForm):
    pass


class AuthenticatePasskeyForm(CarefulForm, AuthenticateWebAuthnForm):
    pass


class LoginPasskeyForm(CarefulForm, LoginWebAuthnForm):
    pass


class ReauthenticatePasskeyForm(CarefulForm, ReauthenticateWebAuthnForm):
    pass


def _seal() -> MultiFernet:
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    digests = (hashlib.sha256(b"aurum second factor" + str(key).encode()).digest() for key in keys)
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])
