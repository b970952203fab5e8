"""Bots as everybody may see them, and one's own."""

from collections.abc import Sequence

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Q, QuerySet

from aurum_league.common.errors import LeagueError
from bots.brains import BRAINS
from bots.models import Bot, BotState, BotVersion, VersionState
from games.models import Player, PlayerKind

MOST_NAMES = 20
HOUSE_SLUGS = tuple(f"house-{brain.name}" for brain in BRAINS)


def list_public_bots() -> QuerySet[Bot]:
    """Bots that play or have played; those that never qualified are their authors' own business."""
    shown = Bot.objects.exclude(state=BotState.NEW).select_related("player__owner", "active_version")
    return shown.order_by("state", "player__name")


def list_own_bots(owner: User) -> QuerySet[Bot]:
    own = Bot.objects.filter(player__owner=owner).select_related("player", "active_version")
    return own.order_by("player__name")


def find_public_bot(slug: str, reader: User | AnonymousUser) -> Bot:
    """A bot by its address; one that is not qualified yet only for its author."""
    bots = Bot.objects.select_related("player__owner", "active_version").filter(player__slug=slug)
    visible = ~Q(state=BotState.NEW)
    if reader.is_authenticated:
        visible |= Q(player__owner=reader)
    return _one(bots.filter(visible))


def find_own_bot(slug: str, owner: User) -> Bot:
    """Somebody else's bot is as good as none."""
    bots = Bot.objects.select_related("player__owner", "active_version")
    return _one(bots.filter(player__slug=slug, player__owner=owner))


def list_opponents(owner: User) -> QuerySet[Player]:
    """Whom a scrimmage may be asked against: house bots, and active bots that allow it or are one's own."""
    willing = Bot.objects.filter(state=BotState.ACTIVE).filter(Q(allows_scrimmages=True) | Q(player__owner=owner))
    house = Q(kind=PlayerKind.HOUSE, is_active=True, slug__in=HOUSE_SLUGS)
    return Player.objects.filter(house | Q(pk__in=willing.values("player"))).order_by("-kind", "name")


def draw_table_names(version_id: int) -> list[str]:
    """The name of a version's bot, and some of others whom it could meet, in no order."""
    own: str = BotVersion.objects.values_list("bot__player__name", flat=True).get(pk=version_id)
    house = Q(kind=PlayerKind.HOUSE, slug__in=HOUSE_SLUGS)
    met = Player.objects.filter(house | Q(kind=PlayerKind.BOT), is_active=True).exclude(name=own)
    others = list(met.order_by("?").values_list("name", flat=True)[:MOST_NAMES])
    return [own, *others, *(brain.title for brain in BRAINS if brain.title not in (own, *others))]


def find_opponents(slugs: Sequence[str]) -> list[Player]:
    """The players of these addresses, in the same order; one may be named twice."""
    found = {player.slug: player for player in Player.objects.filter(slug__in=slugs)}
    for slug in slugs:
        if slug not in found:
            raise LeagueError("player_unknown", f"There is no player {slug}.", status=404)
    return [found[slug] for slug in slugs]


def list_versions(bot: Bot, reader: User | AnonymousUser) -> QuerySet[BotVersion]:
    """Without the uploads themselves; those that did not qualify only for the author."""
    versions = bot.versions.defer("upload")
    is_own = reader.is_authenticated and reader.pk == bot.player.owner_id
    return versions if is_own else versions.filter(state=VersionState.QUALIFIED)


def _one(bots: QuerySet[Bot]) -> Bot:
    bot = bots.first()
    if bot is None:
        raise LeagueError("bot_unknown", "There is no such bot.", status=404)
    return bot
