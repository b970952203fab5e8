"""Bots in the admin site: to look at, and nothing that an author's rights would not allow."""

from django.contrib import admin
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from bots.models import Bot, BotVersion


class ReadOnlyAdmin(ModelAdmin):
    """Everything that changes a bot goes through the services."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(Bot)
class BotAdmin(ReadOnlyAdmin):
    list_display = ("player", "mode", "state", "failures", "created_at")
    list_filter = ("mode", "state")
    search_fields = ("player__name", "player__slug")
    list_select_related = ("player",)


@admin.register(BotVersion)
class BotVersionAdmin(ReadOnlyAdmin):
    list_display = ("bot", "number", "state", "size", "content_hash", "created_at")
    list_filter = ("state",)
    search_fields = ("bot__player__name", "content_hash")
    list_select_related = ("bot__player",)
