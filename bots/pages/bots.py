"""Pages of bots: what everybody sees of them, and the author's dashboard."""

from dataclasses import dataclass
from typing import Any, TypeVar

from django import forms
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.paginator import Page, Paginator
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext_lazy as _

from aurum_league.common.cache import read_cached
from aurum_league.common.errors import LeagueError
from aurum_league.common.pages import say_refusal, shown_field
from bots.api.serializers import (
    BotChangeFormSerializer,
    BotFormSerializer,
    ScrimmageFormSerializer,
    UploadFormSerializer,
)
from bots.brains import BRAINS
from bots.models import Bot, BotMode, BotVersion
from bots.runners.archive import LARGEST_UPLOAD
from bots.selectors import (
    Usage,
    WinRate,
    agent_of_version,
    find_own_bot,
    find_public_bot,
    list_bot_matches,
    list_failures,
    list_own_bots,
    list_public_bots,
    list_scrimmage_opponents,
    read_duels,
    read_usage,
    read_win_rates,
)
from bots.selectors.version_results import read_times, sum_up
from bots.services.registration import count_scrimmages_left
from bots.services.versions import find_sandbox_refusal
from games.models import MatchSeat, Player
from games.pages.words import EDITION_NAMES
from games.rules.ruleset import Ruleset

DUELS_SECONDS = 600


class RegisterForm(forms.Form):
    name = shown_field(BotFormSerializer, "name", label=_("Name"), help_text=_("Unique, and for good."))
    mode = shown_field(
        BotFormSerializer,
        "mode",
        label=_("How it plays"),
        widget=forms.RadioSelect,
        initial=BotMode.UPLOADED,
        help_text=_("Uploaded bots run in our sandbox. Connected bots run at yours and listen to a stream."),
    )
    description = shown_field(BotFormSerializer, "description", label=_("Description"))


class SettingsForm(forms.Form):
    description = shown_field(BotChangeFormSerializer, "description", label=_("Description"))
    allows_scrimmages = shown_field(
        BotChangeFormSerializer, "allows_scrimmages", label=_("Others may ask for scrimmages against it")
    )

    @classmethod
    def of(cls, bot: Bot) -> "SettingsForm":
        return cls(initial={"description": bot.description, "allows_scrimmages": bot.allows_scrimmages})


class UploadForm(forms.Form):
    # An empty file and one with a long name are refused by the service, which says why.
    upload = shown_field(
        UploadFormSerializer,
        "upload",
        label=_("File"),
        help_text=_("One .py file, a .zip with main.py, or a .wasm module."),
        allow_empty_file=True,
        max_length=200,
    )
    note = shown_field(UploadFormSerializer, "note", label=_("Note"), help_text=_("What changed; only for you."))

    def clean_upload(self) -> bytes:
        """No more is read than the service takes, so that it can say what is too large."""
        content: bytes = self.cleaned_data["upload"].read(LARGEST_UPLOAD + 1)
        return content


class ScrimmageForm(forms.Form):
    """Here opponents and rules are chosen from lists, where the API takes their names."""

    players = forms.TypedChoiceField(
        label=_("Table"),
        coerce=int,
        choices=[(3, _("Three players")), (4, _("Four players, the bot with itself"))],
    )
    edition = forms.ChoiceField(label=_("Edition"), choices=tuple(EDITION_NAMES.items()))
    first = forms.ModelChoiceField(Player.objects.none(), label=_("First opponent"), empty_label=None)
    second = forms.ModelChoiceField(Player.objects.none(), label=_("Second opponent"), empty_label=None)
    # Not `matches`: a field of that name hides the form's own method of that name, which htmx calls.
    count = shown_field(ScrimmageFormSerializer, "matches", label=_("Matches"), initial=12)

    def __init__(self, *args: Any, owner: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("first", "second"):
            self.fields[name].queryset = list_scrimmage_opponents(owner)  # type: ignore[attr-defined]

    def read_ruleset(self) -> Ruleset:
        return Ruleset(self.cleaned_data["players"], self.cleaned_data["edition"])


ROWS = 50
Row = TypeVar("Row", bound=Model)


def show_bots(request: HttpRequest) -> HttpResponse:
    own = list_own_bots(request.user) if request.user.is_authenticated else []
    page = page_of(list_public_bots(), request)
    duels = read_cached("house-duels", DUELS_SECONDS, read_duels)
    met = [entry for entry in BRAINS if any(entry.name in pair for pair in duels)]
    rows = [HouseDuels(one.title, tuple(duels.get((one.name, other.name), (0, 0)) for other in met)) for one in met]
    return render(request, "bots/list.html", {"page": page, "own": own, "house": BRAINS, "duels": rows})


@dataclass(frozen=True, slots=True)
class HouseDuels:
    """`shares`: against each of those that have met any, how often in 100 it came in ahead, in how many meetings."""

    title: str
    shares: tuple[tuple[int, int], ...]


def show_bot(request: HttpRequest, slug: str) -> HttpResponse:
    try:
        bot = find_public_bot(slug, request.user)
    except LeagueError as error:
        raise Http404(say_refusal(error)) from None
    rates = [(players, list(read_win_rates(bot, players).items())) for players in (3, 4)]
    is_own = request.user == bot.player.owner
    versions = bot.versions.filter(state="qualified").defer("upload", "report")
    context = {"bot": bot, "rates": rates, "versions": versions, "is_own": is_own}
    return render(request, "bots/bot.html", context)


def page_of(rows: QuerySet[Row] | QuerySet[MatchSeat], request: HttpRequest) -> Page:
    """The page that the address asks for, or the nearest there is."""
    return Paginator(rows, ROWS).get_page(request.GET.get("page"))


VERSIONS_SHOWN = 20
FAILURES_SHOWN = 10
MATCHES_SHOWN = 10


@dataclass(frozen=True, slots=True)
class VersionRow:
    version: BotVersion
    rates: list[tuple[int, WinRate]]
    usage: Usage


def author_of(request: HttpRequest) -> User:
    """Whoever is signed in; the views that ask are for nobody else."""
    assert isinstance(request.user, User)
    return request.user


def find_bot_or_404(request: HttpRequest, slug: str) -> Bot:
    try:
        return find_own_bot(slug, author_of(request))
    except LeagueError as error:
        raise Http404(say_refusal(error)) from None


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
        "matches": list_bot_matches(bot)[:MATCHES_SHOWN],
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
    return render(request, "bots/matches.html", {"bot": bot, "page": page_of(list_bot_matches(bot), request)})


@login_required
def show_failures(request: HttpRequest, slug: str) -> HttpResponse:
    bot = find_bot_or_404(request, slug)
    return render(request, "bots/failures.html", {"bot": bot, "page": page_of(list_failures(bot), request)})


@login_required
def show_failure(request: HttpRequest, slug: str, failure_id: int) -> HttpResponse:
    bot = find_bot_or_404(request, slug)
    failure = get_object_or_404(list_failures(bot), pk=failure_id)
    return render(request, "bots/failure.html", {"bot": bot, "failure": failure})


@login_required
def show_version(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """How one version does, in detail, and its matches as files."""
    bot = find_bot_or_404(request, slug)
    version = get_object_or_404(bot.versions.defer("upload"), number=number)
    results, times = sum_up(bot, version), read_times(version)
    context = {
        "bot": bot,
        "version": version,
        "results": results,
        "times": times,
        "compared": [(PHASE_NAMES[line.name], line) for line in results.by_phase],
        "phases": [(PHASE_NAMES[line.phase], line) for line in times.phases],
    }
    return render(request, "bots/version.html", context)


PHASE_NAMES = {
    "bids": _("Bid"),
    "exact_bids": _("Bids met exactly"),
    "tricks": _("Tricks"),
    "gold_points": _("Points of gold"),
    "totals": _("Points"),
    "bid": _("Bid"),
    "change": _("Changing bids"),
    "play": _("Play"),
}


def _list_versions(bot: Bot) -> list[VersionRow]:
    rates = {players: read_win_rates(bot, players) for players in (3, 4)}
    rows = []
    for version in bot.versions.defer("upload")[:VERSIONS_SHOWN]:
        agent = str(agent_of_version(bot, version.pk))
        own = [(players, by_agent[agent]) for players, by_agent in rates.items() if agent in by_agent]
        rows.append(VersionRow(version, own, read_usage(version.pk)))
    return rows
