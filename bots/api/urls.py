"""Addresses of the bots' API, under /api/v1/."""

from django.urls import path

from bots.api.decisions import BotDecisions

urlpatterns = [
    path("bot/matches/<int:match_id>/decisions", BotDecisions.as_view(), name="api-bot-decisions"),
]
