"""Bots in the admin site: to look at, and nothing that an author's rights would not allow."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from aurum_league.common.admin import ReadOnlyAdmin, show_number
from bots.models import Bot, BotMessage, BotVersion, Scrimmage, SeatLog, SeatUsage

SHOW_MATCH = show_number("match", _("match"))


@admin.register(Bot)
class BotAdmin(ReadOnlyAdmin):
    hidden = ("token_digest",)
    list_display = ("player", "mode", "state", "failures", "created_at")
    list_filter = ("mode", "state")
    search_fields = ("player__name", "player__slug")
    list_select_related = ("player",)
    fields = ("player", "mode", "state", "description", "allows_scrimmages", "failures", "paused_at", "created_at")


@admin.register(BotVersion)
class BotVersionAdmin(ReadOnlyAdmin):
    hidden = ("upload", "bot__token_digest")
    list_display = ("bot", "number", "state", "size", "content_hash", "created_at")
    list_filter = ("state",)
    search_fields = ("bot__player__name", "content_hash")
    list_select_related = ("bot__player",)
    fields = ("number", "state", "size", "content_hash", "contract", "rules", "created_at", "checked_at")


@admin.register(BotMessage)
class BotMessageAdmin(ReadOnlyAdmin):
    """Without what it says: a message shows a hand."""

    hidden = ("body", "bot__token_digest")
    list_display = ("bot", "seq", "kind", SHOW_MATCH, "seat", "created_at")
    list_filter = ("kind",)
    search_fields = ("bot__player__name", "=match__id")
    list_select_related = ("bot__player",)
    ordering = ("-id",)
    fields = ("seq", "seat", "kind", "counter", "created_at")


@admin.register(Scrimmage)
class ScrimmageAdmin(ReadOnlyAdmin):
    hidden = ("bot__token_digest",)
    list_display = (SHOW_MATCH, "bot", "asked_by", "asked_at")
    list_filter = ("asked_at",)
    search_fields = ("bot__player__name", "asked_by__username")
    list_select_related = ("bot__player", "asked_by")
    ordering = ("-match_id",)
    fields = ("asked_by", "asked_at")


@admin.register(SeatUsage)
class SeatUsageAdmin(ReadOnlyAdmin):
    hidden = ("version__upload", "version__bot__token_digest")
    list_display = (SHOW_MATCH, "seat", "version")
    list_filter = ("seat",)
    search_fields = ("version__bot__player__name", "=match__id")
    list_select_related = ("version__bot__player",)
    ordering = ("-id",)
    fields = ("seat", "cpu")


@admin.register(SeatLog)
class SeatLogAdmin(ReadOnlyAdmin):
    """Without what it says: that is its author's."""

    hidden = ("body", "version__upload", "version__bot__token_digest")
    list_display = (SHOW_MATCH, "seat", "version", "size", "created_at")
    list_filter = ("seat",)
    search_fields = ("version__bot__player__name", "=match__id")
    list_select_related = ("version__bot__player",)
    ordering = ("-id",)
    fields = ("seat", "counter", "size", "created_at")
