"""Closing an account: results stay under a neutral name, and everything else about the person goes."""

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from aurum_league.common.errors import N_, LeagueError
from aurum_league.models import AccessToken, KeptAnswer, Notice, Preference, PushSubscription, Session, Trace
from bots.models import Bot, BotState, BotVersion
from bots.services.registration import retire_bot
from games.models import LobbySeat, MatchSeat, Player, PlayerKind, TableWord
from games.selectors.sitters import Sitter, list_open_tables
from tournaments.models import Appeal, Block, League, Report, Seeker, Tournament, TournamentState
from tournaments.services.entries import withdraw_players

OVER = (TournamentState.FINISHED, TournamentState.CANCELLED)
GONE = (
    *((EmailAddress, "user"), (SocialAccount, "user"), (Authenticator, "user"), (AccessToken, "user")),
    *((Session, "user"), (KeptAnswer, "user"), (Preference, "user"), (Notice, "user"), (PushSubscription, "user")),
    *((Trace, "user"), (Seeker, "user"), (Block, "user")),
)
"""What goes with the account, by the column that leads to it."""

NEUTRAL = {PlayerKind.PERSON: "Former player", PlayerKind.BOT: "Former bot", PlayerKind.TEAM: "Former team"}


@transaction.atomic
def close_account(*, user: User) -> None:
    """For good. Nobody gets out of a begun match by it, and no event loses its organiser: a coded error says so."""
    account = User.objects.select_for_update().get(pk=user.pk)
    _require_free(account)
    for bot in Bot.objects.filter(player__owner=account).exclude(state=BotState.RETIRED).order_by("pk"):
        retire_bot(bot_id=bot.pk, owner=account)
    players = Player.objects.filter(owner=account)
    withdraw_players(players=list(players.order_by("pk").values_list("pk", flat=True)))
    LobbySeat.objects.filter(user=account, lobby__match=None).delete()
    for model, column in GONE:
        model._default_manager.filter(**{column: account}).delete()
    _forget_words(account)
    for player in players.order_by("pk"):
        _rename(player)
    BotVersion.objects.filter(bot__player__owner=account).update(upload=None, files=[], note="")
    Bot.objects.filter(player__owner=account).update(description="")
    _empty(account)


def _require_free(account: User) -> None:
    own = list_open_tables(Sitter(user_id=account.pk)).first()
    by_bot = MatchSeat.objects.filter(owner=account, match__state__in=("playing", "waiting", "ready", "held", "open"))
    begun = own.pk if own else by_bot.exclude(match__log=b"").values_list("match_id", flat=True).first()
    if begun is not None:
        raise LeagueError(
            "plays_still",
            N_("Match %(number)s is not over."),
            N_("Play it to its end, or resign; then close the account."),
            status=409,
            number=begun,
        )
    event = Tournament.objects.filter(organiser=account).exclude(state__in=OVER).first()
    league = League.objects.filter(organiser=account).first()
    if event is not None or league is not None:
        raise LeagueError(
            "organises_still",
            N_("You run %(name)s."),
            N_("Hand it over to somebody, or end it; then close the account."),
            status=409,
            name=(event or league).name,  # type: ignore[union-attr]
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
