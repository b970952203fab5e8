"""Addresses of the bots' pages, under /bots/."""

from django.urls import path

from bots.pages import actions, bots

urlpatterns = [
    path("", bots.show_bots, name="bots"),
    path("new/", actions.register, name="bot-new"),
    path("<slug:slug>/", bots.show_bot, name="bot"),
    path("<slug:slug>/dashboard/", bots.show_dashboard, name="bot-dashboard"),
    path("<slug:slug>/matches/", bots.show_matches, name="bot-matches"),
    path("<slug:slug>/failures/", bots.show_failures, name="bot-failures"),
    path("<slug:slug>/failures/<int:failure_id>/", bots.show_failure, name="bot-failure"),
    path("<slug:slug>/versions/", actions.upload, name="bot-upload"),
    path("<slug:slug>/versions/<int:number>/activate/", actions.activate, name="bot-activate"),
    path("<slug:slug>/versions/<int:number>/check/", actions.check_again, name="bot-check"),
    path("<slug:slug>/settings/", actions.change_settings, name="bot-settings"),
    path("<slug:slug>/scrimmages/", actions.scrimmage, name="bot-scrimmages"),
    path("<slug:slug>/qualification/", actions.qualify, name="bot-qualify"),
    path("<slug:slug>/token/", actions.make_token, name="bot-token"),
    path("<slug:slug>/retirement/", actions.retire, name="bot-retire"),
]
