"""Addresses of the bots' pages, and of what the champion thinks of a match, beside its own."""

from django.urls import path

from bots.pages import actions, bots, logs, opinion, proof, puzzle

urlpatterns = [
    path("bots/", bots.show_bots, name="bots"),
    path("bots/new/", actions.register, name="bot-new"),
    path("bots/<slug:slug>/", bots.show_bot, name="bot"),
    path("bots/<slug:slug>/dashboard/", bots.show_dashboard, name="bot-dashboard"),
    path("bots/<slug:slug>/matches/", bots.show_matches, name="bot-matches"),
    path("bots/<slug:slug>/failures/", bots.show_failures, name="bot-failures"),
    path("bots/<slug:slug>/failures/<int:failure_id>/", bots.show_failure, name="bot-failure"),
    path("bots/<slug:slug>/versions/", actions.upload, name="bot-upload"),
    path("bots/<slug:slug>/versions/<int:number>/", bots.show_version, name="bot-version"),
    path("bots/<slug:slug>/versions/<int:number>/activate/", actions.activate, name="bot-activate"),
    path("bots/<slug:slug>/versions/<int:number>/check/", actions.check_again, name="bot-check"),
    path("bots/<slug:slug>/settings/", actions.change_settings, name="bot-settings"),
    path("bots/<slug:slug>/scrimmages/", actions.scrimmage, name="bot-scrimmages"),
    path("bots/<slug:slug>/qualification/", actions.qualify, name="bot-qualify"),
    path("bots/<slug:slug>/token/", actions.make_token, name="bot-token"),
    path("bots/<slug:slug>/retirement/", actions.retire, name="bot-retire"),
    path("play/puzzle/", puzzle.show_puzzle, name="puzzle"),
    path("play/puzzle/<str:day>/", puzzle.show_puzzle, name="puzzle_of"),
    path("play/<int:match_id>/hint/", opinion.show_hint, name="play_hint"),
    path("matches/<int:match_id>/logs/", logs.show_logs, name="match_logs"),
    path("matches/<int:match_id>/proof/", proof.show_proof, name="match_proof"),
    path("matches/<int:match_id>/opinion/", opinion.show_opinions, name="match_opinion"),
]
