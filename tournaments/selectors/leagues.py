"""Leagues, tournaments and stages that somebody may see: lists, champions, search, the spec, which stage is on."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db import connection
from django.db.models import Case, Count, IntegerField, Max, Model, Q, QuerySet, Value, When

from games.models import Player, PlayerKind
from tournaments.models import (
    Announcement,
    Audience,
    Entrant,
    EntrantState,
    Helper,
    League,
    Matchday,
    MatchdayState,
    Stage,
    StageStandings,
    StageState,
    Tournament,
    TournamentEvent,
    TournamentState,
)
from tournaments.rules.formats import FORMATS, make_stage_format
from tournaments.rules.formats.format import Format
from tournaments.rules.lifecycle import find_lock
from tournaments.rules.pairing import TableKind
from tournaments.rules.stage_sheet import StageSheet
from tournaments.rules.standings import Scoring

LEFT = (EntrantState.WITHDRAWN, EntrantState.DISQUALIFIED, EntrantState.REPLACED)
GONE = (*LEFT, EntrantState.WAITING, EntrantState.ABSENT)
"""States in which an entrant does not take part."""

RUNNING = (TournamentState.PLAYING, TournamentState.PAUSED)


def list_leagues() -> QuerySet[League]:
    """Every league with the number of its tournaments that are public."""
    public = Count("tournaments", filter=~Q(tournaments__state=TournamentState.DRAFT))
    return League.objects.filter(is_unlisted=False).annotate(tournament_count=public).order_by("name")


def find_league(slug: str) -> League | None:
    return League.objects.filter(slug=slug).select_related("organiser").first()


def list_tournaments(*, league: League | None = None, states: tuple[str, ...] = ()) -> QuerySet[Tournament]:
    """Public tournaments, newest first, each with its league and the number of those who take part."""
    shown = Tournament.objects.exclude(state=TournamentState.DRAFT).select_related("league").defer("seed", "secret")
    shown = shown.filter(is_unlisted=False) if league is None else shown.filter(league=league)
    if states:
        shown = shown.filter(state__in=states)
    return shown.annotate(entrant_count=Count("entrants", filter=~Q(entrants__state__in=GONE))).order_by("-id")


def find_tournament(slug: str, user: User | AnonymousUser) -> Tournament | None:
    """A tournament this user may see, or None."""
    found = Tournament.objects.filter(slug=slug).select_related("league", "organiser").defer("seed", "secret").first()
    if found is None or (found.state == TournamentState.DRAFT and not is_in_charge(user, found)):
        return None
    return found


def is_in_charge(user: User | AnonymousUser, tournament: Tournament) -> bool:
    """Whether the tournament is theirs to run, or to help with: whoever sees its desk."""
    if user.is_staff or (user.is_authenticated and tournament.organiser_id == user.pk):
        return True
    return bool(find_roles(user, tournament))


def find_roles(user: User | AnonymousUser, tournament: Tournament) -> set[str]:
    """As what somebody helps with a tournament, by itself or by its league."""
    if user.pk is None:
        return set()
    here = Q(tournament=tournament)
    if tournament.league_id is not None:
        here |= Q(league_id=tournament.league_id)
    return set(Helper.objects.filter(here, user_id=user.pk).values_list("role", flat=True))


def list_stages(tournament: Tournament) -> list[Stage]:
    """The stages in order, each knowing its tournament."""
    stages = list(tournament.stages.order_by("number"))
    for stage in stages:
        stage.tournament = tournament
    return stages


PLAY_OFF_MADE, PLAY_OFF_OF = "play_off_made", "play_off_of"
"""Events of a tournament that was level for the title, and of the play-off made for it."""


def find_play_off(tournament: Tournament) -> Tournament | None:
    """The play-off that was made for a tournament's title."""
    made = tournament.events.filter(kind=PLAY_OFF_MADE).first()
    return Tournament.objects.defer("seed").get(pk=made.detail["tournament"]) if made else None


def find_champions(tournaments: Iterable[Tournament]) -> dict[int, list[Entrant]]:
    """By tournament, those in first place of its last stage; with divisions, of the first one.

    Where a play-off has ended, it is whoever came first there of those who were level.
    """
    ended = [tournament.id for tournament in tournaments if tournament.state == TournamentState.FINISHED]
    last: dict[int, StageStandings] = {}
    for standings in (
        StageStandings.objects.filter(stage__tournament__in=ended).select_related("stage").order_by("stage__number")
    ):
        last[standings.stage.tournament_id] = standings
    winners = {
        tournament: [row["entrant"] for row in standings.rows if row["place"] == 1 and row["division"] in ("", "D1")]
        for tournament, standings in last.items()
    }
    winners |= _find_play_off_winners(ended)
    entrants = Entrant.objects.select_related("player").in_bulk([one for ids in winners.values() for one in ids])
    return {tournament: [entrants[one] for one in ids] for tournament, ids in winners.items()}


def _find_play_off_winners(tournaments: list[int]) -> dict[int, list[int]]:
    """By tournament whose play-off has ended: the entrant that won it."""
    made = TournamentEvent.objects.filter(tournament__in=tournaments, kind=PLAY_OFF_MADE)
    winners: dict[int, list[int]] = {}
    for tournament, detail in made.values_list("tournament_id", "detail"):
        standings = StageStandings.objects.filter(
            stage__tournament=detail["tournament"], stage__tournament__state=TournamentState.FINISHED
        ).first()
        level = dict(Entrant.objects.filter(id__in=detail["entrants"]).values_list("player_id", "id"))
        order = [row["entrant"] for row in standings.rows] if standings else []
        players = dict(Entrant.objects.filter(id__in=order).values_list("id", "player_id"))
        first = [level[players[entrant]] for entrant in order if players[entrant] in level]
        winners |= {tournament: first[:1]} if first else {}
    return winners


LONGEST_QUERY = 100
M = TypeVar("M", bound=Model)


@dataclass(frozen=True, slots=True)
class Found:
    leagues: list[League]
    tournaments: list[Tournament]
    players: list[Player]

    @property
    def is_empty(self) -> bool:
        return not (self.leagues or self.tournaments or self.players)


def search_names(query: str, limit: int) -> Found:
    """The best of each kind: names that start so before names that only contain it."""
    # Postgres stores no NUL, and refuses to look for one.
    words = query.replace("\x00", "").strip()[:LONGEST_QUERY]
    if not words:
        return Found([], [], [])
    listed = Tournament.objects.exclude(state=TournamentState.DRAFT).filter(is_unlisted=False)
    public = listed.defer("seed", "secret")
    return Found(
        list(_by_name(League.objects.filter(is_unlisted=False), words)[:limit]),
        list(_by_name(public, words)[:limit]),
        list(_by_name(Player.objects.filter(is_active=True).exclude(kind=PlayerKind.GUEST), words)[:limit]),
    )


def _by_name(rows: QuerySet[M], words: str) -> QuerySet[M]:
    starts = Case(When(name__istartswith=words, then=Value(0)), default=Value(1), output_field=IntegerField())
    return rows.filter(name__icontains=words).order_by(starts, "name")


OF_TOURNAMENT = (
    *("name", "description", "ruleset", "table_kind", "entry_kind", "is_rated", "capacity", "needs_check_in", "clock"),
    *("contact", "links"),
)
OF_STAGE = (
    *("name", "format", "options", "points", "tiebreaks", "block_deals", "matches_each", "groups", "cut", "release"),
)


def list_locks(tournament: Tournament) -> dict[str, str]:
    """Of each key of the spec that cannot be changed now, why not."""
    taking_part = tournament.entrants.exclude(state__in=LEFT)
    has_entrants = taking_part.exists()
    locks = {name: find_lock(tournament.state, name, has_entrants=has_entrants) for name in (*OF_TOURNAMENT, "stages")}
    return {name: lock for name, lock in locks.items() if lock}


def spec_of(tournament: Tournament) -> dict[str, Any]:
    """Every key, given or not when it was made."""
    stages = [{name: getattr(stage, name) for name in OF_STAGE} for stage in list_stages(tournament)]
    return {name: getattr(tournament, name) for name in OF_TOURNAMENT} | {"stages": stages}


def find_current_stage(tournament: Tournament) -> Stage:
    """The first stage that is not finished, or the last one."""
    stages = list(tournament.stages.order_by("number"))
    return next((stage for stage in stages if stage.state != StageState.FINISHED), stages[-1])


def find_next_stage(stage: Stage) -> Stage | None:
    return Stage.objects.filter(tournament_id=stage.tournament_id, number=stage.number + 1).first()


def format_of(tournament: Tournament, stage: Stage) -> Format:
    return make_stage_format(stage.format, TableKind(tournament.table_kind), stage.options)


def scoring_of(stage: Stage) -> Scoring:
    """Points by place, and what a bye is worth in this format."""
    return Scoring(tuple(stage.points), FORMATS[stage.format].bye)


def next_unreleased_matchday(stage: Stage) -> int:
    released = Matchday.objects.filter(stage=stage).exclude(state=MatchdayState.DRAWN)
    return (released.aggregate(last=Max("number"))["last"] or 0) + 1


def make_sheet(tournament: Tournament, stage: Stage) -> StageSheet:
    """All that counting the stage depends on, beside its results; one query, and none where there are no divisions."""
    entered = dict.fromkeys(stage.field, 1)
    if FORMATS[stage.format].has_divisions:
        entered |= dict(Entrant.objects.filter(id__in=stage.field).values_list("id", "entered_on"))
    return StageSheet(
        number=stage.number,
        kind=TableKind(tournament.table_kind),
        format=stage.format,
        options=stage.options,
        points=tuple(stage.points),
        tiebreaks=tuple(stage.tiebreaks),
        block_deals=stage.block_deals,
        matches_each=stage.matches_each,
        field=tuple(stage.field),
        entered=entered,
        final_places=tuple((entrant, place) for entrant, place in stage.final_places),
    )


def split_field(tournament: Tournament, stage: Stage) -> list[tuple[str, list[int]]]:
    """Each division's name (`D1`, as in the slots of its fixtures) and entrants; one without a name elsewhere."""
    return make_sheet(tournament, stage).split_field()


_VERSION = """
    SELECT ROW(
        stage.results_version, stage.state, stage.tiebreaks, standings.version, standings.computed_at,
        (
            SELECT md5(string_agg(ROW(entrant.state, player.name)::text, ',' ORDER BY entrant.id))
            FROM tournaments_entrant AS entrant JOIN games_player AS player ON player.id = entrant.player_id
            WHERE entrant.tournament_id = stage.tournament_id
        )
    )::text
    FROM tournaments_stage AS stage LEFT JOIN tournaments_stagestandings AS standings ON standings.stage_id = stage.id
    WHERE stage.id = %s
"""


def read_stage_version(stage_id: int) -> str | None:
    """Changes with every result that counts, when standings are computed, a state changes, somebody is renamed."""
    with connection.cursor() as cursor:
        cursor.execute(_VERSION, [stage_id])
        found = cursor.fetchone()
    return str(found[0]) if found else None


def list_announcements(tournament: Tournament) -> list[Announcement]:
    """Everything the desk has written, the newest first."""
    return list(tournament.announcements.all()[:100])


def list_public_announcements(tournament: Tournament, most: int) -> list[Announcement]:
    """What was told to all entrants, the newest first."""
    told = tournament.announcements.filter(told_at__isnull=False, audience=Audience.ENTRANTS)
    return list(told.select_related("tournament").defer("tournament__seed", "tournament__secret")[:most])


def say_announcement(announcement: Announcement, language: str) -> dict[str, str]:
    """Title and text in this language, or in the first that there is."""
    texts: dict[str, dict[str, str]] = announcement.texts
    return texts.get(language) or texts[min(texts, key=lambda code: (code != settings.LANGUAGE_CODE, code))]
