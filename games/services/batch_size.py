"""How many matches a worker claims at once: about as many as it plays in a second."""

from games.models import RunnerNeed

BATCH_SECONDS = 1.0
FIRST = {RunnerNeed.HOUSE: 64, RunnerNeed.SANDBOX: 4}
MOST = {RunnerNeed.HOUSE: 1000, RunnerNeed.SANDBOX: 8}


class BatchSize:
    """Follows the pace seen last: short matches share a claim and a settling, long ones are left to other workers."""

    def __init__(self) -> None:
        self._sizes = dict(FIRST)

    def of(self, need: RunnerNeed) -> int:
        return self._sizes[need]

    def learn(self, need: RunnerNeed, *, played: int, seconds: float) -> None:
        """Claim as many the next time as this pace plays in a second."""
        fitting = round(played * BATCH_SECONDS / max(seconds, 0.001))
        self._sizes[need] = min(MOST[need], max(1, fitting))
