"""Company by a program: what is said at a table, and a time to meet."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.idempotency import answer_once
from aurum_league.common.api.views import LeagueView, operation
from games.api.matches import require_own_seat
from games.models.lobby import LONGEST_WORD
from games.play.table_state import to_json
from games.selectors.matches import find_match
from games.selectors.sitters import SEAT, find_meeting, read_company
from games.services.company import PHRASES, accept_meeting, propose_meeting, say_phrase, say_text
from games.services.take_back import DEEDS, OWN_BID

MEETING = {"starts_at": "2026-11-20T18:00:00Z", "proposed_by": 0, "agreed": [0], "is_agreed": False}
WORD = {"id": 9, "seat": 0, "phrase": "hello", "text": "", "said_at": "2026-11-18T18:00:00Z"}
COMPANY = {"words": [WORD], "here": [0, 1], "watchers": 3, "meeting": None}


class WordFormSerializer(serializers.Serializer):
    seat = serializers.IntegerField(min_value=0, max_value=3)
    phrase = serializers.ChoiceField(tuple(PHRASES), default="")
    text = serializers.CharField(max_length=LONGEST_WORD, default="", help_text="at unrated tables of friends")


class MeetingFormSerializer(serializers.Serializer):
    seat = serializers.IntegerField(min_value=0, max_value=3)
    starts_at = serializers.DateTimeField()
    accept = serializers.BooleanField(default=False, help_text="agree to this time instead of proposing it")


class TakeBackFormSerializer(serializers.Serializer):
    seat = serializers.IntegerField(min_value=0, max_value=3)
    do = serializers.ChoiceField(
        tuple(DEEDS),
        default=OWN_BID,
        help_text="your unseen bid; ask for your last decision; allow or refuse what somebody asks",
    )


class MatchWords(LeagueView):
    scope = "play"

    @operation(
        id="say",
        summary="Say something at your table",
        description="A phrase by its code, which everybody reads in their own language, or a free text among friends.",
        answer=OpenApiTypes.OBJECT,
        example=COMPANY,
        request=WordFormSerializer,
        request_example={"seat": 0, "phrase": "hello"},
    )
    @answer_once
    def post(self, request: Request, match_id: int) -> Response:
        sent = self.read_body(request, WordFormSerializer)
        seat = sent["seat"]
        require_own_seat(find_match(match_id, request.user), seat, request)
        if sent["text"]:
            say_text(match_id=match_id, seat=seat, text=sent["text"])
        else:
            say_phrase(match_id=match_id, seat=seat, phrase=sent["phrase"])
        return Response(to_json(read_company(match_id, who=f"{SEAT}{seat}")))


class MatchMeeting(LeagueView):
    scope = "play"

    @operation(
        id="meet",
        summary="Propose a time to meet for a match of people, or accept it",
        answer=OpenApiTypes.OBJECT,
        example=MEETING,
        request=MeetingFormSerializer,
        request_example={"seat": 0, "starts_at": "2026-11-20T18:00:00Z"},
    )
    @answer_once
    def post(self, request: Request, match_id: int) -> Response:
        sent: dict[str, Any] = self.read_body(request, MeetingFormSerializer)
        require_own_seat(find_match(match_id, request.user), sent["seat"], request)
        change = accept_meeting if sent["accept"] else propose_meeting
        change(match_id=match_id, seat=sent["seat"], starts_at=sent["starts_at"])
        return Response(to_json(find_meeting(match_id)))


class MatchTakeBack(LeagueView):
    scope = "play"

    @operation(
        id="take_back",
        summary="Take a decision back",
        description="Your bid while others have yet to bid; at casual tables that are not rated your last decision,"
        " once all people allow it.",
        answer=OpenApiTypes.OBJECT,
        example={"seat": 0},
        request=TakeBackFormSerializer,
        request_example={"seat": 0, "do": "ask"},
    )
    @answer_once
    def post(self, request: Request, match_id: int) -> Response:
        sent = self.read_body(request, TakeBackFormSerializer)
        seat = sent["seat"]
        require_own_seat(find_match(match_id, request.user), seat, request)
        DEEDS[sent["do"]](match_id=match_id, seat=seat)
        return Response({"seat": seat})
