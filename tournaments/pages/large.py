"""Parts that take seconds to count for a large stage: the page comes at once, and fetches the part by itself."""

from django.http import HttpRequest

from tournaments.models import Stage
from tournaments.selectors.pace import count_stage_matches

ASKED = "counted"
"""The parameter by which an address asks for a part that takes its time."""

LARGE_STAGE = 10_000
"""Matches of a stage from which its parts are fetched apart."""


def must_wait(request: HttpRequest, stage: Stage) -> bool:
    return ASKED not in request.GET and count_stage_matches(stage) > LARGE_STAGE
