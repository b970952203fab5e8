"""Taking back what was drawn but not released, so that it is drawn again from how things stand now."""

from tournaments.models import FixtureSeat, Matchday, MatchdayState, Stage


def drop_unreleased_matchdays(stage: Stage) -> int:
    """Delete the previews of a stage; the caller holds the tournament's lock."""
    drawn = Matchday.objects.filter(stage=stage, state=MatchdayState.DRAWN)
    FixtureSeat.objects.filter(fixture__matchday__in=drawn).delete()
    numbers = list(drawn.values_list("number", flat=True))
    drawn.delete()
    return len(numbers)
