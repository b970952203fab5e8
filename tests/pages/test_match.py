"""The match page in every state: what it shows, what it keeps sealed, and what it costs."""

import json
import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pgtrigger
import pytest
from django.test import Client
from django.urls import reverse

from games.models import Match, MatchState, ResultKind
from games.play.table_state import to_json
from games.rules.record import read_record
from games.rules.transcript import read_transcript
from games.selectors.matches import replay_match
from games.selectors.tables import END, find_table, list_steps, see_step
from games.services.answer import answer_decision
from games.services.by_hand import HandResult, ResultDecision, settle_by_hand
from tests.pages.match_tables import make_block, play_block

BY_HAND = ResultDecision(ResultKind.BY_HAND, "a test")
pytestmark = pytest.mark.django_db
CODES = ("en3", "de4-nozero", "ru3-cumulative", "fr4")


def read_page(client: Client, match: Match, query: str = "", status: int = 200) -> str:
    answer = client.get(reverse("match", args=[match.pk]) + query)
    assert answer.status_code == status
    return unescape(answer.content.decode())


def read_state(page: str) -> dict[str, Any]:
    """What the table's script draws from."""
    found = re.search(r'<script id="table-state" type="application/json">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    told = json.loads(found[1])
    assert isinstance(told, dict)
    return told


class TestReplay:
    @pytest.mark.parametrize("code", [*CODES, "en4-nozero", "en3-nozero"])
    def test_every_step_is_a_whole_table(self, code: str) -> None:
        play = replay_match(play_block(code)[0])
        metals = 50 if play.players == 4 else 36
        gold = (15 if play.players == 4 else 14) - (0 if play.ruleset.zero_gold else 4)
        for step in list_steps(play):
            round_ = see_step(play, step, None).round
            trick = round_.last_trick
            lying = len(trick.plays) if trick else 0
            is_complete = trick is not None and trick.winner is not None
            closed = sum(round_.tricks_won) - is_complete
            in_play = sum(len(hand or ()) for hand in round_.hands) + len(round_.set_aside) + lying
            in_play += sum(bid is not None for bid in round_.bids) + closed * play.players
            played_gold = [card for card in round_.trick if card[0] == "G"]
            assert sum(map(len, round_.gold)) + len(round_.supply) + len(played_gold) == gold
            assert in_play >= metals

    @pytest.mark.parametrize("code", CODES)
    def test_steps_tell_the_same_as_the_record(self, client: Client, code: str) -> None:
        (match,) = play_block(code)
        record = json.loads(client.get(reverse("match_record", args=[match.pk])).content)
        play = replay_match(match)
        for number, told in enumerate(record["rounds"], 1):
            steps = [step for step in list_steps(play) if step.round_number == number]
            seen = [see_step(play, step, None) for step in steps]
            tricks = [happening.trick for happening in seen if happening.trick]
            complete = [trick for trick in told["tricks"] if trick["winner"] is not None]
            assert [to_json(trick) for trick in tricks] == complete
            assert [list(hand or ()) for hand in seen[0].round.hands] == told["hands"]
            assert list(seen[play.players].round.bids) == told["bids"]
            changes = [to_json(happening.change) for happening in seen if happening.change]
            assert changes == [change for trick in told["tricks"] for change in trick["bid_changes"]]
            assert to_json(seen[-1].result)["end"] == told["end"]

    def test_all_steps_can_be_shown_by_following_next(self, client: Client) -> None:
        (match,) = play_block("fr4")
        places = [(step.round_number, step.trick, step.number) for step in list_steps(replay_match(match))]
        followed = [re.findall(r"\d+", query) for query in steps_from(client, match)]
        assert [tuple(map(int, found)) for found in followed] == places[1:]

    @pytest.mark.parametrize(
        ("query", "place"),
        [
            pytest.param("", "Round 1 of {rounds}, bids", id="the beginning"),
            pytest.param("?round=1&trick=2", "Round 1 of {rounds}, trick 2", id="a trick"),
            pytest.param("?round=2&trick=1&step=2", "Round 2 of {rounds}, trick 1", id="a step"),
            pytest.param("?round=2", "Round 2 of {rounds}, bids", id="a round"),
        ],
    )
    def test_an_address_names_its_step(self, client: Client, query: str, place: str) -> None:
        (match,) = play_block()
        page = read_page(client, match, query)
        assert place.format(rounds=match.result.rounds) in page
        assert "nearest one" not in page

    @pytest.mark.parametrize(
        "query",
        [
            "?round=99", "?round=1&trick=77", "?round=1&trick=1&step=99999999999999999999", "?round=-1", "?round=x",
            "?trick=%00", "?seat=9", "?seat=<script>", "?round=²", "?round=" + "9" * 5000,
        ],
    )  # fmt: skip
    def test_an_address_that_names_none_gets_the_nearest_and_a_note(self, client: Client, query: str) -> None:
        page = read_page(client, play_block()[0], query)
        assert "nearest one" in page

    def test_a_seat_sees_its_own_hand_and_no_hidden_bid(self, client: Client) -> None:
        (match,) = play_block("en3")
        play = replay_match(match)
        query = "?round=1&trick=0&step=1&seat={}"
        hidden = read_page(client, match, query.format((play.rounds[0].log[0] + 1) % 3))
        opened = read_page(client, match, "?round=1&trick=0&step=1")
        assert "lays a bid face down" in hidden
        seen, everything = (read_state(page)["happening"]["round"] for page in (hidden, opened))
        assert [hand is not None for hand in seen["hands"]].count(True) == 1
        assert [hand is not None for hand in everything["hands"]].count(True) == 3
        assert seen["bids"] == [None, None, None] != everything["bids"]

    def test_who_ended_the_round_shows_the_hand(self, client: Client) -> None:
        (match,) = play_block("en3")
        play = replay_match(match)
        end = next(step for step in list_steps(play) if step.kind == END)
        other = (play.rounds[0].end_seat + 1) % 3
        page = read_page(client, match, f"?round=1&trick={end.trick}&step={end.number}&seat={other}")
        assert "The round is over" in page

    def test_every_hand_of_the_deal_lies_open(self, client: Client) -> None:
        hands = read_state(read_page(client, play_block()[0]))["happening"]["round"]["hands"]
        assert sum(map(len, hands)) == 36
        assert {card[0] for hand in hands for card in hand} == set("BPSZ")


def steps_from(client: Client, match: Match) -> list[str]:
    """Every address that the link to the next step gives, to the last one."""
    found: list[str] = []
    query = ""
    while True:
        query = client.get(reverse("match_step", args=[match.pk]) + query).json()["next"]
        if not query:
            return found
        found.append(query)


class TestScoreSheet:
    @pytest.mark.parametrize("code", CODES)
    def test_points_add_up_to_the_result(self, client: Client, code: str) -> None:
        (match,) = play_block(code)
        sheet = client.get(reverse("match", args=[match.pk])).context["sheet"]
        sides = range(len(match.result.totals))
        assert [sum(part.lines[side].total for part in sheet) for side in sides] == match.result.totals
        assert [sum(part.lines[side].has_nugget for part in sheet) for side in sides] == match.result.nuggets
        worth = (0, 1, 1, 1, 2, 2, 2, 3, 3)
        for line in (line for part in sheet for line in part.lines):
            assert sum(worth[rank] for rank in line.gold) == line.gold_points
            assert line.bid_points + line.gold_points == line.total


class TestDownloads:
    def test_the_record_holds(self, client: Client) -> None:
        (match,) = play_block("de4-nozero")
        answer = client.get(reverse("match_record", args=[match.pk]))
        assert "attachment" in answer["Content-Disposition"]
        assert read_record(json.loads(answer.content)).is_over

    def test_the_transcript_tells_the_same(self, client: Client) -> None:
        (match,) = play_block()
        text = client.get(reverse("match_transcript", args=[match.pk])).content.decode()
        record = json.loads(client.get(reverse("match_record", args=[match.pk])).content)
        assert read_transcript(text)["rounds"] == record["rounds"]


class TestSeals:
    @pytest.fixture
    def half_played(self) -> tuple[Match, Match]:
        """Two matches on the same deals, of which one is over."""
        done, waiting = play_block(seatings=2)
        with pgtrigger.ignore("games.MatchResult:result_stays"):
            waiting.result.delete()
        Match.objects.filter(pk=waiting.pk).update(state=MatchState.READY, finished_at=None)
        return done, waiting

    @pytest.mark.parametrize("name", ["match_step", "match_record", "match_transcript"])
    def test_what_is_sealed_is_refused_and_explained(
        self, client: Client, half_played: tuple[Match, Match], name: str
    ) -> None:
        answer = client.get(reverse(name, args=[half_played[0].pk]))
        assert answer.status_code == 403
        assert "1 match on these deals is not over yet" in answer.content.decode()

    def test_the_page_tells_the_places_and_nothing_else(self, client: Client, half_played: tuple[Match, Match]) -> None:
        done = half_played[0]
        page = read_page(client, done, "?round=1&trick=3")
        assert "Sealed for now" in page
        assert 'class="card' not in page
        assert bytes(done.seed).hex() not in page
        assert "Nuggets" not in page

    def test_it_opens_with_the_last_match(self, client: Client) -> None:
        first, second = play_block(seatings=2)
        page = read_page(client, first)
        assert reverse("match", args=[second.pk]) in page
        assert "The same deals at other seatings" in page
        assert bytes(first.seed).hex() in page

    def test_a_running_match_has_no_record_to_show(self, client: Client) -> None:
        (match,) = play_block(agents=["person:1", "house:greedy", "house:greedy"])
        for name in ("match_step", "match_record", "match_transcript"):
            assert client.get(reverse(name, args=[match.pk])).status_code == 403


class TestOtherStates:
    def test_a_running_match_shows_what_everybody_sees(self, client: Client) -> None:
        (match,) = play_block(agents=["person:1", "house:greedy", "house:greedy"])
        page = read_page(client, match)
        assert f'data-live-url="/live/matches/{match.pk}/"' in page
        assert "To act: Lodestone" in re.sub(r"\s+", " ", page)
        round_ = read_state(page)["table"]["view"]["round"]
        assert (round_["hand"], set(round_["hands"])) == ([], {None})
        assert bytes(match.seed).hex() not in page
        assert match.commitment in page

    def test_the_table_of_a_running_match_moves_on(self, client: Client) -> None:
        (match,) = play_block(agents=["person:1", "house:greedy", "house:greedy"])
        play = read_table(client, match)
        answer_first_legal(match)
        assert read_table(client, match) != play

    def test_a_match_that_is_over_says_so_to_its_watchers(self, client: Client) -> None:
        answer = client.get(reverse("match_table", args=[play_block()[0].pk]))
        assert answer.json()["table"]["state"] == "finished"

    def test_who_watches_waits_for_those_who_play_the_same_deals(self, client: Client) -> None:
        first, second = play_block(seatings=2, agents=["person:1", "house:greedy", "house:greedy"])
        page = read_page(client, first)
        assert "Others have yet to play these deals" in page and "table-state" not in page
        assert client.get(reverse("match_table", args=[first.pk])).json()["table"]["view"] is None
        Match.objects.filter(pk=second.pk).update(state=MatchState.VOID)
        assert read_state(read_page(client, first))["table"]["view"] is not None

    @pytest.mark.parametrize(
        ("state", "sentence"),
        [
            pytest.param(MatchState.READY, "Not a card is dealt yet", id="ready"),
            pytest.param(MatchState.HELD, "Not a card is dealt yet", id="held"),
            pytest.param(MatchState.OPEN, "Not a card is dealt yet", id="open"),
            pytest.param(MatchState.VOID, "This match does not count", id="void"),
            pytest.param(MatchState.QUARANTINED, "An organiser decides", id="quarantined"),
        ],
    )
    def test_a_state_says_what_it_means(self, client: Client, state: MatchState, sentence: str) -> None:
        (match,) = make_block()
        Match.objects.filter(pk=match.pk).update(state=state)
        page = read_page(client, match)
        assert sentence in page
        assert bytes(match.seed).hex() not in page
        assert client.get(reverse("match_record", args=[match.pk])).status_code in (403, 404)

    def test_a_result_by_hand_has_no_replay(self, client: Client) -> None:
        (match,) = make_block()
        settle_by_hand(match_id=match.pk, result=HandResult((1, 2, 3)), decision=BY_HAND)
        assert "by hand" in read_page(client, match)
        assert client.get(reverse("match_record", args=[match.pk])).status_code == 404

    @pytest.mark.parametrize("number", [0, 10**9, 10**30])
    def test_an_unknown_number_is_a_page_not_a_crash(self, client: Client, number: int) -> None:
        for name in ("match", "match_step", "match_table", "match_record", "match_transcript"):
            assert client.get(reverse(name, args=[number])).status_code == 404

    def test_names_are_escaped(self, client: Client) -> None:
        page = client.get(reverse("match", args=[play_block()[0].pk])).content.decode()
        assert "<Prophetissa>" not in page
        assert "Maria &lt;Prophetissa&gt;" in page
        assert "&amp;lt;" not in page


def read_table(client: Client, match: Match) -> str:
    return client.get(reverse("match_table", args=[match.pk])).content.decode()


def answer_first_legal(match: Match) -> None:
    """The person at seat 0 lays the first card of the hand as bid."""
    table = find_table(match.pk, 0)
    assert table.view is not None
    answer_decision(match_id=match.pk, seat=0, counter=table.counter, text=table.view.legal[0])


@pytest.mark.parametrize(
    ("name", "queries"),
    [
        pytest.param("match", 8, id="page: match, seats, open matches, seal, block, its seats, chance, table"),
        pytest.param("match_step", 4, id="step: match, seats, open matches, seal"),
    ],
)
def test_queries_do_not_grow_with_the_block(
    client: Client, django_assert_num_queries: Callable[..., object], name: str, queries: int
) -> None:
    for seatings in (1, 3):
        match = play_block(seatings=seatings)[0]
        with django_assert_num_queries(queries):  # type: ignore[attr-defined]
            client.get(reverse(name, args=[match.pk]))


def test_a_running_page_costs_few_queries(client: Client, django_assert_num_queries: Callable[..., object]) -> None:
    (match,) = play_block(agents=["person:1", "house:greedy", "house:greedy"])
    with django_assert_num_queries(4):  # type: ignore[attr-defined]
        read_page(client, match)
