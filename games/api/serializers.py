"""Players, rulesets and matches as the API shows them, with an example of each."""

from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from aurum_league.common.api.views import SparseSerializer
from games.models import Match, MatchKind, MatchState, Player, PlayerKind, ResultKind
from games.rules.ruleset import DECIDERS, EDITIONS, SCORINGS, Ruleset

PLAYER = {
    "slug": "house-counting",
    "name": "Counting",
    "kind": "house",
    "owner": None,
    "is_active": True,
    "created_at": "2026-11-16T08:00:00Z",
}
RULESET = {
    "code": "en3",
    "edition": "en",
    "players": 3,
    "zero_gold": True,
    "scoring": "nuggets",
    "decider": "shared",
}
MATCH = {
    "id": 4711,
    "kind": "tournament",
    "ruleset": "en3",
    "players": 3,
    "is_rated": True,
    "share": 1.0,
    "state": "finished",
    "commitment": "9f2b1c0d5e4a38276150f1e2d3c4b5a697887766554433221100ffeeddccbbaa",
    "deals": "1f0d6a0e-5a3c-4b43-8d37-2f2f0b8a6d11",
    "is_sealed": False,
    "created_at": "2026-11-16T08:00:00Z",
    "started_at": "2026-11-16T08:00:01Z",
    "finished_at": "2026-11-16T08:00:02Z",
    "seats": [
        {"seat": 0, "side": 0, "player": "house-counting", "name": "Counting", "kind": "house", "by_token": 0},
        {"seat": 1, "side": 1, "player": "house-greedy", "name": "Greedy", "kind": "house", "by_token": 0},
        {"seat": 2, "side": 2, "player": "house-random", "name": "Random", "kind": "house", "by_token": 0},
    ],
    "result": {
        "places": [1, 2, 3],
        "forfeits": [],
        "is_by_hand": False,
        "nuggets": [2, 1, 0],
        "totals": [31, 24, 12],
        "rounds": 3,
        "lots": False,
    },
}
RECORD = {
    "format": "aurum-record",
    "version": 1,
    "ruleset": {key: value for key, value in RULESET.items() if key != "code"},
    "match": 4711,
    "rounds": [],
    "result": {"places": [[0], [1], [2]], "nuggets": [2, 1, 0], "totals": [31, 24, 12], "lots": False},
}
TRANSCRIPT = "aurum en3\nround 1, first seat 2\nhand 0: B1 B3 …\n…\nplaces: 0 | 1 | 2\n"
TABLE = {
    "match": 4712,
    "state": "waiting",
    "ruleset": "en3",
    "commitment": MATCH["commitment"],
    "seats": [],
    "awaited": [0],
    "deadline": "2026-11-16T08:10:00Z",
    "clock": {"bank": 600},
    "banks": {},
    "forfeits": [],
    "counter": 3,
    "view": {"seat": 0, "legal": ["keep", "swap G0 0 B3"]},
}
LOBBY = {
    "invitation": "Zk3vQ0n8rT2aLw1B",
    "ruleset": "en4",
    "players": 4,
    "strength": "greedy",
    "clock": {"bank": 600.0, "increment": 10.0},
    "is_rated": False,
    "is_guided": False,
    "match": None,
    "commitment": MATCH["commitment"],
    "created_at": "2026-11-16T08:00:00Z",
    "seats": [{"seat": 0, "user": "agnes", "is_host": True, "contribution": "5c" * 32}],
}
TICKET = {"ticket": f"00112233445566778899aabbccddeeff.{MATCH['commitment']}", "commitment": MATCH["commitment"]}
OPEN_TABLE = {
    "match": 4712,
    "ruleset": "en3",
    "state": "waiting",
    "deadline": "2026-11-16T08:10:00Z",
    "seat": 0,
    "is_awaited": True,
}


def contribution_field() -> serializers.CharField:
    """What whoever sits down or enters adds to the seed; docs/RULES.md says how it goes in."""
    return serializers.CharField(
        max_length=64,
        default="",
        allow_blank=True,
        help_text="32 random bytes of yours in hexadecimal, which go into the seed; empty for none",
    )


class RulesetSerializer(SparseSerializer):
    code = serializers.CharField(read_only=True)
    players = serializers.IntegerField(read_only=True)
    edition = serializers.ChoiceField(EDITIONS, read_only=True)
    zero_gold = serializers.BooleanField(read_only=True)
    scoring = serializers.ChoiceField(SCORINGS, read_only=True)
    decider = serializers.ChoiceField(DECIDERS, read_only=True)


class PlayerSerializer(SparseSerializer, serializers.ModelSerializer):
    owner = serializers.CharField(source="owner.username", read_only=True, allow_null=True, default=None)
    kind = serializers.ChoiceField(PlayerKind.choices, read_only=True)

    class Meta:
        model = Player
        fields = ("slug", "name", "kind", "owner", "is_active", "created_at")
        read_only_fields = fields


class SeatSerializer(serializers.Serializer):
    seat = serializers.IntegerField(read_only=True)
    side = serializers.IntegerField(read_only=True)
    player = serializers.CharField(source="player.slug", read_only=True)
    name = serializers.CharField(source="player.name", read_only=True)
    kind = serializers.ChoiceField(PlayerKind.choices, source="player.kind", read_only=True)
    by_token = serializers.IntegerField(read_only=True, help_text="decisions of a person that a program made")


class ResultSerializer(serializers.Serializer):
    """Lists are by side. While the match is sealed only places and forfeits are told."""

    places = serializers.ListField(
        child=serializers.IntegerField(), read_only=True, help_text="as counted: a side whose seats forfeit is last"
    )
    forfeits = serializers.ListField(child=serializers.IntegerField(), read_only=True, help_text="seats")
    is_by_hand = serializers.BooleanField(read_only=True)
    nuggets = serializers.ListField(child=serializers.IntegerField(), read_only=True, allow_null=True)
    totals = serializers.ListField(child=serializers.IntegerField(), read_only=True, allow_null=True)
    rounds = serializers.IntegerField(read_only=True, allow_null=True)
    lots = serializers.BooleanField(read_only=True, allow_null=True)


class ResultVersionSerializer(serializers.Serializer):
    version = serializers.IntegerField(read_only=True)
    kind = serializers.ChoiceField(ResultKind.choices, read_only=True)
    at = serializers.DateTimeField(read_only=True)
    actor = serializers.CharField(read_only=True, allow_null=True)
    reason = serializers.CharField(read_only=True, allow_blank=True)
    places = serializers.ListField(child=serializers.IntegerField(), read_only=True, help_text="as counted, by side")
    forfeits = serializers.ListField(child=serializers.IntegerField(), read_only=True, help_text="seats")
    nuggets = serializers.ListField(child=serializers.IntegerField(), read_only=True, allow_null=True)
    totals = serializers.ListField(child=serializers.IntegerField(), read_only=True, allow_null=True)
    record_match = serializers.IntegerField(
        read_only=True, allow_null=True, help_text="the match whose record it is, where it was played on fresh deals"
    )
    account = serializers.IntegerField(
        read_only=True, allow_null=True, help_text="the number of the actor's account, as events tell it"
    )
    has_record = serializers.BooleanField(read_only=True, help_text="whether it was played and is no longer sealed")


RESULT_VERSION = {
    "version": 2,
    "kind": "by_hand",
    "at": "2026-03-01T18:20:00+00:00",
    "actor": "organiser",
    "reason": "the wrong version played",
    "places": [2, 1, 3],
    "forfeits": [],
    "nuggets": [1, 2, 0],
    "totals": [24, 31, 12],
    "record_match": None,
    "account": 12,
    "has_record": False,
}
OPEN_RESULT = ("places", "forfeits", "is_by_hand")
SEALED_RESULT = ("nuggets", "totals", "rounds", "lots")


class MatchSerializer(SparseSerializer, serializers.ModelSerializer):
    """Needs `sealed` in its context: the deals on which a match is still to end."""

    kind = serializers.ChoiceField(MatchKind.choices, read_only=True)
    state = serializers.ChoiceField(MatchState.choices, read_only=True)
    is_sealed = serializers.SerializerMethodField()
    seats = SeatSerializer(many=True, read_only=True)
    result = serializers.SerializerMethodField()

    class Meta:
        model = Match
        fields = (
            "id",
            "kind",
            "ruleset",
            "players",
            "is_rated",
            "share",
            "state",
            "commitment",
            "deals",
            "is_sealed",
            "created_at",
            "started_at",
            "finished_at",
            "seats",
            "result",
        )
        read_only_fields = fields

    def get_is_sealed(self, match: Match) -> bool:
        return match.deals in self.context["sealed"]

    @extend_schema_field(ResultSerializer(allow_null=True))
    def get_result(self, match: Match) -> dict[str, Any] | None:
        if match.state != MatchState.FINISHED:
            return None
        told = {name: getattr(match.result, name) for name in OPEN_RESULT} | {"places": match.result.counted_places}
        is_sealed = self.get_is_sealed(match)
        return told | {name: None if is_sealed else getattr(match.result, name) for name in SEALED_RESULT}

    def to_representation(self, match: Match) -> dict[str, Any]:
        """What the fields say, written out: asking each field of each row took most of a page's time."""
        made: dict[str, Callable[[Match], Any]] = {
            "is_sealed": self.get_is_sealed,
            "result": self.get_result,
            "seats": _show_seats,
        }
        return {name: made[name](match) if name in made else getattr(match, name) for name in map(str, self.fields)}


def _show_seats(match: Match) -> list[dict[str, Any]]:
    return [
        {
            "seat": held.seat,
            "side": held.side,
            "player": held.player.slug,
            "name": held.player.name,
            "kind": held.player.kind,
            "by_token": held.by_token,
        }
        for held in match.seats.all()
    ]


class TableDecisionSerializer(serializers.Serializer):
    seat = serializers.IntegerField(min_value=0, max_value=3)
    counter = serializers.IntegerField(min_value=0, max_value=100_000, help_text="as in the view that was decided on")
    action = serializers.CharField(max_length=40, help_text="one of the legal actions of the view")
    agrees = serializers.BooleanField(
        default=False, help_text="to be rated against bots; needed once by people whom an organiser has entered"
    )


class ResignationSerializer(serializers.Serializer):
    seat = serializers.IntegerField(min_value=0, max_value=3)


def ruleset_row(ruleset: Ruleset) -> dict[str, Any]:
    return {"code": ruleset.code, **ruleset.to_dict()}
