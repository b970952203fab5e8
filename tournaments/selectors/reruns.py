"""What a rerun would change: every result and every place, before anything is applied."""

from dataclasses import dataclass

from games.models import MatchResult, MatchState
from tournaments.models import FixtureMatch, Rerun, Stage
from tournaments.rules.pairing import TableKind
from tournaments.selectors.results import read_stage_results
from tournaments.selectors.stage_table import compute_stage_standings

SHOWN = ("places", "nuggets", "totals", "forfeits")


@dataclass(frozen=True, slots=True)
class ChangedResult:
    match_id: int
    before: dict[str, list[int]]
    after: dict[str, list[int]]


@dataclass(frozen=True, slots=True)
class ChangedPlace:
    stage_id: int
    entrant_id: int
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class RerunPreview:
    """`waiting` matches are still to be played; only without any can the rerun be applied."""

    waiting: int
    results: tuple[ChangedResult, ...]
    places: tuple[ChangedPlace, ...]


def preview_rerun(rerun: Rerun) -> RerunPreview:
    """Compare what is stored with what the rerun gave so far; matches still waiting count as unchanged."""
    pairs = dict(rerun.matches.filter(again__state=MatchState.FINISHED).values_list("match_id", "again_id"))
    stored = MatchResult.objects.in_bulk([*pairs, *pairs.values()])
    results = []
    for match_id, again_id in pairs.items():
        before, after = ({name: getattr(stored[one], name) for name in SHOWN} for one in (match_id, again_id))
        if before != after:
            results.append(ChangedResult(match_id, before, after))
    changed = {result.match_id: pairs[result.match_id] for result in results}
    return RerunPreview(rerun.matches.count() - len(pairs), tuple(results), _find_changed_places(rerun, changed))


def _find_changed_places(rerun: Rerun, changed: dict[int, int]) -> tuple[ChangedPlace, ...]:
    stage_ids = FixtureMatch.objects.filter(match_id__in=changed).values_list("stage_id", flat=True).distinct()
    kind = TableKind(rerun.tournament.table_kind)
    places = []
    for stage in Stage.objects.filter(id__in=stage_ids).order_by("number"):
        results = read_stage_results(stage, kind, changed)
        before, after = (
            {row["entrant"]: row["place"] for row in rows}
            for rows in (
                compute_stage_standings(rerun.tournament, stage),
                compute_stage_standings(rerun.tournament, stage, results),
            )
        )
        places += [ChangedPlace(stage.id, one, before[one], after[one]) for one in before if before[one] != after[one]]
    return tuple(places)
