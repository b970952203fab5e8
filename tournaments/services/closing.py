"""Closing an account: results stay under a neutral name, and everything else about the person goes."""

from django.apps import apps
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from aurum_league.common.errors import N_, LeagueError
from bots.models import Bot, BotState, BotVersion
from bots.services.registration import retire_bot
from games.models import Lobby, LobbySeat, MatchSeat, MatchState, Player, PlayerKind, TableWord
from games.models.match import ENDED
from games.selectors.sitters import Sitter, list_open_tables
from tournaments.models import Appeal, Case, League, Report, Team, Tournament, TournamentState
from tournaments.rules.cases import CaseState
from tournaments.services.entries import withdraw_players

OVER = (TournamentState.FINISHED, TournamentState.CANCELLED)
GONE: dict[str, str] = {
    **dict.fromkeys(("account.EmailAddress", "socialaccount.SocialAccount", "mfa.Authenticator"), "user"),
    **dict.fromkeys(("AccessToken", "Session", "KeptAnswer", "Preference", "Notice", "PushSubscription"), "user"),
    **{"Trace": "user", "bots.PuzzleAnswer": "user", "bots.Scrimmage": "asked_by"},
    **dict.fromkeys(("tournaments.Seeker", "tournaments.Block", "tournaments.Helper"), "user"),
}
"""What goes with the account, by the column that leads to it; of `aurum_league` where no app is named."""

RATED = ("Rating", "RatingChange", "FitState")

KEPT: dict[str, str] = {
    **dict.fromkeys(("games.Player", "tournaments.Team", "bots.Bot"), "under a neutral name: results hang on them"),
    **dict.fromkeys(("games.MatchSeat", "games.LobbySeat"), "who sat at a table that was dealt"),
    **dict.fromkeys(("tournaments.Entrant", "tournaments.Rerun", "tournaments.Trial"), "results of events"),
    **dict.fromkeys((f"tournaments.{name}" for name in RATED), "others' ratings follow from them"),
    **dict.fromkeys(("games.MatchResult", "SiteEvent", "tournaments.TournamentEvent"), "chains, by account number"),
    **dict.fromkeys(("tournaments.League", "tournaments.Tournament", "tournaments.Announcement"), "events that ended"),
    "tournaments.ScoreSheet": "the evidence of a result",
    **dict.fromkeys(("tournaments.Case", "tournaments.Deed", "tournaments.Appeal"), "what moderators answer for"),
    "tournaments.Report": "is about somebody else; the reporter is taken out",
    "admin.LogEntry": "Django's own log of the admin, which nothing here writes by itself",
}
"""What stays, and why; a test names a table that knows people and stands in neither list."""

NEUTRAL = {PlayerKind.PERSON: "Former player", PlayerKind.BOT: "Former bot", PlayerKind.TEAM: "Former team"}


@transaction.atomic
def close_account(*, user: User) -> None:
    """For good. Nobody gets out of a match by it, and no event loses its organiser: a coded error says so.

    First everything is given up that can be, then it is asked what is left: who sits down meanwhile is seen.
    """
    _require_no_events(user)
    for bot in Bot.objects.filter(player__owner=user).exclude(state=BotState.RETIRED).order_by("pk"):
        retire_bot(bot_id=bot.pk, owner=user)
    list(Lobby.objects.filter(match=None, seats__user=user).order_by("pk").select_for_update().values_list("pk"))
    LobbySeat.objects.filter(user=user, lobby__match=None).delete()
    is_watched = _is_watched(user)
    for label, column in GONE.items():
        if label != "Trace" or not is_watched:
            model = apps.get_model(label if "." in label else f"aurum_league.{label}")
            model._default_manager.filter(**{column: user}).delete()
    players = Player.objects.filter(owner=user)
    teams = Team.objects.filter(Q(first__owner=user) | Q(second__owner=user))
    leaving = {*players.values_list("pk", flat=True), *teams.values_list("player_id", flat=True)}
    withdraw_players(players=sorted(leaving))
    _require_no_matches(user)
    _forget_words(user)
    for player in players.order_by("pk"):
        _rename(player)
    BotVersion.objects.filter(bot__player__owner=user).update(upload=None, files=[], note="")
    Bot.objects.filter(player__owner=user).update(description="")
    Tournament.objects.filter(organiser=user).update(contact="")
    _empty(User.objects.select_for_update(no_key=True).get(pk=user.pk))


def _is_watched(user: User) -> bool:
    """Whether traces are left to go by themselves, so that nobody sheds a case or a suspension by a new account."""
    is_kept = Q(suspended_until__gt=timezone.now()) | Q(held_until__gt=timezone.now())
    open_cases = Case.objects.exclude(state=CaseState.CLOSED.value).filter(players__owner=user)
    return Player.objects.filter(is_kept, owner=user).exists() or open_cases.exists()


def _require_no_matches(user: User) -> None:
    """Own seats and those of own bots: a match is played to its end before its people and its uploads go."""
    over = (*ENDED, MatchState.QUARANTINED)
    own = list_open_tables(Sitter(user_id=user.pk)).values_list("pk", flat=True).first()
    of_bots = MatchSeat.objects.filter(owner=user).exclude(match__state__in=over)
    begun = own or of_bots.order_by("match_id").values_list("match_id", flat=True).first()
    if begun is not None:
        raise LeagueError(
            "plays_still",
            N_("Match %(number)s is not over."),
            N_("Play it to its end, or resign; where your bot sits, retire the bot and wait. Then close the account."),
            status=409,
            number=begun,
        )


def _require_no_events(user: User) -> None:
    event = Tournament.objects.filter(organiser=user).exclude(state__in=OVER).first()
    runs = event or League.objects.filter(organiser=user).first()
    if runs is not None:
        raise LeagueError(
            "organises_still",
            N_("You run %(name)s."),
            N_("Hand it over to somebody, or end it; then close the account."),
            status=409,
            name=runs.name,
        )


def _forget_words(account: User) -> None:
    """What they said at tables, and who they are in reports; a report itself is about somebody else."""
    seat = MatchSeat.objects.filter(match=OuterRef("match"), seat=OuterRef("seat"), owner=account)
    TableWord.objects.filter(Exists(seat)).delete()
    Report.objects.filter(reporter=account).update(reporter=None)
    Appeal.objects.filter(Q(player__owner=account) & ~Q(is_granted=None)).update(text="")


def _rename(player: Player) -> None:
    """Numbers are never given again, so that a neutral name means one player."""
    player.name, player.slug = f"{NEUTRAL[PlayerKind(player.kind)]} {player.pk}", f"former-{player.pk}"
    player.is_active, player.agreed_at = False, None
    player.save(update_fields=("name", "slug", "is_active", "agreed_at"))


def _empty(account: User) -> None:
    """Brackets and a space: nobody can sign up under such a name."""
    account.groups.clear()
    account.user_permissions.clear()
    account.username, account.email, account.first_name, account.last_name = f"(closed {account.pk})", "", "", ""
    account.is_active = account.is_staff = account.is_superuser = False
    account.last_login = None
    account.set_unusable_password()
    account.save()
