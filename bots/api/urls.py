"""Addresses of the bots' API, to be included under /api/v1/."""

from django.urls import path

from bots.api.decisions import DecisionView

urlpatterns = [
    path("bot/matches/<int:match_id>/decisions", DecisionView.as_view(), name="bot-decisions"),
]
