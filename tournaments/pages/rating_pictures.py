"""Ratings as pictures, and the same as files: a pool's list and distribution, a player's history."""

from dataclasses import asdict, dataclass

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.models import Player
from tournaments.models import RatingPool
from tournaments.pages.files import send_rows
from tournaments.pictures.curves import Axes, BandPoint, count_bins, draw_distribution, draw_history
from tournaments.pictures.exports import list_rows
from tournaments.selectors.players import find_player
from tournaments.selectors.ratings import (
    list_pools,
    read_pool_numbers,
    read_rating_history,
    read_rating_list,
)

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
    player = find_player(slug)
    if player is None:
        raise Http404("no such player")
    points = read_rating_history(player.pk, _require_pool(pool), points=HISTORY_ROWS)
    return send_rows((asdict(point) for point in points), f"{slug}-{pool}", form)


def _require_pool(code: str) -> RatingPool:
    found = next((pool for pool in list_pools() if str(pool) == code), None)
    if found is None:
        raise Http404("no such pool")
    return found
