"""Leagues, drafts of tournaments and presets; and the next season of a league, looked at first and then made."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import Max
from django.utils.functional import Promise
from django.utils.text import slugify
from django.utils.translation import gettext_lazy

from aurum_league.common.errors import N_, LeagueError
from aurum_league.common.site_events import record_site_event
from games.rules.deal import commitment
from games.services.create import new_seed
from tournaments.models import Entrant, EntryKind, League, Release, Stage, StageStandings, Tournament
from tournaments.rules.formats import FORMATS
from tournaments.rules.formats.league_season import promote
from tournaments.rules.lifecycle import Step
from tournaments.rules.spec import (
    PRESETS,
    StageSpec,
    TournamentSpec,
    check_texts,
    default_points,
    read_links,
    read_spec,
    spec_from_preset,
)
from tournaments.selectors.leagues import list_locks, spec_of
from tournaments.services.entries import enter_players, require_can_enter
from tournaments.services.field import IN_FIELD, seed_entrants
from tournaments.services.lifecycle import lock_tournament_for, open_tournament, record_event, rules_of

__all__ = ["SHOWN_PRESETS", "ShownPreset", "spec_from_preset"]


@dataclass(frozen=True, slots=True)
class ShownPreset:
    title: Promise
    description: Promise
    spec: dict[str, Any]


SHOWN_PRESETS = {
    code: ShownPreset(gettext_lazy(preset.title), gettext_lazy(preset.description), preset.spec)
    for code, preset in PRESETS.items()
}


@transaction.atomic
def create_league(*, name: str, organiser: User, description: str = "", is_unlisted: bool = False) -> League:
    """Start a lasting competition; its tournaments are its seasons."""
    _check_name(name)
    slug = _free_slug(League, name)
    league = League.objects.create(
        name=name.strip(), slug=slug, description=description, organiser=organiser, is_unlisted=is_unlisted
    )
    record_site_event("league_made", actor=organiser, league=league.pk, name=league.name)
    return league


@transaction.atomic
def edit_league(*, league_id: int, name: str, description: str = "", is_unlisted: bool = False) -> League:
    """Rename or describe a league anew, in lists or out of them; its address stays, for others link to it."""
    _check_name(name)
    league = League.objects.select_for_update(no_key=True).filter(pk=league_id).first()
    if league is None:
        raise LeagueError("no_league", N_("There is no league %(name)s."), status=404, name=league_id)
    league.name, league.description, league.is_unlisted = name.strip(), description, is_unlisted
    league.save(update_fields=("name", "description", "is_unlisted"))
    return league


@transaction.atomic
def create_tournament(
    *, spec: Mapping[str, Any] | TournamentSpec, organiser: User, league: League | None = None
) -> Tournament:
    """Make a draft from a spec; within a league it becomes the next season."""
    checked = spec if isinstance(spec, TournamentSpec) else read_spec(spec)
    secret = new_seed()
    tournament = Tournament(
        organiser=organiser,
        league=league,
        season=_next_season(league) if league else None,
        slug=_free_slug(Tournament, checked.name),
        secret=secret,
        commitment=commitment(secret),
    )
    _write_spec(tournament, checked)
    record_event(tournament, "created", actor=organiser)
    return tournament


@transaction.atomic
def edit_tournament(*, tournament_id: int, spec: Mapping[str, Any], actor: User | None = None) -> Tournament:
    """Replace everything a draft says by a new spec; once entries are open, what players entered for stays."""
    tournament = lock_tournament_for(tournament_id, Step.EDIT)
    checked = read_spec(spec)
    _require_unlocked(tournament, checked)
    tournament.stages.all().delete()
    _write_spec(tournament, checked)
    record_event(tournament, "edited", actor=actor, detail=rules_of(tournament))
    return tournament


@transaction.atomic
def edit_texts(
    *,
    tournament_id: int,
    name: str,
    description: str = "",
    contact: str = "",
    links: Sequence[Sequence[str]] = (),
    actor: User | None = None,
) -> Tournament:
    """Change what is only read, at any time; the address stays, for others link to it."""
    tournament = lock_tournament_for(tournament_id, Step.EDIT_TEXTS)
    check_texts(name, description, contact)
    said = {
        "name": name.strip(),
        "description": description,
        "contact": contact.strip(),
        "links": [list(link) for link in read_links(links)],
    }
    changed = [key for key, text in said.items() if getattr(tournament, key) != text]
    if changed:
        for key in changed:
            setattr(tournament, key, said[key])
        tournament.save(update_fields=changed)
        record_event(tournament, "texts_edited", actor=actor, detail={"fields": changed})
    return tournament


@transaction.atomic
def set_unlisted(*, tournament_id: int, is_unlisted: bool, actor: User | None = None) -> Tournament:
    """Take a tournament out of lists, search and calendars, or back; the same twice changes nothing."""
    tournament = lock_tournament_for(tournament_id, Step.EDIT_TEXTS)
    if tournament.is_unlisted != is_unlisted:
        tournament.is_unlisted = is_unlisted
        tournament.save(update_fields=("is_unlisted",))
        record_event(tournament, "unlisted" if is_unlisted else "listed", actor=actor)
    return tournament


def _require_unlocked(tournament: Tournament, spec: TournamentSpec) -> None:
    for name, lock in list_locks(tournament).items():
        if getattr(tournament, name) != getattr(spec, name):
            raise LeagueError("locked", lock, N_("Make another tournament."), status=409)


def _check_name(name: str) -> None:
    if not name.strip() or len(name) > 80:
        raise LeagueError("bad_name", N_("A league needs a name of at most 80 characters."))


def _write_spec(tournament: Tournament, spec: TournamentSpec) -> None:
    tournament.name = spec.name.strip()
    tournament.description = spec.description
    tournament.ruleset = spec.ruleset
    tournament.table_kind = spec.table_kind
    tournament.entry_kind = spec.entry_kind
    tournament.is_rated = spec.is_rated
    tournament.capacity = spec.capacity
    tournament.needs_check_in = spec.needs_check_in
    tournament.clock = spec.clock
    tournament.contact = spec.contact.strip()
    tournament.links = [list(link) for link in spec.links]
    tournament.save()
    Stage.objects.bulk_create(
        _stage_row(tournament, number, stage, spec) for number, stage in enumerate(spec.stages, start=1)
    )


def _stage_row(tournament: Tournament, number: int, stage: StageSpec, spec: TournamentSpec) -> Stage:
    only_bots = spec.entry_kind == EntryKind.BOTS
    return Stage(
        tournament=tournament,
        number=number,
        name=stage.name or stage.format.replace("_", " ").capitalize(),
        format=stage.format,
        options=stage.options,
        points=list(stage.points or default_points(spec.table_kind)),
        tiebreaks=list(stage.tiebreaks),
        block_deals=stage.block_deals,
        matches_each=stage.matches_each,
        groups=stage.groups,
        cut=stage.cut,
        release=stage.release or (Release.ALL if only_bots else Release.MATCHDAY),
    )


def _next_season(league: League) -> int:
    League.objects.select_for_update(no_key=True).get(pk=league.pk)
    return (league.tournaments.aggregate(last=Max("season"))["last"] or 0) + 1


def _free_slug(model: type[League] | type[Tournament], name: str) -> str:
    """The name as an address, with a number behind it where another one has it already.

    Whoever chooses one holds a lock until the transaction ends: two at once would choose the same.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [model._meta.db_table])
    stem = slugify(name)[:70] or "event"
    taken = set(model._default_manager.filter(slug__startswith=stem).values_list("slug", flat=True))
    number = 2
    slug = stem
    while slug in taken:
        slug = f"{stem}-{number}"
        number += 1
    return slug


MOST_MOVES = 100
SEASON_MADE = "next_season"


class Move(StrEnum):
    UP = "up"
    DOWN = "down"
    STAYS = "stays"


@dataclass(frozen=True, slots=True)
class SeasonPlace:
    """One entrant of this season and where the next one finds them."""

    entrant: Entrant
    move: Move


@dataclass(frozen=True, slots=True)
class SeasonPlan:
    """The next season's divisions, the first one first; `left_out` are those who left or may not enter any more."""

    divisions: tuple[tuple[SeasonPlace, ...], ...]
    left_out: tuple[Entrant, ...]

    @property
    def players(self) -> list[Any]:
        """Players in the order in which they are seeded."""
        return [place.entrant.player for division in self.divisions for place in division]


def plan_next_season(*, tournament: Tournament, moves: int) -> SeasonPlan:
    """What the next season would be with so many going up and down between divisions; nothing is changed."""
    if not 0 <= moves <= MOST_MOVES:
        raise LeagueError(
            "bad_moves", N_("From 0 to %(most)s may go up and down, not %(number)s."), most=MOST_MOVES, number=moves
        )
    stage = _find_deciding_stage(tournament)
    entrants = Entrant.objects.select_related("player__team__first", "player__team__second").in_bulk(stage.field)
    staying = {entrant.id for entrant in entrants.values() if _may_play_on(tournament, entrant)}
    before = _order_divisions(stage, staying)
    after = promote(before, moves)
    home = {entrant: number for number, division in enumerate(before) for entrant in division}
    return SeasonPlan(
        tuple(
            tuple(SeasonPlace(entrants[one], _move(home[one], number)) for one in division)
            for number, division in enumerate(after)
        ),
        tuple(entrant for one, entrant in sorted(entrants.items()) if one not in staying),
    )


@transaction.atomic
def create_next_season(*, tournament_id: int, moves: int = 1, name: str = "", actor: User | None = None) -> Tournament:
    """Make the next season from a finished one, open for entries; the one made before where there is one."""
    tournament = lock_tournament_for(tournament_id, Step.NEXT_SEASON)
    if tournament.league is None:
        raise LeagueError(
            "no_season", N_("This tournament is no season of a league."), N_("Make it in a league."), status=409
        )
    made = tournament.events.filter(kind=SEASON_MADE).first()
    if made is not None:
        return Tournament.objects.get(pk=made.detail["tournament"])
    plan = plan_next_season(tournament=tournament, moves=moves)
    spec = _next_spec(tournament, plan) | ({"name": name} if name.strip() else {})
    following = create_tournament(spec=spec, organiser=tournament.organiser, league=tournament.league)
    if not name.strip():
        Tournament.objects.filter(pk=following.pk).update(name=f"{tournament.league.name} {following.season}"[:80])
        following.refresh_from_db()
    open_tournament(tournament_id=following.pk, actor=actor)
    entered = enter_players(tournament_id=following.pk, players=plan.players, actor=actor)
    seed_entrants(tournament_id=following.pk, order=[entrant.pk for entrant in entered], actor=actor)
    record_event(tournament, SEASON_MADE, actor=actor, detail={"tournament": following.pk, "season": following.season})
    return Tournament.objects.get(pk=following.pk)


def _find_deciding_stage(tournament: Tournament) -> Stage:
    """The stage with divisions, or else the first: everybody who took part is in it."""
    stages = list(tournament.stages.order_by("number"))
    return next((stage for stage in stages if FORMATS[stage.format].has_divisions and not stage.groups), stages[0])


def _may_play_on(tournament: Tournament, entrant: Entrant) -> bool:
    try:
        require_can_enter(tournament, entrant.player)
    except LeagueError:
        return False
    return entrant.state in IN_FIELD


def _order_divisions(stage: Stage, staying: set[int]) -> list[list[int]]:
    """The entrants of each division as they ended; groups dealt from one field are no divisions."""
    divisions: dict[str, list[int]] = {}
    for row in sorted(_final_rows(stage), key=lambda row: row["place"]) if stage.groups else _final_rows(stage):
        if row["entrant"] in staying:
            divisions.setdefault("" if stage.groups else row["division"], []).append(row["entrant"])
    return list(divisions.values())


def _final_rows(stage: Stage) -> list[dict[str, Any]]:
    stored = StageStandings.objects.filter(stage=stage).first()
    return stored.rows if stored else []


def _move(before: int, after: int) -> Move:
    if before == after:
        return Move.STAYS
    return Move.UP if after < before else Move.DOWN


def _next_spec(tournament: Tournament, plan: SeasonPlan) -> dict[str, Any]:
    """The same tournament again, its divisions as large as the plan makes them."""
    spec = spec_of(tournament)
    return spec | {"stages": list(_next_stages(spec["stages"], plan))}


def _next_stages(stages: list[dict[str, Any]], plan: SeasonPlan) -> Iterator[dict[str, Any]]:
    for stage in stages:
        options = dict(stage["options"])
        if stage["groups"]:
            options.pop("divisions", None)
        elif FORMATS[stage["format"]].has_divisions:
            options["divisions"] = [len(division) for division in plan.divisions]
        yield stage | {"options": options}
