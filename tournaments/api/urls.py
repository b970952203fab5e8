"""Addresses of the tournaments' part, included under /api/v1/."""

from django.urls import include, path

from tournaments.api.leagues import LeagueDetail, Leagues
from tournaments.api.stages import FixtureList, MatchdayList, StageCrosstable, StageDetail, StageList, StageStandings
from tournaments.api.tournaments import TournamentDetail, Tournaments

in_stage = [
    path("standings", StageStandings.as_view(), name="api-standings"),
    path("crosstable", StageCrosstable.as_view(), name="api-crosstable"),
    path("matchdays", MatchdayList.as_view(), name="api-matchdays"),
    path("matchdays/<int:matchday>/fixtures", FixtureList.as_view(), name="api-fixtures"),
]
in_tournament = [
    path("stages", StageList.as_view(), name="api-stages"),
    path("stages/<int:stage>", StageDetail.as_view(), name="api-stage"),
    path("stages/<int:stage>/", include(in_stage)),
]
urlpatterns = [
    path("leagues", Leagues.as_view(), name="api-leagues"),
    path("leagues/<slug:slug>", LeagueDetail.as_view(), name="api-league"),
    path("tournaments", Tournaments.as_view(), name="api-tournaments"),
    path("tournaments/<slug:slug>", TournamentDetail.as_view(), name="api-tournament"),
    path("tournaments/<slug:slug>/", include(in_tournament)),
]
