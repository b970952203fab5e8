"""Entries by list, and guests: people without an account whom an organiser enters by name."""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.access import person_of
from aurum_league.common.api.idempotency import answer_once
from aurum_league.common.api.views import operation
from tournaments.api.entrants import find_entrant_of, show_entrant
from tournaments.api.examples import ENTRANT, ENTRY_LINE, ENTRY_LIST, TOURNAMENT
from tournaments.api.running import Organising
from tournaments.api.serializers import EntrantSerializer, TournamentSerializer
from tournaments.selectors.rights import Right, require_own_tournament
from tournaments.services.guests import (
    LONGEST_NAME,
    LONGEST_TEXT,
    LineDeed,
    enter_list,
    plan_list,
    rename_guest,
    undo_list,
)


class ListFormSerializer(serializers.Serializer):
    names = serializers.CharField(
        max_length=LONGEST_TEXT,
        trim_whitespace=False,
        help_text="one a line, or CSV with the name first; @name: a player",
    )


class EntryLineSerializer(serializers.Serializer):
    """What one line of a list would do."""

    number = serializers.IntegerField(read_only=True)
    text = serializers.CharField(read_only=True)
    deed = serializers.ChoiceField([str(one) for one in LineDeed], read_only=True)
    player = serializers.CharField(source="player.slug", read_only=True, allow_null=True, default=None)
    why = serializers.CharField(read_only=True, help_text="why it does nothing; empty elsewhere")


class EntryListSerializer(serializers.Serializer):
    number = serializers.IntegerField(read_only=True, help_text="by which the list can be undone")
    entrants = EntrantSerializer(many=True, read_only=True)


class NameFormSerializer(serializers.Serializer):
    name = serializers.CharField(max_length=LONGEST_NAME)


class TournamentListPreview(Organising):
    @operation(
        id="preview_list",
        summary="What each line of a list would do",
        answer=EntryLineSerializer(many=True),
        example=ENTRY_LINE,
        request=ListFormSerializer,
        request_example={"names": "Anna\nBert\n@agnes"},
        is_once=False,
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = require_own_tournament(slug, request.user, Right.DESK)
        names = self.read_body(request, ListFormSerializer)["names"]
        return Response(EntryLineSerializer(plan_list(tournament=tournament, text=names), many=True).data)


class TournamentLists(Organising):
    @operation(
        id="enter_list",
        summary="Enter everybody of a list",
        answer=EntryListSerializer,
        example=ENTRY_LIST,
        status=201,
        request=ListFormSerializer,
        request_example={"names": "Anna\nBert\n@agnes"},
    )
    @answer_once
    def post(self, request: Request, slug: str) -> Response:
        tournament = require_own_tournament(slug, request.user, Right.DESK)
        names = self.read_body(request, ListFormSerializer)["names"]
        entrants, number = enter_list(tournament_id=tournament.pk, text=names, actor=person_of(request))
        told = EntryListSerializer({"number": number, "entrants": entrants}, context={"request": request})
        return Response(told.data, status=201)


class TournamentListUndo(Organising):
    @operation(
        id="undo_list",
        summary="Take out whom a list entered",
        answer=TournamentSerializer,
        example=TOURNAMENT,
    )
    @answer_once
    def post(self, request: Request, slug: str, number: int) -> Response:
        tournament = require_own_tournament(slug, request.user, Right.DESK)
        undo_list(tournament_id=tournament.pk, number=number, actor=person_of(request))
        return self.show(slug, request)


class GuestName(Organising):
    @operation(
        id="rename_guest",
        summary="Mend the name of a guest",
        answer=EntrantSerializer,
        example=ENTRANT,
        request=NameFormSerializer,
        request_example={"name": "Anna B."},
        is_once=False,
    )
    def put(self, request: Request, slug: str, entrant_id: int) -> Response:
        require_own_tournament(slug, request.user, Right.DESK)
        name = self.read_body(request, NameFormSerializer)["name"]
        entrant = find_entrant_of(slug, entrant_id, request)
        return Response(show_entrant(rename_guest(entrant_id=entrant.pk, name=name, actor=person_of(request)), request))
