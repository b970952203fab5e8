"""Addresses of the bots' streams, to be included under /live/, where the async stack answers."""

from django.urls import path

from bots.api.connected import stream_messages

urlpatterns = [
    path("bot/stream", stream_messages, name="bot-stream"),
]
