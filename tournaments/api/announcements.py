"""Announcements by a program: those of an event, in the language asked for, and a new one."""

from typing import Any

from django.utils.translation import get_language
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.access import person_of
from aurum_league.common.api.idempotency import answer_once
from aurum_league.common.api.views import LeagueView, operation
from tournaments.api.examples import ANNOUNCEMENT
from tournaments.models import Announcement, Audience
from tournaments.selectors.leagues import list_announcements, list_public_announcements, say_announcement
from tournaments.selectors.rights import Right, has_right, require_own_tournament, require_tournament
from tournaments.services.announcements import LONGEST_TEXT, LONGEST_TITLE, announce

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
