"""Matches that somebody may see, their seals, versions of their result, and the record of a finished one."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.db import connection
from django.db.models import Prefetch, Q, QuerySet
from django.utils import timezone

from aurum_league.common.errors import N_, LeagueError
from aurum_league.common.proofs import sign_document
from games.models import Heartbeat, Lobby, Match, MatchKind, MatchSeat, MatchState, Player, ResultKind, ResultVersion
from games.models.match import ENDED
from games.rules.match import Match as Play
from games.rules.match import replay, unpack_log
from games.rules.mixing import tell_parts
from games.rules.outcome import count_places
from games.rules.record import make_record
from games.rules.ruleset import Ruleset
from games.selectors.archives import read_archived_logs, read_log

MOST_IN_A_BLOCK = 24


def _seats() -> QuerySet[MatchSeat]:
    return MatchSeat.objects.select_related("player").order_by("seat")


def load_match(match_id: int) -> Match | None:
    """With its result and, in two queries, its seats in order; whoever shows it asks `may_see_match` first."""
    matches = Match.objects.select_related("result").prefetch_related(Prefetch("seats", queryset=_seats()))
    return matches.filter(pk=match_id).first()


UNTOUCHED = (MatchState.OPEN, MatchState.READY, MatchState.HELD, MatchState.QUARANTINED)


def untouched_matches() -> QuerySet[Match]:
    """Matches that may still become void: no card was shown, no action taken, and nobody missed their time.

    A match that waits for somebody has shown its cards; one that a worker takes over midway has a log.
    """
    return Match.objects.filter(state__in=UNTOUCHED, log=b"", clocks={})


def is_friendly(match_id: int) -> bool:
    """A casual table that counts for nothing, at which one may be helped."""
    return Match.objects.filter(pk=match_id, kind=MatchKind.CASUAL, is_rated=False).exists()


def count_open_matches(match: Match) -> int:
    """How many matches on the same deals are still to end; none of them ended means this one is no longer sealed."""
    return Match.objects.filter(deals=match.deals).exclude(state__in=ENDED).count()


def list_seatings(match: Match) -> Sequence[Match]:
    """Every finished match of the block, this one included, with results and seats; for unsealed matches only."""
    matches = Match.objects.filter(deals=match.deals, state=MatchState.FINISHED).select_related("result")
    seats = Prefetch("seats", queryset=_seats())
    return list(matches.defer("seed", "log", "result__log").prefetch_related(seats).order_by("pk")[:MOST_IN_A_BLOCK])


def is_sealed(match: Match) -> bool:
    """Whether hidden cards of this match could still help somebody."""
    return match.state not in ENDED or Match.objects.filter(deals=match.deals).exclude(state__in=ENDED).exists()


def sealed_deals(deals: Iterable[object]) -> frozenset[object]:
    """Of these deals, those on which a match is still to end."""
    open_matches = Match.objects.filter(deals__in=list(deals)).exclude(state__in=ENDED)
    return frozenset(open_matches.values_list("deals", flat=True).distinct())


def require_unsealed(match: Match) -> None:
    if is_sealed(match):
        raise LeagueError(
            "match_sealed",
            N_("This match is sealed until every match on the same deals has ended."),
            N_("Come back when they have."),
            status=403,
        )


def replay_match(match: Match) -> Play:
    """The finished match, move by move; needs `result` and is refused while the match is sealed."""
    if match.state != MatchState.FINISHED or match.result.is_by_hand:
        raise LeagueError("record_missing", N_("This match has no record: it was not played to its end."), status=404)
    require_unsealed(match)
    seed = record_source(match).seed
    return replay(Ruleset.from_code(match.ruleset), bytes(seed), unpack_log(read_log(match.result)))


_LOGS = """
    SELECT result.match_id, match.ruleset, match.seed, result.log, result.version, result.archive_id
    FROM games_matchresult AS result
    JOIN games_match AS match ON match.id = COALESCE(result.record_match_id, result.match_id)
    WHERE result.match_id = ANY(%s) AND (length(result.log) > 0 OR result.archive_id IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM games_match AS other WHERE other.deals = match.deals AND other.state <> ALL(%s))
"""


def list_round_bids(match_ids: Sequence[int]) -> list[tuple[int, list[list[tuple[int, int]]]]]:
    """For each of these matches, round by round and by side, the last bid and the tricks won; no sealed ones.

    Those whose archive is away are left out.
    """
    with connection.cursor() as cursor:
        cursor.execute(_LOGS, [list(match_ids), list(ENDED)])
        rows = cursor.fetchall()
    put_away: dict[int, dict[int, int]] = defaultdict(dict)
    for match_id, _ruleset, _seed, log, version, archive in rows:
        if not len(log):
            put_away[archive][match_id] = version
    logs = dict[int, bytes]()
    for archive, versions in put_away.items():
        with suppress(LeagueError):
            logs |= read_archived_logs(archive, versions)
    told = []
    for match_id, ruleset, seed, own, *_ in rows:
        if log := bytes(own) or logs.get(match_id):
            rounds = replay(Ruleset.from_code(ruleset), bytes(seed), unpack_log(log)).rounds
            told.append((match_id, [[(score.bid, score.tricks) for score in one.outcome.scores] for one in rounds]))
    return told


def record_source(match: Match) -> Match:
    """The match on whose deals the result that counts was played: another one, where it was played on fresh deals."""
    return match.result.record_match or match


def record_of(match: Match) -> dict[str, Any]:
    """The record with its seed, what a casual table's was mixed from, its commitment and who sat where, signed."""
    play, result = replay_match(match), match.result
    return _sign(play, record_source(match), match, result.version, result.places, result.forfeits)


def records_until(match: Match, version: int) -> Iterator[tuple[Play, dict[str, Any]]]:
    """Plays and records of the versions of its result that were played, up to this one: they stay whatever is decided.

    The caller has seen that its deals are open to all: of thousands, that is asked once and not one by one.
    """
    result = match.result
    if version > 1 or result.version > version:
        kept = ResultVersion.objects.filter(match=match, version__lte=version).order_by("version")
        for content in kept.values_list("content", flat=True):
            if not content["is_by_hand"]:
                source = Match.objects.get(pk=content["record_match_id"]) if content["record_match_id"] else match
                log = _read_kept_log(content)
                play = replay(Ruleset.from_code(match.ruleset), bytes(source.seed), unpack_log(log))
                yield play, _sign(play, source, match, content["version"], content["places"], content["forfeits"])
    if result.version <= version and not result.is_by_hand:
        source = record_source(match)
        play = replay(Ruleset.from_code(match.ruleset), bytes(source.seed), unpack_log(read_log(result)))
        yield play, _sign(play, source, match, result.version, result.places, result.forfeits)


def _read_kept_log(content: dict[str, Any]) -> bytes:
    """Of a version that was kept before another one was decided, after it had been put into an archive or not."""
    log = bytes.fromhex(content["log"].removeprefix("\\x"))
    if log or content.get("archive_id") is None:
        return log
    return read_archived_logs(content["archive_id"], {content["match_id"]: content["version"]})[content["match_id"]]


def _sign(
    play: Play, source: Match, match: Match, version: int, places: list[int], forfeits: list[int]
) -> dict[str, Any]:
    """`source` is the match on whose deals this version of the result was played."""
    is_fetched = "seats" in getattr(match, "_prefetched_objects_cache", {})
    seats = match.seats.all() if is_fetched else _seats().filter(match=match)
    parts = read_table_parts(source)
    record = make_record(
        play,
        with_seed=True,
        match=match.pk,
        result_version=version,
        commitment=source.commitment,
        seats=[_tell_seat(seat) for seat in seats],
        forfeits=forfeits,
        places=count_places(places, forfeits),
        **({"parts": parts} if parts else {}),
        finished_at=match.finished_at.isoformat() if match.finished_at else None,
    )
    return sign_document(record)


def _tell_seat(seat: MatchSeat) -> dict[str, Any]:
    """`by_token` names, from 0, which of a person's own decisions a program made; left out where there are none."""
    told = {"seat": seat.seat, "player": seat.player.name, "agent": seat.ref.public}
    return told | ({"by_token": sorted(seat.token_decisions)} if seat.token_decisions else {})


def read_table_parts(match: Match) -> dict[str, Any] | None:
    """What the seed of a casual table was mixed from, the contributions by seat; only for one that is not sealed."""
    lobby = Lobby.objects.filter(match=match).first() if match.kind == MatchKind.CASUAL else None
    if lobby is None or lobby.secret is None or lobby.commitment is None:
        return None
    given = lobby.seats.filter(contribution__gt="").values_list("seat", "contribution")
    return tell_parts(lobby.commitment, bytes(lobby.secret), dict(given))


_VERSION = """
    SELECT ROW(
        result.settled_at, result.is_by_hand, result.places, result.forfeits, result.nuggets, result.totals,
        EXISTS (SELECT FROM games_match AS other WHERE other.deals = match.deals AND other.state <> ALL(%s)),
        ARRAY(
            SELECT player.name FROM games_matchseat AS seat JOIN games_player AS player ON player.id = seat.player_id
            WHERE seat.match_id = match.id ORDER BY seat.seat
        )
    )::text
    FROM games_match AS match JOIN games_matchresult AS result ON result.match_id = match.id
    WHERE match.id = %s AND match.state = %s
"""


def read_match_version(match_id: int) -> str | None:
    """Changes when a result is corrected by hand, when the seal falls, when a player is renamed; None if not ended."""
    with connection.cursor() as cursor:
        cursor.execute(_VERSION, [list(ENDED), match_id, MatchState.FINISHED])
        found = cursor.fetchone()
    return str(found[0]) if found else None


PUBLIC_KINDS = (MatchKind.TOURNAMENT, MatchKind.CASUAL)
"""What authors try out among themselves is shown to those who hold a seat."""


def list_matches(user: User | AnonymousUser) -> QuerySet[Match]:
    """With seats, players and results, in three queries however many."""
    seats = Prefetch("seats", MatchSeat.objects.select_related("player").order_by("seat"))
    shown = Match.objects.defer("seed", "log", "result__log").select_related("result").prefetch_related(seats)
    if user.is_staff:
        return shown
    is_public = Q(kind__in=PUBLIC_KINDS)
    if not user.is_authenticated:
        return shown.filter(is_public)
    return shown.filter(is_public | Q(pk__in=MatchSeat.objects.filter(owner=user).values("match_id")))


def may_see_match(match: Match, user: User | AnonymousUser) -> bool:
    """The same for one match whose seats have been fetched."""
    if user.is_staff or match.kind in PUBLIC_KINDS:
        return True
    return user.is_authenticated and any(seat.owner_id == user.pk for seat in match.seats.all())


def find_match(match_id: int, user: User | AnonymousUser) -> Match:
    match = list_matches(user).filter(pk=match_id).first()
    if match is None:
        raise LeagueError("match_unknown", N_("There is no such match."), status=404)
    return match


def list_players() -> QuerySet[Player]:
    return Player.objects.select_related("owner")


def find_player(slug: str) -> Player:
    player = list_players().filter(slug=slug).first()
    if player is None:
        raise LeagueError("player_unknown", N_("There is no player %(name)s."), status=404, name=slug)
    return player


@dataclass(frozen=True, slots=True)
class VersionLine:
    """`places` are as counted, by side. Nuggets and totals are None while the deals are sealed.

    `account` is the actor's number, which stays where a name may change; `has_record` says whether it was played.
    """

    version: int
    kind: str
    at: datetime
    actor: str | None
    reason: str
    places: list[int]
    forfeits: list[int]
    nuggets: list[int] | None
    totals: list[int] | None
    record_match: int | None
    account: int | None
    has_record: bool

    @property
    def label(self) -> str:
        return str(ResultKind(self.kind).label)


def list_result_versions(match: Match, *, is_sealed: bool) -> list[VersionLine]:
    """The newest is the one that counts; empty for a match without a result. Needs `result`."""
    if match.state != MatchState.FINISHED:
        return []
    result = match.result
    earlier = ResultVersion.objects.filter(match=match).order_by("version")
    rows = list(earlier.values_list("content", flat=True)) if result.version > 1 else []
    fields = (
        *("version", "kind", "reason", "places", "forfeits", "nuggets", "totals", "actor_id", "record_match_id"),
        "is_by_hand",
    )
    rows.append({name: getattr(result, name) for name in fields} | {"settled_at": result.settled_at.isoformat()})
    actors = {row["actor_id"] for row in rows} - {None}
    names = dict(User.objects.filter(pk__in=actors).values_list("pk", "username")) if actors else {}
    return [_line(row, names, is_sealed) for row in rows]


def _line(row: dict[str, Any], names: dict[int, str], is_sealed: bool) -> VersionLine:
    return VersionLine(
        version=row["version"],
        kind=row["kind"],
        at=datetime.fromisoformat(row["settled_at"]),
        actor=names.get(row["actor_id"]),
        reason=row["reason"],
        places=count_places(row["places"], row["forfeits"]),
        forfeits=row["forfeits"],
        nuggets=None if is_sealed else row["nuggets"],
        totals=None if is_sealed else row["totals"],
        record_match=row["record_match_id"],
        account=row["actor_id"],
        has_record=not is_sealed and not row["is_by_hand"],
    )


def tell_versions(match: Match, *, is_sealed: bool) -> list[dict[str, Any]]:
    """The same ready for JSON."""
    lines = list_result_versions(match, is_sealed=is_sealed)
    return [asdict(line) | {"at": line.at.isoformat()} for line in lines]


def has_swept(*, within: float) -> bool:
    """Whether any worker has swept in the last so many seconds: of many that could, one does."""
    return Heartbeat.objects.filter(pk=1, beat_at__gt=timezone.now() - timedelta(seconds=within)).exists()
