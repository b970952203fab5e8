"""Bots as everybody may see them, one's own, and how each does."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from django.contrib.auth.models import AnonymousUser, User
from django.db import connection
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from aurum_league.common.errors import N_, LeagueError
from bots.agents.decision_log import DecisionLog, join_logs
from bots.agents.uploaded import add_up, read_quantile, tell_fuel, tell_milliseconds
from bots.brains import BRAINS
from bots.models import Bot, BotMode, BotState, BotVersion, Puzzle, PuzzleAnswer, SeatLog, SeatUsage, VersionState
from games.models import Match, MatchKind, MatchSeat, Player, PlayerKind, SeatFailure
from games.models.match import ENDED
from games.play.agents import AgentKind, AgentRef
from games.selectors.matches import require_unsealed
from games.selectors.sitters import Sitter

HOUSE_SLUGS = tuple(f"house-{brain.name}" for brain in BRAINS)
MOST_NAMES = 20


def agent_of_version(bot: Bot, version_id: int | None) -> AgentRef:
    """What plays where this version of the bot sits down: a connected bot is one agent, whatever its version."""
    if bot.mode == BotMode.CONNECTED:
        return AgentRef(AgentKind.CONNECTED, str(bot.pk))
    return AgentRef(AgentKind.VERSION, str(version_id))


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


def list_scrimmage_opponents(owner: User) -> QuerySet[Player]:
    """Whom a scrimmage may be asked against: house bots, and active bots that allow it or are one's own."""
    willing = Bot.objects.filter(state=BotState.ACTIVE).filter(Q(allows_scrimmages=True) | Q(player__owner=owner))
    house = Q(kind=PlayerKind.HOUSE, is_active=True, slug__in=HOUSE_SLUGS)
    return Player.objects.filter(house | Q(pk__in=willing.values("player"))).order_by("-kind", "name")


def find_opponents(slugs: Sequence[str]) -> list[Player]:
    """The players of these addresses, in the same order; one may be named twice."""
    found = {player.slug: player for player in Player.objects.filter(slug__in=slugs)}
    for slug in slugs:
        if slug not in found:
            raise LeagueError("player_unknown", N_("There is no player %(name)s."), status=404, name=slug)
    return [found[slug] for slug in slugs]


def draw_table_names(version_id: int) -> list[str]:
    """The name of a version's bot, and some of others whom it could meet, in no order."""
    own: str = BotVersion.objects.values_list("bot__player__name", flat=True).get(pk=version_id)
    house = Q(kind=PlayerKind.HOUSE, slug__in=HOUSE_SLUGS)
    met = Player.objects.filter(house | Q(kind=PlayerKind.BOT), is_active=True).exclude(name=own)
    others = list(met.order_by("?").values_list("name", flat=True)[:MOST_NAMES])
    return [own, *others, *(brain.title for brain in BRAINS if brain.title not in (own, *others))]


def list_versions(bot: Bot, reader: User | AnonymousUser) -> QuerySet[BotVersion]:
    """Without the uploads themselves; those that did not qualify only for the author."""
    versions = bot.versions.defer("upload")
    is_own = reader.is_authenticated and reader.pk == bot.player.owner_id
    return versions if is_own else versions.filter(state=VersionState.QUALIFIED)


def _one(bots: QuerySet[Bot]) -> Bot:
    bot = bots.first()
    if bot is None:
        raise LeagueError("bot_unknown", N_("There is no such bot."), status=404)
    return bot


MATCHES_FOR_CPU = 500
Z95 = 1.959964
# One block of matches on the same deals is one observation: its mean score, so that shared luck counts once.
_SCORES = """
    SELECT agent, count(*) AS deals, sum(matches) AS matches, sum(forfeits) AS forfeits, avg(score) AS mean
    FROM (
        SELECT seat.agent, match.deals, count(DISTINCT match.id) AS matches,
               count(*) FILTER (WHERE seat.seat = ANY(result.forfeits)) AS forfeits,
               avg(CASE WHEN seat.seat = ANY(result.forfeits) THEN 0.0 ELSE (
                   SELECT CASE WHEN count(*) FILTER (WHERE place < result.places[seat.side + 1]) > 0 THEN 0.0
                               ELSE 1.0 / count(*) FILTER (WHERE place = result.places[seat.side + 1]) END
                   FROM unnest(result.places) WITH ORDINALITY AS live (place, side)
                   WHERE NOT (side - 1 = ANY(result.forfeits)
                              AND (match.players = 3 OR side + 1 = ANY(result.forfeits)))
               ) END) AS score
        FROM games_matchseat AS seat
        JOIN games_match AS match ON match.id = seat.match_id
        JOIN games_matchresult AS result ON result.match_id = match.id
        WHERE seat.player_id = %s AND match.players = %s AND match.kind <> 'qualification'
        GROUP BY seat.agent, match.deals
    ) AS block
    GROUP BY agent
"""


@dataclass(frozen=True, slots=True)
class WinRate:
    """Share of matches won, a shared first place counted in part; bounds are a 95 % interval over deals."""

    matches: int
    deals: int
    forfeits: int
    mean: float
    low: float
    high: float
    even: float


@dataclass(frozen=True, slots=True)
class CpuTime:
    """Milliseconds a decision."""

    decisions: int
    p50: float
    p99: float


@dataclass(frozen=True, slots=True)
class FuelUse:
    """Of a module, a decision: the same on every machine."""

    decisions: int
    p50: int
    p99: int


@dataclass(frozen=True, slots=True)
class Usage:
    """What decisions took; a Python bot has no fuel."""

    cpu: CpuTime | None
    fuel: FuelUse | None


def read_win_rates(bot: Bot, players: int) -> dict[str, WinRate]:
    """By agent, such as `version:12`: at tables of so many players, everything but qualification."""
    with connection.cursor() as cursor:
        cursor.execute(_SCORES, [bot.player_id, players])
        rows = cursor.fetchall()
    even = 1 / 3 if players == 3 else 1 / 2
    rates = {}
    for agent, deals, matches, forfeits, mean in rows:
        low, high = share_interval(float(mean), deals)
        rates[agent] = WinRate(int(matches), deals, int(forfeits), float(mean), low, high, even)
    return rates


def share_interval(share: float, deals: int) -> tuple[float, float]:
    """Wilson's 95 % interval, a deal as one trial: means over several matches vary less, so it is rather too wide."""
    spread = Z95 * Z95 / deals
    centre = (share + spread / 2) / (1 + spread)
    reach = sqrt(spread * share * (1 - share) + spread * spread / 4) / (1 + spread)
    return max(0.0, centre - reach), min(1.0, centre + reach)


def read_usage(version_id: int) -> Usage:
    """Over the latest matches of a version; empty where it has played none."""
    usages = SeatUsage.objects.filter(version_id=version_id).order_by("-match_id")
    rows = list(usages.values_list("cpu", "fuel")[:MATCHES_FOR_CPU])
    return Usage(_cpu_time(add_up(cpu for cpu, _ in rows)), _fuel_use(add_up(fuel for _, fuel in rows if fuel)))


def _cpu_time(counts: Sequence[int]) -> CpuTime | None:
    p50, p99 = read_quantile(counts, 0.5), read_quantile(counts, 0.99)
    if p50 is None or p99 is None:
        return None
    return CpuTime(sum(counts), tell_milliseconds(p50), tell_milliseconds(p99))


def _fuel_use(counts: Sequence[int]) -> FuelUse | None:
    p50, p99 = read_quantile(counts, 0.5), read_quantile(counts, 0.99)
    return None if p50 is None or p99 is None else FuelUse(sum(counts), tell_fuel(p50), tell_fuel(p99))


def list_bot_matches(bot: Bot) -> QuerySet[MatchSeat]:
    """The bot's seats, newest match first."""
    seats = MatchSeat.objects.filter(player_id=bot.player_id).select_related("match", "match__result")
    return seats.exclude(match__kind=MatchKind.QUALIFICATION).order_by("-match_id", "seat")


def list_failures(bot: Bot) -> QuerySet[SeatFailure]:
    """Decisions the bot failed to make, newest first. They show hidden cards, so deals still in play are left out."""
    own = SeatFailure.objects.filter(match__seats__player_id=bot.player_id, match__seats__seat=F("seat"))
    in_play = Match.objects.filter(deals=OuterRef("match__deals")).exclude(state__in=ENDED)
    return own.filter(~Exists(in_play)).select_related("match").order_by("-match_id", "-step")


@dataclass(frozen=True, slots=True)
class LoggedSeat:
    """A seat that one's own upload held in a match, with the log of its decisions; None where none is kept."""

    seat: int
    bot: str
    name: str
    version: int
    log: DecisionLog | None


def read_own_seats(match: Match, owner: User) -> list[LoggedSeat]:
    """By seat; raises where none of one's uploads sat there, or while the match is sealed."""
    held = [seat for seat in match.seats.all() if seat.ref.is_version and seat.owner_id == owner.pk]
    if not held:
        raise LeagueError("no_own_bot", N_("None of your uploaded bots sat at this table."), status=404)
    require_unsealed(match)
    pieces: dict[int, list[bytes]] = {}
    for seat, body in SeatLog.objects.filter(match=match).order_by("seat", "counter").values_list("seat", "body"):
        pieces.setdefault(seat, []).append(bytes(body))
    numbers = dict(BotVersion.objects.filter(pk__in={seat.ref.number for seat in held}).values_list("pk", "number"))
    return [
        LoggedSeat(
            seat.seat,
            seat.player.slug,
            seat.player.name,
            numbers[seat.ref.number],
            join_logs(pieces[seat.seat]) if seat.seat in pieces else None,
        )
        for seat in held
    ]


DUELS = """
    WITH latest AS (
        SELECT match.id, result.places FROM games_match AS match
        JOIN games_matchresult AS result ON result.match_id = match.id
        WHERE match.state = 'finished' AND match.needs = 0 AND cardinality(result.forfeits) = 0
        ORDER BY match.id DESC LIMIT %(matches)s)
    SELECT one.agent, other.agent, count(*),
           avg(CASE WHEN places[one.side + 1] < places[other.side + 1] THEN 100.0
                    WHEN places[one.side + 1] = places[other.side + 1] THEN 50.0 ELSE 0.0 END)
    FROM latest
    JOIN games_matchseat AS one ON one.match_id = latest.id
    JOIN games_matchseat AS other ON other.match_id = latest.id AND other.side <> one.side
    WHERE one.agent LIKE %(house)s AND other.agent LIKE %(house)s AND one.agent <> other.agent
    GROUP BY one.agent, other.agent
"""
MOST_DUELS = 20_000


def read_duels() -> dict[tuple[str, str], tuple[int, int]]:
    """By the names of two house bots: how often in 100 the first came in ahead, and in how many of the latest meetings;
    a place that they shared counts half."""
    with connection.cursor() as cursor:
        cursor.execute(DUELS, {"matches": MOST_DUELS, "house": f"{AgentKind.HOUSE.prefix}%"})
        rows = cursor.fetchall()
    name = {str(AgentRef(AgentKind.HOUSE, entry.name)): entry.name for entry in BRAINS}
    return {(name[a], name[b]): (round(share), met) for a, b, met, share in rows if a in name and b in name}


def find_puzzle(day: dt.date) -> Puzzle | None:
    return Puzzle.objects.filter(day=day).first()


def find_newest_puzzle(today: dt.date) -> Puzzle | None:
    return Puzzle.objects.filter(day__lte=today).order_by("-day").first()


def find_puzzle_answer(puzzle: Puzzle, sitter: Sitter) -> PuzzleAnswer | None:
    return puzzle.answers.filter(sitter.condition).first()


def list_puzzle_choices(puzzle: Puzzle) -> dict[str, int]:
    """How many decided for each choice; choices that nobody made are left out."""
    return dict(puzzle.answers.values_list("choice").annotate(Count("id")))
