"""The field of a tournament: house bots in it, who is seeded where, and who is kept apart."""

from collections.abc import Mapping, Sequence

from django.contrib.auth.models import User
from django.db import transaction

from aurum_league.common.errors import N_, LeagueError
from bots.brains import BRAINS, FALLBACK
from games.models import Player, PlayerKind
from games.services.players import HOUSE_SLUG
from tournaments.models import Conflict, Entrant, EntrantState, Stage, Tournament
from tournaments.rules.formats.format import split_groups
from tournaments.rules.lifecycle import Step
from tournaments.rules.pairing import draw_lot
from tournaments.selectors.chance import seed_of
from tournaments.selectors.entrants import read_entrant_ratings
from tournaments.services.lifecycle import lock_tournament_for, record_event

HOUSE_ORGANISER = "house"


@transaction.atomic
def ensure_house_players(copies: Mapping[str, int] | None = None) -> list[Player]:
    """Make the players that are missing, one of each brain or so many of each named; all of them, in that order."""
    titles = {brain.name: brain.title for brain in BRAINS}
    wanted = dict.fromkeys(titles, 1) if copies is None else copies
    if unknown := sorted(set(wanted) - set(titles)):
        raise LeagueError(
            "unknown_brain",
            N_("There is no house bot %(name)s."),
            N_("There are: %(names)s."),
            name=repr(unknown[0]),
            names=list(titles),
        )
    names = {}
    for brain, count in wanted.items():
        names[f"{HOUSE_SLUG}{brain}"] = titles[brain]
        names |= {f"{HOUSE_SLUG}{brain}_{number}": f"{titles[brain]} {number}" for number in range(2, count + 1)}
    Player.objects.bulk_create(
        [Player(kind=PlayerKind.HOUSE, name=name, slug=slug) for slug, name in names.items()], ignore_conflicts=True
    )
    found = {player.slug: player for player in Player.objects.filter(kind=PlayerKind.HOUSE, slug__in=names)}
    if missing := [name for slug, name in names.items() if slug not in found]:
        raise LeagueError(
            "name_taken", N_("Another player is already called %(name)s."), N_("Rename that player."), name=missing[0]
        )
    return [found[slug] for slug in names]


def ensure_filling_player() -> Player:
    """The house bot that takes a seat nobody else has."""
    return ensure_house_players({FALLBACK: 1})[0]


def ensure_house_organiser() -> User:
    """The account that tournaments run by commands belong to; nobody can sign in with it."""
    user, is_new = User.objects.get_or_create(username=HOUSE_ORGANISER)
    if is_new:
        user.set_unusable_password()
        user.save(update_fields=("password",))
    return user


@transaction.atomic
def seed_entrants(*, tournament_id: int, order: Sequence[int], actor: User | None = None) -> None:
    """Seed these entrants by hand, the first of them first; all others follow by rating."""
    tournament = lock_tournament_for(tournament_id, Step.SEED)
    entrants = {entrant.id: entrant for entrant in tournament.entrants.all()}
    if len(set(order)) != len(order) or not set(order) <= set(entrants):
        raise LeagueError("bad_seeding", N_("Each entrant may be seeded once, and only entrants of this tournament."))
    for entrant in entrants.values():
        entrant.seed_number = order.index(entrant.id) + 1 if entrant.id in order else None
    Entrant.objects.bulk_update(entrants.values(), ["seed_number"])
    record_event(tournament, "seeded", actor=actor, detail={"order": list(order)})


@transaction.atomic
def keep_apart(*, tournament_id: int, pair: tuple[int, int], reason: str = "", actor: User | None = None) -> Conflict:
    """Never seat these two at one table from the next draw on; running twice changes nothing."""
    tournament = lock_tournament_for(tournament_id, Step.KEEP_APART)
    first, second = sorted(pair)
    if first == second or tournament.entrants.filter(id__in=pair).count() != 2:
        raise LeagueError("bad_conflict", N_("Two different entrants of this tournament can be kept apart."))
    conflict, is_new = Conflict.objects.get_or_create(
        tournament=tournament, first_id=first, second_id=second, defaults={"reason": reason[:200]}
    )
    if is_new:
        record_event(tournament, "kept_apart", actor=actor, reason=reason, detail={"entrants": [first, second]})
    return conflict


@transaction.atomic
def allow_meeting(*, tournament_id: int, pair: tuple[int, int], actor: User | None = None) -> bool:
    """Keep these two apart no longer from the next draw on; False where they were not, which changes nothing."""
    tournament = lock_tournament_for(tournament_id, Step.KEEP_APART)
    first, second = sorted(pair)
    found = Conflict.objects.filter(tournament=tournament, first_id=first, second_id=second)
    removed, _ = found.delete()
    if removed:
        record_event(tournament, "meeting_allowed", actor=actor, detail={"entrants": [first, second]})
    return removed > 0


def seed_first_stage(tournament: Tournament, stage: Stage) -> None:
    """Fix the field of the first stage: seeds by hand, then by rating, then by lots from the tournament's seed."""
    states = [EntrantState.CHECKED_IN]
    if not tournament.needs_check_in:
        states.append(EntrantState.ENTERED)
    entrants = list(tournament.entrants.filter(state__in=states))
    rated = read_entrant_ratings(tournament, [entrant.player_id for entrant in entrants])
    strength = {player: rating.mu for player, rating in rated.items()}
    seed, unseeded = seed_of(tournament), len(entrants) + 1
    entrants.sort(
        key=lambda entrant: (
            entrant.seed_number or unseeded,
            -strength.get(entrant.player_id, 0.0),
            -draw_lot(seed, "seeding", entrant.id),
        )
    )
    set_field(stage, [entrant.id for entrant in entrants])


def set_field(stage: Stage, seeded: list[int]) -> None:
    """Give a stage its entrants, best first; where it has groups, seeds are dealt to them to and fro."""
    stage.field = seeded
    if stage.groups:
        groups = split_groups(seeded, stage.groups)
        stage.field = [entrant for group in groups for entrant in group]
        stage.options = {**stage.options, "divisions": [len(group) for group in groups]}
    stage.save(update_fields=("field", "options"))
