"""Entrants: who takes part; entering, checking in, leaving, being replaced; house bots, and who is kept apart."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.access import person_of, require_scope
from aurum_league.common.api.idempotency import answer_once
from aurum_league.common.api.views import ChoiceFilter, FilterSet, LeagueList, LeagueView, operation
from aurum_league.common.errors import LeagueError
from bots.brains import BRAINS
from games.api.serializers import contribution_field
from games.selectors.matches import find_player
from tournaments.api.examples import CHECK_IN, CONFLICT, ENTRANT, TOURNAMENT
from tournaments.api.running import Organising, PairFormSerializer
from tournaments.api.serializers import EntrantSerializer, TournamentSerializer
from tournaments.models import Entrant, EntrantState, Tournament
from tournaments.selectors.desk import list_conflicts
from tournaments.selectors.entrants import CheckIn, is_own_player, list_entrants, read_check_in
from tournaments.selectors.rights import Right, require_own_tournament, require_tournament
from tournaments.services.entries import (
    disqualify_entrant,
    enter_late,
    enter_now,
    enter_player,
    replace_entrant,
    withdraw_entrant,
)
from tournaments.services.field import (
    allow_meeting,
    check_in_entrant,
    check_in_many,
    close_check_in,
    ensure_house_players,
    keep_apart,
    set_check_in_end,
)
from tournaments.services.self_entry import enter_own_player


class EntryFormSerializer(serializers.Serializer):
    player = serializers.SlugField(max_length=60, help_text="a player of yours; any player for the organiser")
    is_late = serializers.BooleanField(default=False, help_text="while it plays; the organiser's alone")
    agrees = serializers.BooleanField(default=False, help_text="a person agrees to be rated against bots")
    contribution = contribution_field()
    code = serializers.CharField(max_length=40, required=False, allow_blank=True, default="", help_text="of the event")
    answers = serializers.ListField(
        child=serializers.CharField(max_length=200),
        max_length=5,
        required=False,
        default=list,
        help_text="to the organiser's questions, in their order",
    )


class ReasonFormSerializer(serializers.Serializer):
    reason = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")


class ReplacementFormSerializer(ReasonFormSerializer):
    player = serializers.SlugField(max_length=60, help_text="who takes over")


class EntrantFilter(FilterSet):
    state = ChoiceFilter(choices=EntrantState.choices)

    class Meta:
        model = Entrant
        fields = ("state",)


class EntrantList(LeagueList):
    scope = "play"
    other_scopes = ("organise",)
    queryset = Entrant.objects.none()
    serializer_class = EntrantSerializer
    filterset_class = EntrantFilter
    orderings = ("entered_at", "id")

    @operation(id="list_entrants", summary="Entrants", answer=EntrantSerializer(many=True), example=ENTRANT)
    def get(self, request: Request, slug: str) -> Response:
        return self.show_page(list_entrants(require_tournament(slug, request.user)))

    @operation(
        id="enter",
        summary="Enter a player",
        description=(
            "A full tournament puts it on the waiting list. Who is in already stays as it is, but can still contribute."
            " The answer shows the contribution that was taken: none where the seed stands, or the beacon is out."
        ),
        answer=EntrantSerializer,
        example=ENTRANT,
        status=201,
        request=EntryFormSerializer,
        request_example={"player": "house-counting"},
    )
    @answer_once
    def post(self, request: Request, slug: str) -> Response:
        sent = self.read_body(request, EntryFormSerializer)
        tournament = require_tournament(slug, request.user)
        player = find_player(sent["player"])
        person = person_of(request)
        if not sent["is_late"] and is_own_player(player, person.pk):
            given = {name: sent[name] for name in ("agrees", "contribution", "code", "answers")}
            entrant = enter_own_player(tournament=tournament, player=player, user=person, **given)
        else:
            _require_charge(tournament, request)
            enter = enter_late if sent["is_late"] else enter_player
            entrant = enter(tournament_id=tournament.id, player=player, actor=person)
        return Response(show_entrant(entrant, request), status=201)


class EntrantDetail(LeagueView):
    @operation(id="read_entrant", summary="One entrant", answer=EntrantSerializer, example=ENTRANT)
    def get(self, request: Request, slug: str, entrant_id: int) -> Response:
        return Response(show_entrant(find_entrant_of(slug, entrant_id, request), request))


class EntrantCheckIn(LeagueView):
    scope = "play"
    other_scopes = ("organise",)

    @operation(
        id="check_in",
        summary="Say that an entrant is there",
        answer=EntrantSerializer,
        example=ENTRANT,
        is_once=True,
    )
    @answer_once
    def post(self, request: Request, slug: str, entrant_id: int) -> Response:
        entrant = _find_own(slug, entrant_id, request)
        at_desk = not is_own_player(entrant.player, request.user.pk)
        checked = check_in_entrant(entrant_id=entrant.id, actor=person_of(request), at_desk=at_desk)
        return Response(show_entrant(checked, request))


class EntrantWithdrawal(LeagueView):
    scope = "play"
    other_scopes = ("organise",)

    @operation(
        id="withdraw",
        summary="Take an entrant out",
        description="What it has played stays; tables that nobody has begun become void.",
        answer=EntrantSerializer,
        example={**ENTRANT, "state": "withdrawn"},
        request=ReasonFormSerializer,
        request_example={"reason": "ill"},
    )
    @answer_once
    def post(self, request: Request, slug: str, entrant_id: int) -> Response:
        reason = self.read_body(request, ReasonFormSerializer)["reason"]
        entrant = _find_own(slug, entrant_id, request)
        return Response(
            show_entrant(withdraw_entrant(entrant_id=entrant.id, actor=person_of(request), reason=reason), request)
        )


class EntrantDisqualification(LeagueView):
    scope = "organise"

    @operation(
        id="disqualify",
        summary="Take an entrant out against its will",
        answer=EntrantSerializer,
        example={**ENTRANT, "state": "disqualified"},
        request=ReasonFormSerializer,
        request_example={"reason": "two accounts"},
    )
    @answer_once
    def post(self, request: Request, slug: str, entrant_id: int) -> Response:
        require_own_tournament(slug, request.user, Right.DESK)
        reason = self.read_body(request, ReasonFormSerializer)["reason"]
        entrant = find_entrant_of(slug, entrant_id, request)
        return Response(
            show_entrant(disqualify_entrant(entrant_id=entrant.id, actor=person_of(request), reason=reason), request)
        )


class EntrantReplacement(LeagueView):
    scope = "organise"

    @operation(
        id="replace",
        summary="Let another player take over",
        answer=EntrantSerializer,
        example=ENTRANT,
        request=ReplacementFormSerializer,
        request_example={"player": "house-greedy", "reason": "moved away"},
    )
    @answer_once
    def post(self, request: Request, slug: str, entrant_id: int) -> Response:
        require_own_tournament(slug, request.user, Right.DESK)
        sent = self.read_body(request, ReplacementFormSerializer)
        entrant = find_entrant_of(slug, entrant_id, request)
        replaced = replace_entrant(
            entrant_id=entrant.id, player=find_player(sent["player"]), actor=person_of(request), reason=sent["reason"]
        )
        return Response(show_entrant(replaced, request))


def find_entrant_of(slug: str, entrant_id: int, request: Request) -> Entrant:
    tournament = require_tournament(slug, request.user)
    entrant = list_entrants(tournament).filter(pk=entrant_id).first()
    if entrant is None:
        raise LeagueError("no_entrant", "There is no entrant %(number)s.", status=404, number=entrant_id)
    return entrant


def _find_own(slug: str, entrant_id: int, request: Request) -> Entrant:
    """An entrant that is the asker's own, or in a tournament that is theirs to run."""
    entrant = find_entrant_of(slug, entrant_id, request)
    if not is_own_player(entrant.player, request.user.pk):
        _require_charge(entrant.tournament, request)
    return entrant


def _require_charge(tournament: Tournament, request: Request) -> None:
    require_own_tournament(tournament.slug, request.user, Right.DESK)
    require_scope(request, "organise")


def show_entrant(entrant: Entrant, request: Request) -> dict[str, Any]:
    return EntrantSerializer(entrant, context={"request": request}).data


MOST_HOUSE = 24
NO_CHECK_IN = CheckIn(0, 0, None, None, is_open=False, is_to_come=False)


class HouseFormSerializer(serializers.Serializer):
    brain = serializers.ChoiceField([brain.name for brain in BRAINS])
    count = serializers.IntegerField(min_value=1, max_value=MOST_HOUSE, help_text="how many of it in all")


class CheckInFormSerializer(serializers.Serializer):
    ends_at = serializers.DateTimeField(allow_null=True, help_text="null for no end")


class ConflictSerializer(serializers.Serializer):
    first = serializers.IntegerField(source="first_id", read_only=True, help_text="an entrant")
    second = serializers.IntegerField(source="second_id", read_only=True, help_text="another")
    reason = serializers.CharField(read_only=True)


class TournamentHouseBots(LeagueView):
    scope = "organise"

    @operation(
        id="enter_house_bots",
        summary="Enter house bots",
        description="So many of one brain; those who are in already are counted.",
        answer=EntrantSerializer(many=True),
        example=ENTRANT,
        status=201,
        request=HouseFormSerializer,
        request_example={"brain": "greedy", "count": 3},
    )
    @answer_once
    def post(self, request: Request, slug: str) -> Response:
        tournament = require_own_tournament(slug, request.user, Right.DESK)
        sent = self.read_body(request, HouseFormSerializer)
        players = ensure_house_players({sent["brain"]: sent["count"]})
        entrants = enter_now(tournament=tournament, players=players, actor=person_of(request))
        return Response(EntrantSerializer(entrants, many=True, context={"request": request}).data, status=201)


class TournamentCheckInEnd(Organising):
    @operation(
        id="set_check_in_end",
        summary="Say until when entrants can check in",
        answer=TournamentSerializer,
        example=TOURNAMENT,
        request=CheckInFormSerializer,
        request_example={"ends_at": "2026-11-16T09:00:00Z"},
        is_once=False,
    )
    def put(self, request: Request, slug: str) -> Response:
        tournament = require_own_tournament(slug, request.user, Right.DESK)
        ends_at = self.read_body(request, CheckInFormSerializer)["ends_at"]
        set_check_in_end(tournament_id=tournament.id, ends_at=ends_at, actor=person_of(request))
        return self.show(slug, request)


class CheckInSerializer(serializers.Serializer):
    """How the check-in stands; everything is null or zero where there is none."""

    done = serializers.IntegerField(read_only=True, help_text="entrants who have checked in")
    expected = serializers.IntegerField(read_only=True, help_text="of so many")
    opens_at = serializers.DateTimeField(read_only=True, allow_null=True)
    ends_at = serializers.DateTimeField(read_only=True, allow_null=True)
    is_open = serializers.BooleanField(read_only=True, help_text="whether players can check in by themselves now")


class CheckInListFormSerializer(serializers.Serializer):
    entrants = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**62),
        max_length=10_000,
        required=False,
        allow_null=True,
        default=None,
        help_text="who is there; null for everybody who is entered",
    )


class TournamentCheckIns(Organising):
    @operation(id="read_check_in", summary="How the check-in stands", answer=CheckInSerializer, example=CHECK_IN)
    def get(self, request: Request, slug: str) -> Response:
        told = read_check_in(require_tournament(slug, request.user)) or NO_CHECK_IN
        return Response(CheckInSerializer(told).data)

    @operation(
        id="check_in_many",
        summary="Check in several entrants, or all",
        answer=CheckInSerializer,
        example=CHECK_IN,
        request=CheckInListFormSerializer,
        request_example={"entrants": [31, 32]},
    )
    @answer_once
    def post(self, request: Request, slug: str) -> Response:
        tournament = require_own_tournament(slug, request.user, Right.DESK)
        chosen = self.read_body(request, CheckInListFormSerializer)["entrants"]
        check_in_many(tournament_id=tournament.id, entrant_ids=chosen, actor=person_of(request))
        return Response(CheckInSerializer(read_check_in(tournament)).data)


class TournamentCheckInClose(Organising):
    @operation(
        id="close_check_in",
        summary="End the check-in now",
        description="Who is missing is set aside, and can be checked in at the desk until the draw.",
        answer=CheckInSerializer,
        example={**CHECK_IN, "is_open": False},
    )
    @answer_once
    def post(self, request: Request, slug: str) -> Response:
        tournament = require_own_tournament(slug, request.user, Right.DESK)
        close_check_in(tournament_id=tournament.id, actor=person_of(request))
        tournament.refresh_from_db()
        return Response(CheckInSerializer(read_check_in(tournament)).data)


class TournamentConflicts(Organising):
    is_private = True

    @operation(
        id="list_conflicts",
        summary="Who is kept apart in your tournament",
        answer=ConflictSerializer(many=True),
        example=CONFLICT,
    )
    def get(self, request: Request, slug: str) -> Response:
        conflicts = list_conflicts(require_own_tournament(slug, request.user, Right.LOOK))
        return Response(ConflictSerializer(conflicts, many=True).data)

    @operation(
        id="keep_apart",
        summary="Keep two entrants apart from the next draw on",
        answer=TournamentSerializer,
        example=TOURNAMENT,
        request=PairFormSerializer,
        request_example={"first": 31, "second": 32, "reason": "siblings"},
    )
    @answer_once
    def post(self, request: Request, slug: str) -> Response:
        tournament = require_own_tournament(slug, request.user, Right.DESK)
        sent = self.read_body(request, PairFormSerializer)
        pair = (sent["first"], sent["second"])
        keep_apart(tournament_id=tournament.id, pair=pair, reason=sent["reason"], actor=person_of(request))
        return self.show(slug, request)


class TournamentMeeting(Organising):
    @operation(
        id="allow_meeting",
        summary="Keep two entrants apart no longer",
        answer=TournamentSerializer,
        example=TOURNAMENT,
        request=PairFormSerializer,
        request_example={"first": 31, "second": 32},
    )
    @answer_once
    def post(self, request: Request, slug: str) -> Response:
        tournament = require_own_tournament(slug, request.user, Right.DESK)
        sent = self.read_body(request, PairFormSerializer)
        pair = (sent["first"], sent["second"])
        allow_meeting(tournament_id=tournament.id, pair=pair, actor=person_of(request))
        return self.show(slug, request)
