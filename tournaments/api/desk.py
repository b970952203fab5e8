"""The organiser's desk by a program: who helps, whether an event is listed, handing it over, and announcements."""

from typing import Any

from django.utils.translation import get_language
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.access import person_of
from aurum_league.common.api.idempotency import answer_once
from aurum_league.common.api.views import LeagueView, operation
from tournaments.api.examples import ANNOUNCEMENT, HELPER, INVITATION, TOURNAMENT
from tournaments.api.running import Organising
from tournaments.api.serializers import TournamentSerializer
from tournaments.models import Announcement, Audience, Role
from tournaments.selectors.desk import list_helpers
from tournaments.selectors.leagues import list_announcements, list_public_announcements, say_announcement
from tournaments.selectors.rights import Right, has_right, require_own_tournament, require_owner, require_tournament
from tournaments.services.announcements import LONGEST_TEXT, LONGEST_TITLE, announce, drop_announcement
from tournaments.services.leagues import set_unlisted
from tournaments.services.roles import hand_over, invite_helper, join_as_helper, remove_helper


class HelperSerializer(serializers.Serializer):
    id = serializers.IntegerField(source="pk", read_only=True)
    user = serializers.CharField(source="user.username", read_only=True)
    role = serializers.ChoiceField(Role.choices, read_only=True)
    for_league = serializers.SerializerMethodField(help_text="for every tournament of the league")

    def get_for_league(self, helper: object) -> bool:
        return getattr(helper, "league_id", None) is not None


class InviteFormSerializer(serializers.Serializer):
    role = serializers.ChoiceField(Role.choices)
    for_league = serializers.BooleanField(default=False, help_text="for every tournament of its league")


class HelperInvitationSerializer(serializers.Serializer):
    invitation = serializers.CharField(help_text="send it to whoever is to help; it holds for two weeks")


class HeirFormSerializer(serializers.Serializer):
    username = serializers.CharField(max_length=150, help_text="who helps with everything already")


class ListingFormSerializer(serializers.Serializer):
    is_unlisted = serializers.BooleanField(help_text="in no list, search or calendar")


class TournamentHelpers(Organising):
    is_private = True

    @operation(id="list_helpers", summary="Who helps", answer=HelperSerializer(many=True), example=HELPER)
    def get(self, request: Request, slug: str) -> Response:
        tournament = require_own_tournament(slug, request.user, Right.LOOK)
        return Response(HelperSerializer(list_helpers(tournament), many=True).data)

    @operation(
        id="invite_helper",
        summary="Invite somebody to help",
        description="Nothing is stored until they say yes by POST to /helper-memberships.",
        answer=HelperInvitationSerializer,
        example=INVITATION,
        request=InviteFormSerializer,
        request_example={"role": "results"},
        is_once=False,
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = require_owner(slug, request.user)
        sent = self.read_body(request, InviteFormSerializer)
        text = invite_helper(tournament=tournament, inviter=person_of(request), **sent)
        return Response({"invitation": text})


class TournamentHelper(Organising):
    @operation(
        id="remove_helper", summary="Let somebody help no longer", answer=TournamentSerializer, example=TOURNAMENT
    )
    @answer_once
    def delete(self, request: Request, slug: str, helper_id: int) -> Response:
        tournament = require_owner(slug, request.user)
        remove_helper(tournament_id=tournament.pk, helper_id=helper_id, actor=person_of(request))
        return self.show(slug, request)


class HelperMemberships(LeagueView):
    scope = "organise"

    @operation(
        id="join_as_helper",
        summary="Say yes to an invitation to help",
        answer=HelperSerializer,
        example=HELPER,
        status=201,
        request=HelperInvitationSerializer,
        request_example=INVITATION,
    )
    @answer_once
    def post(self, request: Request) -> Response:
        text = self.read_body(request, HelperInvitationSerializer)["invitation"]
        helper = join_as_helper(invitation=text, user=person_of(request))
        return Response(HelperSerializer(helper).data, status=201)


class TournamentHandOver(Organising):
    @operation(
        id="hand_over",
        summary="Give a tournament to somebody else",
        answer=TournamentSerializer,
        example=TOURNAMENT,
        request=HeirFormSerializer,
        request_example={"username": "agnes"},
    )
    @answer_once
    def post(self, request: Request, slug: str) -> Response:
        tournament = require_owner(slug, request.user)
        sent = self.read_body(request, HeirFormSerializer)
        hand_over(tournament_id=tournament.pk, username=sent["username"], actor=person_of(request))
        return self.show(slug, request)


class TournamentListing(Organising):
    @operation(
        id="set_listing",
        summary="Take a tournament out of the lists, or back",
        answer=TournamentSerializer,
        example=TOURNAMENT,
        request=ListingFormSerializer,
        request_example={"is_unlisted": True},
        is_once=False,
    )
    def put(self, request: Request, slug: str) -> Response:
        tournament = require_owner(slug, request.user)
        sent = self.read_body(request, ListingFormSerializer)
        set_unlisted(tournament_id=tournament.pk, actor=person_of(request), **sent)
        return self.show(slug, request)


MOST_SHOWN = 30


class AnnouncementTextSerializer(serializers.Serializer):
    title = serializers.CharField(max_length=LONGEST_TITLE)
    text = serializers.CharField(max_length=LONGEST_TEXT)


class AnnouncementFormSerializer(serializers.Serializer):
    texts = serializers.DictField(child=AnnouncementTextSerializer(), help_text="by language: en, de, fr, ru")
    audience = serializers.ChoiceField(Audience.choices, required=False, default=Audience.ENTRANTS.value)
    table = serializers.IntegerField(min_value=1, max_value=10_000, required=False, allow_null=True, default=None)
    due_at = serializers.DateTimeField(required=False, allow_null=True, default=None, help_text="not before; null: now")


class AnnouncementSerializer(serializers.ModelSerializer):
    title = serializers.SerializerMethodField()
    text = serializers.SerializerMethodField()
    audience = serializers.ChoiceField(Audience.choices, read_only=True)

    class Meta:
        model = Announcement
        fields = ("id", "title", "text", "audience", "table", "due_at", "told_at", "people")
        read_only_fields = fields

    def get_title(self, one: Announcement) -> str:
        return say_announcement(one, get_language() or "")["title"]

    def get_text(self, one: Announcement) -> str:
        return say_announcement(one, get_language() or "")["text"]


class TournamentAnnouncements(LeagueView):
    scope = "organise"

    @operation(
        id="list_announcements",
        summary="What was announced at a tournament, newest first",
        description="Everybody reads what went to all entrants; the desk all of it, what is not due yet too.",
        answer=AnnouncementSerializer(many=True),
        example=ANNOUNCEMENT,
    )
    def get(self, request: Request, slug: str) -> Response:
        tournament = require_tournament(slug, request.user)
        is_desk = has_right(request.user, tournament, Right.LOOK)
        rows = list_announcements(tournament) if is_desk else list_public_announcements(tournament, MOST_SHOWN)
        return Response(AnnouncementSerializer(rows, many=True).data)

    @operation(
        id="announce",
        summary="Tell entrants something, now or at a time",
        answer=AnnouncementSerializer,
        example=ANNOUNCEMENT,
        status=201,
        request=AnnouncementFormSerializer,
        request_example={"texts": {"en": {"title": "Break", "text": "We go on at eight."}}},
    )
    @answer_once
    def post(self, request: Request, slug: str) -> Response:
        tournament = require_own_tournament(slug, request.user)
        sent: dict[str, Any] = self.read_body(request, AnnouncementFormSerializer)
        made = announce(tournament_id=tournament.pk, actor=person_of(request), **sent)
        return Response(AnnouncementSerializer(made).data, status=201)


class TournamentAnnouncement(Organising):
    @operation(
        id="drop_announcement",
        summary="Drop an announcement that nobody has been told yet",
        answer=TournamentSerializer,
        example=TOURNAMENT,
    )
    @answer_once
    def delete(self, request: Request, slug: str, announcement_id: int) -> Response:
        tournament = require_own_tournament(slug, request.user)
        about = {"tournament_id": tournament.pk, "announcement_id": announcement_id}
        drop_announcement(**about, actor=person_of(request))
        return self.show(slug, request)
