"""All that is stored about one person, row by row, for the file that they can take out.

Every model that points to an account or a player stands in one of the two tables below; a test names one that does not.
"""

from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.contrib.auth.models import User
from django.db.models import F, Field

from games.models import TableWord

OWN: dict[str, tuple[str, tuple[str, ...]]] = {
    "auth.User": ("pk", ("password",)),
    "account.EmailAddress": ("user", ()),
    "socialaccount.SocialAccount": ("user", ()),
    "mfa.Authenticator": ("user", ("data",)),
    "aurum_league.Preference": ("user", ()),
    "aurum_league.Session": ("user", ("session_key", "session_data")),
    "aurum_league.AccessToken": ("user", ("digest", "token_key")),
    "aurum_league.PushSubscription": ("user", ("auth", "p256dh")),
    "aurum_league.Notice": ("user", ()),
    "aurum_league.KeptAnswer": ("user", ("digest", "body")),
    "aurum_league.Trace": ("user", ("digest",)),
    "aurum_league.SiteEvent": ("actor", ()),
    "games.Player": ("owner", ("visitor",)),
    "games.LobbySeat": ("user", ("guest",)),
    "games.MatchSeat": ("owner", ()),
    "games.MatchResult": ("actor", ("log",)),
    "bots.Bot": ("player__owner", ("token_digest", "stream")),
    "bots.BotVersion": ("bot__player__owner", ("upload",)),
    "bots.Scrimmage": ("asked_by", ()),
    "bots.PuzzleAnswer": ("user", ("guest",)),
    "tournaments.League": ("organiser", ()),
    "tournaments.Tournament": ("organiser", ("seed", "secret")),
    "tournaments.Helper": ("user", ()),
    "tournaments.TournamentEvent": ("actor", ()),
    "tournaments.Announcement": ("by", ()),
    "tournaments.ScoreSheet": ("by", ("answered_by",)),
    "tournaments.Team": ("player__owner", ()),
    "tournaments.Entrant": ("player__owner", ()),
    "tournaments.Rerun": ("created_by", ()),
    "tournaments.Report": ("reporter", ()),
    "tournaments.Deed": ("player__owner", ("actor",)),
    "tournaments.Appeal": ("player__owner", ("decided_by",)),
    "tournaments.Rating": ("player__owner", ()),
    "tournaments.RatingChange": ("player__owner", ()),
    "tournaments.FitState": ("player__owner", ()),
    "tournaments.Trial": ("owner", ()),
    "tournaments.Seeker": ("user", ("ticket", "guest")),
    "tournaments.Block": ("user", ()),
}
"""Model: how its rows lead to the account, and what is left out of them, because it opens something or is another's."""

NOT_TAKEN_OUT: dict[str, str] = {
    "tournaments.Case": "what moderators think about; what was decided is in the deeds",
    "admin.LogEntry": "Django's own log of the admin, which nothing here writes by itself",
}


def read_own_data(user: User) -> Iterator[dict[str, Any]]:
    """One row after the other, each with the name of its table; uploads and cards are on pages of their own."""
    for label, (path, hidden) in OWN.items():
        model = apps.get_model(label)
        columns = [field.attname for field in model._meta.concrete_fields if _is_told(field, hidden)]
        rows = model._default_manager.filter(**{path: user.pk}).order_by("pk").values(*columns)
        yield from ({"table": label, **row} for row in rows.iterator(chunk_size=500))
    words = TableWord.objects.filter(match__seats__owner=user, match__seats__seat=F("seat")).order_by("pk")
    for row in words.values("match_id", "seat", "phrase", "text", "said_at").iterator(chunk_size=500):
        yield {"table": "games.TableWord", **row}


def _is_told(field: Field, hidden: tuple[str, ...]) -> bool:
    return field.name not in hidden and field.get_internal_type() != "BinaryField"
