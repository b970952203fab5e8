"""Rating lists, a player's page, two players head to head, and their pictures and files."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.models import Match, Player, PlayerKind
from games.selectors.rated_play import read_manners
from tournaments.models import RatingPool
from tournaments.pages.downloads import send_rows
from tournaments.pages.frame import cut_page, read_page_number
from tournaments.pages.statistics import draw_ends, show_bids, show_ends, show_round_bids
from tournaments.pages.words import MARKS, say_percent, say_signed, say_span
from tournaments.pictures import list_rows
from tournaments.pictures.bars import Bar, Reach, count_columns, draw_bars, draw_reaches
from tournaments.pictures.curves import Axes, BandPoint, count_bins, draw_distribution, draw_history
from tournaments.selectors.entrants import list_entries
from tournaments.selectors.players import (
    LATEST_MATCHES,
    Opponent,
    find_shown_player,
    list_opponents,
    list_player_matches,
    result_line,
)
from tournaments.selectors.ratings import (
    RatingLine,
    list_pools,
    read_player_ratings,
    read_pool_numbers,
    read_rating_history,
    read_rating_list,
)
from tournaments.selectors.statistics import HeadToHead, read_head_to_head, read_player_bids, read_player_round_bids
from tournaments.selectors.waiting import is_blocked

HISTORY_POINTS = 200
HISTORY_ROWS = 5000
"""A file, and the picture one zooms into, show more of the way than the page does."""

MOST_RATINGS = 10_000
FEWEST_RATINGS = 2


@dataclass(frozen=True, slots=True)
class HistoryPicture:
    """A player's history in one pool; `pool` is the name in addresses, `labels` what its columns are called."""

    pool: str
    title: str
    labels: str
    picture: SafeString


def name_pool(pool: RatingPool) -> str:
    parts = [pool.get_entry_kind_display(), pool.get_players_display()]
    return ", ".join(str(part) for part in parts) + (f", {_('teams')}" if pool.is_teams else "")


def draw_pool(pool: RatingPool) -> SafeString | None:
    """How the ratings of a pool are spread; None where too few are sure."""
    numbers = read_pool_numbers(pool)
    if len(numbers) < FEWEST_RATINGS:
        return None
    title = _("Ratings: %(pool)s") % {"pool": name_pool(pool)}
    # The picture escapes every name itself, here and below.
    return SafeString(draw_distribution(numbers, Axes(title, _("rating"), _("players"))))


def draw_histories(player: Player) -> list[HistoryPicture]:
    """The rating in each pool over time, within its band; nothing where there are too few points for a curve."""
    pictures = []
    for pool in list_pools():
        points = read_rating_history(player.pk, pool, points=HISTORY_POINTS)
        if len(points) > 1:
            band = [BandPoint(point.sequence, point.number, point.low, point.high) for point in points]
            title = _("Rating: %(pool)s") % {"pool": name_pool(pool)}
            picture = draw_history(band, Axes(title, _("matches of the pool"), _("rating")))
            labels = "|".join((_("match"), _("rating"), _("from"), _("to")))
            pictures.append(HistoryPicture(str(pool), title, labels, SafeString(picture)))
    return pictures


@require_safe
def download_ratings(request: HttpRequest, pool: str, form: str) -> HttpResponseBase:
    listed = read_rating_list(_require_pool(pool), offset=0, limit=MOST_RATINGS)
    return send_rows(list_rows(listed.lines), f"ratings-{pool}", form)


@require_safe
def download_distribution(request: HttpRequest, pool: str, form: str) -> HttpResponseBase:
    bins = count_bins(read_pool_numbers(_require_pool(pool)))
    return send_rows(list_rows(bins), f"distribution-{pool}", form)


@require_safe
def download_history(request: HttpRequest, slug: str, pool: str, form: str) -> HttpResponseBase:
    player = find_shown_player(slug)
    if player is None:
        raise Http404("no such player")
    points = read_rating_history(player.pk, _require_pool(pool), points=HISTORY_ROWS)
    return send_rows((asdict(point) for point in points), f"{slug}-{pool}", form)


def _require_pool(code: str) -> RatingPool:
    found = next((pool for pool in list_pools() if str(pool) == code), None)
    if found is None:
        raise Http404("no such pool")
    return found


LINES_A_PAGE = 50
MATCHES_A_PAGE = 15
MOST_OPPONENTS = 12
MOST_ENTRIES = 10
TABLE_SIZES = (3, 4)


@require_safe
def show_players(request: HttpRequest) -> HttpResponse:
    pools = list_pools()
    asked = request.GET.get("pool", "")
    busiest = max(pools, key=lambda pool: pool.sequence, default=None)
    chosen = next((pool for pool in pools if str(pool) == asked), None)
    note = _("There is no rating list “%(asked)s”.") % {"asked": asked[:20]} if asked and chosen is None else ""
    pool = chosen or busiest
    context: dict[str, Any] = {
        "pools": [(name_pool(one), f"?pool={one}") for one in pools],
        "current": f"?pool={pool}",
        "pool": pool,
        "note": note,
    }
    if pool is not None:
        number = read_page_number(request)
        listed = read_rating_list(pool, offset=(number - 1) * LINES_A_PAGE, limit=LINES_A_PAGE)
        page = Paginator(range(listed.total), LINES_A_PAGE).get_page(number)
        if page.number != number:
            listed = read_rating_list(pool, offset=(page.number - 1) * LINES_A_PAGE, limit=LINES_A_PAGE)
        shown = [line.shown for line in listed.lines]
        reaches = draw_reaches([Reach(one.low, one.number, one.high) for one in shown])
        context |= {"listed": listed, "page": page, "picture": draw_pool(pool)}
        lines = [(line, SafeString(drawn)) for line, drawn in zip(listed.lines, reaches, strict=True)]
        context |= {"lines": lines, "leads": listed.lines[: 3 * (page.number == 1)]}
    return render(request, "players/list.html", context)


@require_safe
def show_player(request: HttpRequest, slug: str) -> HttpResponse:
    player = require_player(slug)
    page = cut_page(request, list_player_matches(player), MATCHES_A_PAGE)
    bids = read_player_bids(player.pk)
    opponents = list_opponents(player, MOST_OPPONENTS)
    newest = page.object_list[0].pk if page.number == 1 and page.object_list else page.paginator.count
    manners = read_manners(player.pk) if player.kind in (PlayerKind.PERSON, PlayerKind.GUEST) else None
    context = {
        "player": player,
        "latest": LATEST_MATCHES if page.paginator.count > LATEST_MATCHES else 0,
        "team": getattr(player, "team", None),
        "manners": manners,
        "ratings": show_ratings(player),
        **describe_dealings(player, request.user),
        "page": page,
        "results": [result_line(match) for match in page.object_list],
        "bids": [(size, show_bids(line)) for size, line in bids.items()],
        "ends": [
            (size, ends, draw_ends(ends, line.rounds))
            for size, line in bids.items()
            for ends in [show_ends(line.ends, line.rounds)]
        ],
        "form": show_form(player, list(page.object_list)) if page.number == 1 else [],
        **show_round_bids(count_columns(read_player_round_bids(player.pk, newest))),
        "opponents_picture": draw_opponents(opponents),
        "histories": draw_histories(player),
        "opponents": [show_opponent(one) for one in opponents],
        "entries": list_entries(player.pk, MOST_ENTRIES),
    }
    return render(request, "players/player.html", context)


def show_form(player: Player, matches: Sequence[Match]) -> list[tuple[int, int]]:
    """The latest places with their matches, oldest first, as one reads a strip."""
    places = []
    for match in matches:
        own = next(held.seat for held in match.seats.all() if held.player_id == player.pk)
        places.append((match.pk, match.result.seat_places[own]))
    return places[::-1]


def draw_opponents(opponents: Sequence[Opponent]) -> SafeString:
    """How often the player came in ahead of whom they met most; the mark is half and half."""
    bars = [Bar(one.name, one.ahead, say_percent(one.ahead)) for one in opponents[:8]]
    return SafeString(draw_bars(bars, _("Ahead of those met most"), 0.5)) if bars else SafeString("")


def describe_dealings(player: Player, user: User | AnonymousUser) -> dict[str, bool]:
    """Whether the reader can challenge or report this player, and has blocked them."""
    is_other = user.is_authenticated and player.owner_id != user.pk
    can_challenge = is_other and player.kind == PlayerKind.PERSON
    return {
        "can_challenge": can_challenge,
        "is_blocked": can_challenge and is_blocked(user.pk, player.pk),
        "can_report": is_other and player.kind in (PlayerKind.PERSON, PlayerKind.GUEST, PlayerKind.BOT),
    }


@require_safe
def show_head_to_head(request: HttpRequest, slug: str, other: str) -> HttpResponse:
    player, opponent = require_player(slug), require_player(other)
    if player.pk == opponent.pk:
        raise Http404("nobody plays against themselves")
    page = cut_page(request, list_player_matches(player, opponent), MATCHES_A_PAGE)
    met = [read_head_to_head(player.pk, opponent.pk, players=size) for size in TABLE_SIZES]
    context = {
        "player": player,
        "opponent": opponent,
        "met": [show_meetings(one) for one in met if one.cell],
        "page": page,
        "results": [result_line(match) for match in page.object_list],
    }
    return render(request, "players/head_to_head.html", context)


def show_ratings(player: Player) -> list[tuple[str, RatingLine]]:
    """The name of each pool the player is rated in, and the rating there."""
    pools = {pool.id: name_pool(pool) for pool in list_pools()}
    rated = read_player_ratings(player.pk, with_spans=False)
    return [(pools[line.pool_id], line) for line in rated if line.pool_id in pools]


def show_meetings(met: HeadToHead) -> dict[str, Any]:
    """All meetings of two players at tables of one size, in words."""
    cell = met.cell
    if cell is None:
        raise ValueError("they never met")
    interval = "" if cell.low is None or cell.high is None else say_span(say_signed(cell.low), say_signed(cell.high))
    return {
        "players": met.players,
        "meetings": cell.meetings,
        "ahead": say_percent(cell.share_ahead),
        "difference": say_signed(cell.mean_difference),
        "interval": interval,
        "verdict": MARKS[cell.mark],
    }


def show_opponent(one: Opponent) -> dict[str, Any]:
    """Shares in per cent, differences with their sign; how sure they are stands on the page of the two."""
    return {"opponent": one, "ahead": say_percent(one.ahead), "difference": say_signed(one.difference)}


def require_player(slug: str) -> Player:
    player = find_shown_player(slug)
    if player is None:
        raise Http404("no such player")
    return player
