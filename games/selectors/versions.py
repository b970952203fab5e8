"""Every version of a match's result, newest last: what it was, who changed it and why."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User

from games.models import Match, MatchState, ResultKind, ResultVersion
from games.rules.forfeits import count_places


@dataclass(frozen=True, slots=True)
class VersionLine:
    """`places` are as counted, by side. Nuggets and totals are None while the deals are sealed."""

    version: int
    kind: str
    at: datetime
    actor: str | None
    reason: str
    places: list[int]
    forfeits: list[int]
    nuggets: list[int] | None
    totals: list[int] | None
    record_match: int | None

    @property
    def label(self) -> str:
        return str(ResultKind(self.kind).label)


def list_result_versions(match: Match, *, is_sealed: bool) -> list[VersionLine]:
    """The newest is the one that counts; empty for a match without a result. Needs `result`."""
    if match.state != MatchState.FINISHED:
        return []
    result = match.result
    earlier = ResultVersion.objects.filter(match=match).order_by("version")
    rows = list(earlier.values_list("content", flat=True)) if result.version > 1 else []
    fields = ("version", "kind", "reason", "places", "forfeits", "nuggets", "totals", "actor_id", "record_match_id")
    rows.append({name: getattr(result, name) for name in fields} | {"settled_at": result.settled_at.isoformat()})
    names = dict(User.objects.filter(pk__in=[row["actor_id"] for row in rows]).values_list("pk", "username"))
    return [_line(row, names, is_sealed) for row in rows]


def _line(row: dict[str, Any], names: dict[int, str], is_sealed: bool) -> VersionLine:
    return VersionLine(
        version=row["version"],
        kind=row["kind"],
        at=datetime.fromisoformat(row["settled_at"]),
        actor=names.get(row["actor_id"]),
        reason=row["reason"],
        places=count_places(row["places"], row["forfeits"]),
        forfeits=row["forfeits"],
        nuggets=None if is_sealed else row["nuggets"],
        totals=None if is_sealed else row["totals"],
        record_match=row["record_match_id"],
    )


def tell_versions(match: Match, *, is_sealed: bool) -> list[dict[str, Any]]:
    """The same ready for JSON."""
    lines = list_result_versions(match, is_sealed=is_sealed)
    return [asdict(line) | {"at": line.at.isoformat()} for line in lines]
