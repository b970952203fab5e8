"""What plays for a bot: its agent, the log and cost of its decisions, and what follows when it fails."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from datetime import timedelta

from django.conf import settings
from django.core.mail import send_mail
from django.db import connection, transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from aurum_league.common.broker import send_nudge
from aurum_league.common.errors import N_, LeagueError
from aurum_league.common.telling import find_mailbox
from bots.agents.decision_log import DecisionLog, LoggedDecision
from bots.agents.uploaded import UploadedAgent, WasmAgent, count_buckets, count_fuel, open_uploaded
from bots.models import Bot, BotState, BotVersion, SeatLog, SeatUsage
from bots.selectors import agent_of_version
from bots.services.registration import BotStep, next_bot_state
from bots.services.versions import fetch_code
from games.models import MatchKind, Player
from games.play.agents import Agent, AgentFault, AgentRef, PlatformFault, SeatOrder
from games.rules.actions import action_text
from games.rules.view import View
from games.signals import SettledMatch

# A match whose lease was lost is never settled here; what was noted of it must not stay for ever.
MOST_NOTED = 1000
_noted: OrderedDict[tuple[int, int], SeatUsage] = OrderedDict()
_logged: OrderedDict[tuple[int, int], SeatLog] = OrderedDict()
KEPT_LOGS = timedelta(days=30)
MOST_LOGGED = 200_000_000
"""Bytes of logs that are kept for one author; the oldest go first."""


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


def note_log(*, match_id: int, seat: int, version_id: int, log: DecisionLog) -> None:
    if not log.decisions:
        return
    body = log.pack()
    counter = log.decisions[0].counter
    _logged[match_id, seat] = SeatLog(
        match_id=match_id, seat=seat, version_id=version_id, counter=counter, body=body, size=len(body)
    )
    if len(_logged) > MOST_NOTED:
        _logged.popitem(last=False)


def store_logs(*, match_ids: Sequence[int]) -> None:
    """What was noted here of matches that were settled, or that now wait for somebody."""
    keys = [(match, seat) for match in match_ids for seat in range(4)] if _logged else []
    logs = [log for key in keys if (log := _logged.pop(key, None)) is not None]
    if logs:
        SeatLog.objects.bulk_create(logs, ignore_conflicts=True)


_OVER = """
    DELETE FROM bots_seatlog WHERE id IN (
        SELECT id FROM (
            SELECT log.id, sum(log.size) OVER (PARTITION BY player.owner_id ORDER BY log.id DESC) AS total
            FROM bots_seatlog AS log JOIN bots_botversion AS version ON version.id = log.version_id
            JOIN bots_bot AS bot ON bot.id = version.bot_id JOIN games_player AS player ON player.id = bot.player_id
        ) AS logs WHERE total > %s
    )
"""


def prune_logs() -> None:
    """Forget logs that are old, or more than one author may have."""
    SeatLog.objects.filter(created_at__lt=timezone.now() - KEPT_LOGS).delete()
    with connection.cursor() as cursor:
        cursor.execute(_OVER, [MOST_LOGGED])


class VersionAgent:
    """A stored version at its seat, Python or a module; what it used and said is noted when it leaves."""

    def __init__(self, order: SeatOrder, version_id: int) -> None:
        self._order = order
        self._version_id = version_id
        self._agent = open_uploaded(order, fetch_code(version_id))
        self._log = DecisionLog()

    def choose(self, view: View) -> int:
        try:
            action = self._agent.choose(view)
        except AgentFault as fault:
            self._note(view, None, fault.verdict)
            raise
        self._note(view, action_text(view.phase, action), "ok")
        return action

    def _note(self, view: View, action: str | None, verdict: str) -> None:
        agent = self._agent
        decision = LoggedDecision(
            counter=view.log_end,
            action=action,
            verdict=verdict,
            cpu_us=round(agent.cpu[-1] * 1e6),
            wall_us=None if isinstance(agent, WasmAgent) else round(agent.wall[-1] * 1e6),
            fuel=agent.fuel[-1] if isinstance(agent, WasmAgent) else None,
            said=self._log.fit(agent.take_words()),
        )
        self._log.decisions.append(decision)

    def end(self, view: View, forfeits: list[int]) -> None:
        self._agent.end(view, forfeits)

    def close(self) -> None:
        self._agent.close()
        order = self._order
        self._log.last_words = self._log.fit(self._agent.take_words())
        note_usage(match_id=order.match, seat=order.seat, version_id=self._version_id, agent=self._agent)
        note_log(match_id=order.match, seat=order.seat, version_id=self._version_id, log=self._log)

    @property
    def waited(self) -> float:
        """Seconds for which it let the referee wait beyond those it worked, once it is closed."""
        return 0.0 if isinstance(self._agent, WasmAgent) else max(0.0, self._agent.slept - sum(self._agent.cpu))


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
