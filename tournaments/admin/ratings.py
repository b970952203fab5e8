"""Ratings and version trials in the admin: to look at, since only results change them."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from aurum_league.common.admin import ReadOnlyAdmin, ReadOnlyInline, show_number
from tournaments.models import FitState, Rating, RatingChange, RatingPool, Trial, TrialUnit


@admin.register(RatingPool)
class RatingPoolAdmin(ReadOnlyAdmin):
    list_display = ("__str__", "players", "entry_kind", "is_teams", "sequence", "rebuild_from", "fitted_at")
    list_filter = ("players", "entry_kind", "is_teams")
    search_fields = ("entry_kind",)


@admin.register(Rating)
class RatingAdmin(ReadOnlyAdmin):
    list_display = ("player", "pool", "official", "official_se", "mu", "sigma", "matches", "is_provisional")
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
    list_display = ("player", "pool", "sequence", "value", "se", "at")
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
