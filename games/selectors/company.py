"""Who is at a table, how many watch, what was said there, and when its people mean to meet."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from aurum_league.common.presence import note_present
from games.models import LobbySeat, MatchSeat, MeetingTime, TableWord
from games.play.agents import AgentKind

MOST_WORDS = 30
SEAT, WATCHER = "seat:", "watcher:"


@dataclass(frozen=True, slots=True)
class Word:
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

    words: tuple[Word, ...]
    here: tuple[int, ...]
    watchers: int
    meeting: Meeting | None


def read_company(match_id: int, *, who: str, since: int = 0) -> Company:
    """What was said after word `since`, for `who` (`seat:0`, `watcher:…`), who is here by asking."""
    words = TableWord.objects.filter(match_id=match_id, pk__gt=since).order_by("-pk")
    if not who.startswith(SEAT):
        words = words.filter(text="")
    told = [Word(one.pk, one.seat, one.phrase, one.text, one.said_at) for one in words[:MOST_WORDS]]
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
