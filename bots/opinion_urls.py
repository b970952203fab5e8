"""The address of the champion's opinion on a finished match, beside the match's own."""

from django.urls import path

from bots.pages.opinion import show_opinions

urlpatterns = [path("<int:match_id>/opinion/", show_opinions, name="match_opinion")]
