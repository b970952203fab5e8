"""Presets: tournaments that are good as they are, for an organiser's script to start from."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.operations import operation
from aurum_league.common.api.sparse import SparseSerializer
from aurum_league.common.api.views import LeagueView
from aurum_league.common.errors import LeagueError
from tournaments.api.examples import PRESET
from tournaments.api.serializers import ObjectField
from tournaments.services.presets import PRESETS


class PresetSerializer(SparseSerializer):
    code = serializers.CharField(read_only=True)
    title = serializers.CharField(read_only=True)
    description = serializers.CharField(read_only=True)
    spec = ObjectField(read_only=True, help_text="give it a name and send it as a tournament")


class PresetList(LeagueView):
    @operation(
        id="list_presets",
        summary="Tournaments to start from",
        answer=PresetSerializer(many=True),
        example=PRESET,
    )
    def get(self, request: Request) -> Response:
        rows = [_describe(code) for code in PRESETS]
        return Response(PresetSerializer(rows, many=True, context={"request": request}).data)


class PresetDetail(LeagueView):
    @operation(id="read_preset", summary="One preset", answer=PresetSerializer, example=PRESET)
    def get(self, request: Request, code: str) -> Response:
        if code not in PRESETS:
            raise LeagueError("unknown_preset", f"There is no preset {code}.", status=404)
        return Response(PresetSerializer(_describe(code), context={"request": request}).data)


def _describe(code: str) -> dict[str, Any]:
    preset = PRESETS[code]
    return {"code": code, "title": preset.title, "description": preset.description, "spec": preset.spec}
