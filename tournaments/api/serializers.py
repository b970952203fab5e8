"""Leagues, tournaments and what they are made of, as the API shows them."""

from typing import Any, ClassVar

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from aurum_league.common.api.views import SparseSerializer
from tournaments.models import (
    Entrant,
    EntrantState,
    EntryKind,
    FixtureState,
    League,
    MatchdayState,
    Release,
    Stage,
    StageState,
    Tournament,
    TournamentEvent,
    TournamentState,
)
from tournaments.rules.lifecycle import State
from tournaments.rules.pairing import TableKind
from tournaments.selectors.standings import revealed_seed


@extend_schema_field(OpenApiTypes.OBJECT)
class ObjectField(serializers.JSONField):
    """A JSON object, whatever it holds."""


class LeagueSerializer(SparseSerializer, serializers.ModelSerializer):
    organiser = serializers.CharField(source="organiser.username", read_only=True)

    class Meta:
        model = League
        fields = ("slug", "name", "description", "is_unlisted", "organiser", "created_at")
        read_only_fields = fields


class TournamentSerializer(SparseSerializer, serializers.ModelSerializer):
    league = serializers.CharField(source="league.slug", read_only=True, allow_null=True, default=None)
    organiser = serializers.CharField(source="organiser.username", read_only=True)
    state = serializers.ChoiceField(TournamentState.choices, read_only=True)
    entry_kind = serializers.ChoiceField(EntryKind.choices, read_only=True)
    table_kind = serializers.ChoiceField([str(kind) for kind in TableKind], read_only=True)
    clock = ObjectField(read_only=True, allow_null=True)
    links = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField()),
        read_only=True,
        help_text="pairs of a title and an address",
    )
    commitment = serializers.SerializerMethodField(help_text="SHA-256 of the site's secret; told from the opening on")
    seed = serializers.SerializerMethodField(help_text="the seed of draws, lots and deals; told when all is over")

    class Meta:
        model = Tournament
        fields = (
            "slug",
            "name",
            "description",
            "contact",
            "links",
            "league",
            "season",
            "organiser",
            "state",
            "ruleset",
            "table_kind",
            "entry_kind",
            "is_rated",
            "capacity",
            "needs_check_in",
            "time_zone",
            "entries_open_at",
            "entries_close_at",
            "check_in_opens_at",
            "check_in_ends_at",
            "draws_at",
            "starts_at",
            "runs_itself",
            "is_unlisted",
            "clock",
            "commitment",
            "seed",
            "created_at",
            "started_at",
            "finished_at",
        )
        read_only_fields = fields

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_seed(self, tournament: Tournament) -> str | None:
        return revealed_seed(tournament)

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_commitment(self, tournament: Tournament) -> str | None:
        return None if tournament.state == State.DRAFT else tournament.commitment


class StageSerializer(SparseSerializer, serializers.ModelSerializer):
    state = serializers.ChoiceField(StageState.choices, read_only=True)
    release = serializers.ChoiceField(Release.choices, read_only=True)
    options = ObjectField(read_only=True)

    class Meta:
        model = Stage
        fields = (
            "number",
            "name",
            "format",
            "options",
            "state",
            "points",
            "tiebreaks",
            "block_deals",
            "matches_each",
            "release",
            "groups",
            "cut",
            "results_version",
            "finished_at",
        )
        read_only_fields = fields


class EntrantSerializer(SparseSerializer, serializers.ModelSerializer):
    player = serializers.CharField(source="player.slug", read_only=True)
    name = serializers.CharField(source="player.name", read_only=True)
    state = serializers.ChoiceField(EntrantState.choices, read_only=True)

    class Meta:
        model = Entrant
        fields = (
            *("id", "player", "name", "state", "seed_number", "division", "entered_on", "left_on", "entered_at"),
            "contribution",
        )
        read_only_fields = fields
        extra_kwargs: ClassVar = {"contribution": {"help_text": "to the tournament's seed; empty for none"}}


class MatchdaySerializer(SparseSerializer):
    number = serializers.IntegerField(read_only=True)
    state = serializers.ChoiceField(MatchdayState.choices, read_only=True)
    tables = serializers.IntegerField(read_only=True)
    settled = serializers.IntegerField(read_only=True, help_text="how many of the tables are played or void")
    window_ends_at = serializers.DateTimeField(read_only=True, allow_null=True)


class FixtureSeatSerializer(serializers.Serializer):
    name = serializers.CharField(read_only=True, help_text="empty for a house bot that only fills the seat")
    player = serializers.CharField(source="slug", read_only=True)
    place = serializers.IntegerField(read_only=True, allow_null=True)


class WhySerializer(serializers.Serializer):
    """A reason of the draw, such as `scores` with the points before, or `first_meeting`."""

    def to_representation(self, reason: list[Any]) -> dict[str, Any]:
        code, numbers = reason
        return {"code": code, "numbers": numbers}

    code = serializers.CharField(read_only=True)
    numbers = serializers.ListField(child=serializers.FloatField(), read_only=True)


class FixtureSerializer(SparseSerializer):
    table = serializers.IntegerField(source="fixture.table", read_only=True)
    state = serializers.ChoiceField(FixtureState.choices, source="fixture.state", read_only=True)
    slot = serializers.CharField(source="fixture.slot", read_only=True)
    is_edited = serializers.BooleanField(source="fixture.is_edited", read_only=True)
    seats = FixtureSeatSerializer(many=True, read_only=True)
    matches = serializers.IntegerField(read_only=True, help_text="how many there are")
    why = WhySerializer(many=True, source="fixture.why", read_only=True, help_text="why it was drawn")


class EventSerializer(SparseSerializer, serializers.ModelSerializer):
    """With `is_in_charge` in its context it tells who did it."""

    actor = serializers.SerializerMethodField(help_text="who did it, told to the organiser; null for the service")
    detail = ObjectField(read_only=True)

    class Meta:
        model = TournamentEvent
        fields = ("number", "kind", "actor", "reason", "detail", "at")
        read_only_fields = fields

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_actor(self, event: TournamentEvent) -> str | None:
        if not self.context.get("is_in_charge") or event.actor is None:
            return None
        return event.actor.username


class StandingSerializer(serializers.Serializer):
    place = serializers.IntegerField(read_only=True)
    entrant = serializers.IntegerField(source="entrant_id", read_only=True)
    player = serializers.CharField(source="slug", read_only=True)
    name = serializers.CharField(read_only=True)
    is_house = serializers.BooleanField(read_only=True)
    state = serializers.ChoiceField(EntrantState.choices, read_only=True)
    division = serializers.CharField(read_only=True)
    values = ObjectField(read_only=True, help_text="by metric of the chain")
    decided_by = ObjectField(read_only=True, allow_null=True, help_text="what parted it from the line before")
    tally = ObjectField(read_only=True)


class StandingsSerializer(SparseSerializer):
    version = serializers.IntegerField(read_only=True, help_text="which results it was counted from")
    is_current = serializers.BooleanField(read_only=True)
    chain = serializers.ListField(child=serializers.CharField(), read_only=True)
    lines = StandingSerializer(many=True, read_only=True)


class CrosstableCellSerializer(serializers.Serializer):
    own = serializers.IntegerField(read_only=True, help_text="an entrant")
    other = serializers.IntegerField(read_only=True, help_text="the opponent")
    meetings = serializers.IntegerField(read_only=True)
    blocks = serializers.IntegerField(read_only=True)
    share_ahead = serializers.FloatField(read_only=True)
    mean_difference = serializers.FloatField(read_only=True)
    low = serializers.FloatField(read_only=True, allow_null=True)
    high = serializers.FloatField(read_only=True, allow_null=True)
    p_value = serializers.FloatField(read_only=True, allow_null=True)
    mark = serializers.CharField(read_only=True)


class CrosstableSerializer(SparseSerializer):
    version = serializers.IntegerField(read_only=True)
    cells = CrosstableCellSerializer(many=True, read_only=True)
