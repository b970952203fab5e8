"""Addresses of the tournaments' streams, included under /live/api/v1/, where the async stack answers."""

from django.urls import path

from tournaments.api.stream import stream_events

urlpatterns = [path("tournaments/<slug:slug>/events", stream_events, name="api-event-stream")]
