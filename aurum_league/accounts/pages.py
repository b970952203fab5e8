"""Pages on which people see and change their account: names, language, notices, sessions and access tokens."""

import uuid
from datetime import timedelta

from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import check_for_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from aurum_league.accounts.access import create_token, end_tokens, list_tokens, revoke_token
from aurum_league.accounts.sessions import digest_key, end_session, end_sessions, list_sessions, name_device
from aurum_league.common.errors import LeagueError
from aurum_league.common.pages import say_refusal
from aurum_league.common.telling import keep_language, list_notices, mark_read, say_notice, subscribe, unsubscribe


class AuthenticatedHttpRequest(HttpRequest):
    user: User


def go_to_login(request: HttpRequest) -> HttpResponse:
    """From the admin to the one login of the site, and back to a page of the site only."""
    wanted = request.GET.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return redirect_to_login(wanted if is_ours else reverse("admin:index"), reverse("account_login"))


class ProfileForm(ModelForm):
    class Meta:
        model = User
        fields = ("first_name", "last_name")


@login_required
def profile(request: HttpRequest) -> HttpResponse:
    form = ProfileForm(request.POST or None, instance=request.user)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Your profile is saved."))
        return redirect("profile")
    roles = list(request.user.groups.order_by("name").values_list("name", flat=True))
    return render(request, "account/profile.html", {"form": form, "roles": roles})


def choose_language(request: HttpRequest) -> HttpResponse:
    """Django's own switch, and for somebody known also what is written to them by mail."""
    language = request.POST.get("language", "")
    if request.method == "POST" and request.user.is_authenticated and check_for_language(language):
        keep_language(request.user, language)
    return set_language(request)


@login_required
@require_POST
def change_push(request: AuthenticatedHttpRequest) -> JsonResponse:
    """This browser may be woken, or no longer (`is_off`); for the page's script."""
    endpoint, keys = request.POST.get("endpoint", ""), [request.POST.get(name, "") for name in ("p256dh", "auth")]
    try:
        if request.POST.get("is_off"):
            unsubscribe(user=request.user, endpoint=endpoint)
        else:
            subscribe(user=request.user, endpoint=endpoint, p256dh=keys[0][:100], auth=keys[1][:30])
    except LeagueError as error:
        return JsonResponse({"code": error.code, "message": say_refusal(error)}, status=error.status)
    return JsonResponse({"is_on": not request.POST.get("is_off")})


MOST_NOTICES = 100


@login_required
@never_cache
def show_notices(request: AuthenticatedHttpRequest) -> HttpResponse:
    """The newest; whoever has opened the page has read them, so the marks on it are those of before."""
    notices = list(list_notices(request.user)[:MOST_NOTICES])
    mark_read(request.user)
    rows = [(notice, *say_notice(notice)) for notice in notices]
    return render(request, "account/notices.html", {"rows": rows})


SCOPE_WORDS = {
    "read": gettext_lazy("Read what you may read"),
    "play": gettext_lazy("Sit at tables, decide and resign"),
    "bots": gettext_lazy("Register bots and versions, ask for scrimmages and tests"),
    "organise": gettext_lazy("Create and run leagues and tournaments"),
}
LIFETIMES = {
    "": gettext_lazy("Never"),
    "7": gettext_lazy("In a week"),
    "30": gettext_lazy("In 30 days"),
    "365": gettext_lazy("In a year"),
}


class TokenForm(forms.Form):
    name = forms.CharField(label=gettext_lazy("Name"), max_length=60)
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("What it may do"),
        choices=tuple(SCOPE_WORDS.items()),
        initial=["read"],
        widget=forms.CheckboxSelectMultiple,
    )
    lifetime = forms.ChoiceField(label=gettext_lazy("Expires"), choices=tuple(LIFETIMES.items()), required=False)


@login_required
@never_cache
def show_tokens(request: AuthenticatedHttpRequest) -> HttpResponse:
    """GET lists them; POST makes one and shows it in the answer itself, the only time it is ever shown."""
    form = TokenForm(request.POST or None)
    shown = ""
    if request.method == "POST" and form.is_valid():
        days = form.cleaned_data["lifetime"]
        try:
            _token, shown = create_token(
                user=request.user,
                name=form.cleaned_data["name"],
                scopes=form.cleaned_data["scopes"],
                lifetime=timedelta(days=int(days)) if days else None,
            )
            form = TokenForm()
        except LeagueError as error:
            form.add_error(None, say_refusal(error))
    context = {"form": form, "shown": shown, "tokens": list_tokens(request.user), "now": timezone.now()}
    return render(request, "account/tokens.html", context)


@login_required
@require_POST
def revoke(request: AuthenticatedHttpRequest, handle: uuid.UUID) -> HttpResponse:
    if revoke_token(user=request.user, handle=handle):
        messages.success(request, _("The token is revoked."))
    return redirect("tokens")


@login_required
@never_cache
def show_sessions(request: AuthenticatedHttpRequest) -> HttpResponse:
    here = digest_key(request.session.session_key)
    rows = [(row, name_device(row.agent), row.pk == here) for row in list_sessions(request.user)]
    context = {"rows": rows, "tokens": list_tokens(request.user).count()}
    return render(request, "account/sessions.html", context)


@login_required
@require_POST
def sign_out(request: AuthenticatedHttpRequest) -> HttpResponse:
    """One browser by the digest of its key, or all of them and every token, this browser last."""
    digest = request.POST.get("session", "")
    if digest:
        if end_session(user=request.user, digest=digest):
            messages.success(request, _("That browser is signed out."))
        return redirect("sessions")
    user = request.user
    end_tokens(user)
    logout(request)
    end_sessions(user)
    messages.success(request, _("You are signed out everywhere, and your tokens are revoked."))
    return redirect("account_login")
