"""Addresses of the bots' API, under /api/v1/."""

from django.urls import path

from bots.api import bots, logs, performance
from bots.api.connected import BotDecisions, stream_messages
from bots.api.performance import MatchOpinion

urlpatterns = [
    path("bots", bots.BotList.as_view(), name="api-bots"),
    path("bots/<slug:slug>", bots.BotDetail.as_view(), name="api-bot"),
    path("bots/<slug:slug>/versions", bots.BotVersions.as_view(), name="api-bot-versions"),
    path(
        "bots/<slug:slug>/versions/<int:number>/activation",
        bots.VersionActivation.as_view(),
        name="api-version-activation",
    ),
    path("bots/<slug:slug>/versions/<int:number>/check", bots.VersionCheck.as_view(), name="api-version-check"),
    path(
        "bots/<slug:slug>/versions/<int:number>/matches.ndjson", logs.VersionLines.as_view(), name="api-version-lines"
    ),
    path("bots/<slug:slug>/versions/<int:number>/matches.csv", logs.VersionTable.as_view(), name="api-version-table"),
    path(
        "bots/<slug:slug>/versions/<int:number>/matches.parquet",
        logs.VersionParquet.as_view(),
        name="api-version-parquet",
    ),
    path("bots/<slug:slug>/performance", performance.BotPerformance.as_view(), name="api-bot-performance"),
    path("bots/<slug:slug>/failures", performance.BotFailures.as_view(), name="api-bot-failures"),
    path("bots/<slug:slug>/failures/<int:failure_id>", performance.BotFailure.as_view(), name="api-bot-failure"),
    path("bots/<slug:slug>/scrimmages", bots.BotScrimmages.as_view(), name="api-bot-scrimmages"),
    path("bots/<slug:slug>/qualification", bots.BotQualification.as_view(), name="api-bot-qualification"),
    path("bots/<slug:slug>/token", bots.BotTokens.as_view(), name="api-bot-token"),
    path("bots/<slug:slug>/retirement", bots.BotRetirement.as_view(), name="api-bot-retirement"),
    path("matches/<int:match_id>/logs", logs.MatchLogs.as_view(), name="api-match-logs"),
    path("matches/<int:match_id>/proof", logs.MatchProof.as_view(), name="api-match-proof"),
    path("matches/<int:match_id>/opinion", MatchOpinion.as_view(), name="api-opinion"),
    path("bot/matches/<int:match_id>/decisions", BotDecisions.as_view(), name="api-bot-decisions"),
]

live_patterns = [path("bot/stream", stream_messages, name="bot-stream")]
"""Under /live/, where the async stack answers."""
