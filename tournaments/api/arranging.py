"""Arranging an event by a program: what the desk does by hand on its page of changes, looked at first or done."""

from collections.abc import Callable, Mapping
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import Any

from django.contrib.auth.models import User
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.access import person_of
from aurum_league.common.api.idempotency import answer_once
from aurum_league.common.api.views import operation
from games.selectors.matches import find_player
from tournaments.api.examples import CHANGES
from tournaments.api.running import Organising
from tournaments.models import Tournament
from tournaments.selectors.board import PlacesChange, find_stage_of, find_table_of, list_playing, require_entrant
from tournaments.selectors.leagues import spec_of
from tournaments.selectors.rights import require_may_run, require_own_tournament
from tournaments.services.arrange import (
    look_at,
    merge_tournaments,
    move_matchday,
    pin_table,
    rest_entrant,
    split_tournament,
    swap_matchdays,
)
from tournaments.services.entries import replace_entrant

LARGEST = 2**62


class Arranging(StrEnum):
    PIN = "pin"
    UNPIN = "unpin"
    DAYS = "days"
    MOVE = "move"
    REST = "rest"
    NO_REST = "no-rest"
    REPLACE = "replace"
    MERGE = "merge"
    SPLIT = "split"


class ArrangingFormSerializer(serializers.Serializer):
    """Each deed reads what it needs: `pin`, `unpin` stage, matchday, table; `days` stage, matchday, other; `move`
    stage, matchday, at; `rest`, `no-rest` entrant, matchday; `replace` entrant, player; `merge` tournament; `split`
    name, count."""

    deed = serializers.ChoiceField([one.value for one in Arranging])
    look = serializers.BooleanField(default=False, help_text="only tell what would change for whom")
    stage = serializers.IntegerField(min_value=1, max_value=99, default=1)
    matchday = serializers.IntegerField(min_value=1, max_value=10_000, default=1)
    other = serializers.IntegerField(min_value=1, max_value=10_000, default=1, help_text="the other matchday")
    table = serializers.IntegerField(min_value=1, max_value=100_000, default=1)
    at = serializers.DateTimeField(
        required=False, allow_null=True, default=None, help_text="of the matchday; null: as the rhythm says"
    )
    entrant = serializers.IntegerField(min_value=1, max_value=LARGEST, default=1)
    player = serializers.CharField(max_length=100, required=False, allow_blank=True, default="")
    tournament = serializers.CharField(max_length=100, required=False, allow_blank=True, default="")
    name = serializers.CharField(max_length=80, required=False, allow_blank=True, default="")
    count = serializers.IntegerField(min_value=1, max_value=100_000, default=1, help_text="how many go")
    reason = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")


class ChangedDaySerializer(serializers.Serializer):
    matchday = serializers.IntegerField(read_only=True)
    before = serializers.IntegerField(read_only=True, allow_null=True, help_text="table; 0 a rest, null no place")
    after = serializers.IntegerField(read_only=True, allow_null=True)


class ChangeSerializer(serializers.Serializer):
    """What becomes of one player, on matchdays that are not played yet."""

    name = serializers.CharField(read_only=True)
    state_before = serializers.CharField(read_only=True, help_text="empty for who was not in")
    state_after = serializers.CharField(read_only=True)
    days = ChangedDaySerializer(many=True, read_only=True)


def describe_changes(changes: list[PlacesChange]) -> list[dict[str, Any]]:
    return [
        {
            "name": change.name,
            "state_before": change.state_before,
            "state_after": change.state_after,
            "days": [{"matchday": day, "before": before, "after": after} for day, before, after in change.list_days()],
        }
        for change in changes
    ]


def make_deed(tournament: Tournament, sent: Mapping[str, Any], actor: User) -> Callable[[], object]:
    """What was asked as something to be done or looked at; a coded error where it is about somebody else's event."""
    about: dict[str, Any] = {"actor": actor}
    because = about | {"reason": sent.get("reason", "")}
    match Arranging(sent["deed"]):
        case Arranging.PIN | Arranging.UNPIN as pinning:
            stage = find_stage_of(tournament, sent["stage"])
            fixture_id = find_table_of(stage, sent["matchday"], sent["table"])
            return partial(pin_table, fixture_id=fixture_id, is_pinned=pinning == Arranging.PIN, **about)
        case Arranging.DAYS:
            days = {"first": sent["matchday"], "second": sent["other"]}
            return partial(swap_matchdays, stage_id=find_stage_of(tournament, sent["stage"]).pk, **days, **because)
        case Arranging.MOVE:
            at: datetime | None = sent["at"]
            stage_id = find_stage_of(tournament, sent["stage"]).pk
            return partial(move_matchday, stage_id=stage_id, number=sent["matchday"], at=at, **because)
        case Arranging.REST | Arranging.NO_REST as wish:
            entrant_id = require_entrant(tournament, sent["entrant"])
            resting = {"matchday": sent["matchday"], "is_resting": wish == Arranging.REST}
            return partial(rest_entrant, entrant_id=entrant_id, **resting, **because)
        case Arranging.REPLACE:
            entrant_id = require_entrant(tournament, sent["entrant"])
            return partial(replace_entrant, entrant_id=entrant_id, player=find_player(sent["player"]), **because)
        case Arranging.MERGE:
            other = require_own_tournament(sent["tournament"], actor)
            return partial(merge_tournaments, tournament_id=tournament.pk, other_id=other.pk, **because)
        case Arranging.SPLIT:
            name = sent["name"].strip() or f"{tournament.name[:77]} B"
            require_may_run(actor, spec_of(tournament))
            counted = {"name": name, "count": sent["count"]}
            return partial(split_tournament, tournament_id=tournament.pk, **counted, **because)


def list_concerned(tournament: Tournament, sent: Mapping[str, Any]) -> list[str]:
    """Who plays on a matchday that is moved, for whom nothing but the time changes."""
    if sent["deed"] != Arranging.MOVE:
        return []
    return list_playing(find_stage_of(tournament, sent["stage"]), sent["matchday"])


class TournamentChanges(Organising):
    @operation(
        id="arrange",
        summary="Arrange an event by hand, or look at what that would change for whom",
        description=(
            "Pin a table through further draws, let two matchdays change places, move one in time, let somebody rest, "
            "replace an entrant, take in another open event, or move some to a new one. With `look` nothing is done. "
            "Answers everybody for whom something changes, with their tables before and after."
        ),
        answer=ChangeSerializer(many=True),
        example=CHANGES,
        request=ArrangingFormSerializer,
        request_example={"deed": "days", "matchday": 2, "other": 3, "look": True},
    )
    @answer_once
    def post(self, request: Request, slug: str) -> Response:
        tournament = require_own_tournament(slug, request.user)
        sent = self.read_body(request, ArrangingFormSerializer)
        deed = make_deed(tournament, sent, person_of(request))
        changes = describe_changes(look_at(tournament, deed))
        if not sent["look"]:
            deed()
        return Response(ChangeSerializer(changes, many=True).data)
