"""Bots, versions and scrimmages as the API shows them, with an example of each."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from aurum_league.common.api.views import SparseSerializer
from bots.models import Bot, BotMode, BotState, BotVersion, VersionState
from bots.services.qualify import MOST_AT_ONCE
from bots.services.registration import LONGEST
from games.play.agents import AgentKind, AgentRef

BOT = {
    "slug": "alchemist",
    "name": "Alchemist",
    "author": "agnes",
    "mode": "uploaded",
    "state": "active",
    "description": "Counts cards.",
    "allows_scrimmages": True,
    "active_version": 2,
    "created_at": "2026-11-16T08:00:00Z",
}
VERSION = {
    "number": 2,
    "state": "qualified",
    "size": 2048,
    "content_hash": "5d41402abc4b2a76b9719d911017c5925d41402abc4b2a76b9719d911017c592",
    "files": ["main.py"],
    "contract": 1,
    "rules": 1,
    "note": "bids lower",
    "report": {"matches": [4801, 4802]},
    "created_at": "2026-11-16T08:00:00Z",
    "checked_at": "2026-11-16T08:01:00Z",
}
MATCH_NUMBERS = {"matches": [4801, 4802]}
FAILURE = {
    "id": 7,
    "match": 4801,
    "seat": 1,
    "step": 14,
    "verdict": "illegal",
    "detail": "This card is not in the hand.",
    "asked": '{"type":"decide"}',
    "answered": '{"action":"play B7"}',
    "stderr": "",
    "created_at": "2026-11-16T08:00:02Z",
}
RATE = {"players": 3, "matches": 60, "deals": 20, "forfeits": 0, "mean": 0.4, "low": 0.3, "high": 0.5, "even": 1 / 3}
PERFORMANCE = {"version": 2, "rates": [RATE], "cpu": {"decisions": 2000, "p50": 0.2, "p99": 1.5}, "fuel": None}
DECISION = {
    "counter": 4,
    "action": "play B7",
    "verdict": "ok",
    "cpu_us": 180,
    "wall_us": 240,
    "fuel": None,
    "said": "B7 is safe\n",
}
LOG = {"seat": 0, "bot": "alchemist", "version": 2, "log": {"decisions": [DECISION], "last_words": ""}}
PROOF = {
    "proof": {
        "seats": [{"seat": 1, "agent": str(AgentRef(AgentKind.HOUSE, "counting")), "asked": 41, "alike": 41}],
        "left_out": [0, 2],
        "differences": [],
    },
    "is_asked": True,
}
JUDGEMENT = {
    "match": 4711,
    "seat": 0,
    "round": 1,
    "rounds": 3,
    "champion": "champion",
    "opinions": [{"applied": 3, "trick": 1, "played": "play B7", "best": "play Z2", "cost": 0.04, "chance": 0.41}],
    "done": 0,
    "total": 0,
}


class BotSerializer(SparseSerializer, serializers.ModelSerializer):
    slug = serializers.CharField(source="player.slug", read_only=True)
    name = serializers.CharField(source="player.name", read_only=True)
    author = serializers.CharField(source="player.owner.username", read_only=True)
    mode = serializers.ChoiceField(BotMode.choices, read_only=True)
    state = serializers.ChoiceField(BotState.choices, read_only=True)
    active_version = serializers.IntegerField(
        source="active_version.number", read_only=True, allow_null=True, default=None
    )

    class Meta:
        model = Bot
        fields = (
            "slug",
            "name",
            "author",
            "mode",
            "state",
            "description",
            "allows_scrimmages",
            "active_version",
            "created_at",
        )
        read_only_fields = fields


class VersionSerializer(SparseSerializer, serializers.ModelSerializer):
    """`report` says what the check found; it and the note are the author's own."""

    state = serializers.ChoiceField(VersionState.choices, read_only=True)
    report = serializers.SerializerMethodField()
    files = serializers.ListField(child=serializers.CharField(), read_only=True)

    class Meta:
        model = BotVersion
        fields = (
            "number",
            "state",
            "size",
            "content_hash",
            "files",
            "contract",
            "rules",
            "note",
            "report",
            "created_at",
            "checked_at",
        )
        read_only_fields = fields

    @extend_schema_field(serializers.DictField(allow_null=True))
    def get_report(self, version: BotVersion) -> dict[str, Any] | None:
        return version.report if self._is_own(version) else None

    def to_representation(self, version: BotVersion) -> dict[str, Any]:
        told = super().to_representation(version)
        if not self._is_own(version):
            told.pop("note", None)
        return told

    def _is_own(self, version: BotVersion) -> bool:
        return version.bot.player.owner_id == self.context["request"].user.pk


class BotFormSerializer(serializers.Serializer):
    name = serializers.CharField(max_length=LONGEST)
    mode = serializers.ChoiceField(BotMode.choices)
    description = serializers.CharField(max_length=300, required=False, allow_blank=True, default="")


class BotChangeFormSerializer(serializers.Serializer):
    description = serializers.CharField(max_length=300, allow_blank=True)
    allows_scrimmages = serializers.BooleanField()


class UploadFormSerializer(serializers.Serializer):
    upload = serializers.FileField(help_text="one .py, a .zip with a main.py, or a .wasm module")
    note = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")


class ScrimmageFormSerializer(serializers.Serializer):
    ruleset = serializers.CharField(max_length=40)
    others = serializers.ListField(child=serializers.SlugField(max_length=60), min_length=2, max_length=2)
    matches = serializers.IntegerField(min_value=1, max_value=MOST_AT_ONCE)


class MatchNumbersSerializer(serializers.Serializer):
    matches = serializers.ListField(child=serializers.IntegerField(), read_only=True, help_text="numbers of matches")


class BotTokenSerializer(serializers.Serializer):
    token = serializers.CharField(read_only=True, help_text="shown this once")
