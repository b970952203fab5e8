"""People at tables: who sits where, who is here or watches, what was said, and when they mean to meet."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db.models import Q, QuerySet

from aurum_league.common.cache import read_cached
from aurum_league.common.errors import N_, LeagueError
from aurum_league.common.presence import note_present
from aurum_league.common.sql import prepared_cursor
from games.models import Lobby, LobbySeat, Match, MatchSeat, MatchState, MeetingTime, Player, PlayerKind, TableWord
from games.models.match import ENDED
from games.play.agents import GUEST, AgentKind

# Written out because every decision asks one of them; two short ones, because planning one for both takes longer.
_SEAT_OF_ACCOUNT = f"""
    SELECT seat.seat, COALESCE(lobby.is_guided, FALSE),
           match.is_rated AND match.kind = 'tournament' AND match.state NOT IN ('finished', 'void')
           AND player.agreed_at IS NULL AND EXISTS (
               SELECT 1 FROM games_matchseat AS other
               WHERE other.match_id = seat.match_id AND other.agent NOT LIKE '{AgentKind.PERSON.prefix}%%')
    FROM games_matchseat AS seat
    JOIN games_match AS match ON match.id = seat.match_id
    JOIN games_player AS player ON player.id = seat.player_id
    LEFT JOIN games_lobby AS lobby ON lobby.match_id = seat.match_id
    WHERE seat.match_id = %s AND seat.owner_id = %s
      AND seat.agent LIKE '{AgentKind.PERSON.prefix}%%' AND seat.agent <> %s
    ORDER BY seat.seat LIMIT 1
"""
_SEAT_OF_GUEST = """
    SELECT taken.seat, lobby.is_guided
    FROM games_lobby AS lobby JOIN games_lobbyseat AS taken ON taken.lobby_id = lobby.id
    WHERE lobby.match_id = %s AND taken.guest = %s
    ORDER BY taken.seat LIMIT 1
"""


@dataclass(frozen=True, slots=True)
class Sitter:
    """Both may be set: whoever signs in keeps the seats they took as a guest."""

    user_id: int | None = None
    guest: UUID | None = None

    @property
    def condition(self) -> Q:
        """Matches the lobby seats of this person; none where nobody is known."""
        known = Q(pk__in=())
        if self.user_id is not None:
            known |= Q(user_id=self.user_id)
        if self.guest is not None:
            known |= Q(guest=self.guest)
        return known

    @property
    def columns(self) -> dict[str, object]:
        """How a new lobby seat notes this person."""
        return {"user_id": self.user_id} if self.user_id is not None else {"guest": self.guest}


class OwnSeat(NamedTuple):
    """Where somebody sits, and whether it is a guided match.

    `must_agree`: an organiser dealt them in with bots at a rated table, and they have never said that they agree.
    """

    seat: int
    is_guided: bool
    must_agree: bool = False


def find_own_seat(match_id: int, sitter: Sitter) -> OwnSeat | None:
    """The seat at which this person decides, found by the account first.

    Guests share players, so they are found by their lobby seat alone.
    """
    found = None
    with prepared_cursor() as cursor:
        if sitter.user_id is not None:
            cursor.execute(_SEAT_OF_ACCOUNT, [match_id, sitter.user_id, str(GUEST)])
            found = cursor.fetchone()
        if found is None and sitter.guest is not None:
            cursor.execute(_SEAT_OF_GUEST, [match_id, sitter.guest])
            found = cursor.fetchone()
    return OwnSeat(*found) if found else None


def find_player(sitter: Sitter) -> Player | None:
    """Who this person is at tables: the account's, or the guest's where there is none; None before a first table."""
    if sitter.user_id is not None:
        return Player.objects.filter(owner_id=sitter.user_id, kind=PlayerKind.PERSON).first()
    return Player.objects.filter(visitor=sitter.guest).first() if sitter.guest is not None else None


def require_agreed(own: OwnSeat) -> None:
    """A coded error for whoever was dealt in with bots at a rated table and has yet to agree to it."""
    if own.must_agree:
        raise LeagueError(
            "agreement_needed",
            N_("Bots sit at this rated table."),
            N_("Say that you agree to be rated against them."),
            status=409,
        )


def find_lobby(invitation: str) -> Lobby | None:
    return Lobby.objects.filter(invitation=invitation).prefetch_related("seats__user").first()


def list_open_lobbies(sitter: Sitter) -> QuerySet[Lobby]:
    """Lobbies without cards yet in which this person sits, newest first."""
    seats = LobbySeat.objects.filter(sitter.condition)
    return Lobby.objects.filter(match=None, pk__in=seats.values("lobby_id")).order_by("-pk")


def list_open_tables(sitter: Sitter) -> QuerySet[Match]:
    """Matches under way at which this person sits, casual ones and fixtures, those that wait for them first."""
    lobbies = Lobby.objects.filter(pk__in=LobbySeat.objects.filter(sitter.condition).values("lobby_id"))
    is_own = Q(pk__in=lobbies.values("match_id"))
    if sitter.user_id is not None:
        own = MatchSeat.objects.filter(owner_id=sitter.user_id, player__kind=PlayerKind.PERSON)
        is_own |= Q(pk__in=own.exclude(agent=GUEST).values("match_id"))
    running = Match.objects.exclude(state__in=(*ENDED, MatchState.QUARANTINED)).filter(is_own)
    seats = ("seats__player", "lobby__seats")
    return running.defer("seed", "log").prefetch_related(*seats).order_by("deadline", "-pk")


_AWAITING = f"""
    SELECT count(*) FROM games_matchseat AS seat JOIN games_match AS match ON match.id = seat.match_id
    WHERE seat.owner_id = %s AND seat.agent LIKE '{AgentKind.PERSON.prefix}%%' AND seat.agent <> %s
      AND match.state = 'waiting' AND seat.seat = ANY(match.awaited)
"""
AWAITING_SECONDS = 15


def count_awaiting(user_id: int) -> int:
    """At how many tables a decision is this person's: one short statement, and kept for some seconds, since every
    page asks."""

    def count() -> int:
        with prepared_cursor() as cursor:
            cursor.execute(_AWAITING, [user_id, str(GUEST)])
            return int(cursor.fetchone()[0])

    return read_cached(f"awaiting:{user_id}", AWAITING_SECONDS, count)


def own_seat_among(match: Match, sitter: Sitter) -> int | None:
    """The number of the seat that `find_own_seat` finds, from rows that `list_open_tables` has fetched."""
    for held in match.seats.all():
        is_own = sitter.user_id is not None and held.owner_id == sitter.user_id
        if is_own and held.ref != GUEST and held.player.kind == PlayerKind.PERSON:
            return held.seat
    lobby = getattr(match, "lobby", None)
    seats = lobby.seats.all() if lobby else ()
    return next((seat.seat for seat in seats if sitter.guest is not None and seat.guest == sitter.guest), None)


def can_be_played_again(match_id: int) -> bool:
    """A casual match that was dealt from a lobby; never one of a tournament."""
    return Lobby.objects.filter(match_id=match_id).exists()


def list_who_ask_again(match_id: int, sitter: Sitter) -> list[str]:
    """Names of the others who want to play a finished match again, and wait in its new lobby or play there already."""
    seats = {(held.user_id, held.guest): held.seat for held in LobbySeat.objects.filter(lobby__match_id=match_id)}
    asking = LobbySeat.objects.filter(lobby__rematch_of=match_id).exclude(sitter.condition)
    came = [seats[one.user_id, one.guest] for one in asking if (one.user_id, one.guest) in seats]
    held = MatchSeat.objects.filter(match_id=match_id, seat__in=came).select_related("player").order_by("seat")
    return [one.player.name for one in held]


MOST_WORDS = 30
SEAT, WATCHER = "seat:", "watcher:"


@dataclass(frozen=True, slots=True)
class SaidWord:
    """`phrase` is empty for a free text."""

    id: int
    seat: int
    phrase: str
    text: str
    said_at: datetime


@dataclass(frozen=True, slots=True)
class Meeting:
    starts_at: datetime
    proposed_by: int
    agreed: tuple[int, ...]
    is_agreed: bool


@dataclass(frozen=True, slots=True)
class Company:
    """`here` are the seats whose page is open. Free texts are told to those who sit at the table alone."""

    words: tuple[SaidWord, ...]
    here: tuple[int, ...]
    watchers: int
    meeting: Meeting | None


def read_company(match_id: int, *, who: str, since: int = 0) -> Company:
    """What was said after word `since`, for `who` (`seat:0`, `watcher:…`), who is here by asking."""
    words = TableWord.objects.filter(match_id=match_id, pk__gt=since).order_by("-pk")
    if not who.startswith(SEAT):
        words = words.filter(text="")
    told = [SaidWord(one.pk, one.seat, one.phrase, one.text, one.said_at) for one in words[:MOST_WORDS]]
    present = note_present(f"table:{match_id}", who)
    here = sorted({int(one.removeprefix(SEAT)) for one in present if one.startswith(SEAT)})
    watchers = sum(one.startswith(WATCHER) for one in present)
    return Company(tuple(reversed(told)), tuple(here), watchers, find_meeting(match_id))


def find_meeting(match_id: int) -> Meeting | None:
    meeting = MeetingTime.objects.filter(match_id=match_id).first()
    if meeting is None:
        return None
    is_agreed = set(list_people_seats(match_id)) <= set(meeting.agreed)
    return Meeting(meeting.starts_at, meeting.proposed_by, tuple(meeting.agreed), is_agreed)


def list_people_seats(match_id: int) -> Sequence[int]:
    seats = MatchSeat.objects.filter(match_id=match_id, agent__startswith=AgentKind.PERSON.prefix)
    return list(seats.order_by("seat").values_list("seat", flat=True))


def has_free_words(match_id: int) -> bool:
    """An unrated table to which somebody was invited, and came."""
    return LobbySeat.objects.filter(lobby__match_id=match_id, lobby__is_rated=False).count() > 1
