"""Creating and editing leagues, and tournaments while they are drafts."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import Max
from django.utils.text import slugify

from aurum_league.common.errors import N_, LeagueError
from games.rules.deal import commitment
from games.services.create import new_seed
from tournaments.models import EntryKind, League, Release, Stage, Tournament
from tournaments.rules.lifecycle import Step
from tournaments.rules.spec import StageSpec, TournamentSpec, default_points, read_spec
from tournaments.services.events import record_event
from tournaments.services.lifecycle import lock_tournament_for


@transaction.atomic
def create_league(*, name: str, organiser: User, description: str = "") -> League:
    """Start a lasting competition; its tournaments are its seasons."""
    _check_name(name)
    slug = _free_slug(League, name)
    return League.objects.create(name=name.strip(), slug=slug, description=description, organiser=organiser)


@transaction.atomic
def edit_league(*, league_id: int, name: str, description: str = "") -> League:
    """Rename or describe a league anew; its address stays, for others link to it."""
    _check_name(name)
    league = League.objects.select_for_update(no_key=True).filter(pk=league_id).first()
    if league is None:
        raise LeagueError("no_league", N_("There is no league %(name)s."), status=404, name=league_id)
    league.name, league.description = name.strip(), description
    league.save(update_fields=("name", "description"))
    return league


@transaction.atomic
def create_tournament(
    *, spec: Mapping[str, Any] | TournamentSpec, organiser: User, league: League | None = None
) -> Tournament:
    """Make a draft from a spec; within a league it becomes the next season."""
    checked = spec if isinstance(spec, TournamentSpec) else read_spec(spec)
    seed = new_seed()
    tournament = Tournament(
        organiser=organiser,
        league=league,
        season=_next_season(league) if league else None,
        slug=_free_slug(Tournament, checked.name),
        seed=seed,
        commitment=commitment(seed),
    )
    _write_spec(tournament, checked)
    record_event(tournament, "created", actor=organiser)
    return tournament


@transaction.atomic
def edit_tournament(*, tournament_id: int, spec: Mapping[str, Any], actor: User | None = None) -> Tournament:
    """Replace everything a draft says by a new spec."""
    tournament = lock_tournament_for(tournament_id, Step.EDIT)
    checked = read_spec(spec)
    tournament.stages.all().delete()
    _write_spec(tournament, checked)
    record_event(tournament, "edited", actor=actor)
    return tournament


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
