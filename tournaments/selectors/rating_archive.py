"""Ratings as an archive tells them: the pools that a tournament counts in, their matches in the order rated, and where
everybody stands, so that live ratings and the official fit can be computed without us."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.db import connection

from games.play.agents import AgentKind, AgentRef
from tournaments.models import FixtureMatch, Rating, RatingChange, RatingPool, Tournament
from tournaments.rules.ratings.official import OFFICIAL_COLUMNS
from tournaments.selectors.rated_matches import find_anchor
from tournaments.selectors.schedule import FixtureSides, read_fixture_sides

MOST_MATCHES = 200_000
"""Of a larger pool an archive holds the tournament's own matches only: each step is then checked by itself."""
CHUNK = 5_000

_RATED = """
    SELECT rated.sequence, match.id, match.deals, result.places, result.forfeits,
           array_agg(seat.player_id ORDER BY seat.seat), array_agg(player.kind = 'person' ORDER BY seat.seat),
           array_agg(seat.agent ORDER BY seat.seat), match.share, result.early
    FROM (
        SELECT match_id, min(sequence) AS sequence FROM tournaments_ratingchange
        WHERE pool_id = %s AND sequence > %s AND sequence <= %s GROUP BY match_id
    ) AS rated
    JOIN games_match AS match ON match.id = rated.match_id
    JOIN games_matchresult AS result ON result.match_id = match.id
    JOIN games_matchseat AS seat ON seat.match_id = match.id
    JOIN games_player AS player ON player.id = seat.player_id
    GROUP BY rated.sequence, match.id, result.match_id ORDER BY rated.sequence, match.id
"""

Row = dict[str, Any]


@dataclass(slots=True)
class RatingArchive:
    """The rating part of one archive, to be read within one snapshot; `players` is whom its rows name."""

    tournament: Tournament
    players: set[int] = field(default_factory=set)
    blocks: dict[Any, int] = field(default_factory=dict)

    def list_pools(self) -> list[RatingPool]:
        own = RatingChange.objects.filter(match__in=self._own_matches())
        return list(RatingPool.objects.filter(pk__in=own.values("pool_id")).order_by("pk"))

    def tell_pools(self) -> Iterator[Row]:
        for pool in self.list_pools():
            yield {
                "pool": str(pool),
                "players": pool.players,
                "is_teams": pool.is_teams,
                "entry_kind": pool.entry_kind,
                "anchor": pool.ratings.filter(player=find_anchor()).values_list("player_id", flat=True).first(),
                "sequence": pool.sequence,
                "fitted_sequence": pool.fitted_sequence,
                "rebuild_from": pool.rebuild_from,
                "is_whole": pool.sequence <= MOST_MATCHES,
            }

    def tell_matches(self) -> Iterator[Row]:
        """Every match of the pools in the order rated; steps are told of the tournament's own."""
        own = set(self._own_matches())
        for pool in self.list_pools():
            is_whole = pool.sequence <= MOST_MATCHES
            for after in range(0, pool.sequence, CHUNK):
                with connection.cursor() as cursor:
                    cursor.execute(_RATED, [pool.pk, after, min(after + CHUNK, pool.sequence)])
                    rows = [row for row in cursor.fetchall() if is_whole or row[1] in own]
                steps = self._read_steps(pool, [row[1] for row in rows if row[1] in own])
                sides = read_fixture_sides([row[1] for row in rows])
                for row in rows:
                    self.players.update(row[5])
                    yield self._tell_match(pool, row, sides.get(row[1]), steps.get(row[1]))

    def tell_ratings(self) -> Iterator[Row]:
        """Where everybody in the pools stands; of a pool that is not whole, those who played here."""
        for pool in self.list_pools():
            ratings = Rating.objects.filter(pool=pool).order_by("player_id")
            if pool.sequence > MOST_MATCHES:
                own = RatingChange.objects.filter(match__in=self._own_matches(), pool=pool)
                ratings = ratings.filter(player__in=own.values("player_id"))
            columns = ("player_id", "mu", "sigma", "matches", *OFFICIAL_COLUMNS)
            for row in ratings.values(*columns).iterator(chunk_size=CHUNK):
                self.players.add(row["player_id"])
                yield {"pool": str(pool), "player": row.pop("player_id"), **row}

    def _own_matches(self) -> Any:
        links = FixtureMatch.objects.filter(stage__tournament=self.tournament, match__is_rated=True)
        return links.values_list("match_id", flat=True)

    def _read_steps(self, pool: RatingPool, match_ids: list[int]) -> dict[int, list[Row]]:
        steps: dict[int, list[Row]] = defaultdict(list)
        columns = ("mu_before", "sigma_before", "mu_after", "sigma_after", "place", "is_forfeit")
        found = RatingChange.objects.filter(pool=pool, match_id__in=match_ids).order_by("match_id", "player_id")
        for row in found.values("match_id", "player_id", *columns):
            steps[row.pop("match_id")].append({"player": row.pop("player_id"), **row})
        return steps

    def _tell_match(
        self, pool: RatingPool, row: tuple[Any, ...], sides: FixtureSides | None, steps: list[Row] | None
    ) -> Row:
        sequence, match_id, deals, places, forfeits, players, persons, agents, share, early = row
        refs = [AgentRef.parse(agent) for agent in agents]
        told = {
            "pool": str(pool),
            "sequence": sequence,
            "match": match_id,
            "players": players,
            "versions": [int(ref.id) if ref.kind is AgentKind.VERSION else 0 for ref in refs],
            "persons": persons,
            "teams": None if pool.players == 3 else list(sides.teams) if sides else [0, 0],
            "places": places,
            "forfeits": forfeits,
            "early": early,
            "share": share,
            "block": self.blocks.setdefault(deals, len(self.blocks) + 1),
        }
        return told if steps is None else told | {"steps": steps}
