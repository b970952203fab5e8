"""Registering bots: names, quotas, the states that bots and versions pass through, and tokens shown once."""

import hashlib
import re
import secrets
import unicodedata
from datetime import timedelta

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Q, Sum
from django.utils import timezone
from django.utils.text import slugify

from aurum_league.common.errors import N_, LabelledEnum, LeagueError
from bots.brains import ALIASES, BRAINS
from bots.contract import CONTRACT, RULES_VERSION
from bots.models import Bot, BotMode, BotState, BotVersion, Scrimmage, VersionState
from bots.runners.budget import MEGABYTE
from games.models import Match, MatchKind, MatchState, Player, PlayerKind
from games.selectors.matches import untouched_matches
from games.selectors.rated_play import require_not_suspended
from games.services.players import HOUSE_SLUG
from games.signals import players_left

SHORTEST, LONGEST = 2, 40
LOOK_ALIKE_ALPHABETS = frozenset({"LATIN", "CYRILLIC", "GREEK"})
HOUSE_NAMES = frozenset(name.casefold() for entry in BRAINS for name in (entry.name, entry.title))
RESERVED = HOUSE_NAMES | {"admin", "api", "guest", "house", "mine", "new", "organiser", "staff"}
LONGEST_SLUG = 50
# Marks sit on the letter before them; more of them in a row climb over the lines above.
MOST_MARKS = 3


def check_name(name: str) -> str:
    """The name as it is stored, in one normal form; raises a coded error where it cannot be one."""
    name = re.sub(r"\s+", " ", unicodedata.normalize("NFKC", name)).strip()
    if not SHORTEST <= len(name) <= LONGEST:
        raise LeagueError(
            "name_length", N_("A name has %(shortest)s to %(longest)s characters."), shortest=SHORTEST, longest=LONGEST
        )
    kinds = "".join(unicodedata.category(character)[0] for character in name)
    # C: control, format (bidi, zero width), unassigned; Z: separators, of which only the plain space was left above.
    if "C" in kinds or kinds.count("Z") > name.count(" ") or MOST_MARKS * "M" in kinds:
        raise LeagueError("name_characters", N_("A name has visible characters and plain spaces only."))
    if not any(character.isalnum() for character in name):
        raise LeagueError("name_characters", N_("A name has at least one letter or digit."))
    if len(_alphabets(name) & LOOK_ALIKE_ALPHABETS) > 1:
        raise LeagueError("name_alphabets", N_("A name does not mix alphabets whose letters look alike."))
    if name.casefold() in RESERVED:
        raise LeagueError("name_reserved", N_("This name is reserved."), N_("Choose another."))
    return name


def choose_slug(name: str) -> str:
    """A free part of an address for a name; two names may lead to the same one, so it can get a number."""
    base = slugify(name)[:LONGEST_SLUG] or "bot"
    if base in RESERVED or base.startswith(HOUSE_SLUG):
        base = f"bot-{base}"[:LONGEST_SLUG]
    taken = set(Player.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    if base not in taken:
        return base
    return next(slug for number in range(2, len(taken) + 3) if (slug := f"{base}-{number}") not in taken)


def _alphabets(name: str) -> set[str]:
    return {unicodedata.name(character, "").partition(" ")[0] for character in name if character.isalpha()}


BOTS_A_USER = 10
VERSIONS_A_DAY = 20
BYTES_A_USER = 64 * MEGABYTE
SCRIMMAGES_A_DAY = 200
DAY = timedelta(days=1)


def require_room_for_bot(owner: User) -> None:
    count = Bot.objects.filter(player__owner=owner).exclude(state=BotState.RETIRED).count()
    if count >= BOTS_A_USER:
        raise _exceeded(
            N_("You have %(count)s bots, and %(most)s is the most."),
            N_("Retire one first."),
            count=count,
            most=BOTS_A_USER,
        )


def require_room_for_version(owner: User, size: int) -> None:
    versions = BotVersion.objects.filter(bot__player__owner=owner)
    if versions.filter(created_at__gt=timezone.now() - DAY).count() >= VERSIONS_A_DAY:
        raise _exceeded(
            N_("You have added %(number)s versions in 24 hours."), N_("Go on tomorrow."), number=VERSIONS_A_DAY
        )
    stored = versions.aggregate(total=Sum("size"))["total"] or 0
    if stored + size > BYTES_A_USER:
        raise _exceeded(
            N_("Your versions would take more than %(number)s MB."),
            N_("Make it smaller."),
            number=BYTES_A_USER // MEGABYTE,
        )


def count_scrimmages_left(owner: User) -> int:
    """How many scrimmage matches this author may still ask for in these 24 hours."""
    asked = Scrimmage.objects.filter(asked_by=owner, asked_at__gt=timezone.now() - DAY).count()
    return max(0, SCRIMMAGES_A_DAY - asked)


def _exceeded(message: str, fix: str, **values: object) -> LeagueError:
    return LeagueError("quota_exceeded", message, fix, status=429, **values)


def house_player(brain: str) -> Player:
    """The player of a house brain, made when it is first needed. KeyError where there is no such brain."""
    entries = {entry.name: entry for entry in BRAINS}
    entry = entries[ALIASES.get(brain, brain)]
    player, _ = Player.objects.get_or_create(
        slug=f"{HOUSE_SLUG}{entry.name}", defaults={"kind": PlayerKind.HOUSE, "name": entry.title}
    )
    return player


def ensure_house_bots() -> None:
    """Make the players of all house brains that are missing, so that they can be chosen."""
    Player.objects.bulk_create(
        [Player(kind=PlayerKind.HOUSE, name=entry.title, slug=f"{HOUSE_SLUG}{entry.name}") for entry in BRAINS],
        ignore_conflicts=True,
    )


class BotStep(LabelledEnum):
    ACTIVATE = "activate", N_("activate")
    PAUSE = "pause", N_("pause")
    RETIRE = "retire", N_("retire")


class VersionStep(LabelledEnum):
    START_CHECK = "start_check", N_("begin its check")
    PASS = "pass", N_("pass its check")
    FAIL = "fail", N_("fail its check")
    POSTPONE = "postpone", N_("put its check off")


BOT_STEPS: dict[tuple[BotState, BotStep], BotState] = {
    (BotState.NEW, BotStep.ACTIVATE): BotState.ACTIVE,
    (BotState.ACTIVE, BotStep.ACTIVATE): BotState.ACTIVE,
    (BotState.PAUSED, BotStep.ACTIVATE): BotState.ACTIVE,
    (BotState.ACTIVE, BotStep.PAUSE): BotState.PAUSED,
    (BotState.NEW, BotStep.RETIRE): BotState.RETIRED,
    (BotState.ACTIVE, BotStep.RETIRE): BotState.RETIRED,
    (BotState.PAUSED, BotStep.RETIRE): BotState.RETIRED,
}
VERSION_STEPS: dict[tuple[VersionState, VersionStep], VersionState] = {
    (VersionState.NEW, VersionStep.START_CHECK): VersionState.CHECKING,
    (VersionState.REJECTED, VersionStep.START_CHECK): VersionState.CHECKING,
    (VersionState.CHECKING, VersionStep.PASS): VersionState.QUALIFIED,
    (VersionState.CHECKING, VersionStep.FAIL): VersionState.REJECTED,
    (VersionState.CHECKING, VersionStep.POSTPONE): VersionState.NEW,
}


def next_bot_state(state: str, step: BotStep) -> BotState:
    try:
        return BOT_STEPS[BotState(state), step]
    except KeyError:
        raise LeagueError(
            "bot_state", N_("A bot that is %(state)s cannot %(step)s."), status=409, state=BotState(state), step=step
        ) from None


def next_version_state(state: str, step: VersionStep) -> VersionState:
    try:
        return VERSION_STEPS[VersionState(state), step]
    except KeyError:
        raise LeagueError(
            "version_state",
            N_("A version that is %(state)s cannot %(step)s."),
            status=409,
            state=VersionState(state),
            step=step,
        ) from None


TOKEN_PREFIX = "aurbot_"


@transaction.atomic
def register_bot(*, owner: User, name: str, mode: BotMode, description: str = "") -> Bot:
    """A new bot with no version yet; a connected one has the one version it will ever have, to be qualified."""
    # Two forms sent at once must not both find room.
    User.objects.select_for_update().get(pk=owner.pk)
    require_room_for_bot(owner)
    require_not_suspended(owner.pk)
    name = check_name(name)
    try:
        with transaction.atomic():
            player = Player.objects.create(kind=PlayerKind.BOT, name=name, slug=choose_slug(name), owner=owner)
    except IntegrityError:
        raise LeagueError(
            "name_taken", N_("The name %(name)s is taken."), N_("Choose another."), status=409, name=name
        ) from None
    ensure_house_bots()
    bot = Bot.objects.create(player=player, mode=mode, description=description.strip()[:300])
    if mode == BotMode.CONNECTED:
        content = hashlib.sha256(f"connected:{bot.pk}".encode()).hexdigest()
        BotVersion.objects.create(bot=bot, number=1, content_hash=content, contract=CONTRACT, rules=RULES_VERSION)
    return bot


@transaction.atomic
def change_bot(*, bot_id: int, owner: User, description: str, allows_scrimmages: bool) -> Bot:
    bot = lock_own_bot(bot_id, owner)
    bot.description = description.strip()[:300]
    bot.allows_scrimmages = allows_scrimmages
    bot.save(update_fields=("description", "allows_scrimmages"))
    return bot


@transaction.atomic
def retire_bot(*, bot_id: int, owner: User) -> Bot:
    """For good: it enters nothing any more. What it has played stays, and its name stays taken."""
    bot = lock_own_bot(bot_id, owner)
    bot.state = next_bot_state(bot.state, BotStep.RETIRE)
    bot.token_digest = None
    bot.save(update_fields=("state", "token_digest"))
    Player.objects.filter(pk=bot.player_id).update(is_active=False)
    _end_waiting(bot)
    transaction.on_commit(lambda: players_left.send(sender=None, players=(bot.player_id,)))
    return bot


def _end_waiting(bot: Bot) -> None:
    """Its checks, and matches without a tournament that nobody has begun: they would only hold others up."""
    # What a connected bot has is no upload that waits: it is new until its author asks for a check.
    waits = Q(state=VersionState.CHECKING) | Q(state=VersionState.NEW, upload__isnull=False)
    bot.versions.filter(waits).update(state=VersionState.REJECTED)
    kinds = (MatchKind.SCRIMMAGE, MatchKind.QUALIFICATION)
    waiting = untouched_matches().filter(kind__in=kinds, seats__player=bot.player)
    locked = waiting.order_by("id").only("id").select_for_update(skip_locked=True, no_key=True, of=("self",))
    Match.objects.filter(pk__in=[match.pk for match in locked]).update(state=MatchState.VOID)


@transaction.atomic
def renew_token(*, bot_id: int, owner: User) -> str:
    """A new token for a connected bot, in clear this once; the old one is void from now on."""
    bot = lock_own_bot(bot_id, owner)
    if bot.mode != BotMode.CONNECTED or bot.state == BotState.RETIRED:
        raise LeagueError("bot_mode", N_("Only a connected bot that is not retired has a token."), status=409)
    token = TOKEN_PREFIX + secrets.token_urlsafe(32)
    bot.token_digest = digest_token(token)
    bot.save(update_fields=("token_digest",))
    return token


def digest_token(token: str) -> str:
    """Tokens are long and random, so that a plain hash is as safe as a slow one."""
    return hashlib.sha256(token.encode()).hexdigest()


def lock_own_bot(bot_id: int, owner: User) -> Bot:
    """The bot, locked; one of somebody else is as good as none."""
    try:
        return Bot.objects.select_for_update(of=("self",)).select_related("player").get(pk=bot_id, player__owner=owner)
    except Bot.DoesNotExist:
        raise LeagueError("bot_unknown", N_("You have no such bot."), status=404) from None
