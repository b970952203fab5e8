"""Announcements: what an organiser tells entrants, on the event's page, by mail and push, now or at a time."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.urls import reverse

from aurum_league.common.errors import N_, LeagueError
from aurum_league.common.telling import read_language, tell
from tournaments.models import Announcement, Audience, EntrantState, FixtureState, MatchdayState, Tournament
from tournaments.rules.lifecycle import Step
from tournaments.selectors.entrants import list_people
from tournaments.selectors.leagues import say_announcement
from tournaments.selectors.rights import is_organiser
from tournaments.services.lifecycle import lock_tournament_for, read_now, record_event, tell_on_commit

LONGEST_TITLE, LONGEST_TEXT = 120, 2000
MOST_WAITING = 50
MOST_A_DAY = 20
"""At one event: each goes by mail and push to everybody, also to those who were entered by somebody else."""
LATEST = timedelta(days=366)
HALF_A_DAY = timedelta(hours=12)
TAKING_PART = (EntrantState.WAITING, EntrantState.ENTERED, EntrantState.CHECKED_IN, EntrantState.ABSENT)


@transaction.atomic
def announce(
    *,
    tournament_id: int,
    texts: Mapping[str, Mapping[str, str]],
    audience: str = Audience.ENTRANTS,
    table: int | None = None,
    due_at: datetime | None = None,
    actor: User | None = None,
) -> Announcement:
    """Tell people now, or keep it until it is due. `texts` has a title and a text by language, one at least."""
    tournament = lock_tournament_for(tournament_id, Step.EDIT_TEXTS)
    kept = _read_texts(texts)
    if audience not in Audience.values or (audience == Audience.TABLE) != (table is not None):
        raise LeagueError("bad_audience", N_("Say whom to tell: all entrants, those missing, or one table."))
    now = read_now()
    due_at = max(due_at or now, now)
    if due_at > now + LATEST:
        raise LeagueError("bad_times", N_("Announcements are kept for a year at most."))
    if tournament.announcements.filter(told_at=None).count() >= MOST_WAITING:
        raise LeagueError("too_many", N_("So many announcements wait already."), N_("Drop one first."), status=409)
    _require_quiet(tournament, due_at, actor)
    made = Announcement.objects.create(
        tournament=tournament, texts=kept, audience=audience, table=table, due_at=due_at, by=actor
    )
    if made.due_at <= now:
        _tell(made, now)
    return made


def _require_quiet(tournament: Tournament, due_at: datetime, actor: User | None) -> None:
    """By event; and who is no organiser has so many in all, since events are made and called off as one likes."""
    around = Announcement.objects.filter(due_at__range=(due_at - HALF_A_DAY, due_at + HALF_A_DAY))
    whose = Q(tournament=tournament)
    if actor is not None and not is_organiser(actor):
        whose |= Q(by=actor)
    if around.filter(whose).count() >= MOST_A_DAY:
        raise LeagueError(
            "too_many",
            N_("At most %(most)s things a day are announced."),
            N_("Say several in one, or wait until tomorrow."),
            status=429,
            most=MOST_A_DAY,
        )


@transaction.atomic
def drop_announcement(*, tournament_id: int, announcement_id: int, actor: User | None = None) -> bool:
    """Drop what has not been told yet; False where there is no such."""
    lock_tournament_for(tournament_id, Step.EDIT_TEXTS)
    waiting = Announcement.objects.filter(pk=announcement_id, tournament=tournament_id, told_at=None)
    return waiting.delete()[0] > 0


def tell_due_announcements() -> int:
    """Tell what is due by the database's clock; how many. Running twice, also at once, tells nothing twice."""
    now, told = read_now(), 0
    due = Announcement.objects.filter(told_at=None, due_at__lte=now).order_by("due_at", "pk")
    for announcement_id, tournament_id in due.values_list("pk", "tournament"):
        with transaction.atomic():
            # The tournament first, as whoever drops an announcement takes them.
            lock_tournament_for(tournament_id, Step.EDIT_TEXTS)
            locked = Announcement.objects.select_for_update(skip_locked=True, of=("self",))
            found = locked.select_related("tournament").filter(pk=announcement_id, told_at=None).first()
            if found is not None:
                _tell(found, now)
                told += 1
    return told


def _tell(announcement: Announcement, now: datetime) -> None:
    """Each in their own language; the tournament is locked."""
    tournament = announcement.tournament
    people = {user.pk: user for user in _list_audience(announcement)}
    for user in people.values():
        said = say_announcement(announcement, read_language(user))
        tell(
            [user],
            kind="announcement",
            subject=N_("%(tournament)s: %(title)s"),
            text=N_("The organiser writes: %(words)s"),
            url=reverse("tournament", args=[tournament.slug]),
            tournament=tournament.name,
            title=said["title"],
            words=said["text"],
        )
    announcement.told_at, announcement.people = now, len(people)
    announcement.save(update_fields=("told_at", "people"))
    detail = {"announcement": announcement.pk, "audience": str(announcement.audience), "people": len(people)}
    record_event(tournament, "announced", actor=announcement.by, detail=detail)
    tell_on_commit(tournament.pk, {"kind": "announced"})


def _list_audience(announcement: Announcement) -> list[User]:
    entrants = announcement.tournament.entrants.filter(state__in=TAKING_PART)
    if announcement.audience == Audience.UNCHECKED:
        entrants = entrants.filter(state__in=(EntrantState.ENTERED, EntrantState.ABSENT))
    elif announcement.audience == Audience.TABLE:
        seats = {"fixture__table": announcement.table, "fixture__state": FixtureState.PENDING}
        released = {"fixture__matchday__state": MatchdayState.RELEASED}
        here = {f"fixture_seats__{key}": value for key, value in {**seats, **released}.items()}
        entrants = announcement.tournament.entrants.filter(**here).distinct()
    return list_people(entrants)


def _read_texts(texts: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
    known = dict(settings.LANGUAGES)
    kept = {}
    for code, said in texts.items():
        title, text = (str(said.get(part, "")).strip() for part in ("title", "text"))
        if not title and not text:
            continue
        if code not in known or not title or not text or len(title) > LONGEST_TITLE or len(text) > LONGEST_TEXT:
            raise LeagueError(
                "bad_announcement",
                N_("Each language needs a title of at most %(title)s and a text of at most %(text)s characters."),
                title=LONGEST_TITLE,
                text=LONGEST_TEXT,
            )
        kept[code] = {"title": title, "text": text}
    if not kept:
        raise LeagueError("bad_announcement", N_("Write a title and a text in one language at least."))
    return kept
