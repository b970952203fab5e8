"""Players, rulesets and matches: lists and single ones, with their record, notation and, by seat, the view."""

from functools import partial
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.views import (
    AnyText,
    BooleanFilter,
    CharFilter,
    ChoiceFilter,
    FilterSet,
    IsoDateTimeFilter,
    LeagueList,
    LeagueView,
    operation,
)
from aurum_league.common.cache import ReadVersion, answer_cached
from aurum_league.common.errors import LeagueError
from games.api.serializers import (
    MATCH,
    PLAYER,
    RECORD,
    RESULT_VERSION,
    RULESET,
    TABLE,
    TRANSCRIPT,
    MatchSerializer,
    PlayerSerializer,
    ResultVersionSerializer,
    RulesetSerializer,
    ruleset_row,
)
from games.models import Match, MatchKind, MatchState, Player, PlayerKind
from games.play.table_state import to_json
from games.rules.actions import NOBODY
from games.rules.ruleset import Ruleset, RulesetError, all_rulesets
from games.rules.transcript import write_transcript
from games.selectors.matches import (
    find_match,
    find_player,
    is_sealed,
    list_matches,
    list_players,
    read_match_version,
    record_of,
    require_unsealed,
    sealed_deals,
    tell_versions,
)
from games.selectors.tables import find_table


class PlayerFilter(FilterSet):
    kind = ChoiceFilter(choices=PlayerKind.choices)
    owner = CharFilter(field_name="owner__username", help_text="name of the account")
    name = CharFilter(lookup_expr="icontains", help_text="part of the name")
    is_active = BooleanFilter()

    class Meta:
        model = Player
        fields = ("kind", "owner", "name", "is_active")


class PlayerList(LeagueList):
    serializer_class = PlayerSerializer
    filterset_class = PlayerFilter
    orderings = ("name", "id", "created_at")

    def get_queryset(self) -> QuerySet[Player]:
        return list_players()

    @operation(id="list_players", summary="Players", answer=PlayerSerializer(many=True), example=PLAYER)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.list(request)


class PlayerDetail(LeagueView):
    @operation(id="read_player", summary="One player", answer=PlayerSerializer, example=PLAYER)
    def get(self, request: Request, slug: str) -> Response:
        return Response(PlayerSerializer(find_player(slug), context={"request": request}).data)


class RulesetList(LeagueView):
    @operation(
        id="list_rulesets", summary="Every ruleset there is", answer=RulesetSerializer(many=True), example=RULESET
    )
    def get(self, request: Request) -> Response:
        rows = [ruleset_row(ruleset) for ruleset in all_rulesets()]
        return Response(RulesetSerializer(rows, many=True, context={"request": request}).data)


class RulesetDetail(LeagueView):
    @operation(id="read_ruleset", summary="One ruleset", answer=RulesetSerializer, example=RULESET)
    def get(self, request: Request, code: str) -> Response:
        try:
            row = ruleset_row(Ruleset.from_code(code))
        except RulesetError as error:
            raise LeagueError("unknown_ruleset", error.sentence, status=404) from None
        return Response(RulesetSerializer(row, context={"request": request}).data)


SEAT = OpenApiParameter(
    "seat", {"type": "integer", "minimum": 0, "maximum": 3}, description="whose view; left out, what everybody sees"
)


class MatchFilter(FilterSet):
    kind = ChoiceFilter(choices=MatchKind.choices)
    state = ChoiceFilter(choices=MatchState.choices)
    ruleset = CharFilter(help_text="a ruleset's code")
    is_rated = BooleanFilter()
    player = CharFilter(field_name="seats__player__slug", distinct=True, help_text="a player's slug")
    finished_after = IsoDateTimeFilter(field_name="finished_at", lookup_expr="gt")
    finished_before = IsoDateTimeFilter(field_name="finished_at", lookup_expr="lt")

    class Meta:
        model = Match
        fields = ("kind", "state", "ruleset", "is_rated", "player", "finished_after", "finished_before")


def show_matches(matches: list[Match], request: Request) -> Any:
    context = {"request": request, "sealed": sealed_deals(match.deals for match in matches)}
    return MatchSerializer(matches, many=True, context=context).data


class MatchList(LeagueList):
    serializer_class = MatchSerializer
    filterset_class = MatchFilter
    orderings = ("id", "created_at")

    def get_queryset(self) -> QuerySet[Match]:
        matches = list_matches(self.request.user)
        wanted = self.request.query_params.get("fields")
        return matches if wanted is None or "seats" in wanted else matches.prefetch_related(None)

    @operation(id="list_matches", summary="Matches, newest first", answer=MatchSerializer(many=True), example=MATCH)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        matches = self.paginate_queryset(self.filter_queryset(self.get_queryset())) or []
        return self.get_paginated_response(show_matches(matches, request))


class MatchDetail(LeagueView):
    @operation(id="read_match", summary="One match", answer=MatchSerializer, example=MATCH)
    def get(self, request: Request, match_id: int) -> Response | HttpResponse:
        match = find_match(match_id, request.user)
        if match.state != MatchState.FINISHED:
            return Response(_show(match, request))
        return answer_cached(request, f"match:{match_id}", _version_of(match_id), lambda: _show(match, request))


class MatchRecord(LeagueView):
    @operation(
        id="read_record",
        summary="The record of a finished match",
        description="Everything that happened, with the seed, once no match on the same deals is still to end.",
        answer=OpenApiTypes.OBJECT,
        example=RECORD,
    )
    def get(self, request: Request, match_id: int) -> HttpResponse:
        match = _find_unsealed(match_id, request)
        return answer_cached(request, f"record:{match_id}", _version_of(match_id), lambda: record_of(match))


class MatchVersions(LeagueView):
    @operation(
        id="list_result_versions",
        summary="Every version of a match's result, the one that counts last",
        description="A settled result is never overwritten; nuggets and totals are open once the deals are.",
        answer=ResultVersionSerializer(many=True),
        example=RESULT_VERSION,
    )
    def get(self, request: Request, match_id: int) -> Response:
        match = find_match(match_id, request.user)
        return Response(tell_versions(match, is_sealed=is_sealed(match)))


class MatchNotation(LeagueView):
    renderer_classes = (AnyText,)

    @operation(
        id="read_notation",
        summary="A finished match as text for people",
        answer=OpenApiTypes.STR,
        example=TRANSCRIPT,
        media="text/plain",
    )
    def get(self, request: Request, match_id: int) -> HttpResponse:
        match = _find_unsealed(match_id, request)
        return answer_cached(
            request,
            f"notation:{match_id}",
            _version_of(match_id),
            lambda: write_transcript(record_of(match)),
            media="text/plain; charset=utf-8",
        )


class MatchView(LeagueView):
    is_cacheable = False

    @operation(
        id="read_view",
        summary="A table as a seat, or everybody, sees it now",
        description="Of a match that is sealed, a seat's view is for whoever decides at that seat.",
        answer=OpenApiTypes.OBJECT,
        example=TABLE,
        parameters=[SEAT],
    )
    def get(self, request: Request, match_id: int) -> Response:
        match = find_match(match_id, request.user)
        seat = _read_seat(request.query_params.get("seat"), match)
        if seat != NOBODY and is_sealed(match):
            require_own_seat(match, seat, request)
        return Response(to_json(find_table(match_id, seat)))


def require_own_seat(match: Match, seat: int, request: Request) -> None:
    """A coded error unless the one who asks makes this seat's decisions."""
    held = next((one for one in match.seats.all() if one.seat == seat), None)
    is_own = held is not None and held.owner_id is not None and held.owner_id == request.user.pk
    if held is None or not is_own or not held.ref.is_awaited:
        raise LeagueError("not_your_seat", "This seat is not yours.", "Look at the table without a seat.", status=403)


def _read_seat(text: str | None, match: Match) -> int:
    if text is None:
        return NOBODY
    if text not in map(str, range(match.players)):
        raise LeagueError("bad_seat", "seat must be a number from 0 to %(last)s.", last=match.players - 1)
    return int(text)


def _show(match: Match, request: Request) -> dict[str, Any]:
    context = {"request": request, "sealed": {match.deals} if is_sealed(match) else set()}
    return MatchSerializer(match, context=context).data


def _version_of(match_id: int) -> ReadVersion:
    return partial(read_match_version, match_id)


def _find_unsealed(match_id: int, request: Request) -> Match:
    match = find_match(match_id, request.user)
    if match.state == MatchState.FINISHED:
        require_unsealed(match)
    else:
        raise LeagueError("record_missing", "This match has no record: it was not played to its end.", status=404)
    return match
