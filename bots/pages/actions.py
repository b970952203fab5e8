"""What authors do on their pages: each a form that is sent, one service, and the page again."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from aurum_league.common.errors import LeagueError
from aurum_league.common.pages import say_refusal
from bots.models import Bot, BotMode
from bots.pages.bots import (
    RegisterForm,
    ScrimmageForm,
    SettingsForm,
    UploadForm,
    author_of,
    find_bot_or_404,
    render_dashboard,
)
from bots.services.qualify import ask_again, ask_scrimmages, start_qualification
from bots.services.registration import change_bot, register_bot, renew_token, retire_bot
from bots.services.versions import activate_version, add_version

UNPROCESSABLE = 422


@login_required
def register(request: HttpRequest) -> HttpResponse:
    form = RegisterForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        sent = form.cleaned_data
        try:
            bot = register_bot(
                owner=author_of(request),
                name=sent["name"],
                mode=BotMode(sent["mode"]),
                description=sent["description"],
            )
            return redirect("bot-dashboard", slug=bot.player.slug)
        except LeagueError as error:
            form.add_error(None, say_refusal(error))
    return render(request, "bots/register.html", {"form": form}, status=UNPROCESSABLE if form.errors else 200)


@login_required
@require_POST
def upload(request: HttpRequest, slug: str) -> HttpResponse:
    bot = find_bot_or_404(request, slug)
    form = UploadForm(request.POST, request.FILES)
    if form.is_valid():
        sent = form.cleaned_data
        try:
            version = add_version(
                bot_id=bot.pk,
                owner=author_of(request),
                upload=sent["upload"],
                note=sent["note"],
            )
            messages.success(request, _("Version %(number)d is here and will be checked now.") % vars(version))
            return redirect("bot-dashboard", slug=slug)
        except LeagueError as error:
            form.add_error("upload", say_refusal(error))
    return render_dashboard(request, bot, UNPROCESSABLE, upload_form=form)


@login_required
@require_POST
def change_settings(request: HttpRequest, slug: str) -> HttpResponse:
    bot = find_bot_or_404(request, slug)
    form = SettingsForm(request.POST)
    if not form.is_valid():
        return render_dashboard(request, bot, UNPROCESSABLE, settings_form=form)
    sent = form.cleaned_data
    change = {"description": sent["description"], "allows_scrimmages": sent["allows_scrimmages"]}
    return _act(request, bot, lambda: change_bot(bot_id=bot.pk, owner=author_of(request), **change), _("Saved."))


@login_required
@require_POST
def scrimmage(request: HttpRequest, slug: str) -> HttpResponse:
    bot = find_bot_or_404(request, slug)
    form = ScrimmageForm(request.POST, owner=author_of(request))
    if form.is_valid():
        sent = form.cleaned_data
        try:
            ids = ask_scrimmages(
                bot_id=bot.pk,
                owner=author_of(request),
                ruleset=form.read_ruleset(),
                others=[sent["first"], sent["second"]],
                matches=sent["count"],
            )
            messages.success(request, _("%(count)d scrimmages are on their way.") % {"count": len(ids)})
            return redirect("bot-dashboard", slug=slug)
        except LeagueError as error:
            form.add_error(None, say_refusal(error))
    return render_dashboard(request, bot, UNPROCESSABLE, scrimmage_form=form)


@login_required
@require_POST
def activate(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    bot = find_bot_or_404(request, slug)
    told = _("Version %(number)d plays from now on.") % {"number": number}
    return _act(request, bot, lambda: activate_version(bot_id=bot.pk, owner=author_of(request), number=number), told)


@login_required
@require_POST
def check_again(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    bot = find_bot_or_404(request, slug)
    told = _("Version %(number)d will be checked again.") % {"number": number}
    return _act(request, bot, lambda: ask_again(bot_id=bot.pk, owner=author_of(request), number=number), told)


@login_required
@require_POST
def qualify(request: HttpRequest, slug: str) -> HttpResponse:
    bot = find_bot_or_404(request, slug)
    told = _("The qualification matches are set up; your bot is asked on its stream.")
    return _act(request, bot, lambda: start_qualification(bot_id=bot.pk, owner=author_of(request)), told)


@login_required
@require_POST
def retire(request: HttpRequest, slug: str) -> HttpResponse:
    bot = find_bot_or_404(request, slug)
    return _act(request, bot, lambda: retire_bot(bot_id=bot.pk, owner=author_of(request)), _("The bot is retired."))


@login_required
@require_POST
def make_token(request: HttpRequest, slug: str) -> HttpResponse:
    """The token is on this one answer and nowhere else, so there is no redirect."""
    bot = find_bot_or_404(request, slug)
    try:
        token = renew_token(bot_id=bot.pk, owner=author_of(request))
    except LeagueError as error:
        messages.error(request, say_refusal(error))
        return redirect("bot-dashboard", slug=slug)
    response = render_dashboard(request, find_bot_or_404(request, slug), token=token)
    response["Cache-Control"] = "no-store"
    return response


def _act(request: HttpRequest, bot: Bot, deed: Callable[[], object], told: str) -> HttpResponse:
    try:
        deed()
        messages.success(request, told)
    except LeagueError as error:
        messages.error(request, say_refusal(error))
    return redirect("bot-dashboard", slug=bot.player.slug)
