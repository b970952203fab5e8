"""The story of a tournament: every event in order, in pages."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.filters import CharFilter, FilterSet, NumberFilter
from aurum_league.common.api.operations import operation
from aurum_league.common.api.views import LeagueList
from tournaments.api.examples import EVENT
from tournaments.api.serializers import EventSerializer
from tournaments.models import TournamentEvent
from tournaments.selectors.events import list_events
from tournaments.selectors.listing import is_in_charge
from tournaments.selectors.rights import require_tournament


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
