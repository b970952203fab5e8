"""People without an account: entered by name or by list, looked at first, undone at once, and renamed."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from io import StringIO
from secrets import token_hex

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.text import slugify

from aurum_league.common.errors import N_, LeagueError
from games.models import Player, PlayerKind
from tournaments.models import Entrant, EntryKind, Tournament, TournamentState
from tournaments.rules.lifecycle import Step
from tournaments.rules.pairing import TableKind
from tournaments.selectors.leagues import LEFT
from tournaments.services.entries import enter_now, require_can_enter, withdraw_entrant
from tournaments.services.field import find_entrant
from tournaments.services.lifecycle import lock_tournament_for, record_event

MOST_LINES = 500
LONGEST_TEXT = 40_000
LONGEST_NAME = 40
HEADINGS = ("name", "player", "nom", "joueur", "spieler", "имя", "игрок")
LISTED, UNDONE = "list_entered", "list_undone"


class LineDeed(StrEnum):
    """What a line of a list will do."""

    PLAYER = "player"
    GUEST = "guest"
    NOTHING = "nothing"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Line:
    """`player` enters, or a guest of that name; `why` says why a line does nothing."""

    number: int
    text: str
    deed: LineDeed
    player: Player | None = None
    why: str = ""


def takes_guests(tournament: Tournament) -> bool:
    """Whether people without an account can be entered: nothing is rated, and people play one by one."""
    is_for_people = tournament.entry_kind in (EntryKind.PEOPLE, EntryKind.MIXED)
    return is_for_people and not tournament.is_rated and tournament.table_kind != TableKind.TEAMS4


def plan_list(*, tournament: Tournament, text: str) -> list[Line]:
    """What each line of a pasted list, or of a CSV file, would do; nothing is changed.

    `@name` and short names of addresses stand for players of the site; any other name is a guest where the tournament
    takes guests, and a player of that name where it does not.
    """
    names = _read_names(text)
    known = _find_players(tournament, names)
    inside = _list_inside(tournament)
    lines, seen = [], set()
    for number, name in enumerate(names, start=1):
        line = _plan_line(tournament, number, name, known.get(name.lower()))
        key = line.player.pk if line.player else name.lower()
        if line.deed != LineDeed.REFUSED and key in inside:
            line = Line(number, name, LineDeed.NOTHING, line.player, N_("is in already"))
        elif line.deed != LineDeed.REFUSED and key in seen:
            line = Line(number, name, LineDeed.NOTHING, line.player, N_("stands here twice"))
        seen.add(key)
        lines.append(line)
    return lines


@transaction.atomic
def enter_list(*, tournament_id: int, text: str, actor: User | None = None) -> tuple[list[Entrant], int]:
    """Enter everybody whose line says so; the entrants, and the number of the event by which it can be undone.

    While the tournament plays they enter late, as walk-ins do.
    """
    is_late = Tournament.objects.filter(pk=tournament_id, state=TournamentState.PLAYING).exists()
    tournament = lock_tournament_for(tournament_id, Step.ENTER_LATE if is_late else Step.ENTER)
    lines = plan_list(tournament=tournament, text=text)
    players = [line.player or _make_guest(tournament, line.text) for line in lines if line.deed in ENTERING]
    if not players:
        raise LeagueError("empty_list", N_("No line of the list enters anybody."), N_("Look at the preview."))
    entrants = enter_now(tournament=tournament, players=players, actor=actor)
    event = record_event(tournament, LISTED, actor=actor, detail={"entrants": [one.pk for one in entrants]})
    return entrants, event.number


ENTERING = (LineDeed.PLAYER, LineDeed.GUEST)


@transaction.atomic
def undo_list(*, tournament_id: int, number: int, actor: User | None = None) -> list[int]:
    """Take out again whom a list entered, as long as nothing is drawn; running twice changes nothing."""
    tournament = lock_tournament_for(tournament_id, Step.ENTER)
    event = tournament.events.filter(kind=LISTED, number=number).first()
    if event is None:
        raise LeagueError("no_list", N_("There is no list %(number)s."), status=404, number=number)
    if tournament.events.filter(kind=UNDONE, detail__list=number).exists():
        return []
    still = tournament.entrants.filter(pk__in=event.detail["entrants"]).exclude(state__in=LEFT)
    taken = list(still.order_by("pk").values_list("pk", flat=True))
    for entrant_id in taken:
        withdraw_entrant(entrant_id=entrant_id, actor=actor)
    record_event(tournament, UNDONE, actor=actor, detail={"list": number, "entrants": taken})
    return taken


@transaction.atomic
def rename_guest(*, entrant_id: int, name: str, actor: User | None = None) -> Entrant:
    """Mend the name of somebody without an account; everybody else has their own say."""
    entrant = find_entrant(entrant_id)
    tournament = lock_tournament_for(entrant.tournament_id, Step.EDIT_TEXTS)
    if entrant.player.kind != PlayerKind.GUEST:
        raise LeagueError("not_a_guest", N_("Only guests are renamed at the desk."), status=409)
    entrant.player.name = check_guest_name(name)
    entrant.player.save(update_fields=("name",))
    record_event(tournament, "guest_renamed", actor=actor, detail={"entrant": entrant.pk})
    return entrant


def check_guest_name(name: str) -> str:
    tidy = " ".join(name.split())
    if not tidy or len(tidy) > LONGEST_NAME or not tidy.isprintable() or not any(sign.isalnum() for sign in tidy):
        raise LeagueError("bad_name", N_("A name has 1 to %(most)s letters or signs."), status=400, most=LONGEST_NAME)
    return tidy


def _read_names(text: str) -> list[str]:
    """The first column, without its heading; empty lines are passed over."""
    if len(text) > LONGEST_TEXT:
        raise LeagueError("long_list", N_("A list has at most %(most)s lines."), most=MOST_LINES)
    plain = text.replace("\x00", "").replace("\r\n", "\n")
    first_line = plain.partition("\n")[0]
    delimiter = next((sign for sign in (";", "\t", ",") if sign in first_line), ",")
    names = [row[0].strip() for row in _read_rows(plain, delimiter) if row and row[0].strip()]
    if names and names[0].lower() in HEADINGS:
        names = names[1:]
    if len(names) > MOST_LINES:
        raise LeagueError("long_list", N_("A list has at most %(most)s lines."), most=MOST_LINES)
    return names


def _read_rows(text: str, delimiter: str) -> Iterator[list[str]]:
    try:
        yield from csv.reader(StringIO(text), delimiter=delimiter)
    except csv.Error:
        raise LeagueError("bad_list", N_("The list cannot be read."), N_("Give one name a line.")) from None


def _find_players(tournament: Tournament, names: list[str]) -> dict[str, Player]:
    """Players by what was written for them, in small letters; in two queries, however long the list."""
    active = Player.objects.filter(is_active=True).exclude(kind=PlayerKind.GUEST).select_related("owner", "team")
    asked = {name.lower().removeprefix("@"): name.lower() for name in names}
    found = {asked[player.slug]: player for player in active.filter(slug__in=asked)}
    wanted = [name for name in asked if not takes_guests(tournament) or asked[name].startswith("@")]
    for player in active.extra(where=["lower(name) = ANY(%s)"], params=[wanted]) if wanted else ():
        found.setdefault(asked[player.name.lower()], player)
    return found


def _list_inside(tournament: Tournament) -> set[int | str]:
    inside: set[int | str] = set()
    for player_id, kind, name in tournament.entrants.exclude(state__in=LEFT).values_list(
        "player_id", "player__kind", "player__name"
    ):
        inside |= {player_id, name.lower()} if kind == PlayerKind.GUEST else {player_id}
    return inside


def _plan_line(tournament: Tournament, number: int, text: str, player: Player | None) -> Line:
    try:
        if player is None and (text.startswith("@") or not takes_guests(tournament)):
            return Line(number, text, LineDeed.REFUSED, None, N_("nobody of that name is known here"))
        if player is None:
            return Line(number, check_guest_name(text), LineDeed.GUEST)
        require_can_enter(tournament, player)
    except LeagueError as error:
        return Line(number, text, LineDeed.REFUSED, player, error.message)
    return Line(number, text, LineDeed.PLAYER, player)


def _make_guest(tournament: Tournament, name: str) -> Player:
    """The guest of that name whom the organiser has had before, or a new one."""
    known = Player.objects.filter(
        kind=PlayerKind.GUEST, name__iexact=name, entries__tournament__organiser=tournament.organiser_id
    )
    found = known.order_by("pk").first()
    if found is not None:
        return found
    slug = f"guest-{slugify(name)[:30] or 'player'}-{token_hex(4)}"
    return Player.objects.create(kind=PlayerKind.GUEST, name=name, slug=slug)
