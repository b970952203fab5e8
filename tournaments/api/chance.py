"""Chance: the parts that a tournament's seed is mixed from, and the beacon's round that its organiser names."""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.access import person_of
from aurum_league.common.api.views import LeagueView, operation
from aurum_league.common.errors import N_, LeagueError
from tournaments.api.examples import CHANCE, TOURNAMENT
from tournaments.api.running import Organising
from tournaments.api.serializers import TournamentSerializer
from tournaments.models import TournamentState
from tournaments.selectors.chance import revealed_parts
from tournaments.selectors.results import revealed_seed
from tournaments.selectors.rights import require_own_tournament, require_tournament
from tournaments.services.chance import drop_beacon, name_beacon


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


class ChanceSerializer(serializers.Serializer):
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
        answer=ChanceSerializer,
        example=CHANCE,
    )
    def get(self, request: Request, slug: str) -> Response:
        tournament = require_tournament(slug, request.user)
        parts = None if tournament.state == TournamentState.DRAFT else revealed_parts(tournament)
        if parts is None:
            raise LeagueError("no_parts", N_("This tournament has no parts of a seed to show."), status=404)
        rows = [{"entrant": entrant, "contribution": given} for entrant, given in parts["contributions"]]
        about = {"beacon_round": tournament.beacon_round, "seed": revealed_seed(tournament)}
        return Response(ChanceSerializer({**parts, "contributions": rows, **about}).data)


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
