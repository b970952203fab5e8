"""Players, matches and results in the admin: to look at; no hidden card, seed or log, not even for staff."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin

from aurum_league.common.admin import ReadOnlyAdmin, ReadOnlyInline, show_number
from games.models import (
    Archive,
    Heartbeat,
    Lobby,
    LobbySeat,
    Match,
    MatchResult,
    MatchSeat,
    Player,
    ResultVersion,
    SeatFailure,
    TableWord,
)

SHOW_MATCH = show_number("match", _("match"))


@admin.register(Player)
class PlayerAdmin(ModelAdmin):
    """A name that offends can be changed, and a player put to rest; what it is and whose it is cannot."""

    list_display = ("name", "kind", "owner", "is_active", "created_at")
    list_filter = ("kind", "is_active")
    search_fields = ("name", "slug", "owner__username")
    list_select_related = ("owner",)
    fields = ("name", "is_active", "kind", "slug", "owner", "created_at")
    readonly_fields = ("kind", "slug", "owner", "created_at")
    list_per_page = 50

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


class MatchSeatInline(ReadOnlyInline):
    model = MatchSeat
    fields = ("seat", "side", "player", "owner", "agent")

    def get_queryset(self, request: HttpRequest) -> QuerySet[MatchSeat]:
        return super().get_queryset(request).select_related("player", "owner")


@admin.register(Match)
class MatchAdmin(ReadOnlyAdmin):
    hidden = ("seed", "log")
    list_display = ("id", "kind", "ruleset", "state", "is_rated", "attempt", "created_at", "finished_at")
    list_filter = ("state", "kind", "players", "is_rated", "needs")
    search_fields = ("=id", "seats__player__name", "commitment")
    ordering = ("-id",)
    inlines = (MatchSeatInline,)
    fields = (
        *("kind", "ruleset", "state", "is_rated", "priority", "needs", "commitment", "clock"),
        *("awaited", "awaited_since", "deadline", "attempt", "is_suspect", "lease_until", "trouble"),
        *("created_at", "started_at", "finished_at"),
    )


@admin.register(MatchResult)
class MatchResultAdmin(ReadOnlyAdmin):
    """Results are entered and changed at the organiser's desk, for a reason that is kept."""

    hidden = ("log",)
    list_display = (SHOW_MATCH, "places", "nuggets", "totals", "forfeits", "rounds", "is_by_hand", "settled_at")
    list_filter = ("is_by_hand", "lots")
    search_fields = ("=match__id",)
    ordering = ("-match_id",)
    fields = (
        *("places", "nuggets", "totals", "exact_bids", "bids", "tricks", "gold_points", "forfeits", "rounds"),
        *("lots", "cpu_us", "is_by_hand", "settled_at"),
    )


@admin.register(ResultVersion)
class ResultVersionAdmin(ReadOnlyAdmin):
    """Without the rows themselves, which hold logs: the match's page tells every version."""

    hidden = ("content",)
    list_display = (SHOW_MATCH, "version")
    list_filter = ("version",)
    search_fields = ("=match__id",)
    ordering = ("-id",)
    fields = ("version",)


@admin.register(SeatFailure)
class SeatFailureAdmin(ReadOnlyAdmin):
    """Without the exchange itself: it shows a hand, and is its author's to read."""

    hidden = ("asked", "answered", "detail", "stderr")
    list_display = (SHOW_MATCH, "seat", "step", "verdict", "created_at")
    list_filter = ("verdict",)
    search_fields = ("=match__id",)
    ordering = ("-id",)
    fields = ("seat", "step", "verdict", "created_at")


@admin.register(Archive)
class ArchiveAdmin(ReadOnlyAdmin):
    """Folders of finished seasons that `manage.py archive` has put away."""

    list_display = ("name", "matches", "made_at")
    list_filter = ("made_at",)
    search_fields = ("name",)
    ordering = ("-id",)
    fields = ("name", "matches", "made_at")


@admin.register(Heartbeat)
class HeartbeatAdmin(ReadOnlyAdmin):
    list_display = ("id", "beat_at")
    search_fields = ("=id",)


class LobbySeatInline(ReadOnlyInline):
    model = LobbySeat
    fields = ("seat", "user", "is_host")


@admin.register(Lobby)
class LobbyAdmin(ReadOnlyAdmin):
    """Without the invitation: whoever reads it could sit down."""

    hidden = ("invitation", "secret")
    list_display = ("id", "ruleset", "strength", "is_rated", "is_guided", SHOW_MATCH, "created_at")
    list_filter = ("is_rated", "is_guided", "players")
    search_fields = ("=id", "seats__user__username")
    ordering = ("-id",)
    inlines = (LobbySeatInline,)
    fields = ("ruleset", "players", "strength", "clock", "is_rated", "is_guided", "created_at")


@admin.register(TableWord)
class TableWordAdmin(ReadOnlyAdmin):
    """What was said at tables, for whoever looks into a complaint."""

    list_display = (SHOW_MATCH, "seat", "phrase", "text", "said_at")
    list_filter = ("said_at",)
    search_fields = ("=match__id", "text")
    ordering = ("-id",)
    fields = ("seat", "phrase", "text", "said_at")
