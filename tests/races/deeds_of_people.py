"""What people do among themselves: wait for a table, challenge, form teams, report what was played by hand."""

from collections.abc import Callable
from contextlib import suppress

from django.core.signing import dumps

from aurum_league.common.errors import LeagueError
from games.models import Match, MatchSeat, MatchState
from games.selectors.sitters import Sitter
from games.services.players import ensure_person
from tests.races.deeds_of_tournaments import on_match
from tests.races.services import Job, call
from tests.races.world import World
from tournaments.models import (
    FixtureMatch,
    ScoreSheet,
)
from tournaments.services.quick_pairing import (
    SeekWish,
    challenge_player,
    keep_waiting,
    pair_seekers,
    set_block,
    start_waiting,
    stop_waiting,
    take_bots,
)
from tournaments.services.self_entry import (
    SALT,
    create_team,
    enter_new_team,
    invite_partner,
    join_team,
)
from tournaments.services.sheets import (
    Sheet,
    accept_sheet,
    confirm_sheet,
    dispute_result,
    dispute_sheet,
    enter_sheet,
    take_back_sheet,
    write_sheet,
)

SHEET = Sheet(places=(1, 2, 3))


def team_up(world: World) -> Job:
    first, second = (ensure_person(person) for person in world.rng.sample(world.people, 2))
    return call(create_team, name=f"Race {world.rng.randrange(3)}", members=(first, second), creator=world.people[0])


def team_up_and_enter(world: World) -> Job:
    first, second = (ensure_person(person) for person in world.rng.sample(world.people, 2))
    given = {"tournament_id": world.pick_tournament("open"), "members": (first, second), "actor": world.people[0]}
    return call(enter_new_team, name=f"Race {world.rng.randrange(3)}", **given)


def join_one(world: World) -> Job:
    inviter, user = world.rng.sample(world.people, 2)
    invitation = dumps({"name": f"Race {world.rng.randrange(3)}", "inviter": ensure_person(inviter).pk}, salt=SALT)
    return call(join_team, invitation=invitation, user=user)


def waiting(service: Callable[..., object]) -> Callable[[World], Job]:
    """By somebody who waits for a table, where they can."""

    def choose(world: World) -> Job:
        sitter = Sitter(user_id=world.pick_person().pk)
        with suppress(LeagueError):
            start_waiting(sitter=sitter, wish=SeekWish("en3", bots_after=0))
        return call(service, sitter=sitter)

    return choose


def start_again(world: World) -> Job:
    return call(start_waiting, sitter=Sitter(user_id=world.pick_person().pk), wish=SeekWish("en3"))


def between_people(service: Callable[..., object], **given: object) -> Callable[[World], Job]:
    def choose(world: World) -> Job:
        user, other = world.rng.sample(world.people, 2)
        return call(service, user=user, player=ensure_person(other), **given)

    return choose


def reported(service: Callable[..., object], *, by_user: bool = True, **given: object) -> Callable[[World], Job]:
    """On a match that is said to have been played at a real table by people, and reported by the first of them."""

    def choose(world: World) -> Job:
        link = world.pick(FixtureMatch.objects.exclude(match__state=MatchState.PLAYING))
        people = [ensure_person(person) for person in world.people[:3]]
        for number, seat in enumerate(link.match.seats.order_by("seat")):
            owner = people[number % 3].owner_id
            MatchSeat.objects.filter(pk=seat.pk).update(owner=owner, agent=f"person:{people[number % 3].pk}")
        Match.objects.filter(pk=link.match_id, state=MatchState.READY).update(
            state=MatchState.OPEN, clock={"real_cards": 1}
        )
        if service is write_sheet:
            return call(service, match_id=link.match_id, user=world.people[0], sheet=SHEET)
        with suppress(LeagueError):
            write_sheet(match_id=link.match_id, user=world.people[0], sheet=SHEET)
        report = ScoreSheet.objects.filter(match=link.match_id).first()
        if service is dispute_result:
            with suppress(LeagueError):
                confirm_sheet(sheet_id=report.pk if report else 0, user=world.people[1])
            return call(service, match_id=link.match_id, user=world.people[1], **given)
        who = {"user": world.people[1]} if by_user else {}
        return call(service, sheet_id=report.pk if report else 0, **who, **given)

    return choose


DEEDS: dict[str, Callable[[World], Job]] = {
    "tournaments.sheets.write_sheet": reported(write_sheet),
    "tournaments.sheets.confirm_sheet": reported(confirm_sheet),
    "tournaments.sheets.dispute_sheet": reported(dispute_sheet, note="race"),
    "tournaments.sheets.dispute_result": reported(dispute_result, note="race"),
    "tournaments.sheets.take_back_sheet": reported(take_back_sheet),
    "tournaments.sheets.accept_sheet": reported(accept_sheet, by_user=False, actor=None),
    "tournaments.sheets.enter_sheet": on_match(enter_sheet, MatchState.FINISHED, sheet=SHEET, reason="race"),
    "tournaments.quick_pairing.challenge_player": between_people(challenge_player),
    "tournaments.quick_pairing.keep_waiting": waiting(keep_waiting),
    "tournaments.quick_pairing.pair_seekers": waiting(lambda sitter: pair_seekers()),
    "tournaments.quick_pairing.set_block": between_people(set_block, is_blocked=True),
    "tournaments.quick_pairing.start_waiting": start_again,
    "tournaments.quick_pairing.stop_waiting": waiting(stop_waiting),
    "tournaments.quick_pairing.take_bots": waiting(take_bots),
    "tournaments.self_entry.create_team": team_up,
    "tournaments.self_entry.enter_new_team": team_up_and_enter,
    "tournaments.self_entry.invite_partner": lambda world: call(
        invite_partner, name="Racers", user=world.pick_person()
    ),
    "tournaments.self_entry.join_team": join_one,
}
