"""Sparse answers: `?fields=id,state` leaves out what a program does not need."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from aurum_league.common.errors import LeagueError

FIELDS = OpenApiParameter(
    "fields", str, description="names of the fields wanted, separated by commas; all of them where it is left out"
)


class SparseSerializer(serializers.Serializer):
    """Reads `fields` from the request in its context; only the outermost serializer is thinned out."""

    def get_fields(self) -> dict[str, Any]:
        fields = super().get_fields()
        request = self.context.get("request")
        is_outermost = self.parent is None or (
            isinstance(self.parent, serializers.ListSerializer) and not self.parent.parent
        )
        wanted = request.query_params.get("fields") if request is not None and is_outermost else None
        if wanted is None:
            return fields
        names = {name for name in wanted.split(",") if name}
        if unknown := sorted(names - set(fields)):
            raise LeagueError(
                "bad_fields", f"There is no field {unknown[0][:40]!r}.", f"There are: {', '.join(fields)}."
            )
        return {name: field for name, field in fields.items() if name in names}
