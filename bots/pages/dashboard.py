"""The author's dashboard: versions with verdicts, results, CPU time and failures; for nobody else's eyes."""

from dataclasses import dataclass

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from aurum_league.common.errors import LeagueError
from bots.models import Bot, BotMode, BotVersion
from bots.pages.forms import ScrimmageForm, SettingsForm, UploadForm
from bots.pages.public import page_of
from bots.selectors.bots import find_own_bot
from bots.selectors.performance import CpuTime, WinRate, list_failures, list_matches, read_cpu_time, read_win_rates
from bots.services.quotas import count_scrimmages_left
from bots.services.uploads import find_sandbox_refusal

VERSIONS_SHOWN = 20
FAILURES_SHOWN = 10
MATCHES_SHOWN = 10


@dataclass(frozen=True, slots=True)
class VersionRow:
    version: BotVersion
    rates: list[tuple[int, WinRate]]
    cpu: CpuTime | None


def author_of(request: HttpRequest) -> User:
    """Whoever is signed in; the views that ask are for nobody else."""
    assert isinstance(request.user, User)
    return request.user


def find_bot_or_404(request: HttpRequest, slug: str) -> Bot:
    try:
        return find_own_bot(slug, author_of(request))
    except LeagueError as error:
        raise Http404(error.message) from None


@login_required
def show_dashboard(request: HttpRequest, slug: str) -> HttpResponse:
    bot = find_bot_or_404(request, slug)
    return render_dashboard(request, bot)


def render_dashboard(request: HttpRequest, bot: Bot, status: int = 200, **forms: object) -> HttpResponse:
    """The page with its forms, some of them perhaps as they were filled in wrongly."""
    owner = author_of(request)
    context = {
        "bot": bot,
        "is_connected": bot.mode == BotMode.CONNECTED,
        "rows": _list_versions(bot),
        "matches": list_matches(bot)[:MATCHES_SHOWN],
        "failures": list_failures(bot)[:FAILURES_SHOWN],
        "sandbox_refusal": find_sandbox_refusal() if bot.mode == BotMode.UPLOADED else "",
        "scrimmages_left": count_scrimmages_left(owner),
        "upload_form": UploadForm(),
        "settings_form": SettingsForm.of(bot),
        "scrimmage_form": ScrimmageForm(owner=owner),
        "token": "",
        **forms,
    }
    return render(request, "bots/dashboard.html", context, status=status)


@login_required
def show_matches(request: HttpRequest, slug: str) -> HttpResponse:
    bot = find_bot_or_404(request, slug)
    return render(request, "bots/matches.html", {"bot": bot, "page": page_of(list_matches(bot), request)})


@login_required
def show_failures(request: HttpRequest, slug: str) -> HttpResponse:
    bot = find_bot_or_404(request, slug)
    return render(request, "bots/failures.html", {"bot": bot, "page": page_of(list_failures(bot), request)})


@login_required
def show_failure(request: HttpRequest, slug: str, failure_id: int) -> HttpResponse:
    bot = find_bot_or_404(request, slug)
    failure = get_object_or_404(list_failures(bot), pk=failure_id)
    return render(request, "bots/failure.html", {"bot": bot, "failure": failure})


def _list_versions(bot: Bot) -> list[VersionRow]:
    rates = {players: read_win_rates(bot, players) for players in (3, 4)}
    rows = []
    for version in bot.versions.defer("upload")[:VERSIONS_SHOWN]:
        agent = f"connected:{bot.pk}" if bot.mode == BotMode.CONNECTED else f"version:{version.pk}"
        own = [(players, by_agent[agent]) for players, by_agent in rates.items() if agent in by_agent]
        rows.append(VersionRow(version, own, read_cpu_time(version.pk)))
    return rows
