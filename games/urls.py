"""Addresses of matches, of the rules, and of tables that people play at."""

from django.urls import path

from games.pages import lobby, matches, play, rules

urlpatterns = [
    path("matches/<int:match_id>/", matches.show_match, name="match"),
    path("matches/<int:match_id>/step/", matches.show_step, name="match_step"),
    path("matches/<int:match_id>/table/", matches.show_running, name="match_table"),
    path("matches/<int:match_id>/company/", lobby.show_company, name="match_company"),
    path("matches/<int:match_id>/record.json", matches.download_record, name="match_record"),
    path("matches/<int:match_id>/transcript.txt", matches.download_transcript, name="match_transcript"),
    path("rules/", rules.show_rules, name="rules"),
    path("rules/editions/", rules.show_editions, name="rules_editions"),
    path("rules/fairness/", rules.show_fairness, name="rules_fairness"),
    path("rules/card/", rules.choose_card, name="rules_cards"),
    path("rules/card/<str:code>/", rules.show_card, name="rules_card"),
    path("play/", play.show_play, name="play"),
    path("play/awaiting/", play.show_awaiting, name="play_awaiting"),
    path("play/<int:match_id>/", play.show_table, name="play_table"),
    path("play/<int:match_id>/state/", play.show_state, name="play_state"),
    path("play/<int:match_id>/decide/", play.decide, name="play_decide"),
    path("play/<int:match_id>/say/", lobby.say, name="play_say"),
    path("play/<int:match_id>/meeting/", lobby.change_meeting, name="play_meeting"),
    path("play/<int:match_id>/meeting.ics", lobby.download_meeting, name="play_meeting_file"),
    path("play/<int:match_id>/back/", play.take_back, name="play_take_back"),
    path("play/<int:match_id>/sit/", play.sit, name="play_sit"),
    path("play/<int:match_id>/agree/", play.agree, name="play_agree"),
    path("play/<int:match_id>/resign/", play.resign, name="play_resign"),
    path("play/<int:match_id>/rematch/", play.rematch, name="play_rematch"),
    path("play/invitations/<str:invitation>/", lobby.show_lobby, name="lobby"),
    path("play/invitations/<str:invitation>/seats/", lobby.show_seats, name="lobby_seats"),
    path("play/invitations/<str:invitation>/change/", lobby.change_lobby, name="lobby_change"),
]
