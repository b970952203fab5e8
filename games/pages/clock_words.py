"""A clock in words: how long the people and connected bots of a match may take."""

from collections.abc import Mapping

from django.utils.translation import gettext, ngettext

DAY, HOUR, MINUTE = 86_400, 3_600, 60


def describe_clock(clock: Mapping[str, float] | None) -> str:
    """Empty where nobody at the table is timed."""
    if not clock:
        return ""
    if "each" in clock:
        return gettext("By days: %(time)s for each decision") % {"time": say_seconds(clock["each"])}
    bank, increment = say_seconds(clock["bank"]), clock.get("increment", 0)
    if not increment:
        return gettext("Live: %(bank)s for the match") % {"bank": bank}
    said = {"bank": bank, "increment": say_seconds(increment)}
    return gettext("Live: %(bank)s for the match, and %(increment)s more for each decision") % said


def say_seconds(seconds: float) -> str:
    """In the largest unit that needs no fraction."""
    whole = round(seconds)
    if whole and whole % DAY == 0:
        return ngettext("%(count)s day", "%(count)s days", whole // DAY) % {"count": whole // DAY}
    if whole and whole % HOUR == 0:
        return ngettext("%(count)s hour", "%(count)s hours", whole // HOUR) % {"count": whole // HOUR}
    if whole and whole % MINUTE == 0:
        return ngettext("%(count)s minute", "%(count)s minutes", whole // MINUTE) % {"count": whole // MINUTE}
    return ngettext("%(count)s second", "%(count)s seconds", whole) % {"count": whole}
