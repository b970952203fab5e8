"""The second factor: what stands in the way of a role until there is one, and how its secrets are stored."""

import base64
import hashlib
from collections.abc import Callable
from typing import Any

from allauth.account.authentication import get_authentication_records
from allauth.account.internal.flows.login import record_authentication
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from asgiref.sync import iscoroutinefunction
from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.decorators import sync_and_async_middleware
from django.utils.http import urlencode

from aurum_league.accounts.access import FACTORS, end_tokens, has_role, second_factor_needed
from aurum_league.accounts.sessions import end_sessions
from aurum_league.common.api.errors import league_error_body

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


def _seal() -> MultiFernet:
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    digests = (hashlib.sha256(b"aurum second factor" + str(key).encode()).digest() for key in keys)
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])
