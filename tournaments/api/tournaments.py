"""Tournaments: lists, single ones, their story, where their chance comes from, and what only the desk reads."""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.access import person_of
from aurum_league.common.api.idempotency import answer_once
from aurum_league.common.api.views import (
    BooleanFilter,
    CharFilter,
    ChoiceFilter,
    FilterSet,
    LeagueList,
    LeagueView,
    NumberFilter,
    operation,
)
from aurum_league.common.errors import N_, LeagueError
from games.models import MatchState
from tournaments.api.examples import CHANCE, EVENT, FULL_SPEC, SPEC, TOURNAMENT, TROUBLE
from tournaments.api.running import Organising
from tournaments.api.serializers import EventSerializer, TournamentSerializer
from tournaments.models import EntryKind, Tournament, TournamentEvent, TournamentState
from tournaments.rules.spec import LONGEST_CONTACT, LONGEST_DESCRIPTION, LONGEST_NAME, MOST_LINKS, read_spec
from tournaments.selectors.chance import revealed_parts
from tournaments.selectors.desk import list_desk_matches, list_events
from tournaments.selectors.leagues import is_in_charge, list_tournaments, spec_of
from tournaments.selectors.rights import (
    Right,
    is_organiser,
    require_may_run,
    require_own_league,
    require_own_tournament,
    require_tournament,
)
from tournaments.selectors.standings import revealed_seed
from tournaments.services.chance import drop_beacon, name_beacon
from tournaments.services.leagues import create_tournament, edit_texts, edit_tournament

SPEC_WORDS = (
    "The body is a spec: `name`, `stages` (each with a `format` and its options) and, where wished, `description`, "
    "`ruleset`, `table_kind`, `entry_kind`, `is_rated`, `capacity`, `needs_check_in`, `clock`, `contact`, `links`."
)


class TournamentFilter(FilterSet):
    state = ChoiceFilter(choices=TournamentState.choices)
    league = CharFilter(field_name="league__slug", help_text="a league's slug")
    ruleset = CharFilter(help_text="a ruleset's code")
    entry_kind = ChoiceFilter(choices=EntryKind.choices)
    is_rated = BooleanFilter()
    name = CharFilter(lookup_expr="icontains", help_text="part of the name")

    class Meta:
        model = Tournament
        fields = ("state", "league", "ruleset", "entry_kind", "is_rated", "name")


class Tournaments(LeagueList):
    scope = "organise"
    serializer_class = TournamentSerializer
    filterset_class = TournamentFilter
    orderings = ("id", "name", "created_at")

    def get_queryset(self) -> QuerySet[Tournament]:
        return list_tournaments().select_related("league", "organiser").defer(None)

    @operation(id="list_tournaments", summary="Tournaments", answer=TournamentSerializer(many=True), example=TOURNAMENT)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.list(request)

    @operation(
        id="create_tournament",
        summary="Draft a tournament",
        description=f"{SPEC_WORDS} With `league`, a slug of a league of yours, it becomes the league's next season.",
        answer=TournamentSerializer,
        example={**TOURNAMENT, "state": "draft", "commitment": None, "started_at": None},
        status=201,
        request=OpenApiTypes.OBJECT,
        request_example=SPEC,
    )
    @answer_once
    def post(self, request: Request) -> Response:
        spec = _read_spec(request)
        slug = spec.pop("league", None)
        read_spec(spec)
        require_may_run(person_of(request), spec)
        league = require_own_league(str(slug), request.user) if slug is not None else None
        tournament = create_tournament(spec=spec, organiser=person_of(request), league=league)
        return Response(_show(tournament, request), status=201)


class TournamentDetail(LeagueView):
    scope = "organise"

    @operation(id="read_tournament", summary="One tournament", answer=TournamentSerializer, example=TOURNAMENT)
    def get(self, request: Request, slug: str) -> Response:
        return Response(_show(require_tournament(slug, request.user), request))

    @operation(
        id="edit_tournament",
        summary="Write a draft anew, or an open tournament",
        description=SPEC_WORDS,
        answer=TournamentSerializer,
        example={**TOURNAMENT, "state": "draft", "commitment": None, "started_at": None},
        request=OpenApiTypes.OBJECT,
        request_example=SPEC,
        is_once=False,
    )
    def put(self, request: Request, slug: str) -> Response:
        tournament, user, spec = require_own_tournament(slug, request.user), person_of(request), _read_spec(request)
        read_spec(spec)
        # Helpers change what its organiser may run.
        require_may_run(user if is_organiser(user) else tournament.organiser, spec, is_new=False)
        edited = edit_tournament(tournament_id=tournament.id, spec=spec, actor=user)
        return Response(_show(edited, request))


class TextsFormSerializer(serializers.Serializer):
    name = serializers.CharField(max_length=LONGEST_NAME)
    description = serializers.CharField(max_length=LONGEST_DESCRIPTION, required=False, allow_blank=True, default="")
    contact = serializers.CharField(max_length=LONGEST_CONTACT, required=False, allow_blank=True, default="")
    links = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField(max_length=300), min_length=2, max_length=2),
        max_length=MOST_LINKS,
        required=False,
        default=list,
        help_text="pairs of a title and an address",
    )


class TournamentTexts(LeagueView):
    scope = "organise"

    @operation(
        id="edit_texts",
        summary="Change what is only read, at any time",
        answer=TournamentSerializer,
        example=TOURNAMENT,
        request=TextsFormSerializer,
        request_example={"name": "Autumn Cup", "description": "Bring *snacks*.", "contact": "desk@example.org"},
        is_once=False,
    )
    def put(self, request: Request, slug: str) -> Response:
        tournament = require_own_tournament(slug, request.user)
        sent = self.read_body(request, TextsFormSerializer)
        return Response(_show(edit_texts(tournament_id=tournament.id, actor=person_of(request), **sent), request))


def _read_spec(request: Request) -> dict[str, Any]:
    if not isinstance(request.data, dict):
        raise LeagueError("bad_spec", "A spec is a JSON object.")
    return dict(request.data)


def _show(tournament: Tournament, request: Request) -> dict[str, Any]:
    return TournamentSerializer(tournament, context={"request": request}).data


class EventFilter(FilterSet):
    after = NumberFilter(
        field_name="number", lookup_expr="gt", min_value=0, max_value=2**31 - 1, help_text="events after this number"
    )
    kind = CharFilter(max_length=40)

    class Meta:
        model = TournamentEvent
        fields = ("after", "kind")


class EventList(LeagueList):
    queryset = TournamentEvent.objects.none()
    serializer_class = EventSerializer
    filterset_class = EventFilter
    orderings = ("number",)
    is_in_charge = False

    @operation(
        id="list_events",
        summary="Everything that happened to a tournament",
        answer=EventSerializer(many=True),
        example=EVENT,
    )
    def get(self, request: Request, slug: str) -> Response:
        tournament = require_tournament(slug, request.user)
        self.is_in_charge = is_in_charge(request.user, tournament)
        return self.show_page(list_events(tournament).select_related("actor"))

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "is_in_charge": self.is_in_charge}


class TroubleSerializer(serializers.Serializer):
    match = serializers.IntegerField(source="match_id", read_only=True)
    stage = serializers.IntegerField(source="stage.number", read_only=True)
    matchday = serializers.IntegerField(source="fixture.matchday.number", read_only=True)
    table = serializers.IntegerField(source="fixture.table", read_only=True)
    trouble = serializers.CharField(source="match.trouble", read_only=True, help_text="why it could not be played")


class TournamentSpecView(LeagueView):
    is_private = True

    @operation(
        id="read_spec",
        summary="The spec of a tournament of yours, with every key",
        description="What PUT takes while it is a draft, and POST for another one like it.",
        answer=OpenApiTypes.OBJECT,
        example=FULL_SPEC,
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response(spec_of(require_own_tournament(slug, request.user, Right.LOOK)))


class TournamentTroubles(LeagueView):
    is_private = True

    @operation(
        id="list_troubles",
        summary="Matches that wait for your decision, and why",
        description="Decide each by POST to `decisions`: play it again, forfeit, void, or a result by hand.",
        answer=TroubleSerializer(many=True),
        example=TROUBLE,
    )
    def get(self, request: Request, slug: str) -> Response:
        waiting = list_desk_matches(require_own_tournament(slug, request.user, Right.LOOK), [MatchState.QUARANTINED])
        return Response(TroubleSerializer(waiting, many=True).data)


class BeaconFormSerializer(serializers.Serializer):
    at = serializers.DateTimeField(
        allow_null=True, help_text="the first round from then on, which lies in the future; null drops it"
    )
    reason = serializers.CharField(max_length=400, required=False, allow_blank=True, default="", help_text="to drop it")


class BeaconSerializer(serializers.Serializer):
    chain = serializers.CharField(read_only=True)
    round = serializers.IntegerField(read_only=True)
    randomness = serializers.CharField(read_only=True)
    signature = serializers.CharField(read_only=True)


class ContributionSerializer(serializers.Serializer):
    entrant = serializers.IntegerField(read_only=True)
    contribution = serializers.CharField(read_only=True)


class SeedPartsSerializer(serializers.Serializer):
    """`secret` and `seed` are told when the tournament has finished; docs/RULES.md says how one follows."""

    mixing = serializers.CharField(read_only=True)
    commitment = serializers.CharField(read_only=True, help_text="SHA-256 of the secret")
    secret = serializers.CharField(read_only=True, allow_null=True)
    contributions = ContributionSerializer(many=True, read_only=True)
    beacon_round = serializers.IntegerField(read_only=True, allow_null=True, help_text="that was named")
    beacon = BeaconSerializer(read_only=True, allow_null=True, help_text="what it gave, once it was fetched")
    seed = serializers.CharField(read_only=True, allow_null=True)


class TournamentChance(LeagueView):
    is_cacheable = False

    @operation(
        id="read_chance",
        summary="What a tournament's seed is mixed from",
        description="Public from the opening on, so that every entrant finds their own contribution among the others.",
        answer=SeedPartsSerializer,
        example=CHANCE,
    )
    def get(self, request: Request, slug: str) -> Response:
        tournament = require_tournament(slug, request.user)
        parts = None if tournament.state == TournamentState.DRAFT else revealed_parts(tournament)
        if parts is None:
            raise LeagueError("no_parts", N_("This tournament has no parts of a seed to show."), status=404)
        rows = [{"entrant": entrant, "contribution": given} for entrant, given in parts["contributions"]]
        about = {"beacon_round": tournament.beacon_round, "seed": revealed_seed(tournament)}
        return Response(SeedPartsSerializer({**parts, "contributions": rows, **about}).data)


class TournamentBeacon(Organising):
    @operation(
        id="set_beacon",
        summary="Name the round of the public beacon that goes into the seed, or drop it for a reason",
        description="A round is named once, before it is out, and not exchanged for another.",
        answer=TournamentSerializer,
        example=TOURNAMENT,
        request=BeaconFormSerializer,
        request_example={"at": "2026-11-16T18:00:00Z"},
        is_once=False,
    )
    def put(self, request: Request, slug: str) -> Response:
        tournament = require_own_tournament(slug, request.user)
        sent = self.read_body(request, BeaconFormSerializer)
        if sent["at"] is None:
            drop_beacon(tournament_id=tournament.id, reason=sent["reason"], actor=person_of(request))
        else:
            name_beacon(tournament_id=tournament.id, at=sent["at"], actor=person_of(request))
        return self.show(slug, request)
