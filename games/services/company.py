"""Company at a table: phrases that everybody reads in their own language, free words among friends, a time to meet."""

import unicodedata
from datetime import datetime, timedelta
from functools import partial

from django.contrib.auth.models import User
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from aurum_league.common.api.access import DAY_SECONDS, is_within_rate
from aurum_league.common.broker import publish
from aurum_league.common.errors import N_, LeagueError
from aurum_league.common.telling import tell
from games.models import Match, MatchSeat, MatchState, MeetingTime, TableWord
from games.models.lobby import LONGEST_WORD
from games.play.agents import GUEST, AgentKind
from games.selectors.sitters import has_free_words, list_people_seats

PHRASES: dict[str, str] = {
    "hello": N_("Hello!"),
    "luck": N_("Good luck!"),
    "well_played": N_("Well played!"),
    "thanks": N_("Thank you!"),
    "oops": N_("Oops!"),
    "close": N_("That was close."),
    "moment": N_("One moment, please."),
    "sorry": N_("Sorry!"),
    "again": N_("One more?"),
    "bye": N_("Goodbye!"),
    "smile": "🙂",
    "wow": "😮",
    "think": "🤔",
    "clap": "👏",
}
WORDS_A_MINUTE = 10
PROPOSALS_A_DAY = 20
LONGEST_WAIT = timedelta(days=60)


def say_phrase(*, match_id: int, seat: int, phrase: str) -> TableWord:
    """Somebody says one of the phrases at their table."""
    if phrase not in PHRASES:
        raise LeagueError(
            "phrase_unknown", N_("There is no such phrase."), N_("There are: %(names)s."), status=422,
            names=list(PHRASES),
        )  # fmt: skip
    return _say(match_id, seat, phrase=phrase)


def say_text(*, match_id: int, seat: int, text: str) -> TableWord:
    """Free words, at unrated tables to which people were invited: anywhere else they could help one another win."""
    if not has_free_words(match_id):
        raise LeagueError(
            "phrases_only",
            N_("At this table there are phrases only."),
            N_("Free words are for unrated tables of friends."),
            status=403,
        )
    plain = "".join(" " if unicodedata.category(letter)[0] in "CZ" else letter for letter in text)
    words = " ".join(plain.split())[:LONGEST_WORD]
    if not words:
        raise LeagueError("nothing_said", N_("There is nothing to say."), N_("Write something."), status=422)
    return _say(match_id, seat, text=words)


def _say(match_id: int, seat: int, **said: str) -> TableWord:
    if not is_within_rate(f"seat-{match_id}-{seat}", "words", WORDS_A_MINUTE):
        raise LeagueError("talks_too_fast", N_("That was much in a short time."), N_("Wait a minute."), status=429)
    word = TableWord.objects.create(match_id=match_id, seat=seat, **said)
    transaction.on_commit(partial(publish, f"match:{match_id}", {"talk": word.pk}))
    return word


@transaction.atomic
def propose_meeting(*, match_id: int, seat: int, starts_at: datetime) -> MeetingTime:
    """Propose a time; a newer proposal takes the place of the one before. The others are told."""
    match = _require_open(match_id)
    now = timezone.now()
    latest = min(match.closes_at or now + LONGEST_WAIT, now + LONGEST_WAIT)
    if not now < starts_at < latest:
        raise LeagueError(
            "time_outside_window",
            N_("The match cannot be played at that time."),
            N_("Choose a time from now until %(time)s (UTC)."),
            status=422,
            time=f"{latest:%Y-%m-%d %H:%M}",
        )
    if not is_within_rate(f"seat-{match_id}-{seat}", "meetings", PROPOSALS_A_DAY, window=DAY_SECONDS):
        raise LeagueError("talks_too_fast", N_("So many times were proposed today."), N_("Go on tomorrow."), status=429)
    meeting, _ = MeetingTime.objects.update_or_create(
        match=match, defaults={"starts_at": starts_at, "proposed_by": seat, "agreed": [seat]}
    )
    _tell_others(
        match, seat, "meeting_proposed", N_("A time is proposed for your match"),
        N_("%(name)s proposes to play at %(time)s (UTC). Accept it at the table, or propose another time."), starts_at,
    )  # fmt: skip
    return meeting


@transaction.atomic
def accept_meeting(*, match_id: int, seat: int, starts_at: datetime) -> MeetingTime:
    """Agree to the proposal as it was seen; the others are told."""
    match = _require_open(match_id)
    meeting = MeetingTime.objects.select_for_update().filter(match=match).first()
    if meeting is None or meeting.starts_at != starts_at:
        raise LeagueError(
            "meeting_changed", N_("This time is no longer proposed."), N_("Look again."), status=409
        )  # fmt: skip
    if seat not in meeting.agreed:
        meeting.agreed = sorted([*meeting.agreed, seat])
        meeting.save(update_fields=("agreed",))
        _tell_others(
            match, seat, "meeting_accepted", N_("Your time is accepted"),
            N_("%(name)s plays at %(time)s (UTC)."), starts_at,
        )  # fmt: skip
    return meeting


def _require_open(match_id: int) -> Match:
    match = Match.objects.select_for_update().defer("seed", "log").filter(pk=match_id).first()
    if match is None or match.state != MatchState.OPEN or len(list_people_seats(match_id)) < 2:
        raise LeagueError(
            "no_meeting_needed",
            N_("Nobody has to meet for this match."),
            N_("Times are agreed on before a match of people is dealt."),
            status=409,
        )
    return match


def _tell_others(match: Match, seat: int, kind: str, subject: str, text: str, starts_at: datetime) -> None:
    held = list(MatchSeat.objects.filter(match=match).select_related("owner", "player"))
    people = [one for one in held if one.ref.kind == AgentKind.PERSON and one.ref != GUEST and one.seat != seat]
    others: list[User] = [one.owner for one in people if one.owner is not None]
    name = next(one.player.name for one in held if one.seat == seat)
    url = reverse("play_table", args=[match.pk])
    tell(others, kind=kind, subject=subject, text=text, url=url, name=name, time=f"{starts_at:%Y-%m-%d %H:%M}")
    transaction.on_commit(partial(publish, f"match:{match.pk}", {"talk": 0}))
