"""Teams of two: who they are, making one, and inviting a partner."""

from typing import Any

from django.db.models import Q, QuerySet
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.access import person_of, require_scope
from aurum_league.common.api.idempotency import answer_once
from aurum_league.common.api.views import CharFilter, FilterSet, LeagueList, LeagueView, SparseSerializer, operation
from games.selectors.matches import find_player
from tournaments.api.examples import TEAM
from tournaments.models import Team
from tournaments.selectors.entrants import list_teams, require_team
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
