"""The numbers bring cases to the desk: pairs who play for each other, linked accounts, jumps, and costly decisions."""

import uuid
from collections.abc import Sequence
from datetime import date, timedelta
from random import Random

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from aurum_league.accounts.traces import forget_old_traces, note_traces
from aurum_league.models import Trace, TraceKey
from bots.brains import explain
from games.models import Match, MatchKind, MatchResult, MatchSeat, MatchState, Player, RunnerNeed
from games.rules.match import replay, unpack_log
from games.rules.ruleset import Ruleset
from games.rules.view import view
from games.selectors.sitters import Sitter
from games.services.answer import answer_decision
from games.services.lobby import TableWish, play_now
from games.services.play import play_ready_matches
from games.services.players import ensure_person
from tests.pages.test_fair_play import as_
from tests.services.tournaments.test_fair_play import Club
from tournaments.models import Case, CaseKind, RatingChange
from tournaments.rules.cases import DeedKind, RatingRise
from tournaments.services.cases import look_for_cases
from tournaments.services.studies import study_case, study_waiting_cases

pytestmark = pytest.mark.django_db
FIELD = 8


@pytest.fixture
def club(db: None) -> Club:
    return Club()


def draw_places(
    rng: np.random.Generator, truth: np.ndarray, at_table: np.ndarray, gain: float, helpers: Sequence[int]
) -> list[int]:
    """Who comes where: each against the others at three, two pairs at four; 0 is helped where none is a partner."""
    if len(at_table) == 3:
        result = truth[at_table] + rng.gumbel(size=3)
        for helper in helpers if 0 in at_table else ():
            if helper in at_table:
                result += np.where(at_table == 0, gain, np.where(at_table == helper, -gain, -gain / 2))
        return list((np.argsort(np.argsort(-result)) + 1).tolist())
    pairs = at_table[[0, 2]], at_table[[1, 3]]
    lead = float(truth[pairs[0]].sum() - truth[pairs[1]].sum() + rng.logistic())
    for sign, own, other in ((1, *pairs), (-1, *reversed(pairs))):
        lead += 2 * gain * sign * (0 in own and any(helper in other for helper in helpers))
    return [1, 2] if lead > 0 else [2, 1]


def play_season(
    seed: int,
    matches: int,
    *,
    gain: float,
    seats: int = 3,
    rated: Sequence[bool] = (False, True),
    helpers: Sequence[int] = (1,),
) -> list[int]:
    """Eight people, rated and unrated in turn; helpers help the first by so much."""
    rng = np.random.default_rng(seed)
    players = [ensure_person(User.objects.create_user(f"person-{seed}-{number}")) for number in range(FIELD)]
    truth = rng.normal(0, 0.35, FIELD)
    rows = []
    for number in range(matches):
        at_table = rng.permutation(FIELD)[:seats]
        rows.append((number, at_table.tolist(), draw_places(rng, truth, at_table, gain, helpers)))
    now, sides = timezone.now(), 3 if seats == 3 else 2
    made = Match.objects.bulk_create(
        Match(
            kind=MatchKind.CASUAL,
            ruleset=f"en{seats}",
            players=seats,
            is_rated=rated[number % len(rated)],
            state=MatchState.FINISHED,
            seed=bytes(32),
            commitment="",
            deals=uuid.UUID(int=number + 1),
            finished_at=now,
        )
        for number, _seats, _places in rows
    )
    MatchSeat.objects.bulk_create(
        MatchSeat(
            match=match, seat=seat, side=seat % sides, player=players[who], owner=players[who].owner, agent="person:1"
        )
        for match, (_number, at_table, _places) in zip(made, rows, strict=True)
        for seat, who in enumerate(at_table)
    )
    nothing = [0] * sides
    MatchResult.objects.bulk_create(
        MatchResult(
            match=match, places=places, nuggets=nothing, totals=nothing, exact_bids=nothing, bids=nothing,
            tricks=nothing, gold_points=nothing, rounds=3, ends=nothing, first_seat=0, log=b"",
        )
        for match, (_number, _seats, places) in zip(made, rows, strict=True)
    )  # fmt: skip
    return [player.pk for player in players]


@pytest.mark.parametrize("rated", [(False, True), (False,), (True,)], ids=["in turn", "unrated", "rated"])
@pytest.mark.parametrize(("seats", "matches"), [(3, 900), (4, 600)])
def test_a_planted_pair_is_found_within_a_hundred_joint_matches_and_no_honest_one(
    seats: int, matches: int, rated: Sequence[bool]
) -> None:
    """At tables of four it gives matches away to an opponent: to help a partner is the game."""
    players = play_season(1, matches, gain=1.0, seats=seats, rated=rated)
    together = MatchSeat.objects.filter(player=players[1], match__seats__player=players[0]).count()
    look_for_cases()
    (case,) = Case.objects.filter(kind=CaseKind.PAIR)
    assert set(case.players.values_list("pk", flat=True)) == set(players[:2])
    assert (case.evidence["helped"], case.evidence["helper"]) == (players[0], players[1])
    assert case.evidence["matches"] <= 100 and case.evidence["p_value"] < 0.01
    assert seats == 4 or case.evidence["matches"] == together


@pytest.mark.parametrize(("seats", "matches"), [(3, 900), (4, 600)])
def test_a_planted_ring_of_three_is_found_and_nobody_beside_it(seats: int, matches: int) -> None:
    """Two who play for a third: cases name members of the ring alone, and each helper in one of them."""
    ring = play_season(1, matches, gain=1.5, seats=seats, helpers=(1, 2))[:3]
    look_for_cases()
    cases = Case.objects.filter(kind=CaseKind.PAIR)
    found = {(case.evidence["helped"], case.evidence["helper"]) for case in cases}
    assert found == {(ring[0], ring[1]), (ring[0], ring[2])}
    assert all(case.evidence["matches"] <= 110 for case in cases)


@pytest.mark.parametrize(("seed", "seats"), [(2, 3), (3, 3), (4, 3), (2, 4), (3, 4), (4, 4)])
def test_honest_people_are_left_alone(seed: int, seats: int) -> None:
    play_season(seed, 700, gain=0.0, seats=seats)
    look_for_cases()
    assert not Case.objects.exists()


def test_looking_twice_opens_nothing_twice_and_a_closed_case_rests(club: Club) -> None:
    play_season(1, 900, gain=1.0)
    look_for_cases()
    look_for_cases()
    case = Case.objects.get()
    club.act(case, DeedKind.CLOSE, reason="Friends who joke.")
    look_for_cases()
    assert Case.objects.count() == 1
    Case.objects.update(closed_at=timezone.now() - timedelta(days=91))
    look_for_cases()
    assert Case.objects.count() == 2


class TestLinks:
    def test_one_device_and_one_rated_match(self, club: Club) -> None:
        for name in ("ann", "bob"):
            note_traces(user_id=club.people[name].pk, device="laptop", address=f"192.0.2.{len(name)}{ord(name[0])}")
        look_for_cases()
        assert not Case.objects.exists(), "they never met in rated play"
        club.play("ann", "bob", "cyd")
        look_for_cases()
        case = Case.objects.get(kind=CaseKind.LINKED)
        assert case.evidence == {"devices": 1, "addresses": 0, "rated_matches": 1, "is_suspended": 0}
        assert set(case.players.all()) == {club.players["ann"], club.players["bob"]}

    def test_whoever_is_suspended_and_comes_again_is_seen(self, club: Club) -> None:
        for name in ("ann", "bob"):
            note_traces(user_id=club.people[name].pk, device="laptop", address="")
        Player.objects.filter(owner=club.people["ann"]).update(suspended_until=timezone.now() + timedelta(days=7))
        look_for_cases()
        assert Case.objects.get().evidence == {"devices": 1, "addresses": 0, "rated_matches": 0, "is_suspended": 1}

    def test_one_address_takes_three(self, club: Club) -> None:
        for name in ("ann", "bob"):
            note_traces(user_id=club.people[name].pk, device=name, address="2001:db8::1")
        for matches in (1, 2, 3):
            club.play("ann", "bob", "cyd")
            look_for_cases()
            assert Case.objects.exists() == (matches == 3)

    def test_a_school_says_nothing(self, club: Club) -> None:
        pupils = [User.objects.create_user(f"pupil-{number}") for number in range(11)]
        for user in (*pupils, club.people["ann"], club.people["bob"]):
            note_traces(user_id=user.pk, device="", address="192.0.2.1")
        for _ in range(3):
            club.play("ann", "bob", "cyd")
        look_for_cases()
        assert not Case.objects.exists()

    def test_a_sign_in_leaves_digests_alone(self, client: object, club: Club) -> None:
        ann = club.people["ann"]
        ann.set_password("a-long-pass-word")
        ann.save()
        sent = {"login": "ann", "password": "a-long-pass-word"}
        assert client.post(reverse("account_login"), sent).status_code == 302  # type: ignore[attr-defined]
        traces = list(Trace.objects.values_list("user_id", "kind", "month"))
        month = timezone.now().date().replace(day=1)
        assert sorted(traces) == [(ann.pk, "address", month), (ann.pk, "device", month)]
        assert all(len(bytes(digest)) == 32 for digest in Trace.objects.values_list("digest", flat=True))

    def test_the_key_changes_monthly_and_goes_with_its_traces(self, club: Club) -> None:
        ann = club.people["ann"].pk
        note_traces(user_id=ann, device="laptop", address="192.0.2.1")
        note_traces(user_id=ann, device="laptop", address="192.0.2.1")
        assert Trace.objects.count() == 2
        before = set(map(bytes, Trace.objects.values_list("digest", flat=True)))
        TraceKey.objects.update(month=date(2020, 1, 1))
        Trace.objects.update(month=date(2020, 1, 1))
        note_traces(user_id=ann, device="laptop", address="192.0.2.1")
        after = set(map(bytes, Trace.objects.filter(month__year__gt=2020).values_list("digest", flat=True)))
        assert len(after) == 2 and not before & after
        assert forget_old_traces() == 2
        assert forget_old_traces() == 0 and TraceKey.objects.count() == 1 and Trace.objects.count() == 2


class TestJumps:
    @pytest.mark.parametrize(
        ("rise", "expected"),
        [
            pytest.param(RatingRise(1500, 60, 1760, 40), True, id="a sure rating rose far"),
            pytest.param(RatingRise(1500, 60, 1730, 40), False, id="within four errors"),
            pytest.param(RatingRise(1500, 20, 1600, 40), False, id="a hundred points only"),
            pytest.param(RatingRise(1500, 350, 1900, 40), False, id="a new account"),
            pytest.param(RatingRise(1500, 20, 1700, 5), False, id="five matches"),
        ],
    )
    def test_what_is_a_jump(self, rise: RatingRise, expected: bool) -> None:
        assert rise.is_jump is expected

    def test_a_jump_is_a_case(self, club: Club) -> None:
        for _ in range(12):
            club.play("ann", "bob", "cyd")
        look_for_cases()
        assert not Case.objects.filter(kind=CaseKind.JUMP).exists(), "newcomers rise as they are got to know"
        RatingChange.objects.filter(player=club.players["ann"]).update(sigma_before=0.5)
        look_for_cases()
        case = Case.objects.get(kind=CaseKind.JUMP)
        assert list(case.players.all()) == [club.players["ann"]] and case.evidence["rated"] == 12


def throw_match(user: User) -> int:
    """Somebody decides what seems worst for themselves, to the end."""
    match_id = play_now(sitter=Sitter(user_id=user.pk), wish=TableWish("en3", "greedy"))
    play_ready_matches(needs=RunnerNeed.HOUSE)
    for number in range(1000):
        match = Match.objects.get(pk=match_id)
        if match.state == MatchState.FINISHED:
            return match_id
        seat = match.awaited[0]
        seen = view(replay(Ruleset.from_code("en3"), bytes(match.seed), unpack_log(bytes(match.log))), seat)
        texts = dict(zip([action for action, _value in _list_legal(seen)], seen.legal_texts(), strict=True))
        worst = min(explain(seen, number, "search-1"), key=lambda pair: pair[1])[0]
        answer_decision(match_id=match_id, seat=seat, counter=seen.log_end, text=texts[worst])
    raise AssertionError("the match does not end")


def _list_legal(seen: object) -> list[tuple[int, int]]:
    from games.rules.actions import legal_actions

    return [(action, 0) for action in legal_actions(seen.phase, seen.legal)]  # type: ignore[attr-defined]


def test_the_champion_names_gifts_and_leads_into_the_replay(club: Club) -> None:
    Random(1)
    match = Match.objects.get(pk=throw_match(club.people["cyd"]))
    case = club.report("ann", "cyd", match)
    assert study_waiting_cases() == 1 and study_waiting_cases() == 0
    case.refresh_from_db()
    assert case.studied_at is not None and case.evidence["gifts"]
    for told in case.evidence["gifts"]:
        assert told["by"] == club.players["cyd"].pk and told["for"] != told["by"]
        assert told["gift"]["cost"] >= 0.05 and told["gift"]["helped_by"] >= 0.02
    page = as_(club.mods["mod"]).get(reverse("moderation_case", args=[case.pk])).content.decode()
    address = f"{reverse('match', args=[match.pk])}?{case.evidence['gifts'][0]['step']}"
    assert address.replace("&", "&amp;") in page
    assert as_(club.mods["mod"]).get(address).status_code == 200
    assert study_case(case_id=case.pk) == len(case.evidence["gifts"]), "the same again"
