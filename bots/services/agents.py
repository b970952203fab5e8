"""What plays for a bot: its agent, the CPU time it used, and what follows when it fails."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from aurum_league.common.broker import send_nudge
from aurum_league.common.errors import N_, LeagueError
from aurum_league.common.telling import find_mailbox
from bots.agents.uploaded import UploadedAgent, WasmAgent, count_buckets, count_fuel, open_uploaded
from bots.models import Bot, BotState, BotVersion, SeatUsage
from bots.selectors import agent_of_version
from bots.services.registration import BotStep, next_bot_state
from bots.services.versions import fetch_code
from games.models import MatchKind, Player
from games.play.agents import Agent, AgentRef, PlatformFault, SeatOrder
from games.rules.view import View
from games.signals import SettledMatch

# A match whose lease was lost is never settled here; what was noted of it must not stay for ever.
MOST_NOTED = 1000
_noted: OrderedDict[tuple[int, int], SeatUsage] = OrderedDict()


def note_usage(*, match_id: int, seat: int, version_id: int, agent: UploadedAgent) -> None:
    if not agent.cpu:
        return
    usage = SeatUsage(match_id=match_id, seat=seat, version_id=version_id, cpu=count_buckets(agent.cpu))
    if isinstance(agent, WasmAgent):
        usage.fuel = count_fuel(agent.fuel)
    _noted[match_id, seat] = usage
    if len(_noted) > MOST_NOTED:
        _noted.popitem(last=False)


def store_usage(*, matches: Sequence[SettledMatch]) -> None:
    """Inside the settling transaction; the match of a person is asked for in pieces, and its last piece counts."""
    keys = [(match.id, seat.seat) for match in matches for seat in match.seats if seat.agent.is_version]
    usages = [usage for key in keys if (usage := _noted.pop(key, None)) is not None]
    if usages:
        SeatUsage.objects.bulk_create(usages, ignore_conflicts=True)


class VersionAgent:
    """A stored version at its seat, Python or a module; what it used is noted when it leaves."""

    def __init__(self, order: SeatOrder, version_id: int) -> None:
        self._order = order
        self._version_id = version_id
        self._agent = open_uploaded(order, fetch_code(version_id))

    def choose(self, view: View) -> int:
        return self._agent.choose(view)

    def end(self, view: View, forfeits: list[int]) -> None:
        self._agent.end(view, forfeits)

    def close(self) -> None:
        self._agent.close()
        order = self._order
        note_usage(match_id=order.match, seat=order.seat, version_id=self._version_id, agent=self._agent)


def open_version(order: SeatOrder) -> Agent:
    version_id = order.agent.number
    try:
        return VersionAgent(order, version_id)
    except BotVersion.DoesNotExist:
        raise PlatformFault(f"There is no uploaded version {version_id}.") from None


def name_agent(player: Player) -> AgentRef:
    """The agent of a bot, pinned to its active version; a paused bot plays on what it has entered."""
    bot = Bot.objects.filter(player=player, active_version__isnull=False).first()
    if bot is None:
        raise LeagueError(
            "no_agent",
            N_("%(name)s has no active version."),
            N_("Qualify and activate one."),
            status=409,
            name=player.name,
        )
    return agent_of_version(bot, bot.active_version_id)


def may_enter(player: Player, is_rated: bool) -> bool:
    """Rated or not, only a bot whose active version is qualified; activating asks for that."""
    return Bot.objects.filter(player=player, state=BotState.ACTIVE).exists()


FAILURES_TO_PAUSE = 3


def count_failures(*, matches: Sequence[SettledMatch]) -> None:
    """Inside the settling transaction: count forfeits running, and pause at the third."""
    outcomes = list(_list_outcomes(matches))
    if not outcomes:
        return
    players = {player for player, _ in outcomes}
    bots = {bot.player_id: bot for bot in Bot.objects.select_for_update().filter(player__in=players).order_by("pk")}
    changed: set[int] = set()
    for player, is_forfeit in outcomes:
        bot = bots.get(player)
        if bot is None or (not is_forfeit and not bot.failures):
            continue
        bot.failures = min(bot.failures + 1, FAILURES_TO_PAUSE) if is_forfeit else 0
        changed.add(player)
        if bot.failures == FAILURES_TO_PAUSE and bot.state == BotState.ACTIVE:
            bot.state = next_bot_state(bot.state, BotStep.PAUSE)
            bot.paused_at, bot.author_told_at = timezone.now(), None
            transaction.on_commit(lambda: send_nudge("bots.sweep"))
    if changed:
        rows = [bots[player] for player in changed]
        Bot.objects.bulk_update(rows, ("failures", "state", "paused_at", "author_told_at"))


def _list_outcomes(matches: Sequence[SettledMatch]) -> Iterator[tuple[int, bool]]:
    """Player and whether it forfeited, once a match, in the order of the matches."""
    for match in sorted(matches, key=lambda match: match.id):
        if match.kind == MatchKind.QUALIFICATION:
            continue
        forfeits: dict[int, bool] = {}
        for seat in match.seats:
            if seat.agent.is_version or seat.agent.is_connected:
                is_forfeit = seat.seat in match.summary.forfeits
                forfeits[seat.player] = forfeits.get(seat.player, False) or is_forfeit
        yield from forfeits.items()


def tell_authors() -> int:
    """Write to the authors of paused bots who have not been told yet; how many. A mail may go twice, never lost."""
    told = 0
    while True:
        with transaction.atomic():
            bots = Bot.objects.select_for_update(skip_locked=True, of=("self",)).select_related("player__owner")
            bot = bots.filter(state=BotState.PAUSED, author_told_at__isnull=True).order_by("paused_at").first()
            if bot is None:
                return told
            _tell_author(bot)
            bot.author_told_at = timezone.now()
            bot.save(update_fields=("author_told_at",))
            told += 1


def _tell_author(bot: Bot) -> None:
    owner = bot.player.owner
    mailbox = find_mailbox(owner) if owner else ""
    if not mailbox:
        return
    with translation.override(settings.LANGUAGE_CODE):
        subject = _("Your bot %(bot)s is paused") % {"bot": bot.player.name}
        text = _(
            "%(bot)s forfeited %(count)d matches running, so it was paused and enters nothing new.\n\n"
            "What it was asked, what it answered and what it wrote to stderr are on its dashboard:\n%(address)s\n\n"
            "Activate a version that passes the check, and it plays again."
        ) % {
            "bot": bot.player.name,
            "count": FAILURES_TO_PAUSE,
            "address": f"{settings.SITE_URL}/bots/{bot.player.slug}/dashboard/",
        }
    send_mail(subject, text, None, [mailbox])
