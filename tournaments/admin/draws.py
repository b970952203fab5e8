"""Draws, matches of tournaments, reruns, ratings and trials in the admin."""

from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from aurum_league.common.admin import ReadOnlyAdmin, ReadOnlyInline, make_action, show_number
from tournaments.models import (
    Bye,
    FitState,
    Fixture,
    FixtureMatch,
    FixtureSeat,
    Matchday,
    Rating,
    RatingChange,
    RatingPool,
    Rerun,
    RerunMatch,
    ScoreSheet,
    Trial,
    TrialUnit,
)
from tournaments.services.decisions import apply_rerun, drop_rerun, play_again, void_match

OF_STAGE = "stage__tournament"
SHOW_MATCH = show_number("match", _("match"))


class ByeInline(ReadOnlyInline):
    model = Bye
    fields = ("entrant",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Bye]:
        return super().get_queryset(request).select_related("entrant__player")


@admin.register(Matchday)
class MatchdayAdmin(ReadOnlyAdmin):
    hidden = ("stage__tournament__seed", "stage__tournament__secret")
    list_display = ("show_tournament", "stage", "number", "state", "is_edited", "released_at", "finished_at")
    list_filter = ("state", "is_edited")
    search_fields = ("stage__name", "stage__tournament__name")
    list_select_related = (OF_STAGE,)
    ordering = ("-id",)
    inlines = (ByeInline,)
    fields = ("number", "state", "is_edited", "window_ends_at", "released_at", "finished_at")

    @admin.display(description=_("tournament"))
    def show_tournament(self, matchday: Matchday) -> str:
        return str(matchday.stage.tournament)


class FixtureSeatInline(ReadOnlyInline):
    model = FixtureSeat
    fields = ("position", "entrant")

    def get_queryset(self, request: HttpRequest) -> QuerySet[FixtureSeat]:
        return super().get_queryset(request).select_related("entrant__player")


@admin.register(Fixture)
class FixtureAdmin(ReadOnlyAdmin):
    hidden = ("matchday__stage__tournament__seed", "matchday__stage__tournament__secret")
    list_display = ("show_tournament", "matchday", "table", "slot", "state", "places", "open_matches", "is_edited")
    list_filter = ("state", "is_edited", "matchday__stage__format")
    search_fields = ("matchday__stage__tournament__name", "slot")
    list_select_related = ("matchday__stage__tournament",)
    ordering = ("-id",)
    inlines = (FixtureSeatInline,)
    fields = ("table", "slot", "why", "state", "places", "open_matches", "is_edited")

    @admin.display(description=_("tournament"))
    def show_tournament(self, fixture: Fixture) -> str:
        return str(fixture.matchday.stage.tournament)


def let_play_again(link: FixtureMatch, actor: User, reason: str) -> None:
    play_again(match_id=link.match_id, actor=actor, reason=reason)


def make_void(link: FixtureMatch, actor: User, reason: str) -> None:
    void_match(match_id=link.match_id, actor=actor, reason=reason)


@admin.register(FixtureMatch)
class FixtureMatchAdmin(ReadOnlyAdmin):
    """Forfeits and results by hand need figures: they are entered at the desk."""

    hidden = ("match__seed", "match__log", "stage__tournament__seed", "stage__tournament__secret")
    list_display = (
        *(SHOW_MATCH, "show_tournament", "stage", show_number("fixture", _("fixture"))),
        *("show_state", "show_trouble", "show_desk"),
    )
    list_filter = ("match__state", "stage__format")
    search_fields = ("=match__id", "stage__tournament__name", "match__seats__player__name")
    list_select_related = ("match", OF_STAGE)
    ordering = ("-match_id",)
    actions = (
        make_action(
            "let_play_again",
            _("Play again"),
            _("Matches that want a decision are tried again from their start."),
            let_play_again,
            needs_reason=True,
        ),
        make_action(
            "make_void",
            _("Make void"),
            _("They count for nobody, and with each its whole table. It cannot be undone."),
            make_void,
            needs_reason=True,
        ),
    )
    fields = ("number", "show_state", "show_trouble", "show_desk")
    readonly_fields = ("show_state", "show_trouble", "show_desk")

    @admin.display(description=_("tournament"))
    def show_tournament(self, link: FixtureMatch) -> str:
        return str(link.stage.tournament)

    @admin.display(description=_("state"), ordering="match__state")
    def show_state(self, link: FixtureMatch) -> str:
        return link.match.get_state_display()

    @admin.display(description=_("why it could not be played"))
    def show_trouble(self, link: FixtureMatch) -> str:
        return link.match.trouble

    @admin.display(description=_("organiser's desk"))
    def show_desk(self, link: FixtureMatch) -> SafeString:
        address = reverse("desk_match", args=[link.stage.tournament.slug, link.match_id])
        return format_html('<a class="underline" href="{}">{}</a>', address, _("Decide"))


class RerunMatchInline(ReadOnlyInline):
    model = RerunMatch
    fields = readonly_fields = (SHOW_MATCH, show_number("again", _("played again as")))


def apply(rerun: Rerun, actor: User, reason: str) -> None:
    apply_rerun(rerun_id=rerun.pk, actor=actor)


def drop(rerun: Rerun, actor: User, reason: str) -> None:
    drop_rerun(rerun_id=rerun.pk, actor=actor)


@admin.register(Rerun)
class RerunAdmin(ReadOnlyAdmin):
    hidden = ("tournament__seed", "tournament__secret")
    list_display = ("id", "tournament", "state", "reason", "created_by", "created_at", "show_desk")
    list_filter = ("state",)
    search_fields = ("tournament__name", "reason")
    list_select_related = ("tournament", "created_by")
    inlines = (RerunMatchInline,)
    actions = (
        make_action(
            "apply",
            _("Apply"),
            _("The new results stand instead of the old ones. The desk shows what would change."),
            apply,
        ),
        make_action("drop", _("Drop"), _("Everything stays as it was."), drop),
    )
    fields = ("state", "reason", "created_by", "created_at", "show_desk")
    readonly_fields = ("show_desk",)

    @admin.display(description=_("organiser's desk"))
    def show_desk(self, rerun: Rerun) -> SafeString:
        address = reverse("desk_rerun", args=[rerun.tournament.slug, rerun.pk])
        return format_html('<a class="underline" href="{}">{}</a>', address, _("What it would change"))


@admin.register(RatingPool)
class RatingPoolAdmin(ReadOnlyAdmin):
    list_display = ("__str__", "players", "entry_kind", "is_teams", "sequence", "rebuild_from", "fitted_at")
    list_filter = ("players", "entry_kind", "is_teams")
    search_fields = ("entry_kind",)


@admin.register(Rating)
class RatingAdmin(ReadOnlyAdmin):
    list_display = (
        "player", "pool", "official", "official_low", "official_high", "mu", "sigma", "matches", "is_provisional",
    )
    list_filter = ("pool", "is_provisional")
    search_fields = ("player__name",)
    list_select_related = ("player", "pool")
    ordering = ("-id",)


@admin.register(RatingChange)
class RatingChangeAdmin(ReadOnlyAdmin):
    list_display = (
        *("player", "pool", "sequence", show_number("match", _("match"))),
        *("place", "mu_before", "mu_after", "is_forfeit"),
    )
    list_filter = ("pool", "is_forfeit")
    search_fields = ("player__name", "=match__id")
    list_select_related = ("player", "pool")
    ordering = ("-id",)
    fields = ("sequence", "place", "is_forfeit", "mu_before", "sigma_before", "mu_after", "sigma_after")


@admin.register(FitState)
class FitStateAdmin(ReadOnlyAdmin):
    list_display = ("player", "pool", "sequence", "value", "low", "high", "at")
    list_filter = ("pool", "at")
    search_fields = ("player__name",)
    list_select_related = ("player", "pool")
    ordering = ("-id",)


class TrialUnitInline(ReadOnlyInline):
    model = TrialUnit
    fields = ("number", "score")
    per_page = 50


@admin.register(Trial)
class TrialAdmin(ReadOnlyAdmin):
    list_display = ("id", "player", "new_agent", "old_agent", "state", "estimate", "created_at", "finished_at")
    list_filter = ("state", "ruleset")
    search_fields = ("player__name", "owner__username", "new_agent", "old_agent")
    list_select_related = ("player", "owner")
    inlines = (TrialUnitInline,)


@admin.register(ScoreSheet)
class ScoreSheetAdmin(ReadOnlyAdmin):
    hidden = ("match__seed", "match__log")
    list_display = (SHOW_MATCH, "state", "by", "seat", "answered_by", "created_at")
    list_filter = ("state", "created_at")
    search_fields = ("=match__id", "by__username")
    list_select_related = ("by", "answered_by")
    fields = ("state", "by", "seat", "rounds", "lots", "places", "answered_by", "note", "created_at")
