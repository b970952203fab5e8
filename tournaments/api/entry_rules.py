"""Rules of entry by a program: code, range of ratings, invitation, questions; and what people answered."""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.access import person_of
from aurum_league.common.api.idempotency import answer_once
from aurum_league.common.api.views import LeagueView, operation
from games.selectors.matches import find_player
from tournaments.api.examples import ENTRY_ANSWERS, ENTRY_RULES
from tournaments.selectors.entrants import list_answers
from tournaments.selectors.rights import Right, require_own_tournament
from tournaments.services.entry_rules import (
    LONGEST_CODE,
    LONGEST_QUESTION,
    MOST_QUESTIONS,
    EntryRules,
    invite_players,
    read_entry_rules,
    set_entry_rules,
)

MOST_AT_ONCE = 100


class EntryRulesFormSerializer(serializers.Serializer):
    """What keeps people from entering by themselves; left out: no rule."""

    code = serializers.CharField(max_length=LONGEST_CODE, required=False, allow_blank=True, default="")
    least = serializers.IntegerField(
        min_value=-10_000, max_value=10_000, required=False, allow_null=True, default=None, help_text="rating"
    )
    most = serializers.IntegerField(
        min_value=-10_000, max_value=10_000, required=False, allow_null=True, default=None, help_text="rating"
    )
    is_by_invitation = serializers.BooleanField(default=False, help_text="only who is invited")
    questions = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_QUESTION),
        max_length=MOST_QUESTIONS,
        required=False,
        default=list,
    )


class EntryRulesSerializer(serializers.Serializer):
    code = serializers.CharField(read_only=True)
    least = serializers.IntegerField(read_only=True, allow_null=True)
    most = serializers.IntegerField(read_only=True, allow_null=True)
    is_by_invitation = serializers.BooleanField(read_only=True)
    questions = serializers.ListField(child=serializers.CharField(), read_only=True)
    invited = serializers.SerializerMethodField(help_text="how many are invited")

    def get_invited(self, rules: EntryRules) -> int:
        return len(rules.invited)


class InvitedFormSerializer(serializers.Serializer):
    players = serializers.ListField(child=serializers.CharField(max_length=100), max_length=MOST_AT_ONCE)


class EntryAnswersSerializer(serializers.Serializer):
    entrant = serializers.IntegerField(source="id", read_only=True)
    name = serializers.CharField(source="player.name", read_only=True)
    answers = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField()), read_only=True, help_text="question and answer"
    )


class TournamentEntryRules(LeagueView):
    scope = "organise"
    is_private = True

    @operation(
        id="read_entry_rules",
        summary="Who may enter by themselves",
        answer=EntryRulesSerializer,
        example=ENTRY_RULES,
    )
    def get(self, request: Request, slug: str) -> Response:
        tournament = require_own_tournament(slug, request.user, Right.LOOK)
        return Response(EntryRulesSerializer(read_entry_rules(tournament)).data)

    @operation(
        id="set_entry_rules",
        summary="Say who may enter by themselves, and what they are asked",
        description="The desk enters whom it likes, and who is invited needs neither code nor rating.",
        answer=EntryRulesSerializer,
        example=ENTRY_RULES,
        request=EntryRulesFormSerializer,
        request_example={"code": "gold", "questions": ["Do you bring cards?"]},
        is_once=False,
    )
    def put(self, request: Request, slug: str) -> Response:
        tournament = require_own_tournament(slug, request.user)
        sent = self.read_body(request, EntryRulesFormSerializer)
        rules = set_entry_rules(tournament_id=tournament.pk, actor=person_of(request), **sent)
        return Response(EntryRulesSerializer(rules).data)


class TournamentInvitations(LeagueView):
    scope = "organise"

    @operation(
        id="invite_players",
        summary="Invite players, who are told",
        answer=EntryRulesSerializer,
        example=ENTRY_RULES,
        request=InvitedFormSerializer,
        request_example={"players": ["agnes", "boris"]},
    )
    @answer_once
    def post(self, request: Request, slug: str) -> Response:
        tournament = require_own_tournament(slug, request.user)
        players = [find_player(name) for name in self.read_body(request, InvitedFormSerializer)["players"]]
        invite_players(tournament_id=tournament.pk, players=players, actor=person_of(request))
        return Response(EntryRulesSerializer(read_entry_rules(require_own_tournament(slug, request.user))).data)


class TournamentAnswers(LeagueView):
    scope = "organise"
    is_private = True

    @operation(
        id="list_answers",
        summary="What entrants answered to the organiser's questions",
        answer=EntryAnswersSerializer(many=True),
        example=ENTRY_ANSWERS,
    )
    def get(self, request: Request, slug: str) -> Response:
        tournament = require_own_tournament(slug, request.user, Right.LOOK)
        return Response(EntryAnswersSerializer(list_answers(tournament), many=True).data)
