"""Results from real tables by a program: score sheets reported, confirmed, disputed, or entered by the desk."""

from collections.abc import Callable
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.access import person_of
from aurum_league.common.api.idempotency import answer_once
from aurum_league.common.api.views import LeagueView, operation
from aurum_league.common.errors import N_, LeagueError
from games.rules.score_sheet import MOST_ROUNDS
from tournaments.api.examples import SCORE_SHEET, TOURNAMENT
from tournaments.api.running import Organising
from tournaments.api.serializers import TournamentSerializer
from tournaments.models import ScoreSheet, SheetState
from tournaments.selectors.desk import find_desk_match, list_sheets
from tournaments.selectors.rights import Right, has_right, require_own_tournament, require_tournament
from tournaments.selectors.standings import has_match
from tournaments.services.sheets import (
    Sheet,
    accept_sheet,
    confirm_sheet,
    dispute_result,
    dispute_sheet,
    enter_sheet,
    read_rounds,
    take_back_sheet,
    write_sheet,
)
from tournaments.services.timetable import postpone_table

ANSWERS = ("confirm", "dispute", "take-back", "accept")


class SheetLineSerializer(serializers.Serializer):
    bid = serializers.IntegerField(min_value=0, max_value=20)
    tricks = serializers.IntegerField(min_value=0, max_value=60)
    gold = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=8), max_length=15, required=False, default=list
    )


class SheetFormSerializer(serializers.Serializer):
    match = serializers.IntegerField(min_value=1, max_value=2**62)
    rounds = serializers.ListField(
        child=serializers.ListField(child=SheetLineSerializer(), max_length=3),
        max_length=MOST_ROUNDS,
        required=False,
        default=list,
        help_text="round by round a line for each side; left out where only places are given",
    )
    lots = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=2),
        max_length=3,
        required=False,
        default=list,
        help_text="sides in the order of lots at the table, where golden rounds part nobody",
    )
    places = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=3), max_length=3, required=False, default=list
    )
    reason = serializers.CharField(
        max_length=400, required=False, allow_blank=True, default="", help_text="at the desk only"
    )
    dispute = serializers.CharField(
        max_length=400,
        required=False,
        allow_blank=True,
        default="",
        help_text="instead of rounds and places: what was otherwise in a result that counts already",
    )


class SheetAnswerFormSerializer(serializers.Serializer):
    answer = serializers.ChoiceField(ANSWERS)
    note = serializers.CharField(max_length=400, required=False, allow_blank=True, default="")


class ScoreSheetSerializer(serializers.ModelSerializer):
    match = serializers.IntegerField(source="match_id", read_only=True)
    by = serializers.CharField(source="by.username", read_only=True, allow_null=True, default=None)
    state = serializers.ChoiceField(SheetState.choices, read_only=True)
    places = serializers.ListField(child=serializers.IntegerField(), read_only=True)

    class Meta:
        model = ScoreSheet
        fields = ("id", "match", "by", "seat", "state", "places", "note", "created_at")
        read_only_fields = fields


class TournamentSheets(LeagueView):
    scope = "play"
    other_scopes = ("organise",)
    is_private = True

    @operation(
        id="list_sheets",
        summary="What players reported from real tables, newest first",
        answer=ScoreSheetSerializer(many=True),
        example=SCORE_SHEET,
    )
    def get(self, request: Request, slug: str) -> Response:
        """The desk sees all of them, a player those of their own tables."""
        tournament = require_tournament(slug, request.user)
        person = None if has_right(request.user, tournament, Right.LOOK) else person_of(request)
        return Response(ScoreSheetSerializer(list_sheets(tournament, person), many=True).data)

    @operation(
        id="write_sheet",
        summary="Report a result from a real table by its score sheet, or dispute one that counts",
        description=(
            "By somebody who sits there: it counts once another side confirms it. By the desk, with a `reason`: it "
            "counts at once, as a further version where there is a result. With `dispute`, by somebody who sits there: "
            "the result counts on until the desk has decided, by a further sheet or by accepting what stands."
        ),
        answer=ScoreSheetSerializer,
        example=SCORE_SHEET,
        status=201,
        request=SheetFormSerializer,
        request_example={"match": 4711, "places": [1, 2, 3]},
    )
    @answer_once
    def post(self, request: Request, slug: str) -> Response:
        tournament = require_tournament(slug, request.user)
        sent = self.read_body(request, SheetFormSerializer)
        if not has_match(tournament, sent["match"]):
            raise LeagueError(
                "no_match", N_("Match %(number)s belongs to no tournament."), status=404, number=sent["match"]
            )
        sheet = _read_sheet(sent)
        if sent["dispute"]:
            report = dispute_result(match_id=sent["match"], user=person_of(request), note=sent["dispute"])
        elif sent["reason"]:
            require_own_tournament(slug, request.user, Right.RESULTS)
            report = enter_sheet(match_id=sent["match"], sheet=sheet, reason=sent["reason"], actor=person_of(request))
        else:
            report = write_sheet(match_id=sent["match"], user=person_of(request), sheet=sheet)
        return Response(ScoreSheetSerializer(report).data, status=201)


def _read_sheet(sent: dict[str, Any]) -> Sheet:
    rounds = [[(line["bid"], line["tricks"], line["gold"]) for line in lines] for lines in sent["rounds"]]
    return Sheet(read_rounds(rounds), tuple(sent["lots"]), tuple(sent["places"]))


class TournamentSheetAnswer(LeagueView):
    scope = "play"
    other_scopes = ("organise",)

    @operation(
        id="answer_sheet",
        summary="Confirm, dispute, take back or, at the desk, accept a reported result",
        answer=ScoreSheetSerializer,
        example=SCORE_SHEET,
        request=SheetAnswerFormSerializer,
        request_example={"answer": "confirm"},
    )
    @answer_once
    def post(self, request: Request, slug: str, sheet_id: int) -> Response:
        tournament = require_tournament(slug, request.user)
        user = person_of(request)
        sent = self.read_body(request, SheetAnswerFormSerializer)
        if not any(one.pk == sheet_id for one in list_sheets(tournament, None)):
            raise LeagueError("no_sheet", N_("There is no report %(number)s."), status=404, number=sheet_id)
        if sent["answer"] == "accept":
            require_own_tournament(slug, request.user, Right.RESULTS)
        deeds: dict[str, Callable[[], ScoreSheet]] = {
            "confirm": lambda: confirm_sheet(sheet_id=sheet_id, user=user),
            "dispute": lambda: dispute_sheet(sheet_id=sheet_id, user=user, note=sent["note"]),
            "take-back": lambda: take_back_sheet(sheet_id=sheet_id, user=user),
            "accept": lambda: accept_sheet(sheet_id=sheet_id, actor=user, reason=sent["note"]),
        }
        return Response(ScoreSheetSerializer(deeds[sent["answer"]]()).data)


class PostponeFormSerializer(serializers.Serializer):
    match = serializers.IntegerField(min_value=1, max_value=2**62, help_text="any match of the table")
    until = serializers.DateTimeField()
    reason = serializers.CharField(max_length=400, required=False, allow_blank=True, default="")


class TournamentPostponements(Organising):
    @operation(
        id="postpone_table",
        summary="Have a table that nobody has begun played later",
        description="Everybody at it is told; the time to meet lasts until then at least.",
        answer=TournamentSerializer,
        example=TOURNAMENT,
        request=PostponeFormSerializer,
        request_example={"match": 4711, "until": "2026-11-21T19:00:00Z"},
    )
    @answer_once
    def post(self, request: Request, slug: str) -> Response:
        tournament = require_own_tournament(slug, request.user, Right.RESULTS)
        sent = self.read_body(request, PostponeFormSerializer)
        link = find_desk_match(tournament, sent["match"])
        if link is None:
            sentence = N_("Match %(number)s belongs to no tournament.")
            raise LeagueError("no_match", sentence, status=404, number=sent["match"])
        about: dict[str, Any] = {"until": sent["until"], "reason": sent["reason"], "actor": person_of(request)}
        postpone_table(fixture_id=link.fixture_id, **about)
        return self.show(slug, request)
