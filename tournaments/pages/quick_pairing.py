"""Play now: find a rated table, wait at it, challenge or block a player; and after a match its rating and the next."""

import hashlib
from dataclasses import replace
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from aurum_league.common.errors import LeagueError
from aurum_league.common.pages import shown_field
from bots.pages.opinion import describe_opinions, find_worst
from bots.services.opinion import read_judgement
from games.models import Match, MatchKind, MatchState, Player
from games.models.match import ENDED
from games.pages.play import CLOCK_NAMES, ensure_sitter, read_chance, read_sitter
from games.pages.words import EDITION_NAMES, describe_ruleset, say_refusal, say_repeats, say_share
from games.rules.ruleset import Ruleset
from games.selectors.matches import is_sealed, load_match, replay_match
from games.selectors.sitters import Sitter, find_own_seat, list_open_tables, list_who_ask_again
from games.services.create import offer_ticket
from tournaments.api.waiting import SeekFormSerializer
from tournaments.models import RatingChange, Seeker
from tournaments.pages.players import require_player
from tournaments.rules.ratings.values import LiveRating, show_live
from tournaments.selectors.schedule import find_fixture_of
from tournaments.selectors.waiting import OpenTable, find_seeker, list_waiting_tables
from tournaments.services.quick_pairing import (
    PACES,
    SeekWish,
    challenge_player,
    keep_waiting,
    set_block,
    start_waiting,
    stop_waiting,
    take_bots,
)

PACE_NAMES = tuple((name, label) for name, label in CLOCK_NAMES if name in PACES)
BOTS_AFTER = (
    (0, gettext_lazy("at once")),
    (30, gettext_lazy("after half a minute")),
    (120, gettext_lazy("after two minutes")),
)


class SeekForm(forms.Form):
    players = forms.TypedChoiceField(
        label=gettext_lazy("Players"),
        coerce=int,
        choices=((3, gettext_lazy("Three, each against the others")), (4, gettext_lazy("Four, in two pairs"))),
        widget=forms.RadioSelect,
        initial=3,
    )
    clock = shown_field(SeekFormSerializer, "clock", label=gettext_lazy("Pace"), choices=PACE_NAMES)
    edition = forms.ChoiceField(label=gettext_lazy("Edition"), choices=list(EDITION_NAMES.items()), initial="en")
    low = shown_field(SeekFormSerializer, "low", label=gettext_lazy("Lowest rating"))
    high = shown_field(SeekFormSerializer, "high", label=gettext_lazy("Highest rating"))
    bots_after = forms.TypedChoiceField(
        label=gettext_lazy("Offer house bots of my strength"), coerce=int, choices=BOTS_AFTER, initial=30
    )

    def make_wish(self, *, is_rated: bool) -> SeekWish:
        chosen = self.cleaned_data
        ruleset = Ruleset(players=chosen["players"], edition=chosen["edition"])
        bounds = (chosen["low"], chosen["high"])
        return SeekWish(ruleset.code, chosen["clock"], is_rated, *bounds, chosen["bots_after"])


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def show_seek(request: HttpRequest) -> HttpResponse:
    """The form, the open tables, and for whoever waits how it stands; sent, it waits for a table."""
    is_rated = request.user.is_authenticated
    form = SeekForm(request.POST if request.POST.get("do") == "seek" else None)
    if request.method == "POST":
        try:
            if moved := _change(request, form, is_rated=is_rated):
                return moved
        except LeagueError as error:
            messages.error(request, say_refusal(error))
    sitter = read_sitter(request)
    told = {"form": form, "is_rated": is_rated, "repeats": say_repeats(sitter.user_id)}
    return render(request, "play/seek.html", told | _describe(sitter, find_seeker(sitter)))


def _change(request: HttpRequest, form: SeekForm, *, is_rated: bool) -> HttpResponse | None:
    wanted, sitter = request.POST.get("do", ""), ensure_sitter(request)
    if wanted == "seek" and form.is_valid():
        start_waiting(sitter=sitter, wish=replace(form.make_wish(is_rated=is_rated), **read_chance(request)))
    elif wanted == "sit":
        clock, ruleset = request.POST.get("clock", ""), request.POST.get("ruleset", "")[:40]
        wish = SeekWish(ruleset, clock, request.POST.get("is_rated") == "1")
        start_waiting(sitter=sitter, wish=replace(wish, **read_chance(request)))
    elif wanted == "bots":
        return redirect("play_table", take_bots(sitter=sitter))
    elif wanted == "leave":
        stop_waiting(sitter=sitter)
    else:
        return None
    seeker = keep_waiting(sitter=sitter)
    return redirect("play_table", seeker.match_id) if seeker and seeker.match_id else redirect("seek")


@require_safe
@never_cache
def show_waiting(request: HttpRequest) -> HttpResponse:
    """What an open page asks every two seconds: it keeps its reader's place, and moves on once the cards are dealt."""
    sitter = read_sitter(request)
    seeker = keep_waiting(sitter=sitter)
    if seeker is not None and seeker.match_id is not None and request.GET.get("waits") == "1":
        return HttpResponse(headers={"HX-Redirect": reverse("play_table", args=[seeker.match_id])})
    described = _describe(sitter, seeker)
    if request.GET.get("seen") == described["seen"]:
        return HttpResponse(status=204)
    return render(request, "play/seek_tables.html", {"is_rated": request.user.is_authenticated, **described})


def _describe(sitter: Sitter, seeker: Seeker | None) -> dict[str, Any]:
    own = seeker if seeker is not None and seeker.match_id is None else None
    dealt = seeker.match if seeker is not None and seeker.match and seeker.match.state not in ENDED else None
    tables = list_waiting_tables(sitter)
    offers_bots = own is not None and _waited(own) >= own.bots_after
    return {
        "own": own,
        "dealt": dealt,
        "offers_bots": offers_bots,
        "tables": [_show(table) for table in tables],
        "ticket": offer_ticket(),
        "seen": hashlib.sha256(f"{offers_bots} {tables}".encode()).hexdigest()[:16],
    }


def _waited(seeker: Seeker) -> float:
    return (timezone.now() - seeker.since).total_seconds()


def _show(table: OpenTable) -> dict[str, Any]:
    name = describe_ruleset(Ruleset.from_code(table.ruleset))
    return {
        "table": table,
        "name": name,
        "pace": dict(PACE_NAMES)[table.clock],
        "sitting": [(name or _("Guest"), number) for name, number in table.sitting],
        "more": _("and %(count)d more") % {"count": table.unnamed} if table.unnamed else "",
        "counts": say_share(table.share) if table.is_rated else "",
    }


@login_required
@require_POST
def challenge(request: HttpRequest, slug: str) -> HttpResponse:
    """Invite a player to a friendly table, and go to it."""
    try:
        lobby = challenge_player(user=_account(request), player=require_player(slug))
    except LeagueError as error:
        messages.error(request, say_refusal(error))
        return redirect("player", slug)
    return redirect("lobby", lobby.invitation)


@login_required
@require_POST
def block(request: HttpRequest, slug: str) -> HttpResponse:
    player: Player = require_player(slug)
    try:
        set_block(user=_account(request), player=player, is_blocked=request.POST.get("do") != "unblock")
    except LeagueError as error:
        messages.error(request, say_refusal(error))
    return redirect("player", slug)


def _account(request: HttpRequest) -> Any:
    return request.user


@require_safe
@never_cache
def show_after(request: HttpRequest, match_id: int) -> JsonResponse:
    """`moments` is null where the deals are sealed, and not whole before `is_judged`: the page asks again."""
    sitter = read_sitter(request)
    own, match = find_own_seat(match_id, sitter), load_match(match_id)
    if own is None or match is None or match.state != MatchState.FINISHED:
        raise Http404(gettext("You did not play this match, or it is not over."))
    moments, is_judged = list_costly_moments(match, own.seat)
    told = {"moments": moments, "is_judged": is_judged, "again": list_who_ask_again(match_id, sitter)}
    return JsonResponse({**told, "rating": _read_rating(match, own.seat), "next": _find_next(match, sitter)})


def list_costly_moments(match: Match, seat: int) -> tuple[list[dict[str, Any]] | None, bool]:
    """What cost this seat most by the champion's count, the worst first, and whether all rounds were looked at."""
    if match.result.is_by_hand or is_sealed(match):
        return None, True
    play = replay_match(match)
    judged = [read_judgement(match=match, seat=seat, number=number) for number in range(1, len(play.rounds) + 1)]
    names = [held.player.name for held in match.seats.all()]
    rows = [
        {**describe_opinions([opinion], play, number, seat, names)[0], "round": number}
        for number, opinion in find_worst(judged)
    ]
    for row in rows:
        row["url"] = reverse("match", args=[match.pk]) + row.pop("query")
    return rows, all(judgement.opinions is not None for judgement in judged)


def _read_rating(match: Match, seat: int) -> dict[str, Any] | None:
    player = next(held.player for held in match.seats.all() if held.seat == seat)
    change = RatingChange.objects.filter(match=match, player=player).first()
    if change is None:
        return None
    before = show_live(LiveRating(change.mu_before, change.sigma_before))
    after = show_live(LiveRating(change.mu_after, change.sigma_after))
    numbers = {"before": before.number, "after": after.number, "low": after.low, "high": after.high}
    return {"name": player.name, **{name: round(number) for name, number in numbers.items()}}


def _find_next(match: Match, sitter: Sitter) -> dict[str, Any] | None:
    """The next match of a tournament at which this person is awaited."""
    waiting = list_open_tables(sitter).filter(kind=MatchKind.TOURNAMENT).exclude(pk=match.pk)
    following = waiting.order_by("closes_at", "deadline", "pk").first()
    fixture = find_fixture_of(following) if following else None
    if following is None or fixture is None:
        return None
    about = {"tournament": fixture.matchday.stage.tournament.name, "table": fixture.table}
    until = following.closes_at or following.deadline
    return {
        "name": gettext("%(tournament)s, table %(table)s") % about,
        "url": reverse("play_table", args=[following.pk]),
        "closes_at": date_format(until, "DATETIME_FORMAT") if until else "",
    }
