"""Entrants beside single players: teams of two, entries by list, and guests whom an organiser enters by name."""

from typing import Any

from django.db.models import Q, QuerySet
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.access import person_of, require_scope
from aurum_league.common.api.idempotency import answer_once
from aurum_league.common.api.views import CharFilter, FilterSet, LeagueList, LeagueView, SparseSerializer, operation
from games.selectors.matches import find_player
from tournaments.api.entrants import find_entrant_of, show_entrant
from tournaments.api.examples import ENTRANT, ENTRY_LINE, ENTRY_LIST, TEAM, TOURNAMENT
from tournaments.api.running import Organising
from tournaments.api.serializers import EntrantSerializer, TournamentSerializer
from tournaments.models import Team
from tournaments.selectors.entrants import list_teams, require_team
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
from tournaments.services.self_entry import create_team, invite_partner, join_team

LONGEST_INVITATION = 400


class TeamSerializer(SparseSerializer, serializers.ModelSerializer):
    slug = serializers.CharField(source="player.slug", read_only=True, help_text="enters tournaments as this player")
    name = serializers.CharField(source="player.name", read_only=True)
    members = serializers.SerializerMethodField(help_text="slugs of both players")
    created_by = serializers.CharField(source="created_by.username", read_only=True)
    created_at = serializers.DateTimeField(source="player.created_at", read_only=True)

    class Meta:
        model = Team
        fields = ("slug", "name", "members", "created_by", "created_at")
        read_only_fields = fields

    def get_members(self, team: Team) -> list[str]:
        return [team.first.slug, team.second.slug]


class TeamFormSerializer(serializers.Serializer):
    name = serializers.CharField(max_length=40)
    members = serializers.ListField(
        child=serializers.SlugField(max_length=60),
        min_length=2,
        max_length=2,
        help_text="players of yours; any for an organiser",
    )


class InvitationFormSerializer(serializers.Serializer):
    name = serializers.CharField(max_length=40, help_text="of the team")


class InvitationSerializer(serializers.Serializer):
    invitation = serializers.CharField(max_length=LONGEST_INVITATION, help_text="good for fourteen days")


class TeamFilter(FilterSet):
    member = CharFilter(method="filter_member", help_text="slug of a player")

    class Meta:
        model = Team
        fields = ("member",)

    def filter_member(self, teams: QuerySet[Team], name: str, slug: str) -> QuerySet[Team]:
        return teams.filter(Q(first__slug=slug) | Q(second__slug=slug))


class Teams(LeagueList):
    scope = "play"
    other_scopes = ("organise",)
    serializer_class = TeamSerializer
    filterset_class = TeamFilter

    def get_queryset(self) -> QuerySet[Team]:
        return list_teams()

    @operation(id="list_teams", summary="Teams of two", answer=TeamSerializer(many=True), example=TEAM)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.list(request)

    @operation(
        id="create_team",
        summary="Make a team of two players",
        description="Of players of your own; an organiser may name anybody's. People invite each other instead.",
        answer=TeamSerializer,
        example=TEAM,
        status=201,
        request=TeamFormSerializer,
        request_example={"name": "Base Metals", "members": ["alchemist", "assayer"]},
    )
    @answer_once
    def post(self, request: Request) -> Response:
        sent = self.read_body(request, TeamFormSerializer)
        first, second = (find_player(slug) for slug in sent["members"])
        if any(member.owner_id != request.user.pk for member in (first, second)):
            require_scope(request, "organise")
        team = create_team(name=sent["name"], members=(first, second), creator=person_of(request))
        return Response(_show(team, request), status=201)


class TeamDetail(LeagueView):
    @operation(id="read_team", summary="One team", answer=TeamSerializer, example=TEAM)
    def get(self, request: Request, slug: str) -> Response:
        return Response(_show(require_team(slug), request))


class TeamInvitations(LeagueView):
    scope = "play"

    @operation(
        id="invite_partner",
        summary="Invite a person to be your partner",
        description="Give the text to one person: whoever sends it as a membership first is your partner.",
        answer=InvitationSerializer,
        example={"invitation": "eyJuYW1lIjoi…"},
        status=201,
        request=InvitationFormSerializer,
        request_example={"name": "Base Metals"},
    )
    @answer_once
    def post(self, request: Request) -> Response:
        sent = self.read_body(request, InvitationFormSerializer)
        text = invite_partner(name=sent["name"], user=person_of(request))
        return Response({"invitation": text}, status=201)


class TeamMemberships(LeagueView):
    scope = "play"

    @operation(
        id="join_team",
        summary="Become the partner of the person who invited you",
        answer=TeamSerializer,
        example=TEAM,
        status=201,
        request=InvitationSerializer,
        request_example={"invitation": "eyJuYW1lIjoi…"},
    )
    @answer_once
    def post(self, request: Request) -> Response:
        sent = self.read_body(request, InvitationSerializer)
        team = join_team(invitation=sent["invitation"], user=person_of(request))
        return Response(_show(team, request), status=201)


def _show(team: Team, request: Request) -> dict[str, Any]:
    return TeamSerializer(team, context={"request": request}).data


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
