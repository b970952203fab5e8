"""How people are timed, as the tournament's form asks it: live, with days to meet in, or days for each decision."""

from collections.abc import Mapping
from typing import Any

from tournaments.services.release import DEFAULT_CLOCK

MINUTE = 60
DAY = 86_400


def read_clock(sent: Mapping[str, Any]) -> dict[str, float] | None:
    """The clock of a spec; None where the form leaves everything to the house."""
    if sent.get("days"):
        return {"each": sent["days"] * DAY}
    minutes, increment, meeting = (sent.get(name) for name in ("minutes", "increment", "days_to_meet"))
    if not (minutes or increment or meeting):
        return None
    clock = {
        "bank": minutes * MINUTE if minutes else DEFAULT_CLOCK["bank"],
        "window": meeting * DAY if meeting else DEFAULT_CLOCK["window"],
    }
    return clock | ({"increment": increment} if increment else {})


def clock_initial(clock: Mapping[str, float]) -> dict[str, int | None]:
    """What a clock looks like in the form."""

    def count(name: str, seconds: int) -> int | None:
        return round(clock[name] / seconds) or None if name in clock else None

    return {
        "minutes": count("bank", MINUTE),
        "increment": count("increment", 1),
        "days_to_meet": count("window", DAY),
        "days": count("each", DAY),
    }
