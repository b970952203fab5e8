"""Addresses of the tournaments' part, included under /api/v1/."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.api import (
    entrants,
    exports,
    lists,
    players,
    reruns,
    roles,
    running,
    stages,
    tournaments,
    trials,
    waiting,
)
from tournaments.api.exports import stream_events
from tournaments.api.leagues import LeagueDetail, Leagues, NextSeason, PlayOff, PresetDetail, PresetList
from tournaments.api.teams import TeamDetail, TeamInvitations, TeamMemberships, Teams
from tournaments.api.tournaments import EventList, TournamentDetail, Tournaments

in_stage: list[URLPattern] = [
    path("standings", stages.StageStandingsView.as_view(), name="api-standings"),
    path("crosstable", stages.StageCrosstable.as_view(), name="api-crosstable"),
    path("bracket", stages.StageBracket.as_view(), name="api-bracket"),
    path("statistics", stages.StageStatistics.as_view(), name="api-statistics"),
    path("balance", stages.StageBalance.as_view(), name="api-balance"),
    path("matchdays", stages.MatchdayList.as_view(), name="api-matchdays"),
    path("matchdays/<int:matchday>/fixtures", stages.FixtureList.as_view(), name="api-fixtures"),
    path("matchdays/<int:matchday>/byes", stages.ByeList.as_view(), name="api-byes"),
    path("matchdays/<int:matchday>/swaps", running.MatchdaySwaps.as_view(), name="api-swaps"),
]
in_entrant: list[URLPattern] = [
    path("check-in", entrants.EntrantCheckIn.as_view(), name="api-check-in"),
    path("withdrawal", entrants.EntrantWithdrawal.as_view(), name="api-withdrawal"),
    path("disqualification", entrants.EntrantDisqualification.as_view(), name="api-disqualification"),
    path("name", lists.GuestName.as_view(), name="api-guest-name"),
    path("replacement", entrants.EntrantReplacement.as_view(), name="api-replacement"),
]
in_tournament: list[URLPattern | URLResolver] = [
    path("stages", stages.StageList.as_view(), name="api-stages"),
    path("stages/<int:stage>", stages.StageDetail.as_view(), name="api-stage"),
    path("stages/<int:stage>/", include(in_stage)),
    path("entrants", entrants.EntrantList.as_view(), name="api-entrants"),
    path("entrants/<int:entrant_id>", entrants.EntrantDetail.as_view(), name="api-entrant"),
    path("entrants/<int:entrant_id>/", include(in_entrant)),
    path("events", EventList.as_view(), name="api-events"),
    path("steps", running.TournamentSteps.as_view(), name="api-steps"),
    path("seeding", running.TournamentSeeding.as_view(), name="api-seeding"),
    path("house-bots", entrants.TournamentHouseBots.as_view(), name="api-house-bots"),
    path("check-in-end", entrants.TournamentCheckInEnd.as_view(), name="api-check-in-end"),
    path("check-ins", entrants.TournamentCheckIns.as_view(), name="api-check-ins"),
    path("check-ins/close", entrants.TournamentCheckInClose.as_view(), name="api-close-check-in"),
    path("timetable", running.TournamentTimetable.as_view(), name="api-timetable"),
    path("stages/<int:stage>/rhythm", running.StageRhythm.as_view(), name="api-rhythm"),
    path("lists", lists.TournamentLists.as_view(), name="api-lists"),
    path("lists/preview", lists.TournamentListPreview.as_view(), name="api-list-preview"),
    path("lists/<int:number>/undo", lists.TournamentListUndo.as_view(), name="api-list-undo"),
    path("helpers", roles.TournamentHelpers.as_view(), name="api-helpers"),
    path("helpers/<int:helper_id>", roles.TournamentHelper.as_view(), name="api-helper"),
    path("hand-over", roles.TournamentHandOver.as_view(), name="api-hand-over"),
    path("listing", roles.TournamentListing.as_view(), name="api-listing"),
    path("texts", tournaments.TournamentTexts.as_view(), name="api-texts"),
    path("chance", tournaments.TournamentChance.as_view(), name="api-chance"),
    path("beacon", tournaments.TournamentBeacon.as_view(), name="api-beacon"),
    path("conflicts", entrants.TournamentConflicts.as_view(), name="api-conflicts"),
    path("meetings", entrants.TournamentMeeting.as_view(), name="api-allow-meeting"),
    path("forecast", running.TournamentForecastView.as_view(), name="api-forecast"),
    path("spec", tournaments.TournamentSpecView.as_view(), name="api-spec"),
    path("troubles", tournaments.TournamentTroubles.as_view(), name="api-troubles"),
    path("matches", players.TournamentMatches.as_view(), name="api-tournament-matches"),
    path("reruns", reruns.TournamentReruns.as_view(), name="api-reruns"),
    path("reruns/<int:rerun_id>", reruns.TournamentRerun.as_view(), name="api-rerun"),
    path("reruns/<int:rerun_id>/decision", reruns.TournamentRerunDecision.as_view(), name="api-rerun-decision"),
    path("next-season", NextSeason.as_view(), name="api-next-season"),
    path("play-off", PlayOff.as_view(), name="api-play-off"),
    path("decisions", running.TournamentDecisions.as_view(), name="api-tournament-decisions"),
    path("results.ndjson", exports.ResultLines.as_view(), name="api-results-lines"),
    path("results.csv", exports.ResultTable.as_view(), name="api-results-table"),
    path("records.ndjson", exports.RecordLines.as_view(), name="api-records-lines"),
    path("records.csv", exports.RecordTable.as_view(), name="api-records-table"),
]
urlpatterns = [
    path("open-seats", waiting.OpenSeats.as_view(), name="api-open-seats"),
    path("waiting", waiting.WaitingDetail.as_view(), name="api-waiting"),
    path("waiting/end", waiting.WaitingEnd.as_view(), name="api-waiting-end"),
    path("waiting/bots", waiting.WaitingBots.as_view(), name="api-waiting-bots"),
    path("leagues", Leagues.as_view(), name="api-leagues"),
    path("leagues/<slug:slug>", LeagueDetail.as_view(), name="api-league"),
    path("tournaments", Tournaments.as_view(), name="api-tournaments"),
    path("tournaments/<slug:slug>", TournamentDetail.as_view(), name="api-tournament"),
    path("tournaments/<slug:slug>/", include(in_tournament)),
    path("helper-memberships", roles.HelperMemberships.as_view(), name="api-helper-memberships"),
    path("teams", Teams.as_view(), name="api-teams"),
    path("teams/invitations", TeamInvitations.as_view(), name="api-team-invitations"),
    path("teams/memberships", TeamMemberships.as_view(), name="api-team-memberships"),
    path("teams/<slug:slug>", TeamDetail.as_view(), name="api-team"),
    path("presets", PresetList.as_view(), name="api-presets"),
    path("presets/<slug:code>", PresetDetail.as_view(), name="api-preset"),
    path("search", players.Search.as_view(), name="api-search"),
    path("bots/<slug:slug>/trials", trials.BotTrials.as_view(), name="api-trials"),
    path("bots/<slug:slug>/trials/<int:trial_id>", trials.BotTrial.as_view(), name="api-trial"),
    path("bots/<slug:slug>/trials/<int:trial_id>/stop", trials.BotTrialStop.as_view(), name="api-trial-stop"),
    path("players/<slug:slug>/opponents", players.PlayerOpponents.as_view(), name="api-opponents"),
    path("players/<slug:slug>/against/<slug:other>", players.PlayerMeetings.as_view(), name="api-meetings"),
    path("rating-pools", players.PoolList.as_view(), name="api-pools"),
    path("rating-pools/<slug:pool>/ratings", players.PoolRatings.as_view(), name="api-ratings"),
    path("players/<slug:slug>/ratings", players.PlayerRatings.as_view(), name="api-player-ratings"),
    path("players/<slug:slug>/ratings/<slug:pool>", players.RatingHistory.as_view(), name="api-rating-history"),
]

live_patterns = [path("tournaments/<slug:slug>/events", stream_events, name="api-event-stream")]
"""Under /live/api/v1/, where the async stack answers."""
