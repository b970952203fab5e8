"""Voiding: fixtures that will not be played, or no longer count."""

from collections.abc import Sequence

from games.models import Match, MatchState
from tournaments.models import Fixture, FixtureState, Stage
from tournaments.services.lifecycle import UNSTARTED
from tournaments.services.results import bump_results, lock_fixtures


def void_fixtures(stage: Stage, fixture_ids: Sequence[int]) -> int:
    """Make fixtures void in whole, for a block or a set counts only when it is whole; how many there were.

    Matches under way are left alone and count for nothing; the caller holds the tournament's lock.
    """
    if not fixture_ids:
        return 0
    matches = Match.objects.filter(fixture_match__fixture__in=fixture_ids, state__in=UNSTARTED).order_by("id")
    found = [match.id for match in matches.only("id").select_for_update(skip_locked=True, no_key=True, of=("self",))]
    Match.objects.filter(id__in=found).update(state=MatchState.VOID)
    lock_fixtures(fixture_ids)
    voided = Fixture.objects.filter(id__in=fixture_ids).update(state=FixtureState.VOID, places=[], open_matches=0)
    bump_results({stage.id})
    return voided
