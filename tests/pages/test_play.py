"""Playing by the pages: two clicks to a table, decisions with their counter, refusals in a sentence, who sees what."""

import json
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from pytest_django import DjangoAssertNumQueries

from bots.services.opinion import form_opinion
from games.models import Lobby, Match, MatchState, RunnerNeed
from games.pages.table_words import HINTS, make_played_table
from games.services.play import play_ready_matches
from tests.table.stage import Scene
from tests.table.test_table_state import play_by_chance

pytestmark = pytest.mark.django_db
FORM = {"players": "3", "strength": "greedy", "edition": "en", "zero_gold": "on", "clock": "calm", "start": "now"}
State = dict[str, Any]
SCHEMA = json.loads((Path(__file__).parents[2] / "games/pages/played_table.schema.json").read_text())


def deal(client: Client, **wish: str) -> int:
    answer = client.post(reverse("play"), {**FORM, **wish})
    assert answer.status_code == 302, answer.content
    play_ready_matches(needs=RunnerNeed.HOUSE, is_live=True)
    return int(answer.headers["Location"].split("/")[2])


def read_state(client: Client, match_id: int, since: int | str = "") -> State:
    answer = client.get(reverse("play_state", args=[match_id]), {"since": since})
    assert answer.status_code == 200
    return json.loads(answer.content)


def decide(client: Client, match_id: int, counter: object, action: str) -> tuple[int, State]:
    answer = client.post(reverse("play_decide", args=[match_id]), {"counter": counter, "action": action})
    return answer.status_code, json.loads(answer.content)


def hand_of(state: State) -> list[str]:
    hand: list[str] = state["table"]["view"]["round"]["hand"]
    return hand


def choose(state: State, chance: random.Random) -> str:
    """Any legal action, as the page's options name them."""
    options, phase = state["options"], state["table"]["view"]["round"]["phase"]
    actions = [f"{'bid' if phase == 'bid' else 'play'} {card}" for card in options["cards"]]
    actions += ["stop"] * options["can_stop"] + ["keep"] * (3 * options["can_keep"])
    if options["swap_gold"]:
        swap = (chance.choice(options[part]) for part in ("swap_gold", "swap_bids", "swap_cards"))
        actions.append("swap {} {} {}".format(*swap))
    return chance.choice(actions)


def play_on(client: Client, match_id: int, seed: int = 0) -> Iterator[State]:
    """Every state from here to the end of the match, each decided by chance."""
    chance = random.Random(seed)
    state = read_state(client, match_id)
    while state["table"]["state"] == MatchState.WAITING:
        status, state = decide(client, match_id, state["table"]["counter"], choose(state, chance))
        assert status == 200, state
        yield state


class TestTable:
    @pytest.mark.parametrize(
        ("players", "edition"), [pytest.param("3", "en", id="three"), pytest.param("4", "de", id="four")]
    )
    def test_a_guest_plays_a_whole_match(self, client: Client, players: str, edition: str) -> None:
        match_id = deal(client, players=players, edition=edition)
        states = list(play_on(client, match_id))
        assert states[-1]["table"]["state"] == MatchState.FINISHED
        assert len(states[-1]["table"]["places"]) == (3 if players == "3" else 2)
        assert all(said for state in states for said in state["said"])
        assert all(len(state["said"]) == len(state["table"]["happenings"]) for state in states)
        check = Draft202012Validator(SCHEMA)
        for state in states[::9]:
            check.validate(state)
        assert client.get(reverse("play_table", args=[match_id])).status_code == 200

    def test_happenings_lead_from_one_state_to_the_next(self, client: Client) -> None:
        match_id = deal(client)
        before = read_state(client, match_id)
        for state in play_on(client, match_id):
            again = read_state(client, match_id, before["table"]["counter"])
            assert {**again, "now": ""} == {**state, "now": ""}, "a decision is answered as whoever looks next is"
            news, now = state["table"]["happenings"], state["table"]["view"]["round"]
            if news and now and news[-1]["round"]["phase"] != "over":
                last = news[-1]["round"]
                assert (last["bids"], last["tricks_won"]) == (now["bids"], now["tricks_won"])
            before = state

    def test_a_card_that_cannot_be_played_says_why(self, client: Client) -> None:
        match_id = deal(client)
        for state in play_on(client, match_id):
            if state["table"]["awaited"] != [0]:
                continue
            round_ = state["table"]["view"]["round"]
            own = {*round_["hand"], *round_["gold"][0]}
            assert own == {*state["options"]["cards"], *state["why"]} & own
            assert not {*state["options"]["cards"]} & {*state["why"]}

    def test_queries(self, client: Client, django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
        match_id = deal(client)
        state = read_state(client, match_id)
        with django_assert_max_num_queries(3):
            read_state(client, match_id)
        with django_assert_max_num_queries(4):
            decide(client, match_id, state["table"]["counter"], f"bid {hand_of(state)[0]}")
        with django_assert_max_num_queries(12):
            client.get(reverse("play"))


class TestRefusals:
    @pytest.mark.parametrize(
        ("counter", "action", "status", "code"),
        [
            pytest.param("7", "bid {card}", 409, "stale_state", id="another counter"),
            pytest.param("", "bid {card}", 409, "stale_state", id="no counter"),
            pytest.param("-1", "bid {card}", 409, "stale_state", id="a negative counter"),
            pytest.param("9" * 30, "bid {card}", 409, "stale_state", id="a huge counter"),
            pytest.param("0", "bid {other}", 422, "card_not_in_hand", id="a card of somebody else"),
            pytest.param("0", "play {card}", 422, "wrong_phase", id="another phase"),
            pytest.param("0", "DROP TABLE", 422, "not_an_action", id="no action"),
            pytest.param("0", "", 422, "not_an_action", id="nothing"),
        ],
    )
    def test_a_refused_decision_changes_nothing(
        self, client: Client, counter: str, action: str, status: int, code: str
    ) -> None:
        match_id = deal(client)
        before = read_state(client, match_id)
        hand = hand_of(before)
        other = next(card for card in ("B1", "B2", "P1", "P2", "S1", "S2", "Z1", "Z2", "Z3") if card not in hand)
        text = action.format(card=hand[0], other=other)
        answered, told = decide(client, match_id, counter, text)
        assert (answered, told["code"]) == (status, code)
        assert told["message"]
        after = read_state(client, match_id)
        assert {**before, "now": ""} == {**after, "now": ""}

    def test_a_doubled_click_counts_once(self, client: Client) -> None:
        match_id = deal(client, players="4")
        state = read_state(client, match_id)
        action = choose(state, random.Random(1))
        assert decide(client, match_id, state["table"]["counter"], action)[0] == 200
        assert decide(client, match_id, state["table"]["counter"], action)[0] == 409

    def test_others_neither_see_nor_decide(self, client: Client) -> None:
        match_id = deal(client)
        signed_in = Client()
        signed_in.force_login(User.objects.create_user("somebody"))
        another_guest = Client()
        deal(another_guest)
        for stranger in (Client(), another_guest, signed_in):
            assert stranger.get(reverse("play_state", args=[match_id])).status_code == 403
            assert decide(stranger, match_id, 0, "bid B7")[1]["code"] == "not_your_seat"
            assert stranger.post(reverse("play_resign", args=[match_id])).status_code == 403
            assert stranger.get(reverse("play_table", args=[match_id])).headers["Location"] == f"/matches/{match_id}/"

    def test_forged_requests_lack_the_token(self) -> None:
        client = Client(enforce_csrf_checks=True)
        assert client.post(reverse("play"), FORM).status_code == 403
        assert not Match.objects.exists()

    def test_many_tables_from_one_address_are_refused(self, client: Client) -> None:
        for _ in range(30):
            Client().post(reverse("play"), FORM)
        answer = client.post(reverse("play"), FORM)
        assert "many tables" in answer.content.decode()
        assert Match.objects.count() == 30


def test_a_seat_that_resigns_is_played_on_and_comes_last(client: Client) -> None:
    match_id = deal(client)
    answer = client.post(reverse("play_resign", args=[match_id]))
    told = json.loads(answer.content)
    assert (told["table"]["state"], told["table"]["forfeits"]) == (MatchState.FINISHED, [0])


def test_a_rematch_against_bots_is_dealt_at_once(client: Client) -> None:
    match_id = deal(client, edition="de", strength="counting")
    client.post(reverse("play_resign", args=[match_id]))
    answer = client.post(reverse("play_rematch", args=[match_id]))
    again = int(answer.headers["Location"].split("/")[2])
    assert again != match_id
    assert (Match.objects.get(pk=again).ruleset, Lobby.objects.get(match_id=again).strength) == ("de3", "counting")
    assert Client().post(reverse("play_rematch", args=[match_id])).headers["Location"] == f"/matches/{match_id}/"


def play_among_friends(client: Client, guest: Client) -> int:
    """Two people and a bot at a table that is over: both have given up."""
    address = client.post(reverse("play"), {**FORM, "start": "invite"}).headers["Location"]
    guest.post(f"{address}change/", {"do": "2"})
    client.post(f"{address}change/", {"do": "start", "fills_with_bots": "on"})
    match_id = Lobby.objects.get().match_id
    assert match_id is not None
    play_ready_matches(needs=RunnerNeed.HOUSE, is_live=True)
    assert client.post(reverse("play_rematch", args=[match_id])).headers["Location"] == "/play/", "not over yet"
    for one in (client, guest):
        one.post(reverse("play_resign", args=[match_id]))
    return match_id


@pytest.mark.parametrize(
    ("bid", "won", "hand", "sizes", "gold", "could"),
    [
        pytest.param("B5", 1, ["Z1", "Z7"] * 4, (8, 8, 8), ["G0"], False, id="it can wait for the next trick"),
        pytest.param("B2", 3, ["Z3", "Z7"] * 4, (8, 8, 8), ["G0"], True, id="one trick too many, and a card that fits"),
        pytest.param("B9", 0, ["Z3"] * 6, (6, 6, 6), ["G0"], True, id="out of reach"),
        pytest.param("B5", 3, ["Z4", "Z3"], (2, 4, 4), ["G0"], True, id="near the end"),
        pytest.param("B2", 1, ["Z7", "Z9"], (2, 4, 4), ["G0"], False, id="no card in hand is a better bid"),
        pytest.param("B2", 2, ["Z2", "S2"], (2, 4, 4), ["G0"], False, id="the same bid again"),
        pytest.param("B1", 1, ["Z2"], (1, 4, 4), ["G7"], False, id="worth less than its gold"),
    ],
)
def test_a_pause_comes_where_a_change_could_gain(
    bid: str, won: int, hand: list[str], sizes: tuple[int, ...], gold: list[str], could: bool
) -> None:
    start = Scene(play_by_chance("en3"), 3).look()
    assert start.view is not None and start.view.round is not None
    round_ = replace(
        start.view.round, phase="change", bids=(bid, "Z3", "S3"), tricks_won=(won, 0, 0), hand=tuple(hand),
        hand_sizes=sizes, gold=(tuple(gold), (), ()),
    )  # fmt: skip
    legal = ("keep", *(f"swap {coin} 0 {card}" for coin in gold for card in dict.fromkeys(hand)))
    seen = replace(start, view=replace(start.view, round=round_, legal=legal))
    assert make_played_table(seen, 0, is_guided=False).options.could_gain is could
    assert make_played_table(seen, 0, is_guided=True).options.could_gain, "a first match is shown every choice"


@pytest.mark.filterwarnings("ignore::celery.exceptions.AlwaysEagerIgnored")
def test_people_play_again_in_their_seats_as_soon_as_all_have_asked(client: Client) -> None:
    guest = Client()
    match_id = play_among_friends(client, guest)
    ask, after = reverse("play_rematch", args=[match_id]), reverse("match_after", args=[match_id])
    assert guest.get(after).json()["again"] == []
    waits = client.post(ask).headers["Location"]
    assert waits.startswith("/play/invitations/")
    assert client.post(ask).headers["Location"] == waits, "asked twice, one lobby"
    assert len(guest.get(after).json()["again"]) == 1
    assert client.get(after).json()["again"] == [], "nobody is told of themselves"
    dealt = guest.post(ask).headers["Location"]
    again = int(dealt.split("/")[2])
    assert client.get(waits).headers["Location"] == dealt
    play_ready_matches(needs=RunnerNeed.HOUSE, is_live=True)
    assert [read_state(one, again)["seat"] for one in (client, guest)] == [0, 2]
    assert client.post(ask).headers["Location"] == dealt


def test_one_who_waits_may_deal_without_the_other(client: Client) -> None:
    match_id = play_among_friends(client, guest := Client())
    ask = reverse("play_rematch", args=[match_id])
    waits = client.post(ask).headers["Location"]
    dealt = client.post(f"{waits}change/", {"do": "start", "fills_with_bots": "on"}).headers["Location"]
    assert guest.post(ask).headers["Location"] == dealt, "and whoever comes later watches"
    assert guest.get(dealt).headers["Location"].startswith("/matches/")


def test_the_guided_match_explains_each_rule_when_it_matters(client: Client) -> None:
    answer = client.post(reverse("play"), {"start": "guided"})
    play_ready_matches(needs=RunnerNeed.HOUSE, is_live=True)
    match_id = int(answer.headers["Location"].split("/")[2])
    first = read_state(client, match_id)
    assert [hint["code"] for hint in first["hints"]] == ["bid"]
    seen = {"bid"} | {hint["code"] for state in play_on(client, match_id) for hint in state["hints"]}
    depends_on_the_deal = {"stop", "enough"}
    assert seen | depends_on_the_deal == {hint.code for hint in HINTS}


def test_a_lobby_is_drawn_anew_only_when_somebody_moved(client: Client) -> None:
    guest = Client()
    address = client.post(reverse("play"), {**FORM, "start": "invite"}).headers["Location"]
    seen = client.get(address).context["seen"]
    assert client.get(f"{address}seats/", {"seen": seen}).status_code == 204
    guest.post(f"{address}change/", {"do": "1"})
    moved = client.get(f"{address}seats/", {"seen": seen})
    assert moved.status_code == 200 and moved.context["seen"] != seen
    assert client.get(f"{address}seats/", {"seen": moved.context["seen"]}).status_code == 204


def test_an_invited_person_sits_down_and_the_host_deals(client: Client) -> None:
    guest = Client()
    address = client.post(reverse("play"), {**FORM, "start": "invite"}).headers["Location"]
    assert "Sit here" in guest.get(address).content.decode()
    guest.post(f"{address}change/", {"do": "1"})
    assert guest.get(f"{address}seats/").status_code == 200
    started = client.post(f"{address}change/", {"do": "start", "fills_with_bots": "on"}).headers["Location"]
    assert guest.get(address).headers["Location"] == started
    assert guest.get(f"{address}seats/").headers["HX-Refresh"] == "true"
    play_ready_matches(needs=RunnerNeed.HOUSE, is_live=True)
    match_id = Lobby.objects.get().match_id
    assert match_id is not None
    assert (read_state(client, match_id)["seat"], read_state(guest, match_id)["seat"]) == (0, 1)


def test_three_who_bid_at_once_see_no_bid_before_their_own(client: Client) -> None:
    guest = Client()
    address = client.post(reverse("play"), {**FORM, "start": "invite"}).headers["Location"]
    guest.post(f"{address}change/", {"do": "1"})
    client.post(f"{address}change/", {"do": "start", "fills_with_bots": "on"})
    play_ready_matches(needs=RunnerNeed.HOUSE, is_live=True)
    match_id = Lobby.objects.get().match_id
    assert match_id is not None
    before = read_state(client, match_id)
    assert decide(guest, match_id, 0, f"bid {hand_of(read_state(guest, match_id))[0]}")[0] == 200
    after = read_state(client, match_id, 0)
    table = after["table"]
    assert (table["counter"], table["happenings"], table["view"]["round"]["bids"]) == (0, [], [None] * 3)
    assert hand_of(after) == hand_of(before)


@pytest.mark.filterwarnings("ignore:task_always_eager has no effect on send_task")
def test_the_opinion_draws_a_curve_and_the_other_way_of_the_costliest(client: Client) -> None:
    match_id = deal(client)
    address = reverse("match_opinion", args=[match_id])
    assert client.get(address).status_code == 404
    list(play_on(client, match_id))
    assert 'hx-trigger="load delay:1s"' in client.get(address).content.decode()
    for number in range(1, Match.objects.get(pk=match_id).result.rounds + 1):
        form_opinion(match_id=match_id, seat=0, number=number)
    page = client.get(address).content.decode()
    assert "decisions as good as" in page and "hx-trigger" not in page.partition('id="opinions"')[2]
    assert f"/matches/{match_id}/?round=1&amp;trick=" in page
    assert page.count('class="chance-mark"') == page.count("The other way, played out") == 3
    costs = [int(cost) for cost in re.findall(r"\u2212(\d+) %", page)]
    assert costs == sorted(costs, reverse=True) and costs[-1] >= 3


class TestHint:
    def test_the_champion_says_what_it_would_do_and_why(self, client: Client) -> None:
        match_id = deal(client)
        told = client.post(reverse("play_hint", args=[match_id])).json()
        assert told["action"] in read_state(client, match_id)["table"]["view"]["legal"]
        assert told["sentence"].startswith("The champion: ") and "Chance to win: about" in told["sentence"]
        assert client.post(reverse("play_hint", args=[match_id])).json() == told, "asked again, it says the same"

    def test_not_for_others_and_not_where_it_counts(self, client: Client) -> None:
        match_id = deal(client)
        assert Client().post(reverse("play_hint", args=[match_id])).json()["code"] == "not_your_seat"
        Match.objects.filter(pk=match_id).update(is_rated=True)
        refused = client.post(reverse("play_hint", args=[match_id]))
        assert (refused.status_code, refused.json()["code"]) == (403, "no_hints")
        assert "ask-hint" not in client.get(reverse("play_table", args=[match_id])).content.decode()


class TestGuests:
    def give_up(self, client: Client, match_id: int) -> None:
        client.post(reverse("play_resign", args=[match_id]))
        play_ready_matches(needs=RunnerNeed.HOUSE, is_live=True)

    def test_each_guest_has_a_page_of_their_own(self, client: Client) -> None:
        other = Client()
        own, others = deal(client), deal(other)
        pages = [Match.objects.get(pk=one).seats.get(seat=0).player.slug for one in (own, others)]
        assert len(set(pages)) == 2
        assert reverse("player", args=[pages[0]]) in client.get(reverse("play")).content.decode()
        assert pages[1] not in client.get(reverse("play")).content.decode()
        shown = Client().get(reverse("player", args=[pages[0]]))
        assert shown.status_code == 200 and "Guest" in shown.content.decode()
        assert not User.objects.exists(), "and is nobody who could sign in"

    def test_signing_up_carries_the_guests_matches_over(self, client: Client) -> None:
        ended = deal(client)
        self.give_up(client, ended)
        begun = deal(client)
        guest = Match.objects.get(pk=ended).seats.get(seat=0).player
        sent = {"username": "ann", "email": "ann@example.org", "password1": "a-long-pass-word-9"}
        client.post(reverse("account_signup"), {**sent, "password2": sent["password1"]})
        ann = User.objects.get(username="ann")
        guest.refresh_from_db()
        assert (guest.owner, guest.kind, guest.name, guest.slug, guest.visitor) == (ann, "person", "ann", "ann", None)
        page = Client().get("/players/ann/").content.decode()
        assert reverse("match", args=[ended]) in page
        elsewhere = Client()
        elsewhere.force_login(ann)
        assert read_state(elsewhere, begun)["seat"] == read_state(client, begun)["seat"] == 0
        hand = hand_of(read_state(elsewhere, begun))
        assert decide(elsewhere, begun, 0, f"bid {hand[0]}")[0] == 200, "on any device from now on"

    def test_signing_in_leaves_the_guest_and_the_account_apart(self, client: Client) -> None:
        user = User.objects.create_user("ann", password="a-long-pass-word-9")
        match_id = deal(client)
        client.post(reverse("account_login"), {"login": "ann", "password": "a-long-pass-word-9"})
        assert Match.objects.get(pk=match_id).seats.get(seat=0).player.owner is None
        assert read_state(client, match_id)["seat"] == 0 and user.is_active
