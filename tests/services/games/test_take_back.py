"""A decision taken back by consent: all people who play allow it, and the table stands as it was before it."""

from typing import Any

import pytest

from aurum_league.common.errors import LeagueError
from games.models import Match, MatchKind
from games.rules.actions import KEEP
from games.rules.match import unpack_log
from games.selectors.tables import find_table
from games.services.answer import answer_decision, resign_seat
from games.services.take_back import answer_take_back, ask_take_back
from tests.services.games.conftest import MakeMatches
from tests.services.games.test_answer import look, sit_down

pytestmark = pytest.mark.django_db


def play_cards(match: Match, cards: int, **given: Any) -> list[int]:
    """People decide, keeping their bids, until so many of them have played a card; their seats in order."""
    played: list[int] = []
    while len(played) < cards:
        match.refresh_from_db()
        seat = match.awaited[0]
        seen = look(match, seat)
        text = "keep" if "keep" in seen.legal_texts() else seen.legal_texts()[0]
        answer_decision(match_id=match.pk, seat=seat, counter=seen.log_end, text=text, **given)
        played += [seat] if text.startswith("play") else []
    match.refresh_from_db()
    return played


def sit_with_friends(make_matches: MakeMatches, *agents: str) -> Match:
    match = sit_down(make_matches, *agents)
    Match.objects.filter(pk=match.pk).update(kind=MatchKind.CASUAL, is_rated=False)
    return match


def test_alone_among_bots_a_card_comes_back_at_once(make_matches: MakeMatches) -> None:
    match = sit_with_friends(make_matches, "person:1", "house:greedy", "house:greedy")
    play_cards(match, 1)
    before = unpack_log(bytes(match.log))
    place = max(at for at, entry in enumerate(before) if entry & 3 == 0 and entry >> 2 != KEEP)
    ask_take_back(match_id=match.pk, seat=0)
    match.refresh_from_db()
    assert unpack_log(bytes(match.log)) == before[:place] and match.awaited == [0]
    told = find_table(match.pk, 0)
    assert (told.taken_back, told.asks_back) == (1, None)


def test_all_people_must_allow_it(make_matches: MakeMatches) -> None:
    match = sit_with_friends(make_matches, "person:1", "person:2", "person:3")
    first, *_ = play_cards(match, 2)
    others = [seat for seat in range(3) if seat != first]
    before, since, deadline = bytes(match.log), match.awaited_since, match.deadline
    ask_take_back(match_id=match.pk, seat=first)
    answer_take_back(match_id=match.pk, seat=others[0], is_allowed=True)
    match.refresh_from_db()
    assert (bytes(match.log), match.awaited_since, match.deadline) == (before, since, deadline)
    asked = find_table(match.pk, others[1]).asks_back
    assert asked is not None and (asked.seat, asked.agreed) == (first, tuple(sorted((first, others[0]))))
    answer_take_back(match_id=match.pk, seat=others[1], is_allowed=True)
    match.refresh_from_db()
    assert len(match.log) < len(before) and match.awaited == [first]


def test_no_from_one_is_no(make_matches: MakeMatches) -> None:
    match = sit_with_friends(make_matches, "person:1", "person:2", "house:greedy")
    (first,) = play_cards(match, 1)
    before = bytes(match.log)
    ask_take_back(match_id=match.pk, seat=first)
    answer_take_back(match_id=match.pk, seat=1 - first, is_allowed=False)
    match.refresh_from_db()
    assert bytes(match.log) == before and find_table(match.pk, first).asks_back is None
    with pytest.raises(LeagueError) as refusal:
        answer_take_back(match_id=match.pk, seat=1 - first, is_allowed=True)
    assert refusal.value.code == "nothing_asked"


def test_nobody_allows_their_own_request(make_matches: MakeMatches) -> None:
    match = sit_with_friends(make_matches, "person:1", "person:2", "house:greedy")
    (first,) = play_cards(match, 1)
    ask_take_back(match_id=match.pk, seat=first)
    with pytest.raises(LeagueError, match="Nobody asks you"):
        answer_take_back(match_id=match.pk, seat=first, is_allowed=True)


def test_who_decides_again_asks_no_more(make_matches: MakeMatches) -> None:
    match = sit_with_friends(make_matches, "person:1", "person:2", "house:greedy")
    (first,) = play_cards(match, 1)
    ask_take_back(match_id=match.pk, seat=first)
    while find_table(match.pk, first).asks_back is not None:
        play_cards(match, 1)
    own = [entry for entry in unpack_log(bytes(match.log)) if entry & 3 == first and entry >> 2 != KEEP]
    assert len(own) > 2, "it stood until the bid and that card were followed by another card"


def test_who_gave_up_is_not_asked(make_matches: MakeMatches) -> None:
    match = sit_with_friends(make_matches, "person:1", "person:2", "house:greedy")
    (first,) = play_cards(match, 1)
    resign_seat(match_id=match.pk, seat=1 - first)
    match.refresh_from_db()
    before = len(match.log)
    ask_take_back(match_id=match.pk, seat=first)
    match.refresh_from_db()
    assert len(match.log) < before


def test_marks_of_programs_go_with_what_is_taken_back(make_matches: MakeMatches) -> None:
    match = sit_with_friends(make_matches, "person:1", "house:greedy", "house:greedy")
    play_cards(match, 1, is_by_token=True)
    marked = match.seats.get(seat=0)
    ask_take_back(match_id=match.pk, seat=0)
    kept = match.seats.get(seat=0)
    own = sum(entry & 3 == 0 for entry in unpack_log(bytes(Match.objects.get(pk=match.pk).log)))
    assert marked.token_decisions is not None and len(marked.token_decisions) > own
    assert sorted(kept.token_decisions or []) == list(range(own)) and kept.by_token == own


@pytest.mark.parametrize(
    ("agents", "changes"),
    [
        pytest.param(("person:1", "house:greedy", "house:greedy"), {"is_rated": True}, id="a rated table"),
        pytest.param(("person:1", "house:greedy", "house:greedy"), {"kind": MatchKind.TOURNAMENT}, id="a tournament"),
    ],
)
def test_elsewhere_a_decision_stands(
    make_matches: MakeMatches, agents: tuple[str, ...], changes: dict[str, Any]
) -> None:
    match = sit_with_friends(make_matches, *agents)
    play_cards(match, 1)
    Match.objects.filter(pk=match.pk).update(**changes)
    with pytest.raises(LeagueError) as refusal:
        ask_take_back(match_id=match.pk, seat=0)
    assert refusal.value.code == "takes_nothing_back"


def test_bids_that_were_turned_over_stay(make_matches: MakeMatches) -> None:
    match = sit_with_friends(make_matches, "person:1", "house:greedy", "house:greedy")
    counter = look(match, 0).log_end
    answer_decision(match_id=match.pk, seat=0, counter=counter, text=look(match, 0).legal_texts()[0])
    with pytest.raises(LeagueError) as refusal:
        ask_take_back(match_id=match.pk, seat=0)
    assert refusal.value.code == "nothing_to_take_back"
