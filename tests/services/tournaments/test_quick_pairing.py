"""Finding a table: strangers are sat down, one queue a person, closed pages leave it, bots on request, blocks."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from aurum_league.common.errors import LeagueError
from aurum_league.models import Notice
from games.models import Lobby, Match, MatchSeat, MatchState, Player
from games.rules.deal import commitment
from games.rules.mixing import mix_seed
from games.selectors.sitters import Sitter, find_own_seat
from games.services.create import offer_ticket, read_ticket
from games.services.lobby import leave_seat
from games.services.players import ensure_person
from tests.people import verify_address
from tests.races.services import Racers, call
from tournaments.models import Rating, RatingPool, Seeker
from tournaments.selectors.waiting import list_seekers, list_waiting_tables
from tournaments.services.quick_pairing import (
    CHALLENGES_A_DAY,
    SeekWish,
    challenge_player,
    draw_seats,
    keep_waiting,
    pair_seekers,
    set_block,
    start_waiting,
    stop_waiting,
    take_bots,
)

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings("ignore:task_always_eager has no effect on send_task"),
]
WISH = SeekWish("en3")
FRIENDLY = replace(WISH, is_rated=False)


def make_person(name: str, number: float | None = None) -> Sitter:
    user = verify_address(User.objects.create_user(name))
    if number is not None:
        pool, _ = RatingPool.objects.get_or_create(players=3, entry_kind="people", is_teams=False)
        Rating.objects.create(pool=pool, player=ensure_person(user), mu=25 + (number - 1500) / 24.07, sigma=2.0)
    return Sitter(user_id=user.pk)


def user_of(sitter: Sitter) -> User:
    assert sitter.user_id is not None
    return User.objects.get(pk=sitter.user_id)


def wait_since(sitter: Sitter, seconds: float) -> None:
    Seeker.objects.filter(user=user_of(sitter)).update(since=timezone.now() - timedelta(seconds=seconds))


def match_of(sitter: Sitter) -> int | None:
    seeker = keep_waiting(sitter=sitter)
    return seeker.match_id if seeker else None


def refusal_of(act: Callable[[], object]) -> str:
    with pytest.raises(LeagueError) as refused:
        act()
    return refused.value.code


def test_three_strangers_meet_at_a_rated_table_drawn_by_its_seed() -> None:
    people = [make_person(name, number) for name, number in (("ada", 1490), ("bob", 1500), ("cyd", 1510))]
    tickets = [offer_ticket() for _ in people]
    for one, ticket, digit in zip(people, tickets, "abc", strict=True):
        start_waiting(sitter=one, wish=replace(WISH, ticket=ticket.text, contribution=digit * 64))
    (shown,) = list_waiting_tables(Sitter())
    first, *others = (match_of(one) for one in people)
    assert first is not None and others == [first, first]
    match = Match.objects.get(pk=first)
    assert (match.is_rated, match.share, match.clock, match.state) == (
        True, 1.0, {"bank": 600.0, "increment": 10.0}, MatchState.WAITING,
    )
    seats = [own.seat for one in people if (own := find_own_seat(match.pk, one))]
    secret = read_ticket(tickets[0].text)
    assert shown.commitment == tickets[0].commitment == commitment(secret), "who waits longest shows theirs to all"
    assert seats == draw_seats(secret, 3), "lowest rating first, by the committed secret"
    given = {seat: digit * 64 for seat, digit in zip(seats, "abc", strict=True)}
    assert bytes(match.seed) == mix_seed(secret, given), "everybody's contribution is in the deals"
    assert not list_seekers().exists()


def test_a_ticket_deals_one_table_and_a_bad_one_is_replaced() -> None:
    ada, ticket = make_person("ada"), offer_ticket()
    wish = replace(FRIENDLY, bots_after=0, ticket=ticket.text)
    for _ in range(2):
        start_waiting(sitter=ada, wish=wish)
        take_bots(sitter=ada)
    start_waiting(sitter=ada, wish=replace(wish, ticket="nonsense"))
    assert Seeker.objects.get().ticket.count(".") == 1
    take_bots(sitter=ada)
    bound = list(Lobby.objects.order_by("pk").values_list("commitment", flat=True))
    assert bound[0] == ticket.commitment and len(set(bound)) == 3
    assert len({bytes(seed) for seed in Match.objects.values_list("seed", flat=True)}) == 3
    assert refusal_of(lambda: start_waiting(sitter=ada, wish=replace(wish, contribution="zz"))) == "bad_contribution"



def test_ratings_far_apart_wait_until_they_have_waited() -> None:
    near, far, third = make_person("ada", 1500), make_person("bob", 1700), make_person("cyd", 1510)
    for one in (near, far, third):
        start_waiting(sitter=one, wish=WISH)
    assert pair_seekers() == 0
    wait_since(near, 60)
    assert pair_seekers() == 1


def test_bounds_go_by_the_best_of_the_last_months() -> None:
    people = [make_person(name, 1500) for name in ("ada", "bob", "cyd")]
    for one in people:
        start_waiting(sitter=one, wish=replace(WISH, high=1550))
    assert pair_seekers() == 1
    for one in people:
        start_waiting(sitter=one, wish=replace(WISH, low=1510))
    assert pair_seekers() == 0


def test_one_person_waits_in_one_queue_on_any_number_of_devices() -> None:
    ada = make_person("ada")
    start_waiting(sitter=ada, wish=WISH)
    start_waiting(sitter=ada, wish=replace(WISH, ruleset="de4"))
    assert [(one.ruleset, one.players) for one in list_seekers()] == [("de4", 4)]
    stop_waiting(sitter=ada)
    assert keep_waiting(sitter=ada) is None and not list_seekers().exists()


def test_a_closed_page_leaves_the_queue() -> None:
    people = [make_person(name) for name in ("ada", "bob", "cyd")]
    for one in people:
        start_waiting(sitter=one, wish=WISH)
    Seeker.objects.filter(user=user_of(people[0])).update(seen_at=timezone.now() - timedelta(seconds=16))
    assert pair_seekers() == 0 and len(list_seekers()) == 2
    assert match_of(people[0]), "a page that asks again is back, and all three sit down"


def test_a_question_reads_as_little_with_a_thousand_who_wait() -> None:
    """No more statements than with one, none of them about anybody's results."""
    now, counts = timezone.now(), []
    asker = make_person("ada")
    start_waiting(sitter=asker, wish=replace(WISH, low=2000))
    for names in ((), range(999)):
        users = User.objects.bulk_create(User(username=f"waits-{number}") for number in names)
        Seeker.objects.bulk_create(
            Seeker(
                user=user, ruleset=WISH.ruleset, players=3, clock=WISH.clock, is_rated=True, low=2000, bots_after=30,
                since=now, seen_at=now,
            )
            for user in users
        )  # fmt: skip
        with CaptureQueriesContext(connection) as asked:
            keep_waiting(sitter=asker)
        counts.append(len(asked))
        assert not any("ratingchange" in one["sql"] for one in asked)
    assert counts[0] == counts[1] <= 10 and len(list_seekers()) == 1000


def test_guests_play_unrated_and_among_themselves() -> None:
    guests = [Sitter(guest=uuid4()) for _ in range(3)]
    assert refusal_of(lambda: start_waiting(sitter=guests[0], wish=WISH)) == "account_needed"
    for one in guests:
        start_waiting(sitter=one, wish=FRIENDLY)
    match_id = match_of(guests[0])
    assert match_id and not Match.objects.get(pk=match_id).is_rated
    assert all(find_own_seat(match_id, one) for one in guests)


def test_house_bots_of_ones_strength_after_the_time_one_chose() -> None:
    ada = make_person("ada", 1640)
    assert refusal_of(lambda: take_bots(sitter=ada)) == "not_waiting"
    start_waiting(sitter=ada, wish=WISH)
    assert refusal_of(lambda: take_bots(sitter=ada)) == "bots_later"
    wait_since(ada, 31)
    match_id = take_bots(sitter=ada)
    agents = set(MatchSeat.objects.filter(match=match_id, player__kind="house").values_list("agent", flat=True))
    assert agents == {"house:learner"} and Match.objects.get(pk=match_id).is_rated
    assert take_bots(sitter=ada) == match_id, "asked twice, dealt once"


def test_open_tables_say_who_sits_there_and_what_it_counts() -> None:
    ada, bob = make_person("ada", 1500), make_person("bob", 1500)
    start_waiting(sitter=ada, wish=WISH)
    (table,) = list_waiting_tables(bob)
    assert (table.sitting, table.free, table.is_own, table.share) == ((("ada", 1500),), 2, False, 1.0)
    assert list_waiting_tables(ada)[0].is_own


def test_who_is_blocked_is_not_sat_down_beside() -> None:
    people = [make_person(name, 1500) for name in ("ada", "bob", "cyd")]
    users = [user_of(one) for one in people]
    set_block(user=users[0], player=ensure_person(users[1]), is_blocked=True)
    for one in people:
        start_waiting(sitter=one, wish=WISH)
    assert pair_seekers() == 0
    assert refusal_of(lambda: challenge_player(user=users[1], player=ensure_person(users[0]))) == "blocked"
    set_block(user=users[0], player=ensure_person(users[1]), is_blocked=False)
    assert pair_seekers() == 1


def test_a_challenge_invites_to_a_friendly_table() -> None:
    ada, bob = (user_of(make_person(name)) for name in ("ada", "bob"))
    lobby = challenge_player(user=ada, player=ensure_person(bob))
    assert not lobby.is_rated and lobby.seats.get().user == ada
    assert lobby.invitation in Notice.objects.get(user=bob).url
    assert refusal_of(lambda: challenge_player(user=ada, player=ensure_person(ada))) == "challenges_oneself"


def test_nobody_writes_to_everybody_by_challenges() -> None:
    """Each is a mail; whoever leaves the table has room for the next one."""
    ada, bob = (user_of(make_person(name)) for name in ("ada", "bob"))
    for _ in range(CHALLENGES_A_DAY):
        lobby = challenge_player(user=ada, player=ensure_person(bob))
        leave_seat(invitation=lobby.invitation, sitter=Sitter(user_id=ada.pk))
    assert refusal_of(lambda: challenge_player(user=ada, player=ensure_person(bob))) == "too_many"
    assert challenge_player(user=bob, player=ensure_person(ada))


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        pytest.param(replace(WISH, clock="calm"), "clock_unknown", id="no such pace"),
        pytest.param(replace(WISH, ruleset="xx3"), "ruleset_unknown", id="no such ruleset"),
        pytest.param(replace(WISH, low=1600, high=1500), "empty_range", id="no rating in between"),
    ],
)
def test_refused_wishes(wish: SeekWish, code: str) -> None:
    assert refusal_of(lambda: start_waiting(sitter=make_person("ada"), wish=wish)) == code


@pytest.mark.django_db(transaction=True)
def test_all_who_come_at_once_get_one_table_each() -> None:
    people = [make_person(f"p{number}", 1500) for number in range(6)]
    for one in people:
        start_waiting(sitter=one, wish=WISH)
    assert Racers().run(*(call(keep_waiting, sitter=one) for one in people)) == []
    dealt = [match_of(one) for one in people]
    assert all(dealt) and len(set(dealt)) == 2
    assert MatchSeat.objects.filter(match__in=dealt).count() == 6
    assert Player.objects.filter(seats__match__in=dealt).distinct().count() == 6
