"""Leagues, tournaments, entrants and the audit trail in the admin."""

from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin

from aurum_league.common.admin import Action, ReadOnlyAdmin, ReadOnlyInline, make_action
from tournaments.models import (
    Announcement,
    Conflict,
    Entrant,
    Helper,
    League,
    Stage,
    StageStandings,
    Team,
    Tournament,
    TournamentEvent,
)
from tournaments.rules.lifecycle import Step
from tournaments.selectors.desk import with_match_counts
from tournaments.services.entries import disqualify_entrant, withdraw_entrant
from tournaments.services.field import allow_meeting, check_in_entrant
from tournaments.services.leagues import create_next_season
from tournaments.services.steps import STEP_WORDS, STEPS, WITH_REASON, take_organisers_step


@admin.register(League)
class LeagueAdmin(ModelAdmin):
    """Handed to another organiser here; its seasons are tournaments and stay whose they are."""

    list_display = ("name", "organiser", "created_at")
    list_filter = ("created_at",)
    search_fields = ("name", "slug", "organiser__username")
    list_select_related = ("organiser",)
    autocomplete_fields = ("organiser",)
    fields = ("name", "description", "organiser", "slug", "created_at")
    readonly_fields = ("slug", "created_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


class StageInline(ReadOnlyInline):
    model = Stage
    fields = ("number", "name", "format", "options", "state", "block_deals", "matches_each", "release", "cut")


class EntrantInline(ReadOnlyInline):
    model = Entrant
    fk_name = "tournament"
    fields = ("player", "state", "seed_number", "division", "entered_on", "left_on", "reason")
    show_change_link = True
    per_page = 50

    def get_queryset(self, request: HttpRequest) -> QuerySet[Entrant]:
        return super().get_queryset(request).select_related("player")


def make_step_action(step: Step) -> Action:
    """An action of the list that takes this step with every tournament chosen."""

    def take(tournament: Tournament, actor: User, reason: str) -> None:
        take_organisers_step(step=step, tournament_id=tournament.pk, actor=actor, reason=reason)

    return make_action(f"{step}_tournaments", *STEP_WORDS[step], take, needs_reason=step in WITH_REASON)


def make_next_season(tournament: Tournament, actor: User, reason: str) -> None:
    create_next_season(tournament_id=tournament.pk, actor=actor)


def let_meet(conflict: Conflict, actor: User, reason: str) -> None:
    pair = (conflict.first_id, conflict.second_id)
    allow_meeting(tournament_id=conflict.tournament_id, pair=pair, actor=actor)


@admin.register(Tournament)
class TournamentAdmin(ReadOnlyAdmin):
    hidden = ("seed", "secret")
    list_display = ("name", "league", "organiser", "state", "entry_kind", "is_rated", "show_progress", "show_desk")
    list_filter = ("state", "entry_kind", "table_kind", "is_rated", "created_at")
    search_fields = ("name", "slug", "organiser__username", "league__name")
    list_select_related = ("league", "organiser")
    inlines = (StageInline, EntrantInline)
    actions = (
        *(make_step_action(step) for step in STEPS),
        make_action(
            "make_next_season",
            _("Make the next season"),
            _("Open for entries. One goes up and one down between divisions; the desk offers other numbers."),
            make_next_season,
        ),
    )
    fields = (
        *("name", "slug", "league", "season", "organiser", "description", "state", "show_progress", "show_desk"),
        *("ruleset", "table_kind", "entry_kind", "is_rated", "capacity", "needs_check_in", "check_in_ends_at"),
        *("clock", "commitment", "created_at", "started_at", "finished_at"),
    )
    readonly_fields = ("show_progress", "show_desk")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tournament]:
        return with_match_counts(super().get_queryset(request))

    @admin.display(description=_("progress"))
    def show_progress(self, tournament: Tournament) -> str:
        """Matches ended of those released."""
        total: int = tournament.match_count  # type: ignore[attr-defined]
        left: int = tournament.open_count  # type: ignore[attr-defined]
        return f"{total - left} / {total}"

    @admin.display(description=_("organiser's desk"))
    def show_desk(self, tournament: Tournament) -> SafeString:
        address = reverse("desk_tournament", args=[tournament.slug])
        return format_html('<a class="underline" href="{}">{}</a>', address, _("Open the desk"))


@admin.register(Stage)
class StageAdmin(ReadOnlyAdmin):
    list_display = ("tournament", "number", "name", "format", "state", "block_deals", "cut")
    list_filter = ("format", "state", "release")
    search_fields = ("name", "tournament__name")
    list_select_related = ("tournament",)
    hidden = ("tournament__seed", "tournament__secret")
    ordering = ("-tournament_id", "number")
    fields = (
        *("number", "name", "format", "options", "state", "points", "tiebreaks", "block_deals", "matches_each"),
        *("release", "groups", "cut", "results_version", "finished_at"),
    )


@admin.register(StageStandings)
class StageStandingsAdmin(ReadOnlyAdmin):
    hidden = ("rows", "stage__tournament__seed", "stage__tournament__secret")
    list_display = ("stage", "version", "computed_at")
    list_filter = ("computed_at",)
    search_fields = ("stage__name", "stage__tournament__name")
    list_select_related = ("stage__tournament",)
    fields = ("stage", "version", "computed_at")


def check_in(entrant: Entrant, actor: User, reason: str) -> None:
    check_in_entrant(entrant_id=entrant.pk, actor=actor, at_desk=True)


def withdraw(entrant: Entrant, actor: User, reason: str) -> None:
    withdraw_entrant(entrant_id=entrant.pk, actor=actor, reason=reason)


def disqualify(entrant: Entrant, actor: User, reason: str) -> None:
    disqualify_entrant(entrant_id=entrant.pk, actor=actor, reason=reason)


@admin.register(Entrant)
class EntrantAdmin(ReadOnlyAdmin):
    hidden = ("tournament__seed", "tournament__secret")
    list_display = ("player", "tournament", "state", "seed_number", "entered_at", "reason")
    list_filter = ("state", "tournament__state", "player__kind")
    search_fields = ("player__name", "tournament__name")
    list_select_related = ("player", "tournament")
    ordering = ("-id",)
    actions = (
        make_action("check_in", _("Check in"), _("They count as being there and are drawn."), check_in),
        make_action(
            "withdraw",
            _("Withdraw"),
            _("What was played stays; tables that nobody has begun become void."),
            withdraw,
            needs_reason=True,
        ),
        make_action(
            "disqualify",
            _("Disqualify"),
            _("For good. What was played stays; tables that nobody has begun become void."),
            disqualify,
            needs_reason=True,
        ),
    )
    fields = ("player", "state", "seed_number", "division", "entered_on", "left_on", "reason", "entered_at")


@admin.register(Team)
class TeamAdmin(ReadOnlyAdmin):
    list_display = ("player", "first", "second", "created_by")
    list_filter = ("player__is_active",)
    search_fields = ("player__name", "first__name", "second__name")
    list_select_related = ("player", "first", "second", "created_by")


@admin.register(Conflict)
class ConflictAdmin(ReadOnlyAdmin):
    hidden = ("tournament__seed", "tournament__secret")
    list_display = ("tournament", "first", "second", "reason")
    list_filter = ("tournament__state",)
    search_fields = ("tournament__name", "first__player__name", "second__player__name")
    list_select_related = ("tournament", "first__player", "second__player")
    ordering = ("-id",)
    actions = (
        make_action("let_meet", _("Let them meet"), _("They may sit together from the next draw on."), let_meet),
    )


@admin.register(TournamentEvent)
class TournamentEventAdmin(ReadOnlyAdmin):
    """The audit trail: written by the services, changed by nobody."""

    hidden = ("tournament__seed", "tournament__secret")
    list_display = ("tournament", "number", "kind", "actor", "reason", "at")
    list_filter = ("kind", "at")
    search_fields = ("tournament__name", "actor__username", "reason")
    list_select_related = ("tournament", "actor")
    ordering = ("-id",)
    fields = ("number", "kind", "actor", "reason", "detail", "at")


@admin.register(Helper)
class HelperAdmin(ReadOnlyAdmin):
    """Who helps where; organisers invite and dismiss them at the desk."""

    hidden = ("tournament__seed", "tournament__secret")
    list_display = ("user", "role", "tournament", "league", "created_at")
    list_filter = ("role", "created_at")
    search_fields = ("user__username", "tournament__name", "league__name")
    list_select_related = ("user", "tournament", "league")
    ordering = ("-id",)
    fields = ("user", "role", "created_at")


@admin.register(Announcement)
class AnnouncementAdmin(ReadOnlyAdmin):
    hidden = ("tournament__seed", "tournament__secret")
    list_display = ("tournament", "audience", "table", "due_at", "told_at", "people", "by")
    list_filter = ("audience", "due_at")
    search_fields = ("tournament__name", "by__username")
    list_select_related = ("tournament", "by")
    fields = ("texts", "audience", "table", "due_at", "told_at", "people", "by")
