"""Addresses of the games' part, included under /api/v1/."""

from django.urls import path

from games.api import company, tables
from games.api.matches import (
    MatchDetail,
    MatchList,
    MatchNotation,
    MatchRecord,
    MatchVersions,
    MatchView,
    PlayerDetail,
    PlayerList,
    RulesetDetail,
    RulesetList,
)
from games.api.tables import MatchDecisions, MatchResignations

urlpatterns = [
    path("rulesets", RulesetList.as_view(), name="api-rulesets"),
    path("rulesets/<slug:code>", RulesetDetail.as_view(), name="api-ruleset"),
    path("players", PlayerList.as_view(), name="api-players"),
    path("players/<slug:slug>", PlayerDetail.as_view(), name="api-player"),
    path("matches", MatchList.as_view(), name="api-matches"),
    path("matches/<int:match_id>", MatchDetail.as_view(), name="api-match"),
    path("matches/<int:match_id>/record", MatchRecord.as_view(), name="api-record"),
    path("matches/<int:match_id>/notation", MatchNotation.as_view(), name="api-notation"),
    path("matches/<int:match_id>/versions", MatchVersions.as_view(), name="api-versions"),
    path("matches/<int:match_id>/view", MatchView.as_view(), name="api-view"),
    path("matches/<int:match_id>/decisions", MatchDecisions.as_view(), name="api-decisions"),
    path("matches/<int:match_id>/resignations", MatchResignations.as_view(), name="api-resignations"),
    path("matches/<int:match_id>/words", company.MatchWords.as_view(), name="api-words"),
    path("matches/<int:match_id>/meeting", company.MatchMeeting.as_view(), name="api-meeting"),
    path("matches/<int:match_id>/take-back", company.MatchTakeBack.as_view(), name="api-take-back"),
    path("tables", tables.TableList.as_view(), name="api-tables"),
    path("tables/ticket", tables.TableTickets.as_view(), name="api-table-ticket"),
    path("lobbies", tables.Lobbies.as_view(), name="api-lobbies"),
    path("lobbies/<str:invitation>", tables.LobbyDetail.as_view(), name="api-lobby"),
    path("lobbies/<str:invitation>/seat", tables.LobbySeats.as_view(), name="api-lobby-seat"),
    path("lobbies/<str:invitation>/departure", tables.LobbyLeave.as_view(), name="api-lobby-departure"),
    path("lobbies/<str:invitation>/deal", tables.LobbyDeal.as_view(), name="api-lobby-deal"),
]
