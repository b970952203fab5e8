"""Addresses of the public pages."""

from django.urls import path

from tournaments.pages import downloads, entrants, home, players, schedule, statistics, tournament, trials

TOURNAMENT = "tournaments/<slug:slug>/"

urlpatterns = [
    path("", home.show_home, name="home"),
    path("now/", home.show_home_now, name="home_now"),
    path("search/", home.show_search, name="search"),
    path("leagues/", home.show_leagues, name="leagues"),
    path("leagues/<slug:slug>/", home.show_league, name="league"),
    path("players/", players.show_players, name="players"),
    path("players/ratings/<slug:pool>.<slug:form>", players.download_ratings, name="ratings_rows"),
    path("players/spread/<slug:pool>.<slug:form>", players.download_distribution, name="distribution_rows"),
    path("players/<slug:slug>/", players.show_player, name="player"),
    path("players/<slug:slug>/history/<slug:pool>.<slug:form>", players.download_history, name="history_rows"),
    path("players/<slug:slug>/against/<slug:other>/", players.show_head_to_head, name="head_to_head"),
    path("bots/<slug:slug>/trials/", trials.show_trials, name="trials"),
    path("bots/<slug:slug>/trials/<int:trial_id>/", trials.show_trial, name="trial"),
    path("bots/<slug:slug>/trials/<int:trial_id>/now/", trials.show_trial_now, name="trial_now"),
    path("bots/<slug:slug>/trials/<int:trial_id>/stop/", trials.end_trial, name="trial_stop"),
    path("bots/<slug:slug>/trials/<int:trial_id>/units.<slug:form>", trials.download_trial, name="trial_rows"),
    path("teams/", entrants.show_teams, name="teams"),
    path("teams/join/<str:invitation>/", entrants.join, name="team_join"),
    path("tournaments/", tournament.show_tournaments, name="tournaments"),
    path(TOURNAMENT, tournament.show_tournament, name="tournament"),
    path(f"{TOURNAMENT}now/", tournament.show_now, name="tournament_now"),
    path(f"{TOURNAMENT}schedule/", schedule.show_schedule, name="tournament_schedule"),
    path(f"{TOURNAMENT}tables/<int:stage>/<int:day>/<int:table>/", schedule.show_table, name="tournament_table"),
    path(f"{TOURNAMENT}entrants/", entrants.show_entrants, name="tournament_entrants"),
    path(f"{TOURNAMENT}enter/", entrants.enter, name="tournament_enter"),
    path(f"{TOURNAMENT}leave/", entrants.leave, name="tournament_leave"),
    path(f"{TOURNAMENT}bracket/", statistics.show_bracket, name="tournament_bracket"),
    path(f"{TOURNAMENT}crosstable/", statistics.show_crosstable, name="tournament_crosstable"),
    path(f"{TOURNAMENT}statistics/", statistics.show_statistics, name="tournament_statistics"),
    path(f"{TOURNAMENT}balance/", statistics.show_balance, name="tournament_balance"),
    path(f"{TOURNAMENT}downloads/", downloads.show_downloads, name="tournament_downloads"),
    path(f"{TOURNAMENT}downloads/archive.zip", downloads.download_archive, name="tournament_archive"),
    path(f"{TOURNAMENT}downloads/<slug:name>.<slug:form>", downloads.download_rows, name="tournament_rows"),
]
