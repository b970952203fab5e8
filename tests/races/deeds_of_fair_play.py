"""What reporters, moderators and those concerned do."""

from collections.abc import Callable
from uuid import uuid4

from django.contrib.auth.models import Group, User

from games.models import MatchState
from games.services.players import ensure_guest, ensure_person, take_over_guest
from tests.races.services import Job, call
from tests.races.world import World
from tournaments.models import Case, CaseKind
from tournaments.rules.cases import DeedKind
from tournaments.services.cases import ReportWish, look_for_cases, open_case, report_player
from tournaments.services.closing import close_account
from tournaments.services.moderation import DeedWish, decide_appeal, do_deed, make_appeal
from tournaments.services.studies import study_case, study_waiting_cases


def find_moderator(name: str) -> User:
    user, _is_new = User.objects.get_or_create(username=name)
    user.groups.add(Group.objects.get(name="moderator"))
    return user


def find_case(world: World) -> Case:
    accused = ensure_person(world.people[1])
    return open_case(kind=CaseKind.JUMP, key=f"jump:{accused.pk}", players=[accused], evidence={"matches": 3})


def close_one(world: World) -> Job:
    user = User.objects.create_user(f"leaver-{User.objects.count()}")
    ensure_person(user)
    return call(close_account, user=user)


def sign_up(world: World) -> Job:
    user, guest = User.objects.create_user(f"newcomer-{User.objects.count()}"), uuid4()
    ensure_guest(guest)
    return call(take_over_guest, user=user, guest=guest)


def report(world: World) -> Job:
    wish = ReportWish("throwing", "Lost on purpose.")
    return call(report_player, user=world.people[2], player=ensure_person(world.people[1]), match=None, wish=wish)


def open_one(world: World) -> Job:
    players = [ensure_person(world.people[1])]
    return call(open_case, kind=CaseKind.LINKED, key="linked:1", players=players, evidence={"devices": 1})


def decide(world: World) -> Job:
    """Any deed, to matches of the accused where it is about some."""
    case, accused = find_case(world), ensure_person(world.people[1])
    kind = world.rng.choice(list(DeedKind))
    own = accused.seats.filter(match__state=MatchState.FINISHED).values_list("match_id", flat=True)
    wish = DeedWish(kind, "for a race", accused.pk, 7, tuple(own[:2]))
    return call(do_deed, case_id=case.pk, actor=find_moderator("first-moderator"), wish=wish)


def warn(world: World) -> Case:
    case = find_case(world)
    wish = DeedWish(DeedKind.WARN, "for a race", ensure_person(world.people[1]).pk)
    if case.state in ("open", "acted"):
        do_deed(case_id=case.pk, actor=find_moderator("first-moderator"), wish=wish)
    return case


def appeal(world: World) -> Job:
    return call(make_appeal, user=world.people[1], case_id=warn(world).pk, text="Why?")


def answer(world: World) -> Job:
    case = warn(world)
    made = case.appeals.first() or make_appeal(user=world.people[1], case_id=case.pk, text="Why?")
    decided = {"is_granted": world.rng.random() < 0.5, "answer": "for a race"}
    return call(decide_appeal, appeal_id=made.pk, actor=find_moderator("second-moderator"), **decided)


DEEDS: dict[str, Callable[[World], Job]] = {
    "games.players.take_over_guest": sign_up,
    "tournaments.cases.look_for_cases": lambda world: look_for_cases,
    "tournaments.cases.open_case": open_one,
    "tournaments.closing.close_account": close_one,
    "tournaments.studies.study_case": lambda world: call(study_case, case_id=find_case(world).pk),
    "tournaments.studies.study_waiting_cases": lambda world: study_waiting_cases,
    "tournaments.cases.report_player": report,
    "tournaments.moderation.do_deed": decide,
    "tournaments.moderation.make_appeal": appeal,
    "tournaments.moderation.decide_appeal": answer,
}
