"""Addresses of tables that people play at, under /play/."""

from django.urls import path

from games.pages import lobby, play

urlpatterns = [
    path("", play.show_play, name="play"),
    path("<int:match_id>/", play.show_table, name="play_table"),
    path("<int:match_id>/state/", play.show_state, name="play_state"),
    path("<int:match_id>/decide/", play.decide, name="play_decide"),
    path("<int:match_id>/sit/", play.sit, name="play_sit"),
    path("<int:match_id>/agree/", play.agree, name="play_agree"),
    path("<int:match_id>/resign/", play.resign, name="play_resign"),
    path("invitations/<str:invitation>/", lobby.show_lobby, name="lobby"),
    path("invitations/<str:invitation>/seats/", lobby.show_seats, name="lobby_seats"),
    path("invitations/<str:invitation>/change/", lobby.change_lobby, name="lobby_change"),
]
