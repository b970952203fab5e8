"""Addresses of the organiser's desk."""

from django.urls import path

from tournaments.pages.desk import create, draw, entries, matches, overview, trail

TOURNAMENT = "tournaments/<slug:slug>/"

urlpatterns = [
    path("", create.show_desk, name="desk"),
    path("leagues/new/", create.add_league, name="desk_new_league"),
    path("leagues/<slug:slug>/edit/", create.change_league, name="desk_edit_league"),
    path("tournaments/new/", create.add_tournament, name="desk_new_tournament"),
    path(TOURNAMENT, overview.show_overview, name="desk_tournament"),
    path(f"{TOURNAMENT}now/", overview.show_progress, name="desk_now"),
    path(f"{TOURNAMENT}steps/<slug:step>/", overview.take_step, name="desk_step"),
    path(f"{TOURNAMENT}edit/", create.change_tournament, name="desk_edit"),
    path(f"{TOURNAMENT}entries/", entries.show_entries, name="desk_entries"),
    path(f"{TOURNAMENT}entries/add/", entries.add_players, name="desk_add_players"),
    path(f"{TOURNAMENT}entries/house/", entries.add_house_bots, name="desk_add_house"),
    path(f"{TOURNAMENT}entries/team/", entries.add_team, name="desk_add_team"),
    path(f"{TOURNAMENT}entries/seeds/", entries.save_seeds, name="desk_seeds"),
    path(f"{TOURNAMENT}entries/apart/", entries.add_conflict, name="desk_apart"),
    path(f"{TOURNAMENT}entries/apart/<int:conflict_id>/", entries.drop_conflict, name="desk_drop_apart"),
    path(f"{TOURNAMENT}entries/check-in/", entries.change_check_in_end, name="desk_check_in_end"),
    path(f"{TOURNAMENT}entries/<int:entrant_id>/", entries.show_entrant, name="desk_entrant"),
    path(f"{TOURNAMENT}entries/<int:entrant_id>/<slug:deed>/", entries.change_entrant, name="desk_entrant_deed"),
    path(f"{TOURNAMENT}draw/", draw.show_draw, name="desk_draw"),
    path(f"{TOURNAMENT}draw/<int:matchday_id>/swap/", draw.swap_places, name="desk_swap"),
    path(f"{TOURNAMENT}matches/", matches.show_matches, name="desk_matches"),
    path(f"{TOURNAMENT}matches/<int:match_id>/", matches.show_match, name="desk_match"),
    path(f"{TOURNAMENT}matches/<int:match_id>/<slug:decision>/", matches.decide_match, name="desk_decide"),
    path(f"{TOURNAMENT}reruns/", matches.begin_rerun, name="desk_begin_rerun"),
    path(f"{TOURNAMENT}reruns/<int:rerun_id>/", matches.show_rerun, name="desk_rerun"),
    path(f"{TOURNAMENT}reruns/<int:rerun_id>/<slug:deed>/", matches.close_rerun, name="desk_close_rerun"),
    path(f"{TOURNAMENT}next-season/", overview.show_next_season, name="desk_next_season"),
    path(f"{TOURNAMENT}trail/", trail.show_trail, name="desk_trail"),
]
